/* Feeds the kernels texts and columns that nobody should write, and checks what comes back against slower ways.

   fuzz SEED EXECUTIONS: compiled with the sanitizers of the compiler, so that a byte read or written outside of a
   buffer ends it. Every buffer is as long as it has to be and no longer. */

#include "groups.h"
#include "look_up.h"
#include "made.h"
#include "slowly.h"

static void *room(int64_t n, size_t size)
{
    void *memory = malloc((size_t)n * size + (n == 0));
    HOLDS(memory);
    return memory;
}

static Lines lines_for(int64_t n)
{
    return (Lines){room(n, 8), room(n, 8), room(n, 8), room(n, 4), room(n, 4), room(n, 4), room(n, 8), n};
}

static void lines_freed(Lines *out)
{
    void *held[] = {out->query_at, out->doc_at, out->whole, out->query_length, out->doc_length, out->line, out->number};
    for (int i = 0; i < 7; i++) free(held[i]);
}

/* Put nonsense into a column here and there. */
static void spoil(void *column, int64_t n, size_t size)
{
    for (int64_t i = below(4); n && i > 0; i--) {
        uint64_t value = once_in(2) ? bits() >> below(64) : (uint64_t)(below(41) - 20);
        memcpy((uint8_t *)column + (size_t)below(n) * size, &value, size);
    }
}

/* Judged docs of a few queries, their tables, and memory for what look_up says. */
typedef struct {
    Made made;
    uint8_t *text;
    int64_t at_of[400], grade_of[400], first[400], *at, *grade, *offsets, *slot_offsets, name_slot_offsets[2],
        names_at[5];
    int32_t length_of[400], *length, names_length[5];
    uint64_t *slots, *name_slots;
} Known;

static Ids ids_of(const Known *known, int names)
{
    if (names) return (Ids){known->text, known->made.n, 5, known->names_at, known->names_length};
    return (Ids){known->text, known->made.n, known->offsets[5], known->at, known->length};
}

static uint64_t *table(const Ids *ids, const int64_t *offsets, int64_t groups, uint64_t seed, int64_t *slot_offsets,
                       int64_t *first)
{
    slot_offsets[0] = 0;
    for (int64_t g = 0; g < groups; g++) slot_offsets[g + 1] = slot_offsets[g] + words_for(offsets[g + 1] - offsets[g]);
    uint64_t *slots = room(slot_offsets[groups], 8);
    memset(slots, 0, (size_t)slot_offsets[groups] * 8);
    entered((Bucket *)(void *)slots, slot_offsets, ids, offsets, groups, seed, first);
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = offsets[g], j; i < offsets[g + 1]; i++) {
            for (j = offsets[g];
                 !equal(ids->text + ids->at[i], ids->length[i], ids->text + ids->at[j], ids->length[j]);)
                j++;
            HOLDS(first[i] == j);
        }
    return slots;
}

static void *copied(const void *from, int64_t n, size_t size)
{
    void *to = room(n, size);
    if (n) memcpy(to, from, (size_t)n * size);
    return to;
}

static void know(Known *known, uint64_t seed)
{
    const int64_t all_names[2] = {0, 5};
    int64_t n = 0, first[5];
    known->offsets = room(6, 8);
    known->slot_offsets = room(6, 8);
    known->made.n = known->offsets[0] = 0;
    for (int q = 0; q < 5; q++) {
        char name[3] = {'q', (char)('0' + q), 0};
        known->names_at[q] = known->made.n;
        known->names_length[q] = 2;
        add(&known->made, name);
        for (int64_t docs = once_in(20) ? below(70) : below(7); docs; docs--, n++) {
            known->at_of[n] = known->made.n;
            add_id(&known->made, NULL, 4);
            known->length_of[n] = (int32_t)(known->made.n - known->at_of[n]);
            known->grade_of[n] = below(5) - 1;
        }
        known->offsets[q + 1] = n;
    }
    known->text = copied(known->made.bytes, known->made.n, 1);
    known->at = copied(known->at_of, n, 8);
    known->grade = copied(known->grade_of, n, 8);
    known->length = copied(known->length_of, n, 4);
    Ids docs = ids_of(known, 0), names = ids_of(known, 1);
    known->slots = table(&docs, known->offsets, 5, seed, known->slot_offsets, known->first);
    known->name_slots = table(&names, all_names, 1, seed, known->name_slot_offsets, first);
}

