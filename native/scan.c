/* The scanner: lines of text to columns, ids to places, lists to hits.

   Four kernels over buffers that the caller owns. They read no file, know no measure, keep nothing from one call
   to the next and allocate only scratch that they free; while they run, other threads run. Each has a twin in
   numpy (rankproof/scanning/pure*.py) that gives the same columns, and tests hold the two together. Bytes come
   from strangers, so every offset is checked against its buffer before it is followed.

   tokenise   a block of lines -> where ids stand, scores, whole numbers, and what was odd
   index      ids by query     -> hash tables that find them
   look_up    lines            -> lists, the query of each list, the judgment of each line
   settle     lists            -> hits: judged docs with their ranks and groups of equal scores */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef const uint8_t *Text;

/* ---------------------------------------------------------------- texts */

static inline uint64_t mixed(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9FB21C651E98DF25ULL;
    return h ^ (h >> 32);
}

/* A hash of some bytes. It only says where to look: what is found is compared byte by byte. */
static inline uint64_t hashed(Text at, int64_t length, uint64_t seed)
{
    uint64_t h = seed ^ ((uint64_t)length * 0x9E3779B97F4A7C15ULL), word;
    while (length >= 8) {
        memcpy(&word, at, 8);
        h = mixed(h, word);
        at += 8;
        length -= 8;
    }
    if (length > 0) {
        word = 0;
        memcpy(&word, at, (size_t)length);
        h = mixed(h, word);
    }
    h *= 0xD6E8FEB86659FD93ULL;
    return h ^ (h >> 29);
}

/* Below, at or above 0 as one text stands before, with or behind another in the order of their bytes. */
static inline int compared(Text a, int64_t a_length, Text b, int64_t b_length)
{
    int64_t common = a_length < b_length ? a_length : b_length;
    int order = common ? memcmp(a, b, (size_t)common) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static inline int equal(Text a, int64_t a_length, Text b, int64_t b_length)
{
    return a_length == b_length && !memcmp(a, b, (size_t)a_length);
}

/* ---------------------------------------------------------------- numbers */

static const double TENS[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#ifdef __SIZEOF_INT128__
/* digits / 10^places rounded once, half to even: 5^places fits 63 bits up to 27, and the powers of two are shifts. */
static double divided(uint64_t digits, int places)
{
    uint64_t power = 1;
    for (int i = 0; i < places; i++) power *= 5;
    int up = __builtin_clzll(digits), down = __builtin_clzll(power);
    unsigned __int128 above = (unsigned __int128)(digits << up) << 63;
    uint64_t below = power << down;
    uint64_t quotient = (uint64_t)(above / below), rest = (uint64_t)(above % below);
    int extra = 64 - __builtin_clzll(quotient) - 53;
    uint64_t half = 1ULL << (extra - 1), cut = quotient & ((1ULL << extra) - 1), kept = quotient >> extra;
    if (cut > half || (cut == half && (rest || (kept & 1)))) kept++;
    return ldexp((double)kept, extra + down - up - 63 - places);
}
#endif

/* A plain decimal number exactly as Python's float() reads it; 0 where this is not one, or too long to be sure. */
static int read_number(Text at, Text end, double *number)
{
    int negative = 0, places = 0, seen = 0, kept = 0, cut = 0, point = 0;
    uint64_t digits = 0;
    if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
    if (end - at <= 18) { /* the usual: it all fits, and zeros in front do no harm */
        Text first = at, dot = NULL;
        for (; at < end; at++) {
            unsigned digit = (unsigned)*at - '0';
            if (digit > 9) {
                if (*at != '.' || dot) break;
                dot = at;
                continue;
            }
            digits = digits * 10 + digit;
        }
        seen = at - first > (dot != NULL);
        places = dot ? (int)(at - dot - 1) : 0;
    } else for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9) {
            if (*at != '.' || point) break;
            point = 1;
            continue;
        }
        seen = 1;
        if (kept < 19) {
            digits = digits * 10 + digit;
            kept += digits != 0; /* zeros in front say nothing */
            places += point;
        } else {
            cut |= digit != 0;
            places -= !point;
        }
        if (places > 400 || places < -400) return 0;
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
        places += fall ? power : -power;
    }
    if (at < end) return 0;
    double value;
    if (!digits && !cut)
        value = 0.0;
    else if (!cut && digits <= (1ULL << 53) && places >= -22 && places <= 22)
        value = places < 0 ? (double)digits * TENS[-places] : (double)digits / TENS[places];
#ifdef __SIZEOF_INT128__
    else if (places >= 0 && places <= 27) {
        value = divided(digits, places);
        if (cut && value != divided(digits + 1, places)) return 0; /* the digits that were cut decide */
    }
#endif
    else
        return 0;
    *number = negative ? -value : value;
    return 1;
}

