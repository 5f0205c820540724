#include "calls.h"
#include "look_up.h"

/* The words of each table, added up in slot_offsets; -1 where the offsets of the groups fall. */
static int64_t words_of(const int64_t *offsets, int64_t groups, int64_t *slot_offsets)
{
    int64_t total = 0;
    if (offsets[0] < 0) return -1;
    for (int64_t g = 0; g < groups; g++) {
        if (offsets[g + 1] < offsets[g] || offsets[g + 1] >= INT32_MAX) return -1;
        slot_offsets[g] = total;
        total += words_for(offsets[g + 1] - offsets[g]);
    }
    slot_offsets[groups] = total;
    return total;
}

static int all_within(const Ids *ids)
{
    for (int64_t i = 0; i < ids->n; i++)
        if (!within(ids, i)) return 0;
    return 1;
}

PyObject *call_index(PyObject *self, PyObject *args)
{
    PyObject *id[3], *offsets_in, *slots_in, *slot_offsets_in, *first_in, *answer = NULL;
    long long groups;
    unsigned long long seed;
    Py_buffer views[7];
    Buffers held = {views, 0, 0};
    const int64_t *offsets;
    int64_t *slot_offsets, *first, words, repeated;
    uint64_t *slots;
    Ids ids;
    (void)self;
    if (!PyArg_ParseTuple(args, "(OOO)OLKOOO", &id[0], &id[1], &id[2], &offsets_in, &groups, &seed, &slots_in,
                          &slot_offsets_in, &first_in))
        return NULL;
    if (groups < 0 || groups >= INT32_MAX) return refused("groups that cannot be counted");
    if (!(offsets = taken(&held, offsets_in, groups + 1, 8, READ)) ||
        !(slot_offsets = taken(&held, slot_offsets_in, groups + 1, 8, WRITE)))
        goto done;
    if ((words = words_of(offsets, groups, slot_offsets)) < 0) {
        refused("offsets that fall");
        goto done;
    }
    if (slots_in == Py_None) {
        answer = PyLong_FromLongLong(words);
        goto done;
    }
    if (!(slots = taken(&held, slots_in, words, 8, WRITE)) ||
        !(first = taken(&held, first_in, offsets[groups], 8, WRITE)) || !take_ids(&held, id, offsets[groups], &ids))
        goto done;
    if (!all_within(&ids)) {
        refused("an id outside of its text");
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS;
    memset(slots, 0, (size_t)words * 8);
    repeated = entered((Bucket *)(void *)slots, slot_offsets, &ids, offsets, groups, seed, first);
    Py_END_ALLOW_THREADS;
    answer = PyLong_FromLongLong(repeated);
done:
    release(&held);
    return answer;
}

PyObject *call_look_up(PyObject *self, PyObject *args)
{
    PyObject *block, *line[4], *name[4], *doc[5], *out[4], *answer = NULL;
    Looking in;
    long long n, n_names, n_docs;
    unsigned long long seed;
    Py_buffer views[18];
    Buffers held = {views, 0, 0};
    int64_t lists;
    (void)self;
    if (!PyArg_ParseTuple(args, "OL(OOOO)((OOO)LO)((OOO)LOO)K(OOOO)", &block, &n, &line[0], &line[1], &line[2],
                          &line[3], &name[0], &name[1], &name[2], &n_names, &name[3], &doc[0], &doc[1], &doc[2],
                          &n_docs, &doc[3], &doc[4], &seed, &out[0], &out[1], &out[2], &out[3]))
        return NULL;
    in.n_lines = n;
    in.n_names = n_names;
    in.seed = seed;
    if (!(in.block = taken(&held, block, 0, 1, READ))) goto done;
    in.size = room_of(&held, 1);
    if (!(in.query_at = taken(&held, line[0], n, 8, READ)) || !(in.query_length = taken(&held, line[1], n, 4, READ)) ||
        !(in.doc_at = taken(&held, line[2], n, 8, READ)) || !(in.doc_length = taken(&held, line[3], n, 4, READ)) ||
        !take_ids(&held, name, n_names, &in.names) || !(in.name_slots = taken(&held, name[3], 0, 8, READ)))
        goto done;
    in.n_name_slots = room_of(&held, 8);
    if (!take_ids(&held, doc, n_docs, &in.docs) || !(in.doc_slots = taken(&held, doc[3], 0, 8, READ))) goto done;
    in.n_doc_slots = room_of(&held, 8);
    if (!(in.doc_slot_offsets = taken(&held, doc[4], n_names + 1, 8, READ)) ||
        !(in.starts = taken(&held, out[0], n + 1, 8, WRITE)) || !(in.place = taken(&held, out[1], n, 4, WRITE)) ||
        !(in.judgment = taken(&held, out[2], n, 4, WRITE)) || !(in.hash = taken(&held, out[3], n, 8, WRITE)))
        goto done;
    Py_BEGIN_ALLOW_THREADS;
    lists = looked_up(&in);
    Py_END_ALLOW_THREADS;
    answer = lists < 0 ? refused("columns that point outside of the block or its tables") : PyLong_FromLongLong(lists);
done:
    release(&held);
    return answer;
}
