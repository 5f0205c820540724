#include "marks.h"

#if !defined(PLAIN_C) && (defined(__SSE2__) || defined(_M_X64))
#include <emmintrin.h>
#define SIXTEEN_AT_ONCE
#endif
#if !defined(PLAIN_C) && !defined(OLDER_PROCESSOR) && defined(__x86_64__) &&                                           \
    (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9))
#include <immintrin.h>
#define MORE_AT_ONCE /* where the processor can, which is asked when the program runs */
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))
#endif

/* Of 64 bytes: which part fields, line ends included, which end lines, which are 0 or not ASCII; the lowest bit is the
   first byte. */
typedef struct {
    uint64_t apart, breaks, beyond;
} Seen;

#ifdef SIXTEEN_AT_ONCE

static inline Seen seen(Text text, int separator)
{
    Seen found = {0, 0, 0};
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
        __m128i tops = _mm_or_si128(bytes, _mm_sub_epi8(bytes, _mm_set1_epi8(1)));
        found.beyond |= (uint64_t)(uint32_t)_mm_movemask_epi8(tops) << i;
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
    Seen found = {0, 0, 0};
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
        found.beyond |= gathered((word & TOP_BITS) | zero_bytes(word)) << i;
    }
    return found;
}

#endif

#ifdef MORE_AT_ONCE

WIDE static inline Seen seen_wide(Text text, int separator)
{
    __m512i bytes = _mm512_loadu_si512((const void *)text);
    uint64_t breaks =
        _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n')) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\r'));
    uint64_t apart =
        separator ? breaks | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)separator))
                  : _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')) |
                        _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('\t')), _mm512_set1_epi8(4));
    __m512i tops = _mm512_or_si512(bytes, _mm512_sub_epi8(bytes, _mm512_set1_epi8(1)));
    return (Seen){apart, breaks, _mm512_movepi8_mask(tops)};
}

/* Write the places of bits behind each other, sixteen at a time, and something behind them: as many as there are usually
   without asking, since what asks at every place whether it was the last guesses wrong. How many there are. */
WIDE static inline int64_t placed_wide(uint64_t bits, uint32_t base, uint32_t *to, int usually)
{
    static const uint8_t COUNTED[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    __m512i places = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512((const void *)COUNTED));
    int64_t n = _mm_popcnt_u64(bits);
    for (int64_t i = 0; i < usually || i < n; i += 16) {
        __m512i sixteen = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
        _mm512_storeu_si512((void *)(to + i), _mm512_add_epi32(sixteen, _mm512_set1_epi32((int)base)));
        places = _mm512_shuffle_i64x2(places, places, 0x39); /* the next sixteen come first */
    }
    return n;
}

#endif

/* Write the places of bits behind each other. How many there are. */
static inline int64_t placed(uint64_t bits, uint32_t base, uint32_t *to)
{
    int64_t n = 0;
    for (; bits; bits &= bits - 1) to[n++] = base + (uint32_t)lowest_bit(bits);
    return n;
}

#ifdef MORE_AT_ONCE
#define BY_WAY(wide, if_wide, if_not) ((wide) ? (if_wide) : (if_not))
#else
#define BY_WAY(wide, if_wide, if_not) (if_not)
#endif

static WITHIN void marked(Text text, int64_t from, int64_t to, int64_t end, int separator, Marks *marks, int wide)
{
    uint64_t before = 1; /* was the byte before one that parts fields? A line begins as if it were. */
    uint64_t beyond = 0;
    int64_t edges = 0, lines = 0;
    uint8_t last[64];
    (void)wide;
    if (separator) marks->edge[edges++] = 0;
    for (int64_t at = from; at < to; at += 64) {
        Text here = text + at;
        if (end - at < 64) {
            memset(last, '\n', 64);
            memcpy(last, here, (size_t)(end - at));
            here = last;
        }
        Seen found = BY_WAY(wide, seen_wide(here, separator), seen(here, separator));
        uint64_t asked = to - at < 64 ? (1ULL << (to - at)) - 1 : ~0ULL;
        uint32_t base = (uint32_t)(at - from);
        found.apart &= asked;
        found.breaks &= asked;
        beyond |= found.beyond;
        if (separator)
            for (uint64_t bits = found.apart; bits; bits &= bits - 1) {
                uint32_t place = base + (uint32_t)lowest_bit(bits);
                marks->edge[edges++] = place;
                marks->edge[edges++] = place + 1;
            }
        else {
            uint64_t turns = (found.apart ^ (found.apart << 1 | before)) & asked;
            uint32_t *edge = marks->edge + edges;
            before = found.apart >> 63;
            edges += BY_WAY(wide, placed_wide(turns, base, edge, 32), placed(turns, base, edge));
        }
        uint32_t *stop = marks->stop + lines;
        lines += BY_WAY(wide, placed_wide(found.breaks, base, stop, 16), placed(found.breaks, base, stop));
    }
    marks->fields = edges / 2;
    marks->lines = lines;
    marks->beyond = beyond != 0;
    marks->edge[edges] = UINT32_MAX; /* no field begins behind the last */
}

#ifdef MORE_AT_ONCE

WIDE static void mark_wide(Text text, int64_t from, int64_t to, int64_t end, int separator, Marks *marks)
{
    if (separator)
        marked(text, from, to, end, separator, marks, 1);
    else
        marked(text, from, to, end, 0, marks, 1);
}

#endif

void mark(Text text, int64_t from, int64_t to, int64_t end, int separator, Marks *marks)
{
#ifdef MORE_AT_ONCE
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2")) {
        mark_wide(text, from, to, end, separator, marks);
        return;
    }
#endif
    if (separator)
        marked(text, from, to, end, separator, marks, 0);
    else
        marked(text, from, to, end, 0, marks, 0);
}