/* A whole number of at most 15 digits, also written 3.0 or +3; 0 where this is not one. */
static int read_whole(Text at, Text end, int64_t *number)
{
    int negative = 0, n = 0;
    int64_t value = 0;
    if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
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

/* ---------------------------------------------------------------- buffers */

/* Buffers of one call, released together. */
typedef struct {
    Py_buffer *views;
    int n;
} Buffers;

static void release(Buffers *held)
{
    while (held->n) PyBuffer_Release(&held->views[--held->n]);
}

/* The memory of the next argument with room for `n` items of `size` bytes; NULL with an error set where it is short. */
static void *taken(Buffers *held, PyObject *from, int64_t n, size_t size, int written)
{
    Py_buffer *view = &held->views[held->n];
    if (PyObject_GetBuffer(from, view, written ? PyBUF_WRITABLE : PyBUF_SIMPLE)) return NULL;
    held->n++;
    if (n < 0 || (uint64_t)view->len / size < (uint64_t)n) {
        PyErr_SetString(PyExc_ValueError, "a buffer is shorter than what it is to hold");
        return NULL;
    }
    return view->buf ? view->buf : (void *)"";
}

/* ---------------------------------------------------------------- tokenise */

enum { FEW_FIELDS = 1, BAD_WHOLE, ODD_NUMBER, NEW_TAG };
enum { MOST_FIELDS = 64, MOST_TAGS = 16 };
#define UNREADABLE INT64_MIN

/* Where things stand in a line: the separator (0: any run of blanks), how many fields, and which is which (-1: none). */
typedef struct {
    int separator, fields, query, doc, whole, number, tag;
} Layout;

/* One row a line that has its fields. */
typedef struct {
    int64_t *query_at, *doc_at, *whole;
    int32_t *query_length, *doc_length, *line;
    double *number;
} Lines;

/* What was odd: rows of kind, line, offset, length, and a number that goes with the kind. */
typedef struct {
    int64_t *rows, n, most;
} Events;

static int noted(Events *events, int kind, int64_t line, int64_t at, int64_t length, int64_t with)
{
    if (events->n == events->most) return 0;
    int64_t *row = events->rows + 5 * events->n++;
    row[0] = kind;
    row[1] = line;
    row[2] = at;
    row[3] = length;
    row[4] = with;
    return 1;
}

typedef struct {
    int64_t lines, rows, blank, comments, more, first_more, odd;
} Counts;

/* What a byte means: nothing, a blank, the end of a line, a separator that ends a field even where it is empty. */
enum { WORD, BLANK, BREAK, SEPARATOR };

static void classed(uint8_t *class, int separator)
{
    memset(class, WORD, 256);
    class['\n'] = class['\r'] = BREAK;
    if (separator)
        class[separator] = SEPARATOR;
    else
        class[' '] = class['\t'] = class['\f'] = class['\v'] = BLANK;
}

/* Where bytes stand that may part fields, in text[from : to]: all up to 32, and the separator. A few more may be told. */
static int marked(Text text, int64_t from, int64_t to, int separator, uint32_t *at)
{
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    int n = 0;
    for (; from + 8 <= to; from += 8) {
        uint64_t word, other;
        memcpy(&word, text + from, 8);
        other = word ^ (ones * (uint8_t)separator);
        uint64_t low = ~(((word & ~tops) + ones * 0x5F) | word), same = (other - ones) & ~other;
        for (uint64_t found = (low | same) & tops; found; found &= found - 1) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            int top = 63 - __builtin_clzll(found);
            at[n++] = (uint32_t)(from + 7 - top / 8);
            found = found & ~(1ULL << top) ? found & ~(1ULL << top) : 0;
#else
            at[n++] = (uint32_t)(from + __builtin_ctzll(found) / 8);
#endif
        }
    }
    for (; from < to; from++)
        if (text[from] <= 32 || text[from] == separator) at[n++] = (uint32_t)from;
    return n;
}

/* One line of a block, and where its fields begin and end. */
typedef struct {
    int64_t start[MOST_FIELDS], stop[MOST_FIELDS];
    int fields;
} Parts;

/* What is read of a block. */
typedef struct {
    Text block;
    const Layout *layout;
    int64_t most;
    Lines out;
    Events *events;
    Counts *n;
    int64_t tags[MOST_TAGS][2];
    int seen;
} Reading;

/* A line whose number of fields is not the usual one: 1 where it is a row all the same, 0 where not, -1 without room. */
static int odd_line(Reading *in, const Parts *line, int64_t number)
{
    int shown = line->fields < MOST_FIELDS ? line->fields : MOST_FIELDS;
    if (!line->fields) {
        in->n->blank++;
        return 0;
    }
    in->n->odd++;
    if (in->block[line->start[0]] == '#' && line->stop[0] > line->start[0]) {
        in->n->comments++;
        return 0;
    }
    if (line->fields < in->layout->fields) {
        int64_t length = line->stop[shown - 1] - line->start[0];
        return noted(in->events, FEW_FIELDS, number, line->start[0], length, line->fields) ? 0 : -1;
    }
    if (!in->n->more++) in->n->first_more = number;
    return 1;
}

/* The name of the system, noted where it is another than those before. False without room. */
static int tagged(Reading *in, const Parts *line, int64_t number, int64_t row)
{
    int64_t from = line->start[in->layout->tag], length = line->stop[in->layout->tag] - from;
    for (int i = in->seen - 1; i >= 0; i--)
        if (equal(in->block + from, length, in->block + in->tags[i][0], in->tags[i][1])) return 1;
    if (in->seen < MOST_TAGS) {
        in->tags[in->seen][0] = from;
        in->tags[in->seen++][1] = length;
    }
    return noted(in->events, NEW_TAG, number, from, length, row);
}

/* A line becomes a row, or is counted as odd. False where there is no room for what is odd. */
static int kept(Reading *in, const Parts *line)
{
    const Layout *layout = in->layout;
    int64_t number = in->n->lines++, row = in->n->rows;
    if (line->fields != layout->fields) {
        int odd = odd_line(in, line, number);
        if (odd <= 0) return odd == 0;
    }
    if (row == in->most) return 0;
    in->out.query_at[row] = line->start[layout->query];
    in->out.query_length[row] = (int32_t)(line->stop[layout->query] - line->start[layout->query]);
    in->out.doc_at[row] = line->start[layout->doc];
    in->out.doc_length[row] = (int32_t)(line->stop[layout->doc] - line->start[layout->doc]);
    in->out.line[row] = (int32_t)number;
    in->out.whole[row] = row;
    in->out.number[row] = 0.0;
    if (layout->whole >= 0) {
        int64_t from = line->start[layout->whole], to = line->stop[layout->whole];
        if (!read_whole(in->block + from, in->block + to, &in->out.whole[row])) {
            in->out.whole[row] = UNREADABLE;
            if (!noted(in->events, BAD_WHOLE, number, from, to - from, row)) return 0;
        }
    }
    if (layout->number >= 0) {
        int64_t from = line->start[layout->number], to = line->stop[layout->number];
        if (!read_number(in->block + from, in->block + to, &in->out.number[row])) {
            in->out.number[row] = NAN;
            if (!noted(in->events, ODD_NUMBER, number, from, to - from, row)) return 0;
        }
    }
    in->n->rows++;
    return layout->tag < 0 || tagged(in, line, number, row);
}

