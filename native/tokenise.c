#include "tokenise.h"
#include "marks.h"
#include "numbers.h"
#include "texts.h"
#include <math.h>

/* A reading under way. */
typedef struct {
    Text block;
    Block around;
    Layout layout;
    Lines out;
    Events *events;
    Counts *counts;
    int64_t tags, tag_at[MOST_TAGS];
    int32_t tag_length[MOST_TAGS];
} Reading;

/* A line: where it begins, and its fields, the first MOST_FIELDS of them, counted from there. */
typedef struct {
    int64_t from, fields;
    const uint32_t *edge;
} Parted;

static inline int64_t begin_of(const Parted *line, int field)
{
    return line->from + line->edge[2 * field];
}

static inline int64_t length_of(const Parted *line, int field)
{
    return (int64_t)line->edge[2 * field + 1] - line->edge[2 * field];
}

/* Note something odd of text[at : at + length]; 0 without room. */
static int noted(Reading *in, int kind, int64_t at, int64_t length, int64_t with)
{
    if (in->events->n == in->events->most) return 0;
    int64_t *row = in->events->rows + 5 * in->events->n++;
    row[0] = kind;
    row[1] = in->counts->lines - 1;
    row[2] = at;
    row[3] = length;
    row[4] = with;
    return 1;
}

/* A line whose number of fields is not the usual one: 1 where it is a row all the same, 0 where not, -1 without room. */
static int odd_line(Reading *in, const Parted *line)
{
    int64_t shown = line->fields < MOST_FIELDS ? line->fields : MOST_FIELDS;
    if (!line->fields) {
        in->counts->blank++;
        return 0;
    }
    in->counts->odd++;
    if (length_of(line, 0) > 0 && in->block[begin_of(line, 0)] == '#') {
        in->counts->comments++;
        return 0;
    }
    if (line->fields < in->layout.fields) {
        int64_t begin = begin_of(line, 0), end = begin_of(line, (int)shown - 1) + length_of(line, (int)shown - 1);
        return noted(in, FEW_FIELDS, begin, end - begin, line->fields) ? 0 : -1;
    }
    if (!in->counts->more++) in->counts->first_more = in->counts->lines - 1;
    return 1;
}

/* The name of the system is another than the last new one: noted where it is another than those before, too. 0 without
   room. */
static int tagged(Reading *in, int64_t at, int64_t length, int64_t row)
{
    for (int64_t i = in->tags - 2; i >= 0; i--)
        if (equal(in->block + at, length, in->block + in->tag_at[i], in->tag_length[i])) return 1;
    if (in->tags < MOST_TAGS) {
        in->tag_at[in->tags] = at;
        in->tag_length[in->tags++] = (int32_t)length;
    }
    return noted(in, NEW_TAG, at, length, row);
}

/* A line becomes a row, or is counted as odd. 0 where there is no room. The layout and where rows go are told anew, so
   that a compiler knows that no row changes them. */
static WITHIN int kept(Reading *in, const Layout *layout, const Lines *out, const Parted *line)
{
    int64_t number = in->counts->lines++, row = in->counts->rows;
    if (line->fields != layout->fields) {
        int odd = odd_line(in, line);
        if (odd <= 0) return odd == 0;
    }
    if (row == out->most) return 0;
    out->query_at[row] = begin_of(line, layout->query);
    out->query_length[row] = (int32_t)length_of(line, layout->query);
    out->doc_at[row] = begin_of(line, layout->doc);
    out->doc_length[row] = (int32_t)length_of(line, layout->doc);
    out->line[row] = (int32_t)number;
    out->whole[row] = row;
    if (layout->whole >= 0) {
        int64_t at = begin_of(line, layout->whole), length = length_of(line, layout->whole);
        if (!read_whole(&in->around, in->block + at, in->block + at + length, &out->whole[row])) {
            out->whole[row] = UNREADABLE;
            if (!noted(in, BAD_WHOLE, at, length, row)) return 0;
        }
    }
    out->number[row] = 0.0;
    if (layout->number >= 0) {
        int64_t at = begin_of(line, layout->number), length = length_of(line, layout->number);
        if (!read_number(&in->around, in->block + at, in->block + at + length, &out->number[row])) {
            out->number[row] = NAN;
            if (!noted(in, ODD_NUMBER, at, length, row)) return 0;
        }
    }
    in->counts->rows++;
    if (layout->tag < 0) return 1;
    int64_t at = begin_of(line, layout->tag), length = length_of(line, layout->tag), last = in->tags - 1;
    if (last >= 0 && equal(in->block + at, length, in->block + in->tag_at[last], in->tag_length[last])) return 1;
    return tagged(in, at, length, row);
}

