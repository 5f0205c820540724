/* Marks: where fields begin and end in some whole lines, and where the lines end. */

#ifndef RANKPROOF_MARKS_H
#define RANKPROOF_MARKS_H

#include "bits.h"

#ifndef CHUNK
#define CHUNK 4096 /* bytes that are marked at a time: few enough to stay near */
#endif

/* Places count from the begin of the chunk. Field i is edge[2 * i] up to edge[2 * i + 1]; line i ends at stop[i].
   There is room for a field and an end at every byte, and for what is written behind the last of them. `beyond` is 1
   where a byte is 0 or not ASCII. */
enum { SLACK = 32 };
typedef struct {
    int64_t fields, lines;
    int beyond;
    uint32_t edge[2 * CHUNK + 2 + SLACK], stop[CHUNK + SLACK];
} Marks;

/* Mark the lines text[from : to], at most CHUNK bytes, of a text that ends at `end`. */
void mark(Text text, int64_t from, int64_t to, int64_t end, int separator, Marks *marks);

/* Does a byte end a line? */
static inline int ends_line(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

/* Does a byte stand between two fields? With 0 for a separator any run of blanks does. */
static inline int parts_fields(uint8_t byte, int separator)
{
    return separator ? byte == separator : byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

#endif