/* The first judged doc of a query that equals a doc; -1 where there is none. */
static int64_t judgment_of(const Known *known, int64_t query, const uint8_t *doc, int64_t length)
{
    for (int64_t i = known->offsets[query]; i < known->offsets[query + 1]; i++)
        if (known->length[i] == length && !memcmp(known->text + known->at[i], doc, (size_t)length)) return i;
    return -1;
}

/* The same lists from lines in brief: the same hits, or, where ranks order them, an answer that more is needed. */
static void in_brief(Settling in, int spoilt)
{
    Ranked *ranked = room(in.n_lines, sizeof *ranked);
    Scored *scored = room(in.n_lines + 1, sizeof *scored);
    int64_t size = 0, at = 0;
    for (int64_t i = 0; i < in.n_lines && !spoilt; i++) size += in.docs.length[i];
    uint8_t *text = room(size, 1);
    for (int64_t i = 0; i < in.n_lines; i++) {
        int64_t length = spoilt ? 0 : in.docs.length[i];
        ranked[i] = (Ranked){in.hash[i], (int32_t)in.whole[i], in.judgment[i]};
        scored[i] = (Scored){in.hash[i], in.number[i], in.judgment[i], spoilt ? (uint32_t)bits() : (uint32_t)at};
        if (length) memcpy(text + at, in.docs.text + in.docs.at[i], (size_t)length);
        at += length;
    }
    scored[in.n_lines] = (Scored){0, 0.0, 0, (uint32_t)at};
    Settling brief = in;
    brief.docs = (Ids){.text = text, .size = size};
    brief.judgment = NULL;
    brief.hash = NULL;
    brief.number = NULL;
    brief.whole = NULL;
    if (in.by_rank)
        brief.ranked = ranked;
    else
        brief.scored = scored;
    const char *why;
    int64_t hits = settled(&brief, &why);
    for (int64_t i = 0; in.by_rank && i < in.n_lines; i++) spoilt |= in.whole[i] != (int32_t)in.whole[i];
    if (!spoilt && hits >= 0) check_settled(&in, hits);
    if (!spoilt) HOLDS(hits >= 0 || (in.by_rank && why == LEFT_OUT));
    seen.brief += !spoilt && hits >= 0;
    free(ranked);
    free(scored);
    free(text);
}

static void follow(const uint8_t *text, int64_t end, Lines *out, int64_t n, int spoilt)
{
    static Known known;
    uint64_t seed = bits();
    know(&known, seed);
    int64_t *starts = room(n + 1, 8), *order = room(n, 8), group_starts[7], lists;
    int32_t *place = room(n, 4), *judgment = room(n, 4), *group = room(n, 4), *out_of[4], *of_lists[2], group_place[6];
    uint64_t *hash = room(n, 8);
    int64_t n_slots = known.slot_offsets[5], judged = known.offsets[5];
    if (spoilt == 1) {
        void *columns[] = {out->query_at, out->doc_at, out->query_length, out->doc_length};
        for (int i = 0; i < 4; i++) spoil(columns[i], n, i < 2 ? 8 : 4);
        spoil(known.slots, n_slots, 8);
        spoil(known.slot_offsets, 6, 8);
    }
    Looking look = {text,
                    end,
                    n,
                    out->query_at,
                    out->doc_at,
                    out->query_length,
                    out->doc_length,
                    ids_of(&known, 1),
                    ids_of(&known, 0),
                    known.name_slots,
                    known.slots,
                    known.name_slot_offsets[1],
                    5,
                    n_slots,
                    known.slot_offsets,
                    seed,
                    starts,
                    place,
                    judgment,
                    hash};
    lists = looked_up(&look);
    seen.refused += lists < 0;
    for (int64_t l = 0; l < lists; l++)
        for (int64_t i = starts[l]; i < starts[l + 1]; i++) {
            group[i] = place[l] < 0 ? 5 : place[l];
            if (spoilt == 1) continue;
            HOLDS(judgment[i] ==
                  (place[l] < 0 ? -1 : judgment_of(&known, place[l], text + out->doc_at[i], out->doc_length[i])));
            seen.judged += judgment[i] >= 0;
        }
    if (lists >= 0) {
        int by_group = once_in(2);
        for (int i = 0; i < 6; i++) group_place[i] = i < 5 ? i : -1;
        if (by_group) HOLDS(grouped(group, n, 6, order, group_starts));
        for (int i = 0; i < 4; i++) out_of[i] = room(n, 4);
        for (int i = 0; i < 2; i++) of_lists[i] = room(by_group ? 6 : lists, 4);
        if (spoilt == 2) {
            void *columns[] = {order,           out->doc_at, by_group ? group_starts : starts, known.offsets,
                               out->doc_length, judgment,    by_group ? group_place : place};
            int64_t sizes[] = {by_group ? n : 0, n, by_group ? 7 : lists + 1, 6, n, n, by_group ? 6 : lists};
            int column = (int)below(7);
            spoil(columns[column], sizes[column], column < 4 ? 8 : 4);
        }
        Settling in = {.docs = {text, end, n, out->doc_at, out->doc_length},
                       .n_lines = n,
                       .n_lists = by_group ? 6 : lists,
                       .n_names = 5,
                       .n_judgments = judged,
                       .judgment = judgment,
                       .place = by_group ? group_place : place,
                       .hash = hash,
                       .number = out->number,
                       .whole = out->whole,
                       .starts = by_group ? group_starts : starts,
                       .order = by_group ? order : NULL,
                       .grade = known.grade,
                       .offsets = known.offsets,
                       .by_rank = (int)below(2),
                       .ties = (int)below(6),
                       .single = (int)below(2),
                       .hit = out_of[0],
                       .rank = out_of[1],
                       .tie_start = out_of[2],
                       .tie_size = out_of[3],
                       .n_hits = of_lists[0],
                       .n_repeats = of_lists[1]};
        const char *why;
        int64_t hits = settled(&in, &why);
        if (spoilt > 0)
            seen.refused += hits < 0;
        else
            check_settled(&in, hits);
        if (by_group) in_brief(in, spoilt > 0);
        for (int i = 0; i < 4; i++) free(out_of[i]);
        for (int i = 0; i < 2; i++) free(of_lists[i]);
    }
    void *held[] = {
        starts,           order,      place,    judgment,    group,        hash,          known.slots,
        known.name_slots, known.text, known.at, known.grade, known.length, known.offsets, known.slot_offsets};
    for (int i = 0; i < 14; i++) free(held[i]);
}

