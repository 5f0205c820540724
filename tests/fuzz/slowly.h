/* What the kernels say, found again by slower ways that are easier to trust. */

#ifndef FUZZ_SLOWLY_H
#define FUZZ_SLOWLY_H

#include "marks.h"
#include "numbers.h"
#include "settle.h"
#include "tokenise.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t execution;
static struct {
    int64_t rows, numbers, left, judged, hits, brief, refused;
} seen;

#define HOLDS(claim) ((claim) ? (void)0 : failed(#claim, __LINE__))

static void failed(const char *claim, int line)
{
    fprintf(stderr, "execution %" PRId64 ", line %d: does not hold: %s\n", execution, line, claim);
    abort();
}

/* The begin and end of a field of the line that begins at `at`, byte by byte; -1 where it has no such field. */
static int64_t field_at(const uint8_t *text, int64_t at, int64_t end, int separator, int field, int64_t *stop)
{
    for (;; field--, at = *stop + 1) {
        if (!separator)
            while (at < end && parts_fields(text[at], 0)) at++;
        if (at > end || (at == end && !separator) || (at < end && ends_line(text[at]) && !separator)) return -1;
        for (*stop = at; *stop < end && !ends_line(text[*stop]) && !parts_fields(text[*stop], separator);) ++*stop;
        if (!field) return at;
        if (*stop == end || ends_line(text[*stop])) return -1;
    }
}

/* The numbers of a row, read by the C library. */
static void check_numbers(const uint8_t *text, const Layout *layout, int64_t begin, int64_t end, double number,
                          int64_t whole)
{
    char copy[128], *rest;
    if (layout->number < 0) return;
    int64_t stop, at = field_at(text, begin, end, layout->separator, layout->number, &stop);
    HOLDS(at >= 0);
    if (number != number)
        seen.left++;
    else if (stop - at < (int64_t)sizeof copy) {
        memcpy(copy, text + at, (size_t)(stop - at));
        copy[stop - at] = 0;
        double slowly = strtod(copy, &rest);
        HOLDS(!*rest && rest > copy && !memcmp(&slowly, &number, 8));
        seen.numbers++;
    }
    at = field_at(text, begin, end, layout->separator, layout->whole, &stop);
    if (whole == UNREADABLE || stop - at >= (int64_t)sizeof copy) return;
    memcpy(copy, text + at, (size_t)(stop - at));
    copy[stop - at] = 0;
    HOLDS(strtoll(copy, &rest, 10) == whole && (!*rest || *rest == '.'));
}

/* Every row is a line with its fields, and every line is a row or counted. */
static void check_lines(const uint8_t *text, int64_t end, const Layout *layout, const Lines *out, const Counts *n)
{
    int64_t row = 0, line = 0, stop;
    for (int64_t at = 0; at < end; line++) {
        int64_t next = at;
        while (next < end && !ends_line(text[next])) next++;
        if (row < n->rows && out->line[row] == line) {
            int64_t query = field_at(text, at, end, layout->separator, layout->query, &stop);
            HOLDS(query == out->query_at[row] && stop - query == out->query_length[row]);
            int64_t doc = field_at(text, at, end, layout->separator, layout->doc, &stop);
            HOLDS(doc == out->doc_at[row] && stop - doc == out->doc_length[row]);
            HOLDS(field_at(text, at, end, layout->separator, layout->fields - 1, &stop) >= 0);
            check_numbers(text, layout, at, end, out->number[row], out->whole[row]);
            row++;
        } else
            HOLDS(text[at] == '#' || field_at(text, at, end, layout->separator, layout->fields - 1, &stop) < 0 ||
                  text[field_at(text, at, end, layout->separator, 0, &stop)] == '#' || next == at);
        at = next + 1 + (next + 1 < end && text[next] == '\r' && text[next + 1] == '\n');
    }
    HOLDS(row == n->rows && line == n->lines);
    int64_t beyond = 0;
    for (int64_t at = 0; at < end; at++) beyond |= !text[at] || text[at] > 127;
    HOLDS(beyond == n->beyond);
}