/* False where there were more odd things than there is room to note. */
static int tokenised(Reading *in, int64_t end)
{
    enum { CHUNK = 8192 };
    uint32_t marks[CHUNK];
    uint8_t class[256];
    Text block = in->block;
    Parts line;
    int64_t at = 0, begins = 0;
    int n = 0, separated = in->layout->separator != 0;
    classed(class, in->layout->separator);
    for (int64_t from = 0; from < end; from += CHUNK) {
        int64_t to = from + CHUNK < end ? from + CHUNK : end;
        int found = marked(block, from, to, separated ? in->layout->separator : ' ', marks);
        for (int i = 0; i < found; i++) {
            int64_t mark = marks[i];
            int class_of = class[block[mark]];
            if (class_of == WORD) continue;
            if (mark > at || class_of == SEPARATOR || (separated && n)) {
                if (n < MOST_FIELDS) line.start[n] = at, line.stop[n] = mark;
                n++;
            }
            at = mark + 1;
            if (class_of != BREAK) continue;
            if (block[mark] == '\n' && mark > 0 && block[mark - 1] == '\r') { /* the line ended there */
                begins = at;
                continue;
            }
            line.fields = n;
            if (!kept(in, &line)) return 0;
            n = 0;
            begins = at;
        }
    }
    if (begins < end) { /* a last line without an end */
        if (end > at || (separated && n)) {
            if (n < MOST_FIELDS) line.start[n] = at, line.stop[n] = end;
            n++;
        }
        line.fields = n;
        return kept(in, &line);
    }
    return 1;
}

PyDoc_STRVAR(tokenise_doc,
             "tokenise(block, end, layout, columns, events) -> counts\n\n"
             "The lines of block[:end] as columns: (query_at, query_length, doc_at, doc_length, line, whole, number).\n"
             "counts: (lines, rows, blank, comments, more, first_more, odd, events); None where a buffer is full.");

static PyObject *tokenise(PyObject *self, PyObject *args)
{
    PyObject *block, *column[7], *noted_in;
    Layout layout;
    long long end;
    Py_buffer views[9];
    Buffers held = {views, 0};
    PyObject *answer = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "OL(iiiiiii)(OOOOOOO)O", &block, &end, &layout.separator, &layout.fields, &layout.query,
                          &layout.doc, &layout.whole, &layout.number, &layout.tag, &column[0], &column[1], &column[2],
                          &column[3], &column[4], &column[5], &column[6], &noted_in))
        return NULL;
    int highest = layout.query > layout.doc ? layout.query : layout.doc;
    if (layout.whole > highest) highest = layout.whole;
    if (layout.number > highest) highest = layout.number;
    if (layout.tag > highest) highest = layout.tag;
    if (layout.query < 0 || layout.doc < 0 || highest >= layout.fields || layout.fields > MOST_FIELDS || end > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "a layout or a block that cannot be");
        return NULL;
    }
    Text text = taken(&held, block, end, 1, 0);
    Lines out = {0};
    if (!text || !(out.line = taken(&held, column[4], 0, 4, 1))) goto done;
    int64_t most = held.views[1].len / 4;
    if (!(out.query_at = taken(&held, column[0], most, 8, 1)) || !(out.query_length = taken(&held, column[1], most, 4, 1)) ||
        !(out.doc_at = taken(&held, column[2], most, 8, 1)) || !(out.doc_length = taken(&held, column[3], most, 4, 1)) ||
        !(out.whole = taken(&held, column[5], most, 8, 1)) || !(out.number = taken(&held, column[6], most, 8, 1)))
        goto done;
    Events events = {taken(&held, noted_in, 0, 40, 1), 0, 0};
    if (!events.rows) goto done;
    events.most = held.views[held.n - 1].len / 40;
    Counts n = {0};
    Reading in = {.block = text, .layout = &layout, .most = most, .out = out, .events = &events, .n = &n};
    int whole;
    Py_BEGIN_ALLOW_THREADS;
    whole = tokenised(&in, end);
    Py_END_ALLOW_THREADS;
    answer = whole ? Py_BuildValue("LLLLLLLL", n.lines, n.rows, n.blank, n.comments, n.more, n.first_more, n.odd, events.n)
                   : Py_NewRef(Py_None);
done:
    release(&held);
    return answer;
}

/* ---------------------------------------------------------------- index and look_up */

/* Ids in one text: id i is text[at[i] : at[i] + length[i]]. */
typedef struct {
    Text text;
    int64_t size, n;
    const int64_t *at;
    const int32_t *length;
} Ids;

static inline int within(const Ids *ids, int64_t i)
{
    return i >= 0 && i < ids->n && ids->at[i] >= 0 && ids->length[i] >= 0 && ids->at[i] <= ids->size - ids->length[i];
}

/* A place in a hash table: an id, and part of its hash; 0 is an empty place. */
typedef struct {
    uint32_t id_and_one, hash;
} Slot;

/* How many slots n ids take: a power of two that leaves half of them empty. */
static int64_t room_for(int64_t n)
{
    int64_t room = n ? 2 : 0;
    while (room < 2 * n) room *= 2;
    return room;
}