static void execute(void)
{
    static const Layout layouts[] = {{0, 6, 0, 2, 3, 4, 5},   {0, 6, 0, 2, 3, 4, 5},     {0, 6, 0, 2, 3, 4, 5},
                                     {',', 6, 0, 2, 3, 4, 5}, {'\t', 6, 0, 2, 3, 4, -1}, {' ', 6, 0, 2, 3, 4, 5},
                                     {0, 3, 1, 2, 0, 0, -1},  {',', 1, 0, 0, -1, -1, -1}};
    static const char *const between[] = {" ", "  ", " \t", ",", "\t", " ", " ", ","};
    static Made made;
    int64_t kind = below(8);
    const Layout *layout = &layouts[kind];
    make(&made, between[kind]);
    int64_t begin = once_in(3) && made.n ? below(made.n < 40 ? made.n : 40) : 0, end = made.n - begin;
    uint8_t *text = copied(made.bytes + begin, end, 1);
    Lines out = lines_for(once_in(20) ? below(6) : end / 2 + 1);
    Events events = {room(5 * 400, 8), 0, once_in(20) ? below(3) : 400};
    Counts n = {0};
    HOLDS(tellable(layout, end));
    if (tokenised(text, end, layout, &out, &events, &n)) {
        HOLDS(n.rows <= out.most && events.n <= events.most);
        seen.rows += n.rows;
        check_lines(text, end, layout, &out, &n);
        follow(text, end, &out, n.rows, (int)below(4) - 1);
    } else
        seen.refused++;
    free(events.rows);
    lines_freed(&out);
    free(text);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t executions = argc > 2 ? strtoll(argv[2], NULL, 10) : 1000;
    for (; execution < executions; execution++) {
        state = seed * 0x9E3779B97F4A7C15ULL + (uint64_t)execution; /* each can be run again without those before it */
        execute();
    }
    printf("%" PRId64 " executions: %" PRId64 " rows, %" PRId64 " numbers as the C library reads them, %" PRId64
           " left to others, %" PRId64 " judged docs, %" PRId64 " hits, %" PRId64 " times in brief, %" PRId64
           " calls refused\n",
           execution, seen.rows, seen.numbers, seen.left, seen.judged, seen.hits, seen.brief, seen.refused);
    return 0;
}
