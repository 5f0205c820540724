#include "listed.h"

enum { MUCH = 1 << 18 }; /* places, beyond which a table takes no more than it must */

int64_t room_for(int64_t n)
{
    int64_t room = 2;
    while (room < 2 * n || (room < 4 * n && room < MUCH)) room *= 2;
    return room;
}

/* The doc of a line. */
typedef struct {
    Text at;
    int64_t length;
} Doc;

/* The doc of line `line` of all; 0 where it cannot be read, and `why` says it. */
static int doc_of(const Settling *in, Scratch *s, int64_t line, Doc *doc)
{
    const Ids *docs = &in->docs;
    int64_t at, length;
    if (in->ranked) {
        s->why = LEFT_OUT;
        return 0;
    }
    at = in->scored ? (int64_t)in->scored[line].at : docs->at[line];
    length = in->scored ? (int64_t)in->scored[line + 1].at - at : docs->length[line];
    if (!inside(at, length, docs->size)) {
        s->why = "a doc outside of its text";
        return 0;
    }
    *doc = (Doc){docs->text + at, length};
    return 1;
}

int32_t repeated(const Settling *in, Scratch *s, const List *list)
{
    uint64_t last = (uint64_t)room_for(list->n) - 1;
    int32_t repeats = 0;
    Doc one, other;
    memset(s->slots, 0, ((size_t)last + 1) * sizeof *s->slots);
    for (int64_t i = 0; i < list->n; i++) {
        uint64_t hash = list->hash[i], at = hash & last;
        for (; s->slots[at]; at = (at + 1) & last) {
            int64_t before = s->slots[at] - 1;
            if (list->hash[before] != hash) continue;
            if (!doc_of(in, s, line_of(list, i), &one) || !doc_of(in, s, line_of(list, before), &other)) return 0;
            if (equal(one.at, one.length, other.at, other.length)) break;
        }
        if (s->slots[at])
            repeats++;
        else
            s->slots[at] = (uint32_t)i + 1;
    }
    return repeats;
}

/* A column of a list: where it stands, or in the order of the list in `scratch`. */
static const int64_t *wholes(const Settling *in, Scratch *s, const List *list)
{
    if (in->ranked) return s->whole; /* they are there already */
    if (!list->order) return in->whole + list->start;
    for (int64_t i = 0; i < list->n; i++) s->whole[i] = in->whole[list->order[i]];
    return s->whole;
}

static const double *numbers(const Settling *in, Scratch *s, const List *list)
{
    if (in->scored) return s->number;
    if (!list->order) return in->number + list->start;
    for (int64_t i = 0; i < list->n; i++) s->number[i] = in->number[list->order[i]];
    return s->number;
}

int ranked(const Settling *in, Scratch *s, const List *list)
{
    const int64_t *rank = wholes(in, s, list);
    int64_t n = list->n, low = INT64_MAX, high = INT64_MIN, i = 1;
    if (rank[0] == INT64_MIN) return 0;
    while (i < n && rank[i] > rank[i - 1]) i++;
    if (i == n) return 2;
    for (i = 0; i < n; i++) {
        low = rank[i] < low ? rank[i] : low;
        high = rank[i] > high ? rank[i] : high;
    }
    if (low == INT64_MIN) return 0;                               /* unreadable */
    if ((uint64_t)high - (uint64_t)low < (uint64_t)room_for(n)) { /* put each where it belongs */
        int64_t span = high - low + 1, at = 0;
        memset(s->slots, 0, (size_t)span * sizeof *s->slots);
        for (i = 0; i < n; i++) {
            uint32_t *slot = &s->slots[rank[i] - low];
            if (*slot) return 0;
            *slot = (uint32_t)i + 1;
        }
        for (i = 0; i < span; i++) {
            s->lines[at].i = s->slots[i] - 1;
            at += s->slots[i] != 0;
        }
        return 1;
    }
    for (i = 0; i < n; i++) s->lines[i] = (Line){(uint64_t)rank[i] ^ 1ULL << 63, (uint32_t)i};
    sorted(in, s, list, s->lines, n, 0);
    for (i = 1; i < n; i++)
        if (s->lines[i].key == s->lines[i - 1].key) return 0;
    return 1;
}

/* A key that rises as the score falls; equal scores have equal keys. */
static inline uint64_t falling(double score)
{
    uint64_t bits;
    score += 0.0; /* -0 is 0 */
    if (score != score) return LAST;
    memcpy(&bits, &score, 8);
    return bits >> 63 ? bits : ~(bits | 1ULL << 63);
}

static inline double rounded(double score, int single)
{
    return single ? (double)(float)score : score;
}

int scored(const Settling *in, Scratch *s, const List *list)
{
    if (in->ranked) {
        s->why = LEFT_OUT;
        return 0;
    }
    const double *score = numbers(in, s, list);
    int64_t n = list->n, i = 1;
    int single = in->single, rises = 1;
    while (i < n && rounded(score[i], single) < rounded(score[i - 1], single)) i++;
    if (i == n) return 2;
    for (i = 0; i < n; i++) {
        s->lines[i] = (Line){falling(rounded(score[i], single)), (uint32_t)i};
        rises &= !i || s->lines[i - 1].key <= s->lines[i].key;
    }
    return rises;
}

int precedes(const Settling *in, Scratch *s, const List *list, int64_t a, int64_t b)
{
    int order = 0;
    if (in->ties == FILE_LAST) return a > b;
    if (in->ties == DOC_FALLS || in->ties == DOC_RISES) {
        Doc one, other;
        if (!doc_of(in, s, line_of(list, a), &one) || !doc_of(in, s, line_of(list, b), &other)) return 0;
        order = compared(one.at, one.length, other.at, other.length);
        if (in->ties == DOC_FALLS) order = -order;
    } else if (in->ties == BEST_FIRST || in->ties == WORST_FIRST) {
        int64_t first = list->judgment[a] < 0 ? -1 : in->grade[list->judgment[a]];
        int64_t second = list->judgment[b] < 0 ? -1 : in->grade[list->judgment[b]];
        order = (first > second) - (first < second);
        if (in->ties == BEST_FIRST) order = -order;
    }
    return order ? order < 0 : a < b;
}

void sorted(const Settling *in, Scratch *s, const List *list, Line *lines, int64_t n, int by_rule)
{
    Line *from = lines, *to = s->spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = n - low < width ? n : low + width, high = n - low < 2 * width ? n : low + 2 * width;
            const Line *a = from + low, *b = from + middle, *a_end = b, *b_end = from + high;
            Line *at = to + low;
            while (a < a_end && b < b_end) {
                int second = b->key < a->key;
                if (by_rule && b->key == a->key) second = precedes(in, s, list, b->i, a->i);
                *at++ = *(second ? b : a); /* without a branch: nobody can guess which */
                b += second;
                a += !second;
            }
            while (a < a_end) *at++ = *a++;
            while (b < b_end) *at++ = *b++;
        }
        Line *other = from;
        from = to;
        to = other;
    }
    if (from != lines) memcpy(lines, from, (size_t)n * sizeof *lines);
}