/* Put id i into a table; where an equal one is there, that one. */
static int64_t entered(Slot *slots, int64_t room, const Ids *ids, int64_t i, uint64_t hash)
{
    Text text = ids->text + ids->at[i];
    for (uint64_t at = hash;; at++) {
        Slot *slot = &slots[at & (uint64_t)(room - 1)];
        if (!slot->id_and_one) {
            slot->id_and_one = (uint32_t)i + 1;
            slot->hash = (uint32_t)(hash >> 32);
            return i;
        }
        int64_t other = (int64_t)slot->id_and_one - 1;
        if (slot->hash == (uint32_t)(hash >> 32) && equal(text, ids->length[i], ids->text + ids->at[other], ids->length[other]))
            return other;
    }
}

/* The id that equals a text; -1 where there is none. */
static inline int64_t found(const Slot *slots, int64_t room, const Ids *ids, Text text, int64_t length, uint64_t hash)
{
    if (!room) return -1;
    for (uint64_t at = hash, tried = 0; tried < (uint64_t)room; at++, tried++) {
        Slot slot = slots[at & (uint64_t)(room - 1)];
        if (!slot.id_and_one) return -1;
        int64_t id = (int64_t)slot.id_and_one - 1;
        if (slot.hash == (uint32_t)(hash >> 32) && within(ids, id) &&
            equal(text, length, ids->text + ids->at[id], ids->length[id]))
            return id;
    }
    return -1;
}

static int take_ids(Buffers *held, PyObject *text, PyObject *at, PyObject *length, int64_t n, Ids *ids)
{
    ids->n = n;
    if (!(ids->text = taken(held, text, 0, 1, 0))) return 0;
    ids->size = held->views[held->n - 1].len;
    return (ids->at = taken(held, at, n, 8, 0)) && (ids->length = taken(held, length, n, 4, 0));
}

PyDoc_STRVAR(index_doc,
             "index(ids, offsets, n_groups, seed, slots, slot_offsets, first) -> n_repeated\n\n"
             "Hash tables of ids = (text, at, length), one table for each group offsets[g]:offsets[g+1]. first[i] is the\n"
             "first equal id of the group. slots is None for the size that is needed: then only slot_offsets are written,\n"
             "and the number of slots is returned.");

static PyObject *index_ids(PyObject *self, PyObject *args)
{
    PyObject *text, *at, *length, *offsets_in, *slots_in, *slot_offsets_in, *first_in;
    long long groups, repeated = 0;
    unsigned long long seed;
    Py_buffer views[7];
    Buffers held = {views, 0};
    PyObject *answer = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "(OOO)OLKOOO", &text, &at, &length, &offsets_in, &groups, &seed, &slots_in,
                          &slot_offsets_in, &first_in))
        return NULL;
    const int64_t *offsets = taken(&held, offsets_in, groups + 1, 8, 0);
    int64_t *slot_offsets = offsets ? taken(&held, slot_offsets_in, groups + 1, 8, 1) : NULL;
    if (!slot_offsets) goto done;
    int64_t total = 0, n = offsets[groups];
    for (int64_t g = 0; g < groups; g++) {
        if (offsets[g] < 0 || offsets[g + 1] < offsets[g] || offsets[g + 1] > UINT32_MAX - 1) {
            PyErr_SetString(PyExc_ValueError, "offsets that fall");
            goto done;
        }
        slot_offsets[g] = total;
        total += room_for(offsets[g + 1] - offsets[g]);
    }
    slot_offsets[groups] = total;
    if (slots_in == Py_None) {
        answer = PyLong_FromLongLong(total);
        goto done;
    }
    Ids ids;
    Slot *slots = taken(&held, slots_in, total, sizeof(Slot), 1);
    int64_t *first = slots ? taken(&held, first_in, n, 8, 1) : NULL;
    if (!first || !take_ids(&held, text, at, length, n, &ids)) goto done;
    for (int64_t i = 0; i < n; i++)
        if (!within(&ids, i)) {
            PyErr_SetString(PyExc_ValueError, "an id outside of its text");
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS;
    memset(slots, 0, (size_t)total * sizeof(Slot));
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = offsets[g]; i < offsets[g + 1]; i++) {
            uint64_t hash = hashed(ids.text + ids.at[i], ids.length[i], seed);
            first[i] = entered(slots + slot_offsets[g], slot_offsets[g + 1] - slot_offsets[g], &ids, i, hash);
            repeated += first[i] != i;
        }
    Py_END_ALLOW_THREADS;
    answer = PyLong_FromLongLong(repeated);
done:
    release(&held);
    return answer;
}

/* What look_up reads and writes. */
typedef struct {
    Text block;
    int64_t size, n_lines;
    const int64_t *query_at, *doc_at;
    const int32_t *query_length, *doc_length;
    Ids names, docs;
    const Slot *name_slots, *doc_slots;
    int64_t name_room, n_names, n_doc_slots;
    const int64_t *doc_slot_offsets;
    uint64_t seed;
    int64_t *starts;
    int32_t *place, *judgment;
    uint64_t *hash;
} Looking;

/* How many lists there are; -1 where a column points outside of the block. */
static int64_t looked_up(const Looking *in)
{
    int64_t lists = 0;
    int32_t place = -1;
    Text last = in->block;
    int64_t last_length = -1;
    for (int64_t i = 0; i < in->n_lines; i++) {
        int64_t from = in->query_at[i], length = in->query_length[i], doc = in->doc_at[i], doc_length = in->doc_length[i];
        if (from < 0 || length < 0 || from > in->size - length || doc < 0 || doc_length < 0 || doc > in->size - doc_length)
            return -1;
        Text query = in->block + from;
        if (!equal(query, length, last, last_length)) {
            last = query;
            last_length = length;
            place = (int32_t)found(in->name_slots, in->name_room, &in->names, query, length, hashed(query, length, in->seed));
            in->starts[lists] = i;
            in->place[lists++] = place;
        }
        in->judgment[i] = -1;
        in->hash[i] = 0;
        if (place < 0) continue;
        uint64_t hash = hashed(in->block + doc, doc_length, in->seed);
        int64_t slots = in->doc_slot_offsets[place], end = in->doc_slot_offsets[place + 1];
        if (slots < 0 || end < slots || end > in->n_doc_slots || ((end - slots) & (end - slots - 1))) return -1;
        in->hash[i] = hash;
        in->judgment[i] =
            (int32_t)found(in->doc_slots + slots, end - slots, &in->docs, in->block + doc, doc_length, hash);
    }
    in->starts[lists] = in->n_lines;
    return lists;
}

