/* Texts: hashed, compared, and found in bigger ones. */

#ifndef RANKPROOF_TEXTS_H
#define RANKPROOF_TEXTS_H

#include "bits.h"

/* Ids in one text: id i is text[at[i] : at[i] + length[i]]. */
typedef struct {
    Text text;
    int64_t size, n;
    const int64_t *at;
    const int32_t *length;
} Ids;

/* Does text[at : at + length] lie within a text of some size? */
static inline int inside(int64_t at, int64_t length, int64_t size)
{
    return at >= 0 && length >= 0 && at <= size - length;
}

static inline int within(const Ids *ids, int64_t i)
{
    return i >= 0 && i < ids->n && inside(ids->at[i], ids->length[i], ids->size);
}

/* Up to 7 bytes as one word; texts of one length have the same word only where they are the same. */
static inline uint64_t few(Text at, int64_t length)
{
    if (length >= 4) return (uint64_t)four(at) << 32 | four(at + length - 4);
    if (length == 0) return 0;
    return (uint64_t)at[0] << 16 | (uint64_t)at[length / 2] << 8 | at[length - 1];
}

/* Two words mixed into one; without the seeds nobody can say which pairs come out the same. */
static inline uint64_t mixed(uint64_t a, uint64_t b)
{
    Product whole = product(a, b);
    return whole.high ^ whole.low;
}

/* A hash of some bytes. It only says where to look: what is found is compared byte by byte. */
static inline uint64_t hashed(Text at, int64_t length, uint64_t seed)
{
    uint64_t first = seed ^ 0x9FB21C651E98DF25ULL, second = (seed << 32 | seed >> 32) ^ 0xD6E8FEB86659FD93ULL, h = seed;
    if (length < 8) return mixed(few(at, length) ^ first, second ^ (uint64_t)length);
    for (int64_t i = 0; i + 16 < length; i += 16) h = mixed(eight(at + i) ^ first ^ h, eight(at + i + 8) ^ second);
    /* the last 16 bytes, some of them for a second time; of less than 16, the first 8 and the last */
    uint64_t before = eight(at + (length < 16 ? 0 : length - 16)), last = eight(at + length - 8);
    return mixed(before ^ first ^ h, last ^ second ^ (uint64_t)length);
}

static inline int equal(Text a, int64_t a_length, Text b, int64_t b_length)
{
    if (a_length != b_length) return 0;
    if (a_length < 8) return few(a, a_length) == few(b, b_length);
    for (int64_t i = 0; i + 8 < a_length; i += 8)
        if (eight(a + i) != eight(b + i)) return 0;
    return eight(a + a_length - 8) == eight(b + a_length - 8);
}

/* Below, at or above 0 as one text stands before, with or behind another in the order of their bytes. */
static inline int compared(Text a, int64_t a_length, Text b, int64_t b_length)
{
    int64_t common = a_length < b_length ? a_length : b_length;
    int order = common ? memcmp(a, b, (size_t)common) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

#endif
