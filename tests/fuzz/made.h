/* Texts that resemble runs and are not always: lines with odd fields, odd numbers, odd ends; then bytes changed. */

#ifndef FUZZ_MADE_H
#define FUZZ_MADE_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* Random bits, the same ones for the same seed (splitmix64). */
static uint64_t bits(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static int64_t below(int64_t n)
{
    return (int64_t)(bits() % (uint64_t)n);
}

static int once_in(int64_t n)
{
    return below(n) == 0;
}

/* A text that grows. */
typedef struct {
    uint8_t bytes[1 << 17];
    int64_t n;
} Made;

static void add(Made *made, const char *text)
{
    size_t n = strlen(text);
    if (made->n + (int64_t)n > (int64_t)sizeof made->bytes) return;
    memcpy(made->bytes + made->n, text, n);
    made->n += (int64_t)n;
}

static void add_many(Made *made, const char *text, int64_t times)
{
    for (int64_t i = 0; i < times; i++) add(made, text);
}

static const char *one_of(const char *const *texts, int64_t n)
{
    return texts[below(n)];
}

/* Digits, point and exponent in all lengths; now and then what only looks like a number. */
static void add_number(Made *made)
{
    static const char *const odd[] = {"nan",     "inf",   "",      ".",      "-",
                                      "+",       "1_0",   "5.",    ".5",     "-0.0",
                                      "1e",      "1e+",   "1e400", "1e-400", "0e99999",
                                      "..",      "1.2.3", "--1",   "0x1",    "9007199254740993",
                                      "0.1e1e1", "1e5",   "\xff"};
    char text[64];
    double value = (double)(int64_t)bits() / (double)(1ULL << below(64));
    switch (below(8)) {
    case 0:
        add(made, one_of(odd, sizeof odd / sizeof *odd));
        return;
    case 1:
        snprintf(text, sizeof text, "%.*g", (int)below(20) + 1, value);
        break;
    case 2:
        snprintf(text, sizeof text, "%" PRIu64, bits() >> below(64));
        break;
    case 3:
        snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu64, bits() >> below(64), bits() >> below(64));
        break;
    case 4:
        snprintf(text, sizeof text, "%.*e", (int)below(22), value);
        break;
    case 5:
        snprintf(text, sizeof text, "0.%0*" PRIu64, (int)below(24), bits() >> below(64));
        break;
    default:
        snprintf(text, sizeof text, "%.6f", (double)below(4000) / 16);
        break;
    }
    if (once_in(6)) add(made, once_in(2) ? "-" : "+");
    if (once_in(12)) add_many(made, "0", below(30));
    add(made, text);
    if (once_in(30)) add_many(made, "0", below(30));
}

static void add_rank(Made *made, int64_t usual)
{
    char text[32];
    if (once_in(10)) {
        add_number(made);
        return;
    }
    snprintf(text, sizeof text, once_in(30) ? "%+" PRId64 ".00" : "%" PRId64, once_in(8) ? below(2000) - 9 : usual);
    add(made, text);
}

static void add_id(Made *made, const char *stem, int64_t most)
{
    static const char *const stems[] = {
        "d", "LA0", "doc-en", "clueweb09-en0000-", "a-long-name-of-a-passage/part-", "\xe6\x96\x87"};
    char text[24];
    add(made, stem ? stem : one_of(stems, sizeof stems / sizeof *stems));
    snprintf(text, sizeof text, "%" PRId64, below(most));
    add(made, text);
    if (once_in(300)) add_many(made, "x", below(6000));
}

/* A line as in a run, in which any part may be another. */
static void add_line(Made *made, int64_t query, int64_t rank, const char *between, int odd)
{
    static const char *const ends[] = {"\r\n", "\r", "\n\n", " \n", "\n\r", "\r\r\n", "", " "};
    char text[24];
    int64_t fields = odd && once_in(15) ? below(9) : 6;
    if (odd && once_in(25)) add(made, "#");
    for (int64_t i = 0; i < fields; i++) {
        if (i) add(made, odd && once_in(40) ? "  \t" : between);
        snprintf(text, sizeof text, "q%" PRId64, query);
        if (i == 0)
            add(made, text);
        else if (i == 2)
            add_id(made, NULL, 4);
        else if (i == 3)
            add_rank(made, rank);
        else if (i == 4)
            add_number(made);
        else
            add(made, odd && once_in(20) ? "other" : i == 1 ? "Q0" : "tag");
    }
    if (odd && once_in(60)) add_many(made, " y", below(90));
    add(made, odd && once_in(12) ? one_of(ends, sizeof ends / sizeof *ends) : "\n");
}

/* A whole text; `between` stands between its fields. */
static void make(Made *made, const char *between)
{
    static const char changes[] = "\n\r\t \0\x0b\x0c\x1f\x21#.,eE+-0159\x80\xff";
    int odd = !once_in(3);
    int64_t queries = below(5);
    made->n = 0;
    for (int64_t q = 0; q < queries; q++) {
        int64_t lines = once_in(12) ? below(120) : below(9);
        for (int64_t i = 0; i < lines; i++) add_line(made, once_in(15) ? below(6) : q, i + 1, between, odd);
    }
    for (int64_t n = odd && once_in(3) ? below(20) : 0; n && made->n; n--)
        made->bytes[below(made->n)] = (uint8_t)changes[below(sizeof changes - 1)];
    if (odd && once_in(4) && made->n) made->n -= below(made->n < 40 ? made->n : 40); /* cut off */
}

#endif