PyDoc_STRVAR(look_up_doc,
             "look_up(block, n_lines, columns, names, docs, seed, out) -> n_lists\n\n"
             "columns: (query_at, query_length, doc_at, doc_length). names: (ids, n, slots). docs: (ids, n, slots,\n"
             "slot_offsets), a table for each name. out: (starts, place, judgment, hash): neighbouring lines of one query\n"
             "are a list; place is the query's, judgment the doc's, -1 where nobody asked or judged.");

static PyObject *look_up(PyObject *self, PyObject *args)
{
    PyObject *block, *line[4], *name[4], *doc[5], *out[4];
    Looking in;
    long long n_lines, n_names, n_docs;
    unsigned long long seed;
    Py_buffer views[18];
    Buffers held = {views, 0};
    PyObject *answer = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "OL(OOOO)((OOO)LO)((OOO)LOO)K(OOOO)", &block, &n_lines, &line[0], &line[1], &line[2],
                          &line[3], &name[0], &name[1], &name[2], &n_names, &name[3], &doc[0], &doc[1], &doc[2], &n_docs,
                          &doc[3], &doc[4], &seed, &out[0], &out[1], &out[2], &out[3]))
        return NULL;
    in.n_lines = n_lines;
    in.n_names = n_names;
    in.seed = seed;
    if (!(in.block = taken(&held, block, 0, 1, 0))) goto done;
    in.size = held.views[0].len;
    if (!(in.query_at = taken(&held, line[0], n_lines, 8, 0)) || !(in.query_length = taken(&held, line[1], n_lines, 4, 0)) ||
        !(in.doc_at = taken(&held, line[2], n_lines, 8, 0)) || !(in.doc_length = taken(&held, line[3], n_lines, 4, 0)) ||
        !take_ids(&held, name[0], name[1], name[2], n_names, &in.names) ||
        !(in.name_slots = taken(&held, name[3], 0, sizeof(Slot), 0)))
        goto done;
    in.name_room = held.views[held.n - 1].len / (Py_ssize_t)sizeof(Slot);
    if (!take_ids(&held, doc[0], doc[1], doc[2], n_docs, &in.docs) ||
        !(in.doc_slots = taken(&held, doc[3], 0, sizeof(Slot), 0)))
        goto done;
    in.n_doc_slots = held.views[held.n - 1].len / (Py_ssize_t)sizeof(Slot);
    if (!(in.doc_slot_offsets = taken(&held, doc[4], n_names + 1, 8, 0)) ||
        !(in.starts = taken(&held, out[0], n_lines + 1, 8, 1)) || !(in.place = taken(&held, out[1], n_lines, 4, 1)) ||
        !(in.judgment = taken(&held, out[2], n_lines, 4, 1)) || !(in.hash = taken(&held, out[3], n_lines, 8, 1)))
        goto done;
    if (in.name_room & (in.name_room - 1)) {
        PyErr_SetString(PyExc_ValueError, "a table whose size is no power of two");
        goto done;
    }
    int64_t lists;
    Py_BEGIN_ALLOW_THREADS;
    lists = looked_up(&in);
    Py_END_ALLOW_THREADS;
    if (lists < 0)
        PyErr_SetString(PyExc_ValueError, "columns that point outside of the block or its tables");
    else
        answer = PyLong_FromLongLong(lists);
done:
    release(&held);
    return answer;
}

/* ---------------------------------------------------------------- settle */

enum { FILE_ORDER, FILE_LAST, DOC_FALLS, DOC_RISES, BEST_FIRST, WORST_FIRST };
#define LAST UINT64_MAX /* the key of a score that is no number */

/* A line of a list, and what orders it: the smaller key stands first. */
typedef struct {
    uint64_t key;
    uint32_t i;
} Line;

/* What settle reads and writes. */
typedef struct {
    Ids docs; /* of every line */
    int64_t n_lines, n_lists, n_names, n_judgments;
    const int32_t *judgment, *place;
    const uint64_t *hash;
    const double *number;
    const int64_t *whole, *starts, *order, *grade, *offsets;
    int by_rank, ties, single;
    int32_t *hit, *rank, *tie_start, *tie_size, *n_hits, *n_repeats;
} Settling;

/* Scratch for the longest list. */
typedef struct {
    Line *lines, *spare;
    uint32_t *slots;
    uint8_t *marks;
    int64_t room, n_marks;
} Scratch;

static inline int64_t line_of(const Settling *in, int64_t start, uint32_t i)
{
    return in->order ? in->order[start + i] : start + i;
}

/* A key that rises as the score falls; equal scores have equal keys. */
static inline uint64_t falling(double score, int single)
{
    uint64_t bits;
    score = (single ? (double)(float)score : score) + 0.0; /* -0 is 0 */
    if (score != score) return LAST;
    memcpy(&bits, &score, 8);
    return bits >> 63 ? bits : ~(bits | 1ULL << 63);
}

/* True where the first of two lines with equal keys stands before the second. */
static int precedes(const Settling *in, int64_t start, uint32_t a, uint32_t b)
{
    int64_t one = line_of(in, start, a), other = line_of(in, start, b), order = 0;
    if (in->ties == FILE_LAST) return a > b;
    if (in->ties == DOC_FALLS || in->ties == DOC_RISES) {
        order = compared(in->docs.text + in->docs.at[one], in->docs.length[one], in->docs.text + in->docs.at[other],
                         in->docs.length[other]);
        if (in->ties == DOC_FALLS) order = -order;
    } else if (in->ties == BEST_FIRST || in->ties == WORST_FIRST) {
        int64_t first = in->judgment[one] < 0 ? -1 : in->grade[in->judgment[one]];
        int64_t second = in->judgment[other] < 0 ? -1 : in->grade[in->judgment[other]];
        order = (first > second) - (first < second);
        if (in->ties == BEST_FIRST) order = -order;
    }
    return order ? order < 0 : a < b;
}

