#include "numbers.h"
#include <float.h>

enum { MOST_PLACES = 27 }; /* 5 to the power of 27 fits a word */

static const double TENS[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The powers of five, shifted up until the top bit is set, and (2^128 - 1) / power - 2^64: multiplied by that instead
   of divided, see Moeller and Granlund, "Improved division by invariant integers", 2011, algorithm 4. */
static const struct {
    uint64_t power, reciprocal;
    int shift;
} FIVES[MOST_PLACES + 1] = {
    {0x8000000000000000ULL, 0xFFFFFFFFFFFFFFFFULL, 63}, {0xA000000000000000ULL, 0x9999999999999999ULL, 61},
    {0xC800000000000000ULL, 0x47AE147AE147AE14ULL, 59}, {0xFA00000000000000ULL, 0x0624DD2F1A9FBE76ULL, 57},
    {0x9C40000000000000ULL, 0xA36E2EB1C432CA57ULL, 54}, {0xC350000000000000ULL, 0x4F8B588E368F0846ULL, 52},
    {0xF424000000000000ULL, 0x0C6F7A0B5ED8D36BULL, 50}, {0x9896800000000000ULL, 0xAD7F29ABCAF48578ULL, 47},
    {0xBEBC200000000000ULL, 0x5798EE2308C39DF9ULL, 45}, {0xEE6B280000000000ULL, 0x12E0BE826D694B2EULL, 43},
    {0x9502F90000000000ULL, 0xB7CDFD9D7BDBAB7DULL, 40}, {0xBA43B74000000000ULL, 0x5FD7FE17964955FDULL, 38},
    {0xE8D4A51000000000ULL, 0x19799812DEA11197ULL, 36}, {0x9184E72A00000000ULL, 0xC25C268497681C26ULL, 33},
    {0xB5E620F480000000ULL, 0x6849B86A12B9B01EULL, 31}, {0xE35FA931A0000000ULL, 0x203AF9EE756159B2ULL, 29},
    {0x8E1BC9BF04000000ULL, 0xCD2B297D889BC2B6ULL, 26}, {0xB1A2BC2EC5000000ULL, 0x70EF54646D496892ULL, 24},
    {0xDE0B6B3A76400000ULL, 0x2725DD1D243ABA0EULL, 22}, {0x8AC7230489E80000ULL, 0xD83C94FB6D2AC34AULL, 19},
    {0xAD78EBC5AC620000ULL, 0x79CA10C9242235D5ULL, 17}, {0xD8D726B7177A8000ULL, 0x2E3B40A0E9B4F7DDULL, 15},
    {0x878678326EAC9000ULL, 0xE392010175EE5962ULL, 12}, {0xA968163F0A57B400ULL, 0x82DB34012B25144EULL, 10},
    {0xD3C21BCECCEDA100ULL, 0x357C299A88EA76A5ULL, 8},  {0x84595161401484A0ULL, 0xEF2D0F5DA7DD8AA2ULL, 5},
    {0xA56FA5B99019A5C8ULL, 0x8C240C4AECB13BB5ULL, 3},  {0xCECB8F27F4200F3AULL, 0x3CE9A36F23C0FC90ULL, 1},
};

/* digits / 10^places, rounded once and half to even: a division by a power of five; that by two is in the exponent. */
static double divided(uint64_t digits, int places)
{
    int up = empty_above(digits);
    uint64_t power = FIVES[places].power, high = (digits << up) >> 1, low = (digits << up) << 63;

    Product guess = product(FIVES[places].reciprocal, high);
    guess.low += low;
    uint64_t quotient = guess.high + high + (guess.low < low) + 1, rest = low - quotient * power;
    if (rest > guess.low) quotient--, rest += power;
    if (rest >= power) quotient++, rest -= power;

    int extra = 11 - empty_above(quotient); /* bits beyond the 53 that are kept */
    uint64_t half = 1ULL << (extra - 1), cut = quotient & ((1ULL << extra) - 1), kept = quotient >> extra;
    if (cut > half || (cut == half && (rest || (kept & 1)))) kept++;
    int exponent = extra + FIVES[places].shift - up - 63 - places;
    uint64_t bits = ((uint64_t)(exponent + 1074) << 52) + kept; /* the highest bit of `kept` adds one to the exponent */
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

/* The last n of the eight characters before `end`, 1 to 8, as the values of digits with zeros in front. */
static inline uint64_t digits_before(Text end, int64_t n)
{
    return (eight_in_order(end - 8) ^ EACH_BYTE * '0') & (~0ULL << (64 - 8 * n));
}

/* The top bit of some bytes where not all eight are values of digits. */
static inline uint64_t no_digits(uint64_t values)
{
    return (values | (values + EACH_BYTE * (0x7F - 9))) & TOP_BITS;
}

/* Eight digits as a number: neighbours are joined to pairs, pairs to fours, fours to one. */
static inline uint64_t joined(uint64_t values)
{
    values = values * 10 + (values >> 8);
    uint64_t odd = values & 0x000000FF000000FFULL, even = (values >> 16) & 0x000000FF000000FFULL;
    return (uint32_t)((odd * (100 + (1000000ULL << 32)) + even * (1 + (10000ULL << 32))) >> 32);
}

/* Up to eight digits and a point, not the first of nine characters: the point is taken out, and what is left is joined.
   0 where it is another text. */
static inline int read_short(const Block *block, Text at, Text end, uint64_t *digits, int *places)
{
    int64_t length = end - at;
    if (length < 2 || length > 9 || end - block->begin < 9) return 0;
    uint64_t last = eight_in_order(end - 8), points = zero_bytes(last ^ EACH_BYTE * '.');
    if (!points) return 0;
    int after = empty_above(points); /* the bits of what stands behind the last point */
    uint64_t before = (2ULL << (63 - after)) - 1;
    uint64_t values = (last & ~before) | (eight_in_order(end - 9) & before);
    values = (values ^ EACH_BYTE * '0') & (~0ULL << (72 - 8 * length));
    *digits = joined(values);
    *places = after / 8;
    return after < 8 * length && !no_digits(values);
}

/* Digits with a point among the first eight characters, 19 of them at most, as nearly all scores are written: in
   eights, without a loop over characters. 0 where it is another text; it may be a number all the same. */
static inline int read_usual(const Block *block, Text at, Text end, uint64_t *digits, int *places)
{
    static const uint64_t SCALES[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    int64_t length = end - at;
    if (length < 1 || end - block->begin < 8 || block->end - at < 8) return 0;
    uint64_t start = eight_in_order(at), points = zero_bytes(start ^ EACH_BYTE * '.');
    int64_t before = points ? lowest_bit(points) / 8 : 8;
    if (before >= length) { /* no point */
        if (length > 8) return 0;
        uint64_t values = digits_before(end, length);
        *digits = joined(values);
        *places = 0;
        return !no_digits(values);
    }
    int64_t after = length - before - 1;
    if (!points || length < 2 || length > 20) return 0;
    uint64_t values = before ? (start ^ EACH_BYTE * '0') << (64 - 8 * before) : 0, bad = no_digits(values);
    uint64_t number = joined(values);
    at += before + 1;
    for (int64_t left = after; left > 0; left -= 8) { /* at most three times */
        int64_t n = left < 8 ? left : 8;
        at += n;
        values = digits_before(at, n);
        bad |= no_digits(values);
        number = number * SCALES[n] + joined(values);
    }
    *digits = number;
    *places = (int)after;
    return !bad;
}

/* The same for any decimal number; cut is set where digits were left away that are not zeros. */
static int read_any(Text at, Text end, uint64_t *digits, int *places, int *cut)
{
    int seen = 0, kept = 0, point = 0;
    *digits = 0;
    *places = 0;
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9) {
            if (*at != '.' || point) break;
            point = 1;
            continue;
        }
        seen = 1;
        if (kept < 19) {
            *digits = *digits * 10 + digit;
            kept += *digits != 0; /* zeros in front say nothing */
            *places += point;
        } else {
            *cut |= digit != 0;
            *places -= !point;
        }
        if (*places > 400 || *places < -400) return 0;
    }
    if (!seen) return 0;
    if (at < end && (*at | 32) == 'e') {
        int fall = 0, power = 0;
        if (++at < end && (*at == '-' || *at == '+')) fall = *at++ == '-';
        if (at == end) return 0;
        for (; at < end; at++) {
            unsigned digit = (unsigned)*at - '0';
            if (digit > 9 || power > 400) return 0;
            power = power * 10 + (int)digit;
        }
        *places += fall ? power : -power;
    }
    return at == end;
}

int read_number(const Block *block, Text at, Text end, double *number)
{
    int negative = 0, places = 0, cut = 0;
    uint64_t digits = 0;
    if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
    if (FLT_EVAL_METHOD == 0 && read_short(block, at, end, &digits, &places)) {
        double value = (double)digits / TENS[places];
        *number = negative ? -value : value;
        return 1;
    }
    if (!read_usual(block, at, end, &digits, &places) && !read_any(at, end, &digits, &places, &cut)) return 0;
    double value = 0.0;
    if (FLT_EVAL_METHOD == 0 && digits && !cut && digits <= (1ULL << 53) && places >= -22 && places <= 22)
        value = places < 0 ? (double)digits * TENS[-places] : (double)digits / TENS[places];
    else if (digits && places >= 0 && places <= MOST_PLACES) {
        value = divided(digits, places);
        if (cut && value != divided(digits + 1, places)) return 0; /* the digits that were cut decide */
    } else if (digits || cut)
        return 0;
    *number = negative ? -value : value;
    return 1;
}

int read_whole(const Block *block, Text at, Text end, int64_t *number)
{
    int negative = 0, n = 0;
    int64_t value = 0;
    if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
    if (at < end && end - at <= 8 && end - block->begin >= 8) { /* the usual: a few digits and nothing else */
        uint64_t values = digits_before(end, end - at);
        if (!no_digits(values)) {
            value = (int64_t)joined(values);
            *number = negative ? -value : value;
            return 1;
        }
    }
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (++n > 15) return 0;
        value = value * 10 + (*at - '0');
    }
    if (!n) return 0;
    if (at < end && *at == '.')
        for (at++; at < end && *at == '0'; at++) {}
    if (at < end) return 0;
    *number = negative ? -value : value;
    return 1;
}
