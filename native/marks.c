#include "marks.h"

#if !defined(PLAIN_C) && (defined(__SSE2__) || defined(_M_X64))
#include <emmintrin.h>
#define SIXTEEN_AT_ONCE
#endif

/* Of 64 bytes: which part fields, line ends included, and which end lines; the lowest bit is the first byte. */
typedef struct {
    uint64_t apart, breaks;
} Seen;

#ifdef SIXTEEN_AT_ONCE

static inline Seen seen(Text text, int separator)
{
    Seen found = {0, 0};
    for (int i = 0; i < 64; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + i)), apart;
        __m128i breaks =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
        if (separator)
            apart = _mm_or_si128(breaks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)separator)));
        else { /* the codes from tab to carriage return are 9 to 13 */
            __m128i beyond = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
            apart = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                                 _mm_cmpeq_epi8(_mm_min_epu8(beyond, _mm_set1_epi8(4)), beyond));
        }
        found.apart |= (uint64_t)(uint32_t)_mm_movemask_epi8(apart) << i;
        found.breaks |= (uint64_t)(uint32_t)_mm_movemask_epi8(breaks) << i;
    }
    return found;
}

#else

/* The top bits of eight bytes as eight bits. */
static inline uint64_t gathered(uint64_t tops)
{
    return ((tops >> 7) * 0x0102040810204080ULL) >> 56;
}

static inline Seen seen(Text text, int separator)
{
    Seen found = {0, 0};
    for (int i = 0; i < 64; i += 8) {
        uint64_t word = eight_in_order(text + i);
        uint64_t breaks = zero_bytes(word ^ EACH_BYTE * '\n') | zero_bytes(word ^ EACH_BYTE * '\r');
        uint64_t apart = breaks;
        if (separator)
            apart |= zero_bytes(word ^ EACH_BYTE * (uint8_t)separator);
        else
            apart |= zero_bytes(word ^ EACH_BYTE * ' ') | zero_bytes(word ^ EACH_BYTE * '\t') |
                     zero_bytes(word ^ EACH_BYTE * '\v') | zero_bytes(word ^ EACH_BYTE * '\f');
        found.apart |= gathered(apart) << i;
        found.breaks |= gathered(breaks) << i;
    }
    return found;
}

#endif

/* Write the places of bits behind each other. How many there are. */
static inline int64_t placed(uint64_t bits, uint32_t base, uint32_t *to)
{
    int64_t n = 0;
    for (; bits; bits &= bits - 1) to[n++] = base + (uint32_t)lowest_bit(bits);
    return n;
}

void mark(Text text, int64_t from, int64_t to, int64_t end, int separator, Marks *marks)
{
    uint64_t before = 1; /* was the byte before one that parts fields? A line begins as if it were. */
    int64_t edges = 0, lines = 0;
    uint8_t last[64];
    if (separator) marks->edge[edges++] = 0;
    for (int64_t at = from; at < to; at += 64) {
        Text here = text + at;
        if (end - at < 64) {
            memset(last, '\n', 64);
            memcpy(last, here, (size_t)(end - at));
            here = last;
        }
        Seen found = separator ? seen(here, separator) : seen(here, 0);
        uint64_t asked = to - at < 64 ? (1ULL << (to - at)) - 1 : ~0ULL;
        uint32_t base = (uint32_t)(at - from);
        found.apart &= asked;
        if (separator)
            for (uint64_t bits = found.apart; bits; bits &= bits - 1) {
                uint32_t place = base + (uint32_t)lowest_bit(bits);
                marks->edge[edges++] = place;
                marks->edge[edges++] = place + 1;
            }
        else {
            uint64_t turns = (found.apart ^ (found.apart << 1 | before)) & asked;
            before = found.apart >> 63;
            edges += placed(turns, base, marks->edge + edges);
        }
        lines += placed(found.breaks & asked, base, marks->stop + lines);
    }
    marks->fields = edges / 2;
    marks->lines = lines;
    marks->edge[edges] = UINT32_MAX; /* no field begins behind the last */
}
