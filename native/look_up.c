#include "look_up.h"

/* A table: some buckets, their number a power of two, or none. */
typedef struct {
    const Bucket *buckets;
    int64_t n;
} Table;

int64_t words_for(int64_t n)
{
    int64_t buckets = n > 0;
    while (buckets * PLACES / 2 < n) buckets *= 2;
    return buckets * WORDS;
}

static inline uint64_t tag_of(uint64_t hash)
{
    return hash >> 57 | 0x80;
}

/* The top bits of the places that may hold an id with this tag. */
static inline uint64_t candidates(uint64_t tags, uint64_t tag)
{
    return zero_bytes(tags ^ EACH_BYTE * tag);
}

static inline int full(uint64_t tags)
{
    return tags >> 56 != 0;
}

/* Put id i into a table; where an equal one is there, that one. */
static int64_t put(Bucket *buckets, int64_t n, const Ids *ids, int64_t i, uint64_t hash)
{
    Text text = ids->text + ids->at[i];
    for (uint64_t at = hash;; at++) {
        Bucket *bucket = &buckets[at & (uint64_t)(n - 1)];
        for (uint64_t found = candidates(bucket->tags, tag_of(hash)); found; found &= found - 1) {
            int64_t other = bucket->id[lowest_bit(found) / 8];
            if (equal(text, ids->length[i], ids->text + ids->at[other], ids->length[other])) return other;
        }
        if (full(bucket->tags)) continue;
        int place = lowest_bit(zero_bytes(bucket->tags)) / 8;
        bucket->tags |= tag_of(hash) << (8 * place);
        bucket->id[place] = (uint32_t)i;
        return i;
    }
}

int64_t entered(Bucket *buckets, const int64_t *slot_offsets, const Ids *ids, const int64_t *offsets, int64_t groups,
                uint64_t seed, int64_t *first)
{
    int64_t repeated = 0;
    for (int64_t g = 0; g < groups; g++) {
        int64_t from = slot_offsets[g] / WORDS, n = slot_offsets[g + 1] / WORDS - from;
        for (int64_t i = offsets[g]; i < offsets[g + 1]; i++) {
            first[i] = put(buckets + from, n, ids, i, hashed(ids->text + ids->at[i], ids->length[i], seed));
            repeated += first[i] != i;
        }
    }
    return repeated;
}

/* The id that equals a text; -1 where there is none. Most texts are none, and one look at one bucket says so. */
static inline int64_t found(Table table, const Ids *ids, Text text, int64_t length, uint64_t hash)
{
    for (int64_t tried = 0; tried < table.n; tried++) {
        const Bucket *bucket = &table.buckets[(hash + (uint64_t)tried) & (uint64_t)(table.n - 1)];
        for (uint64_t same = candidates(bucket->tags, tag_of(hash)); same; same &= same - 1) {
            int64_t id = bucket->id[lowest_bit(same) / 8];
            if (within(ids, id) && equal(text, length, ids->text + ids->at[id], ids->length[id])) return id;
        }
        if (!full(bucket->tags)) break;
    }
    return -1;
}

/* The table slots[from : to], in words; 0 where it cannot be one. */
static int table_of(const uint64_t *slots, int64_t from, int64_t to, int64_t size, Table *table)
{
    int64_t n = (to - from) / WORDS;
    if (from < 0 || to < from || to > size || n * WORDS != to - from || (n & (n - 1))) return 0;
    *table = (Table){(const Bucket *)(const void *)(slots + from), n};
    return 1;
}

int64_t looked_up(const Looking *in)
{
    int64_t lists = 0, size = in->size, last = 0, last_length = -1;
    int32_t place = -1;
    Table names, docs = {NULL, 0};
    if (!table_of(in->name_slots, 0, in->n_name_slots, in->n_name_slots, &names)) return -1;
    for (int64_t i = 0; i < in->n_lines; i++) {
        int64_t at = in->query_at[i], length = in->query_length[i], doc = in->doc_at[i], doc_length = in->doc_length[i];
        if (!inside(at, length, size) || !inside(doc, doc_length, size)) return -1;
        if (!equal(in->block + at, length, in->block + last, last_length)) { /* a list begins */
            last = at;
            last_length = length;
            uint64_t hash = hashed(in->block + at, length, in->seed);
            place = (int32_t)found(names, &in->names, in->block + at, length, hash);
            if (place >= 0) {
                const int64_t *slots = in->doc_slot_offsets + place;
                if (!table_of(in->doc_slots, slots[0], slots[1], in->n_doc_slots, &docs)) return -1;
            }
            in->starts[lists] = i;
            in->place[lists++] = place;
        }
        if (place < 0) {
            in->judgment[i] = -1;
            in->hash[i] = 0;
            continue;
        }
        uint64_t hash = hashed(in->block + doc, doc_length, in->seed);
        in->hash[i] = hash;
        in->judgment[i] = (int32_t)found(docs, &in->docs, in->block + doc, doc_length, hash);
    }
    in->starts[lists] = in->n_lines;
    return lists;
}