/* Does line a of all stand before line b? `ranks` where the order is by rank. */
static int before(const Settling *in, int ranks, int64_t place_a, int64_t place_b)
{
    int64_t a = in->order ? in->order[place_a] : place_a, b = in->order ? in->order[place_b] : place_b;
    if (ranks) return in->whole[a] < in->whole[b];
    double x = in->single ? (float)in->number[a] : in->number[a], y = in->single ? (float)in->number[b] : in->number[b];
    if (x == x && (x > y || y != y)) return 1;
    if (y == y && (y > x || x != x)) return 0;
    int64_t first = in->judgment[a] < 0 ? -1 : in->grade[in->judgment[a]];
    int64_t second = in->judgment[b] < 0 ? -1 : in->grade[in->judgment[b]];
    int docs = compared(in->docs.text + in->docs.at[a], in->docs.length[a], in->docs.text + in->docs.at[b],
                        in->docs.length[b]);
    if (in->ties == FILE_LAST) return place_a > place_b;
    if (in->ties == DOC_FALLS && docs) return docs > 0;
    if (in->ties == DOC_RISES && docs) return docs < 0;
    if (in->ties == BEST_FIRST && first != second) return first > second;
    if (in->ties == WORST_FIRST && first != second) return first < second;
    return place_a < place_b;
}

/* Are ranks to be followed, readable, and each there once? */
static int by_rank(const Settling *in, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        int64_t rank = in->whole[in->order ? in->order[i] : i];
        if (rank == UNREADABLE || !in->by_rank) return 0;
        for (int64_t j = from; j < i; j++)
            if (in->whole[in->order ? in->order[j] : j] == rank) return 0;
    }
    return 1;
}

/* The hits of a list: each line placed by counting. How many there are. */
static int64_t check_list(const Settling *in, int64_t l, int64_t at)
{
    int64_t from = in->starts[l], to = in->starts[l + 1], hits = 0, repeats = 0, found;
    int ranks = by_rank(in, from, to);
    for (int64_t i = from; i < to; i++) {
        int64_t line = in->order ? in->order[i] : i, rank = 1, tie_start = 1, tie_size = 1, higher = 0, earlier = 0;
        double score = in->single ? (float)in->number[line] : in->number[line];
        for (int64_t j = from; j < to; j++) {
            int64_t other = in->order ? in->order[j] : j;
            double its = in->single ? (float)in->number[other] : in->number[other];
            int first = j != i && before(in, ranks, j, i), same = !ranks && j != i && its == score;
            int same_doc = equal(in->docs.text + in->docs.at[line], in->docs.length[line],
                                 in->docs.text + in->docs.at[other], in->docs.length[other]);
            rank += first;
            tie_size += same;
            tie_start += first && !same;
            higher |= first && in->judgment[other] == in->judgment[line];
            earlier |= j < i && same_doc;
        }
        repeats += earlier;
        if (in->judgment[line] < 0) continue;
        hits++;
        for (found = at; found < at + in->n_hits[l] && in->rank[found] != rank;) found++;
        HOLDS(found < at + in->n_hits[l] && in->tie_start[found] == tie_start && in->tie_size[found] == tie_size);
        HOLDS(in->hit[found] == (higher ? -1 - in->judgment[line] : in->judgment[line]));
        HOLDS(found == at || in->rank[found - 1] < rank);
    }
    HOLDS(hits == in->n_hits[l] && repeats == in->n_repeats[l]);
    return hits;
}

static void check_settled(const Settling *in, int64_t hits)
{
    int64_t at = 0;
    for (int64_t l = 0; l < in->n_lists; l++) {
        if (in->place[l] >= 0)
            at += check_list(in, l, at);
        else
            HOLDS(in->n_hits[l] == 0 && in->n_repeats[l] == 0);
    }
    HOLDS(at == hits);
    seen.hits += hits;
}

#endif