/* A line from `from` to `to`, byte by byte: one that has not the usual fields, or is very long. 0 without room. */
static int kept_slowly(Reading *in, int64_t from, int64_t to)
{
    uint32_t edge[2 * MOST_FIELDS];
    int separator = in->layout.separator;
    int64_t n = 0, begin = from;
    for (int64_t at = from; at <= to; at++) {
        if (at < to && !parts_fields(in->block[at], separator)) continue;
        if (separator ? to > from : at > begin) {
            if (n < MOST_FIELDS) {
                edge[2 * n] = (uint32_t)(begin - from);
                edge[2 * n + 1] = (uint32_t)(at - from);
            }
            n++;
        }
        begin = at + 1;
    }
    Parted line = {from, n, edge};
    return kept(in, &in->layout, &in->out, &line);
}

/* The lines block[from : to], each with its end. 0 without room. */
static int chunk_kept(Reading *in, int64_t from, int64_t to, Marks *marks)
{
    const uint32_t *edge = marks->edge;
    const Layout layout = in->layout;
    const Lines out = in->out;
    int64_t fields = layout.fields, at = 0, begin = from;
    mark(in->block, from, to, in->around.end - in->block, layout.separator, marks);
    in->counts->beyond |= marks->beyond;
    for (int64_t i = 0; i < marks->lines; i++) {
        uint32_t stop = marks->stop[i];
        int64_t next = at + fields;
        if (next <= marks->fields && edge[2 * next - 1] <= stop && edge[2 * next] > stop && edge[2 * at] < stop) {
            Parted line = {from, fields, edge + 2 * at};
            if (!kept(in, &layout, &out, &line)) return 0;
            at = next;
        } else {
            int64_t end = from + stop;
            int ended = in->block[end] == '\n' && end > 0 && in->block[end - 1] == '\r'; /* the line ended there */
            if (!ended && !kept_slowly(in, begin, end)) return 0;
            while (at < marks->fields && edge[2 * at + 1] <= stop) at++;
        }
        begin = from + stop + 1;
    }
    return 1;
}

int tellable(const Layout *layout, int64_t end)
{
    int asked[5] = {layout->query, layout->doc, layout->whole, layout->number, layout->tag};
    for (int i = 0; i < 5; i++)
        if (asked[i] >= layout->fields || asked[i] < (i < 2 ? 0 : -1)) return 0;
    return layout->fields <= MOST_FIELDS && layout->separator >= 0 && layout->separator <= 255 &&
           !ends_line((uint8_t)layout->separator) && end >= 0 && end <= INT32_MAX;
}

int tokenised(Text block, int64_t end, const Layout *layout, const Lines *lines, Events *events, Counts *counts)
{
    Reading in = {.block = block,
                  .around = {block, block + end},
                  .layout = *layout,
                  .out = *lines,
                  .events = events,
                  .counts = counts};
    Marks marks;
    int64_t from = 0;
    while (from < end) {
        int64_t to = end - from < CHUNK ? end : from + CHUNK; /* behind the last line end within reach */
        while (to > from && !ends_line(block[to - 1])) to--;
        if (to > from) {
            if (!chunk_kept(&in, from, to, &marks)) return 0;
        } else { /* a long line, or the last one without an end */
            for (; to < end && !ends_line(block[to]); to++) counts->beyond |= !block[to] || block[to] > 127;
            if (!kept_slowly(&in, from, to)) return 0;
            if (to < end) to++;
        }
        from = to;
    }
    return 1;
}
