#include "listed.h"
#include <stdlib.h>

const char LEFT_OUT[] = "a column that was left out is needed";

enum { FEW_HITS = 24 }; /* up to so many, counting what stands before each is cheaper than sorting */

/* The hits of a list written so far, from `at` on. */
typedef struct {
    const Settling *in;
    int64_t at, n;
} Written;

static inline void write_hit(Written *w, int64_t place, int32_t judgment, int64_t rank, int64_t tie_start,
                             int64_t tie_size)
{
    w->in->hit[place] = judgment;
    w->in->rank[place] = (int32_t)rank;
    w->in->tie_start[place] = (int32_t)tie_start;
    w->in->tie_size[place] = (int32_t)tie_size;
}

/* A hit that has no equals, behind the others. */
static inline void add_alone(Written *w, int32_t judgment, int64_t rank)
{
    write_hit(w, w->at + w->n++, judgment, rank, rank, 1);
}

/* A hit of a list that is not in order, put among the others by counting the lines before it. */
static void add_counted(Written *w, Scratch *s, const List *list, uint32_t i)
{
    const Settling *in = w->in;
    const Line *lines = s->lines;
    uint64_t key = lines[i].key;
    int64_t before = 0, same = 0, above = 0, place = w->at + w->n++;
    for (int64_t j = 0; j < list->n; j++) {
        before += lines[j].key < key;
        same += lines[j].key == key;
    }
    if (same > 1)
        for (int64_t j = 0; j < list->n; j++) above += lines[j].key == key && j != i && precedes(in, s, list, j, i);
    int64_t rank = before + above + 1;
    for (; place > w->at && in->rank[place - 1] > rank; place--)
        write_hit(w, place, in->hit[place - 1], in->rank[place - 1], in->tie_start[place - 1], in->tie_size[place - 1]);
    write_hit(w, place, list->judgment[i], rank, key == LAST ? rank : before + 1, key == LAST ? 1 : same);
}

/* The hits among the lines low to high, which have equal keys and are in the order of the list. */
static void add_group(Written *w, Scratch *s, const List *list, int64_t low, int64_t high)
{
    if (high - low > 1 && w->in->ties != FILE_ORDER) sorted(w->in, s, list, s->lines + low, high - low, 1);
    for (int64_t p = low; p < high; p++) {
        int32_t judgment = list->judgment[s->lines[p].i];
        if (judgment < 0) continue;
        if (s->lines[p].key == LAST)
            add_alone(w, judgment, p + 1);
        else
            write_hit(w, w->at + w->n++, judgment, p + 1, low + 1, high - low);
    }
}

/* The hits of a list, h of them; hits[0 : h] tells their lines. */
static void add_hits(Written *w, Scratch *s, const List *list, int64_t h)
{
    int order = w->in->by_rank ? ranked(w->in, s, list) : 0;
    if (order == 1) {
        for (int64_t p = 0; p < list->n && w->n < h; p++) {
            int32_t judgment = list->judgment[s->lines[p].i];
            if (judgment >= 0) add_alone(w, judgment, p + 1);
        }
        return;
    }
    if (!order) order = scored(w->in, s, list);
    if (s->why) return;
    if (order == 2) {
        for (int64_t k = 0; k < h; k++) add_alone(w, list->judgment[s->hits[k]], (int64_t)s->hits[k] + 1);
        return;
    }
    if (!order && h <= FEW_HITS) {
        for (int64_t k = 0; k < h; k++) add_counted(w, s, list, s->hits[k]);
        return;
    }
    if (!order) sorted(w->in, s, list, s->lines, list->n, 0);
    for (int64_t low = 0, high; w->n < h; low = high) {
        if (order) { /* on to the group of the next hit: every hit before `low` is written */
            for (low = s->hits[w->n]; low > 0 && s->lines[low - 1].key == s->lines[low].key;) low--;
        }
        for (high = low + 1; high < list->n && s->lines[high].key == s->lines[low].key;) high++;
        add_group(w, s, list, low, high);
    }
}

/* Marks the hits of a doc that already stands higher: -1 - judgment in place of the judgment. */
static void mark_repeats(const Written *w, Scratch *s, int32_t place)
{
    int64_t first = w->in->offsets[place], size = w->in->offsets[place + 1] - first;
    memset(s->marks, 0, (size_t)size);
    for (int32_t *hit = w->in->hit + w->at, *end = hit + w->n; hit < end; hit++) {
        int64_t judgment = *hit - first;
        if (judgment < 0 || judgment >= size) continue;
        if (s->marks[judgment]) *hit = -1 - *hit;
        s->marks[judgment] = 1;
    }
}

/* The columns of a list of lines in brief. */
static void in_brief(const Settling *in, Scratch *s, const List *list)
{
    for (int64_t i = 0; in->ranked && i < list->n; i++) {
        const Ranked *line = &in->ranked[list->order[i]];
        s->hash[i] = line->hash;
        s->whole[i] = line->whole;
        s->judgment[i] = line->judgment;
    }
    for (int64_t i = 0; in->scored && i < list->n; i++) {
        const Scored *line = &in->scored[list->order[i]];
        s->hash[i] = line->hash;
        s->number[i] = line->number;
        s->judgment[i] = line->judgment;
    }
}