/* Sorted by key, then by the rule for ties where `by_rule`, else as they stood. */
static void sorted(const Settling *in, int64_t start, Line *lines, Line *spare, int64_t n, int by_rule)
{
    Line *from = lines, *to = spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n, high = low + 2 * width < n ? low + 2 * width : n;
            int64_t a = low, b = middle, at = low;
            while (a < middle && b < high) {
                int second = from[b].key < from[a].key ||
                             (by_rule && from[b].key == from[a].key && precedes(in, start, from[b].i, from[a].i));
                to[at++] = second ? from[b++] : from[a++];
            }
            while (a < middle) to[at++] = from[a++];
            while (b < high) to[at++] = from[b++];
        }
        Line *other = from;
        from = to;
        to = other;
    }
    if (from != lines) memcpy(lines, from, (size_t)n * sizeof(Line));
}

/* How many lines of a list name a doc that an earlier one names. */
static int32_t repeated(const Settling *in, Scratch *s, int64_t start, int64_t n)
{
    int64_t room = room_for(n);
    int32_t repeats = 0;
    memset(s->slots, 0, (size_t)room * sizeof(uint32_t));
    for (int64_t i = 0; i < n; i++) {
        int64_t line = line_of(in, start, (uint32_t)i);
        uint64_t hash = in->hash[line];
        for (uint64_t at = hash >> 8;; at++) {
            uint32_t *slot = &s->slots[at & (uint64_t)(room - 1)];
            if (!*slot) {
                *slot = (uint32_t)i + 1;
                break;
            }
            int64_t other = line_of(in, start, *slot - 1);
            if (in->hash[other] == hash && equal(in->docs.text + in->docs.at[line], in->docs.length[line],
                                                 in->docs.text + in->docs.at[other], in->docs.length[other])) {
                repeats++;
                break;
            }
        }
    }
    return repeats;
}

/* True where every line has a readable rank and no two have the same. */
static int ranked(const Settling *in, Scratch *s, int64_t start, int64_t n)
{
    int64_t low = INT64_MAX, high = INT64_MIN, last = INT64_MIN;
    int rises = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t rank = in->whole[line_of(in, start, (uint32_t)i)];
        if (rank == UNREADABLE) return 0;
        rises &= rank > last;
        last = rank;
        low = rank < low ? rank : low;
        high = rank > high ? rank : high;
    }
    if (rises) return 1;
    if ((uint64_t)high - (uint64_t)low < (uint64_t)s->n_marks) {
        int once = 1;
        memset(s->marks, 0, (size_t)(high - low) + 1);
        for (int64_t i = 0; i < n && once; i++) {
            uint8_t *mark = &s->marks[in->whole[line_of(in, start, (uint32_t)i)] - low];
            once = !*mark;
            *mark = 1;
        }
        return once;
    }
    for (int64_t i = 0; i < n; i++) s->lines[i] = (Line){(uint64_t)in->whole[line_of(in, start, (uint32_t)i)], (uint32_t)i};
    sorted(in, start, s->lines, s->spare, n, 0);
    for (int64_t i = 1; i < n; i++)
        if (s->lines[i].key == s->lines[i - 1].key) return 0;
    return 1;
}

/* One hit of a list that is not in order: its place by counting the lines before it. */
static void counted(const Settling *in, int64_t start, int64_t n, const Line *lines, uint32_t i, int32_t *out)
{
    uint64_t key = lines[i].key;
    int64_t before = 0, same = 0, above = 0;
    for (int64_t j = 0; j < n; j++) {
        before += lines[j].key < key;
        same += lines[j].key == key;
    }
    if (same > 1)
        for (int64_t j = 0; j < n; j++) above += lines[j].key == key && (uint32_t)j != i && precedes(in, start, (uint32_t)j, i);
    int alone = key == LAST;
    out[0] = (int32_t)(before + above + 1);
    out[1] = alone ? out[0] : (int32_t)before + 1;
    out[2] = alone ? 1 : (int32_t)same;
}

/* The hits of one list, written from `at` on; how many there are. `h` of its n lines are judged. */
static int64_t listed(const Settling *in, Scratch *s, int64_t start, int64_t n, int64_t h, int64_t at)
{
    Line *lines = s->lines;
    int by_rank = in->by_rank && ranked(in, s, start, n), rises = 1, sorted_already = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t line = line_of(in, start, (uint32_t)i);
        uint64_t key = by_rank ? (uint64_t)in->whole[line] ^ 1ULL << 63 : falling(in->number[line], in->single);
        lines[i] = (Line){key, (uint32_t)i};
        if (i) {
            rises &= lines[i - 1].key < key;
            sorted_already &= lines[i - 1].key <= key;
        }
    }
    int64_t found = 0;
    if (!sorted_already && h <= 24) {
        for (int64_t i = 0; i < n; i++) {
            int32_t judgment = in->judgment[line_of(in, start, (uint32_t)i)], place[3];
            if (judgment < 0) continue;
            counted(in, start, n, lines, (uint32_t)i, place);
            int64_t to = at + found++;
            for (; to > at && in->rank[to - 1] > place[0]; to--) { /* few: put each where it belongs */
                in->hit[to] = in->hit[to - 1];
                in->rank[to] = in->rank[to - 1];
                in->tie_start[to] = in->tie_start[to - 1];
                in->tie_size[to] = in->tie_size[to - 1];
            }
            in->hit[to] = judgment;
            in->rank[to] = place[0];
            in->tie_start[to] = place[1];
            in->tie_size[to] = place[2];
        }
        return found;
    }
    if (!sorted_already) sorted(in, start, lines, s->spare, n, 0);
    for (int64_t low = 0, high; low < n && found < h; low = high) {
        int hits = in->judgment[line_of(in, start, lines[low].i)] >= 0;
        high = low + 1;
        if (!rises || !sorted_already)
            for (; high < n && lines[high].key == lines[low].key; high++)
                hits |= in->judgment[line_of(in, start, lines[high].i)] >= 0;
        if (!hits) continue;
        if (high - low > 1 && in->ties != FILE_ORDER) sorted(in, start, lines + low, s->spare, high - low, 1);
        for (int64_t i = low; i < high; i++) {
            int32_t judgment = in->judgment[line_of(in, start, lines[i].i)];
            if (judgment < 0) continue;
            int alone = by_rank || lines[i].key == LAST;
            in->hit[at + found] = judgment;
            in->rank[at + found] = (int32_t)i + 1;
            in->tie_start[at + found] = alone ? (int32_t)i + 1 : (int32_t)low + 1;
            in->tie_size[at + found++] = alone ? 1 : (int32_t)(high - low);
        }
    }
    return found;
}

