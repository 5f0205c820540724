/* settle: lists -> hits, which are judged docs with their ranks and their groups of equal scores. */

#ifndef RANKPROOF_SETTLE_H
#define RANKPROOF_SETTLE_H

#include "texts.h"

/* What decides between equal scores. */
enum { FILE_ORDER, FILE_LAST, DOC_FALLS, DOC_RISES, BEST_FIRST, WORST_FIRST };

/* What most lists that are ordered by rank need of a line, side by side, so that it is fetched at once. */
typedef struct {
    uint64_t hash;
    int32_t whole, judgment;
} Ranked;

/* The same of one ordered by score. Its doc begins at `at`, and that of the next line behind it. */
typedef struct {
    uint64_t hash;
    double number;
    int32_t judgment;
    uint32_t at;
} Scored;

/* What settle reads, columns of lines and of lists, and writes: columns of hits, and two of lists. Lines in brief,
   n_lines of `ranked` or one more of `scored`, come with an order and without columns; with `scored` the docs are their
   text alone. */
typedef struct {
    Ids docs; /* of every line */
    const Ranked *ranked;
    const Scored *scored;
    int64_t n_lines, n_lists, n_names, n_judgments;
    const int32_t *judgment, *place;
    const uint64_t *hash;
    const double *number;
    const int64_t *whole, *starts, *order, *grade, *offsets;
    int by_rank, ties, single;
    int32_t *hit, *rank, *tie_start, *tie_size, *n_hits, *n_repeats;
} Settling;

/* Why lists cannot be settled that need a column which is not there. */
extern const char LEFT_OUT[];

/* How many hits there are; -1 where a column leads outside of another, which `why` says then, or memory is short. */
int64_t settled(const Settling *in, const char **why);

#endif