/* The list in hand: its columns, in its order. 0 where the order leads outside. */
static int taken_up(const Settling *in, Scratch *s, int64_t start, int64_t n, List *list)
{
    if (!in->order) {
        *list = (List){start, n, NULL, in->judgment + start, in->hash + start};
        return 1;
    }
    *list = (List){start, n, in->order + start, s->judgment, s->hash};
    for (int64_t i = 0; i < n; i++)
        if (list->order[i] < 0 || list->order[i] >= in->n_lines) {
            s->why = "an order that leads outside";
            return 0;
        }
    if (in->ranked || in->scored) {
        in_brief(in, s, list);
        return 1;
    }
    for (int64_t i = 0; i < n; i++) s->judgment[i] = in->judgment[list->order[i]];
    for (int64_t i = 0; i < n; i++) s->hash[i] = in->hash[list->order[i]];
    return 1;
}

/* Which lines are hits: hits[0 : h]; most are none, and eight of them are passed at once. */
static int64_t hits_of(const Settling *in, Scratch *s, const List *list)
{
    const int32_t *judgment = list->judgment;
    int64_t h = 0;
    for (int64_t i = 0; i < list->n; i++) {
        while (list->n - i >= 8 && (judgment[i] & judgment[i + 1] & judgment[i + 2] & judgment[i + 3] &
                                    judgment[i + 4] & judgment[i + 5] & judgment[i + 6] & judgment[i + 7]) < 0)
            i += 8;
        if (i == list->n) break;
        if (judgment[i] < 0) continue;
        if (judgment[i] >= in->n_judgments) s->why = "a judgment that is none";
        s->hits[h++] = (uint32_t)i;
    }
    return h;
}

/* Why columns of lists cannot be followed; NULL where they can. Tells the longest list, and the most judged docs. */
static const char *unsound(const Settling *in, int64_t *longest, int64_t *most_judged)
{
    *longest = *most_judged = 0;
    for (int64_t l = 0; l < in->n_lists; l++) {
        int64_t start = in->starts[l], end = in->starts[l + 1], q = in->place[l];
        if (start < 0 || end < start || end > in->n_lines || end - start >= INT32_MAX)
            return "starts of lists that fall";
        if (q >= in->n_names) return "a list of a query that is none";
        if (end - start > *longest) *longest = end - start;
        if (q < 0) continue;
        int64_t first = in->offsets[q], last = in->offsets[q + 1];
        if (first < 0 || last < first || last > in->n_judgments) return "offsets of judgments that fall";
        if (last - first > *most_judged) *most_judged = last - first;
    }
    return NULL;
}

static int allocated(const Settling *in, Scratch *s, int64_t longest, int64_t most_judged)
{
    size_t n = (size_t)longest + 1, gathered = in->order ? n : 1;
    s->lines = malloc(n * sizeof *s->lines);
    s->spare = malloc(n * sizeof *s->spare);
    s->hits = malloc(n * sizeof *s->hits);
    s->slots = malloc((size_t)room_for(longest) * sizeof *s->slots);
    s->marks = malloc((size_t)most_judged + 1);
    s->number = malloc(gathered * sizeof *s->number);
    s->whole = malloc(gathered * sizeof *s->whole);
    s->judgment = malloc(gathered * sizeof *s->judgment);
    s->hash = malloc(gathered * sizeof *s->hash);
    return s->lines && s->spare && s->hits && s->slots && s->marks && s->number && s->whole && s->judgment && s->hash;
}

static void freed(Scratch *s)
{
    void *held[9] = {s->lines, s->spare, s->hits, s->slots, s->marks, s->number, s->whole, s->judgment, s->hash};
    for (int i = 0; i < 9; i++) free(held[i]);
}

int64_t settled(const Settling *in, const char **why)
{
    int64_t longest, most_judged, at = 0;
    Scratch s = {0};
    if ((*why = unsound(in, &longest, &most_judged))) return -1;
    int room = allocated(in, &s, longest, most_judged);
    for (int64_t l = 0; room && !s.why && l < in->n_lists; l++) {
        List list;
        in->n_hits[l] = in->n_repeats[l] = 0;
        if (in->place[l] < 0 || !taken_up(in, &s, in->starts[l], in->starts[l + 1] - in->starts[l], &list)) continue;
        in->n_repeats[l] = repeated(in, &s, &list);
        int64_t h = hits_of(in, &s, &list);
        Written w = {in, at, 0};
        if (!h || s.why) continue;
        add_hits(&w, &s, &list, h);
        if (in->n_repeats[l]) mark_repeats(&w, &s, in->place[l]);
        in->n_hits[l] = (int32_t)w.n;
        at += w.n;
    }
    freed(&s);
    *why = s.why;
    return room && !s.why ? at : -1;
}