/* Marks the hits of a doc that already stands higher: -1 - judgment in place of the judgment. */
static void repeats_marked(const Settling *in, Scratch *s, int64_t at, int64_t n, int32_t place)
{
    int64_t first = in->offsets[place], size = in->offsets[place + 1] - first;
    memset(s->marks, 0, (size_t)size);
    for (int64_t i = at; i < at + n; i++) {
        int64_t judgment = in->hit[i] - first;
        if (judgment < 0 || judgment >= size) continue;
        if (s->marks[judgment]) in->hit[i] = -1 - in->hit[i];
        s->marks[judgment] = 1;
    }
}

/* How many hits there are. */
static int64_t settled(const Settling *in, Scratch *s)
{
    int64_t at = 0;
    for (int64_t l = 0; l < in->n_lists; l++) {
        int64_t start = in->starts[l], n = in->starts[l + 1] - start, h = 0;
        in->n_hits[l] = in->n_repeats[l] = 0;
        if (in->place[l] < 0) continue;
        for (int64_t i = 0; i < n; i++) h += in->judgment[line_of(in, start, (uint32_t)i)] >= 0;
        in->n_repeats[l] = repeated(in, s, start, n);
        if (!h) continue;
        int64_t hits = listed(in, s, start, n, h, at);
        if (in->n_repeats[l]) repeats_marked(in, s, at, hits, in->place[l]);
        in->n_hits[l] = (int32_t)hits;
        at += hits;
    }
    return at;
}

/* Why the columns cannot be followed; NULL where they can. Tells the longest list and the most judged of one query. */
static const char *unsound(const Settling *in, int64_t *longest, int64_t *most_judged)
{
    *longest = *most_judged = 0;
    for (int64_t l = 0; l < in->n_lists; l++) {
        int64_t n = in->starts[l + 1] - in->starts[l], q = in->place[l];
        if (in->starts[l] < 0 || n < 0 || in->starts[l + 1] > in->n_lines || n > INT32_MAX) return "starts of lists that fall";
        if (q >= in->n_names) return "a list of a query that is none";
        if (n > *longest) *longest = n;
        if (q < 0) continue;
        int64_t judged = in->offsets[q + 1] - in->offsets[q];
        if (in->offsets[q] < 0 || judged < 0 || in->offsets[q + 1] > in->n_judgments) return "offsets of judgments that fall";
        if (judged > *most_judged) *most_judged = judged;
    }
    for (int64_t i = 0; i < in->n_lines; i++) {
        if (in->judgment[i] >= in->n_judgments) return "a judgment that is none";
        if (!within(&in->docs, i)) return "a doc outside of its text";
        if (in->order && (in->order[i] < 0 || in->order[i] >= in->n_lines)) return "an order that leads outside";
    }
    return NULL;
}

PyDoc_STRVAR(settle_doc,
             "settle(docs, n_lines, columns, lists, n_lists, order, judged, rules, out, of_lists) -> n_hits\n\n"
             "docs: (text, at, length) of every line. columns: (judgment, hash, number, whole). lists: (starts, place).\n"
             "order: None, or the line at each place of the lists. judged: (grade, n, offsets, n_names).\n"
             "rules: (by_rank, ties, single). out: (judgment, rank, tie_start, tie_size) of each hit; the judgment of a\n"
             "doc that stands higher already is -1 - judgment. of_lists: (n_hits, n_repeats).");

