#include "calls.h"
#include "settle.h"

static int take_columns(Buffers *held, PyObject *const doc[3], PyObject *const column[4], int64_t n, Settling *in)
{
    return take_ids(held, doc, n, &in->docs) && (in->judgment = taken(held, column[0], n, 4, READ)) &&
           (in->hash = taken(held, column[1], n, 8, READ)) && (in->number = taken(held, column[2], n, 8, READ)) &&
           (in->whole = taken(held, column[3], n, 8, READ));
}

/* Lines in brief: with a text of docs they are ordered by score, else by rank. */
static int take_briefs(Buffers *held, PyObject *text, PyObject *lines, int64_t n, PyObject *order, Settling *in)
{
    if (order == Py_None || (text != Py_None && in->by_rank)) {
        refused("lines in brief and no order of them");
        return 0;
    }
    if (text == Py_None) return (in->ranked = taken(held, lines, n, sizeof(Ranked), READ)) != NULL;
    if (!(in->docs.text = taken(held, text, 0, 1, READ))) return 0;
    in->docs.size = room_of(held, 1);
    return (in->scored = taken(held, lines, n + 1, sizeof(Scored), READ)) != NULL;
}

PyObject *call_settle(PyObject *self, PyObject *args)
{
    PyObject *doc[3], *column[4], *list[2], *order, *grade, *offsets, *out[4], *of_list[2], *answer = NULL;
    Settling in = {0};
    long long n, lists, judgments, names;
    Py_buffer views[18];
    Buffers held = {views, 0, 0};
    const char *why;
    int64_t hits;
    (void)self;
    if (!PyArg_ParseTuple(args, "(OOO)L(OOOO)(OO)LO(OLOL)(iii)(OOOO)(OO)", &doc[0], &doc[1], &doc[2], &n, &column[0],
                          &column[1], &column[2], &column[3], &list[0], &list[1], &lists, &order, &grade, &judgments,
                          &offsets, &names, &in.by_rank, &in.ties, &in.single, &out[0], &out[1], &out[2], &out[3],
                          &of_list[0], &of_list[1]))
        return NULL;
    if (lists < 0 || lists >= INT32_MAX || names < 0 || names >= INT32_MAX)
        return refused("lists that cannot be counted");
    in.n_lines = n;
    in.n_lists = lists;
    in.n_judgments = judgments;
    in.n_names = names;
    if (column[1] == Py_None ? !take_briefs(&held, doc[0], column[0], n, order, &in)
                             : !take_columns(&held, doc, column, n, &in))
        goto done;
    if (!(in.starts = taken(&held, list[0], lists + 1, 8, READ)) ||
        !(in.place = taken(&held, list[1], lists, 4, READ)) ||
        (order != Py_None && !(in.order = taken(&held, order, n, 8, READ))) ||
        !(in.grade = taken(&held, grade, judgments, 8, READ)) ||
        !(in.offsets = taken(&held, offsets, names + 1, 8, READ)) || !(in.hit = taken(&held, out[0], n, 4, WRITE)) ||
        !(in.rank = taken(&held, out[1], n, 4, WRITE)) || !(in.tie_start = taken(&held, out[2], n, 4, WRITE)) ||
        !(in.tie_size = taken(&held, out[3], n, 4, WRITE)) ||
        !(in.n_hits = taken(&held, of_list[0], lists, 4, WRITE)) ||
        !(in.n_repeats = taken(&held, of_list[1], lists, 4, WRITE)))
        goto done;
    Py_BEGIN_ALLOW_THREADS;
    hits = settled(&in, &why);
    Py_END_ALLOW_THREADS;
    if (hits < 0)
        answer = why == LEFT_OUT ? Py_NewRef(Py_None) : why ? refused(why) : PyErr_NoMemory();
    else
        answer = PyLong_FromLongLong(hits);
done:
    release(&held);
    return answer;
}
