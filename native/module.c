/* The scanner: lines of text to columns, ids to places, lists to hits.

   Kernels over buffers that the caller owns. They read no file, know no measure, keep nothing from one call to the next
   and allocate only scratch that they free; while they run, other threads run. Each has a twin in numpy that gives the
   same columns. Bytes come from strangers, so every offset is checked against its buffer before it is followed; what is
   lent to a kernel is changed by nobody else while it runs.

   This file and calls.*, call_*.c speak with Python; the kernels beside them are plain C. */

#include "calls.h"

PyDoc_STRVAR(tokenise_doc,
             "tokenise(block, end, layout, columns, events) -> counts\n\n"
             "The lines of block[:end] as columns: (query_at, query_length, doc_at, doc_length, line, whole, number).\n"
             "counts: (lines, rows, blank, comments, more, first_more, odd, events); None where a buffer is full.");

PyDoc_STRVAR(
    index_doc,
    "index(ids, offsets, n_groups, seed, slots, slot_offsets, first) -> n_repeated\n\n"
    "Hash tables of ids = (text, at, length), one table for each group offsets[g]:offsets[g+1]. first[i] is the\n"
    "first equal id of the group. slots is None for the size that is needed: then only slot_offsets are written,\n"
    "and the number of slots is returned.");

PyDoc_STRVAR(
    look_up_doc,
    "look_up(block, n_lines, columns, names, docs, seed, out) -> n_lists\n\n"
    "columns: (query_at, query_length, doc_at, doc_length). names: (ids, n, slots). docs: (ids, n, slots,\n"
    "slot_offsets), a table for each name. out: (starts, place, judgment, hash): neighbouring lines of one query\n"
    "are a list; place is the query's, judgment the doc's, -1 where nobody asked or judged.");

PyDoc_STRVAR(
    settle_doc,
    "settle(docs, n_lines, columns, lists, n_lists, order, judged, rules, out, of_lists) -> n_hits\n\n"
    "docs: (text, at, length) of every line. columns: (judgment, hash, number, whole). lists: (starts, place).\n"
    "order: None, or the line at each place of the lists. judged: (grade, n, offsets, n_names).\n"
    "rules: (by_rank, ties, single). out: (judgment, rank, tie_start, tie_size) of each hit; the judgment of a\n"
    "doc that stands higher already is -1 - judgment. of_lists: (n_hits, n_repeats).");

PyDoc_STRVAR(
    pack_doc,
    "pack(ids, n, room, text, at) -> size\n\nThe ids behind each other in `text`; at[i] is where id i begins.");

PyDoc_STRVAR(
    group_doc,
    "group(place, n, n_groups, order, starts)\n\nThe lines of each group in their order: those of group g are\n"
    "order[starts[g]:starts[g + 1]].");

static PyMethodDef METHODS[] = {
    {"tokenise", call_tokenise, METH_VARARGS, tokenise_doc},
    {"index", call_index, METH_VARARGS, index_doc},
    {"look_up", call_look_up, METH_VARARGS, look_up_doc},
    {"settle", call_settle, METH_VARARGS, settle_doc},
    {"pack", call_pack, METH_VARARGS, pack_doc},
    {"group", call_group, METH_VARARGS, group_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT,
    "rankproof._scan",
    "Lines of text to columns, ids to places, lists to hits.",
    0,
    METHODS,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__scan(void)
{
    return PyModuleDef_Init(&MODULE);
}
