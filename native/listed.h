/* One list of lines at a time, and the order in which they stand. */

#ifndef RANKPROOF_LISTED_H
#define RANKPROOF_LISTED_H

#include "settle.h"

/* A line of a list, and what orders it: the smaller key stands first. */
typedef struct {
    uint64_t key;
    uint32_t i;
} Line;

/* A list of n lines and its columns; line i is line order[i] of all, or start + i where there is no order. */
typedef struct {
    int64_t start, n;
    const int64_t *order;
    const int32_t *judgment;
    const uint64_t *hash;
} List;

/* Memory for the longest list, and why a column cannot be followed, where one cannot. */
typedef struct {
    Line *lines, *spare;
    uint32_t *hits, *slots;
    double *number;
    int64_t *whole;
    int32_t *judgment;
    uint64_t *hash;
    uint8_t *marks;
    const char *why;
} Scratch;

static inline int64_t line_of(const List *list, int64_t i)
{
    return list->order ? list->order[i] : list->start + i;
}

/* How many places a table has that finds n lines by their hashes: a power of two, mostly empty where that is cheap. */
int64_t room_for(int64_t n);

/* How many lines of a list name a doc that an earlier one names. */
int32_t repeated(const Settling *in, Scratch *s, const List *list);

/* The lines by rank: 2 where they stand so, 1 with lines[0 : n] in that order, 0 where a rank is unreadable or is there
   twice. */
int ranked(const Settling *in, Scratch *s, const List *list);

/* The lines by score: 2 where every score is lower than the one before; else with the keys in lines[0 : n], 1 where
   these rise, 0 where not. */
int scored(const Settling *in, Scratch *s, const List *list);

#define LAST UINT64_MAX /* the key of a score that is no number; such lines have no equals */

/* True where the first of two lines with equal keys stands before the second. */
int precedes(const Settling *in, Scratch *s, const List *list, int64_t a, int64_t b);

/* Sort lines by key, and by the rule for ties where `by_rule`, else as they stood. */
void sorted(const Settling *in, Scratch *s, const List *list, Line *lines, int64_t n, int by_rule);

#endif
