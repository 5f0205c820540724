/* Words of 8 bytes and their bits: what C leaves to each compiler, said once. */

#ifndef RANKPROOF_BITS_H
#define RANKPROOF_BITS_H

#include <stdint.h>
#include <string.h>

/* PLAIN_C leaves out all that a compiler or a processor may not have, so that what stands in for it can be tested. */
#if defined(PLAIN_C)
#elif defined(__GNUC__)
#define BITS_OF_GNU
#elif defined(_MSC_VER) && defined(_WIN64)
#include <intrin.h>
#define BITS_OF_MICROSOFT
#endif

/* For what is fast only as a part of what calls it. */
#if defined(BITS_OF_GNU)
#define WITHIN inline __attribute__((always_inline))
#else
#define WITHIN inline
#endif

#define EACH_BYTE 0x0101010101010101ULL /* times a byte: that byte eight times */
#define TOP_BITS 0x8080808080808080ULL

typedef const uint8_t *Text;

/* Four bytes in the order of the machine: to be compared or hashed, not to be read. */
static inline uint32_t four(Text at)
{
    uint32_t word;
    memcpy(&word, at, 4);
    return word;
}

/* Eight bytes in the order of the machine. */
static inline uint64_t eight(Text at)
{
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

/* Eight bytes, the first in the lowest place. */
static inline uint64_t eight_in_order(Text at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) word = word << 8 | at[i];
    return word;
#else
    return eight(at);
#endif
}

/* The top bit of each byte that is 0. */
static inline uint64_t zero_bytes(uint64_t word)
{
    return ~(((word & ~TOP_BITS) + ~TOP_BITS) | word) & TOP_BITS;
}

/* The place of the lowest bit that is set; there has to be one. */
static inline int lowest_bit(uint64_t word)
{
#if defined(BITS_OF_GNU)
    return __builtin_ctzll(word);
#elif defined(BITS_OF_MICROSOFT)
    unsigned long place;
    _BitScanForward64(&place, word);
    return (int)place;
#else
    int place = 0;
    for (; !(word & 1); word >>= 1) place++;
    return place;
#endif
}

/* How many bits above the highest one are not set; one has to be. */
static inline int empty_above(uint64_t word)
{
#if defined(BITS_OF_GNU)
    return __builtin_clzll(word);
#elif defined(BITS_OF_MICROSOFT)
    unsigned long place;
    _BitScanReverse64(&place, word);
    return 63 - (int)place;
#else
    int n = 0;
    for (; !(word >> 63); word <<= 1) n++;
    return n;
#endif
}

/* A product of two words, whole. */
typedef struct {
    uint64_t high, low;
} Product;

static inline Product product(uint64_t a, uint64_t b)
{
#if defined(BITS_OF_GNU) && defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 whole = (unsigned __int128)a * b;
    return (Product){(uint64_t)(whole >> 64), (uint64_t)whole};
#elif defined(BITS_OF_MICROSOFT) && defined(_M_X64)
    Product whole;
    whole.low = _umul128(a, b, &whole.high);
    return whole;
#else
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, one = a_high * b_low + (low >> 32), other = a_low * b_high + (uint32_t)one;
    return (Product){a_high * b_high + (one >> 32) + (other >> 32), other << 32 | (uint32_t)low};
#endif
}

#endif