static PyObject *settle(PyObject *self, PyObject *args)
{
    PyObject *doc[3], *column[4], *list[2], *order, *grade, *offsets, *out[4], *of_list[2];
    Settling in;
    long long n_lines, n_lists, n_judgments, n_names;
    Py_buffer views[18];
    Buffers held = {views, 0};
    PyObject *answer = NULL;
    Scratch s = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "(OOO)L(OOOO)(OO)LO(OLOL)(iii)(OOOO)(OO)", &doc[0], &doc[1], &doc[2], &n_lines, &column[0],
                          &column[1], &column[2], &column[3], &list[0], &list[1], &n_lists, &order, &grade, &n_judgments,
                          &offsets, &n_names, &in.by_rank, &in.ties, &in.single, &out[0], &out[1], &out[2],
                          &out[3], &of_list[0], &of_list[1]))
        return NULL;
    in.n_lines = n_lines;
    in.n_lists = n_lists;
    in.n_judgments = n_judgments;
    in.n_names = n_names;
    in.order = NULL;
    if (!take_ids(&held, doc[0], doc[1], doc[2], n_lines, &in.docs) ||
        !(in.judgment = taken(&held, column[0], n_lines, 4, 0)) || !(in.hash = taken(&held, column[1], n_lines, 8, 0)) ||
        !(in.number = taken(&held, column[2], n_lines, 8, 0)) || !(in.whole = taken(&held, column[3], n_lines, 8, 0)) ||
        !(in.starts = taken(&held, list[0], n_lists + 1, 8, 0)) || !(in.place = taken(&held, list[1], n_lists, 4, 0)) ||
        (order != Py_None && !(in.order = taken(&held, order, n_lines, 8, 0))) ||
        !(in.grade = taken(&held, grade, n_judgments, 8, 0)) || !(in.offsets = taken(&held, offsets, n_names + 1, 8, 0)) ||
        !(in.hit = taken(&held, out[0], n_lines, 4, 1)) || !(in.rank = taken(&held, out[1], n_lines, 4, 1)) ||
        !(in.tie_start = taken(&held, out[2], n_lines, 4, 1)) || !(in.tie_size = taken(&held, out[3], n_lines, 4, 1)) ||
        !(in.n_hits = taken(&held, of_list[0], n_lists, 4, 1)) || !(in.n_repeats = taken(&held, of_list[1], n_lists, 4, 1)))
        goto done;
    int64_t longest, most_judged, hits = 0;
    const char *why = unsound(&in, &longest, &most_judged);
    if (why) {
        PyErr_SetString(PyExc_ValueError, why);
        goto done;
    }
    s.room = room_for(longest);
    s.n_marks = 8 * longest > most_judged ? 8 * longest : most_judged;
    s.lines = malloc((size_t)(longest + 1) * sizeof(Line));
    s.spare = malloc((size_t)(longest + 1) * sizeof(Line));
    s.slots = malloc((size_t)(s.room + 1) * sizeof(uint32_t));
    s.marks = malloc((size_t)s.n_marks + 1);
    if (!s.lines || !s.spare || !s.slots || !s.marks) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS;
    hits = settled(&in, &s);
    Py_END_ALLOW_THREADS;
    answer = PyLong_FromLongLong(hits);
done:
    free(s.lines);
    free(s.spare);
    free(s.slots);
    free(s.marks);
    release(&held);
    return answer;
}

/* ---------------------------------------------------------------- pack and group */

PyDoc_STRVAR(pack_doc, "pack(ids, n, room, text, at) -> size\n\nThe ids behind each other in `text`; at[i] is where id i begins.");

static PyObject *pack(PyObject *self, PyObject *args)
{
    PyObject *id[3], *text_in, *at_in, *answer = NULL;
    long long n, room;
    Py_buffer views[5];
    Buffers held = {views, 0};
    Ids ids;
    (void)self;
    if (!PyArg_ParseTuple(args, "(OOO)LLOO", &id[0], &id[1], &id[2], &n, &room, &text_in, &at_in)) return NULL;
    if (!take_ids(&held, id[0], id[1], id[2], n, &ids)) goto done;
    uint8_t *text = taken(&held, text_in, room, 1, 1);
    int64_t *at = text ? taken(&held, at_in, n, 8, 1) : NULL, size = 0;
    if (!at) goto done;
    int sound = 1;
    Py_BEGIN_ALLOW_THREADS;
    for (int64_t i = 0; i < n && sound; i++) {
        sound = within(&ids, i) && ids.length[i] <= room - size;
        if (!sound) break;
        memcpy(text + size, ids.text + ids.at[i], (size_t)ids.length[i]);
        at[i] = size;
        size += ids.length[i];
    }
    Py_END_ALLOW_THREADS;
    if (sound)
        answer = PyLong_FromLongLong(size);
    else
        PyErr_SetString(PyExc_ValueError, "ids outside of their text, or longer than the room");
done:
    release(&held);
    return answer;
}

PyDoc_STRVAR(group_doc, "group(place, n, n_groups, order, starts)\n\nThe lines of each group in their order: those of group g are\norder[starts[g]:starts[g + 1]].");

static PyObject *group(PyObject *self, PyObject *args)
{
    PyObject *place_in, *order_in, *starts_in, *answer = NULL;
    long long n, groups;
    Py_buffer views[3];
    Buffers held = {views, 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLOO", &place_in, &n, &groups, &order_in, &starts_in)) return NULL;
    const int32_t *place = taken(&held, place_in, n, 4, 0);
    int64_t *order = place ? taken(&held, order_in, n, 8, 1) : NULL;
    int64_t *starts = order ? taken(&held, starts_in, groups + 1, 8, 1) : NULL;
    if (!starts) goto done;
    int sound = 1;
    Py_BEGIN_ALLOW_THREADS;
    for (int64_t g = 0; g <= groups; g++) starts[g] = 0;
    for (int64_t i = 0; i < n && sound; i++) {
        sound = place[i] >= 0 && place[i] < groups;
        if (sound) starts[place[i] + 1]++;
    }
    if (sound) {
        for (int64_t g = 0; g < groups; g++) starts[g + 1] += starts[g];
        for (int64_t i = 0; i < n; i++) order[starts[place[i]]++] = i;
        for (int64_t g = groups; g > 0; g--) starts[g] = starts[g - 1];
        starts[0] = 0;
    }
    Py_END_ALLOW_THREADS;
    if (sound)
        answer = Py_NewRef(Py_None);
    else
        PyErr_SetString(PyExc_ValueError, "a group that is none");
done:
    release(&held);
    return answer;
}

/* ---------------------------------------------------------------- the module */

static PyMethodDef METHODS[] = {
    {"tokenise", tokenise, METH_VARARGS, tokenise_doc},
    {"index", index_ids, METH_VARARGS, index_doc},
    {"look_up", look_up, METH_VARARGS, look_up_doc},
    {"settle", settle, METH_VARARGS, settle_doc},
    {"pack", pack, METH_VARARGS, pack_doc},
    {"group", group, METH_VARARGS, group_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "rankproof._scan", "Lines of text to columns, ids to places, lists to hits.", 0, METHODS,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__scan(void) { return PyModuleDef_Init(&MODULE); }
