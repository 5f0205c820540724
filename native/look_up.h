/* index: ids by group -> hash tables. look_up: lines -> lists, the query of each, the judgment of each line. */

#ifndef RANKPROOF_LOOK_UP_H
#define RANKPROOF_LOOK_UP_H

#include "texts.h"

enum { PLACES = 8 };

/* Eight places of a table: seven bits of the hash of each id with the top bit set, 0 where a place is empty, so that
   one comparison tells which of them may be meant; and the ids. They fill up from the lowest byte. */
typedef struct {
    uint64_t tags;
    uint32_t id[PLACES];
} Bucket;

/* Buckets of a table of n ids: a power of two, half filled at most. The size of tables is told in words of 8 bytes. */
enum { WORDS = sizeof(Bucket) / 8 };
int64_t words_for(int64_t n);

/* Tables of the groups offsets[g]:offsets[g+1] of ids, in buckets that are all 0; slot_offsets are words. first[i] is
   the first id of its group that equals id i. How many ids equal an earlier one. */
int64_t entered(Bucket *buckets, const int64_t *slot_offsets, const Ids *ids, const int64_t *offsets, int64_t groups,
                uint64_t seed, int64_t *first);

/* What look_up reads and writes. */
typedef struct {
    Text block;
    int64_t size, n_lines;
    const int64_t *query_at, *doc_at;
    const int32_t *query_length, *doc_length;
    Ids names, docs;
    const uint64_t *name_slots, *doc_slots;
    int64_t n_name_slots, n_names, n_doc_slots;
    const int64_t *doc_slot_offsets;
    uint64_t seed;
    int64_t *starts;
    int32_t *place, *judgment;
    uint64_t *hash;
} Looking;

/* How many lists there are; -1 where a column points outside of the block, or a table cannot be one. */
int64_t looked_up(const Looking *in);

#endif
