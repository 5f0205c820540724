/* Numbers as texts: read exactly, or left to whoever reads slower and knows more. */

#ifndef RANKPROOF_NUMBERS_H
#define RANKPROOF_NUMBERS_H

#include "bits.h"

#define UNREADABLE INT64_MIN /* in place of a whole number that is none */

/* The text in which numbers stand: what is around one may be looked at, so that whole words can be read. */
typedef struct {
    Text begin, end;
} Block;

/* A plain decimal number exactly as Python's float() reads it; 0 where this is not one, or too long to be sure. */
int read_number(const Block *block, Text at, Text end, double *number);

/* A whole number of at most 15 digits, also written 3.0 or +3; 0 where this is not one. */
int read_whole(const Block *block, Text at, Text end, int64_t *number);

#endif
