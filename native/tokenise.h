/* tokenise: a block of lines -> where ids stand, scores, whole numbers, and what was odd. */

#ifndef RANKPROOF_TOKENISE_H
#define RANKPROOF_TOKENISE_H

#include "bits.h"

enum { FEW_FIELDS = 1, BAD_WHOLE, ODD_NUMBER, NEW_TAG };
enum { MOST_FIELDS = 64, MOST_TAGS = 16 };

/* Where things stand in a line: the separator (0: any run of blanks), how many fields, and which is which (-1: none). */
typedef struct {
    int separator, fields, query, doc, whole, number, tag;
} Layout;

/* One row a line that has its fields. */
typedef struct {
    int64_t *query_at, *doc_at, *whole;
    int32_t *query_length, *doc_length, *line;
    double *number;
    int64_t most;
} Lines;

/* What was odd: rows of kind, line, offset, length, and a number that goes with the kind. */
typedef struct {
    int64_t *rows, n, most;
} Events;

typedef struct {
    int64_t lines, rows, blank, comments, more, first_more, odd, beyond;
} Counts;

/* Is there a field for all that is asked for, and can offsets into a block of this size be told? */
int tellable(const Layout *layout, int64_t end);

/* The lines of block[:end]; 0 where there are more lines, or more odd things, than there is room for. */
int tokenised(Text block, int64_t end, const Layout *layout, const Lines *lines, Events *events, Counts *counts);

#endif
