#include "calls.h"
#include "tokenise.h"

static int take_lines(Buffers *held, PyObject *const column[7], Lines *out)
{
    if (!(out->line = taken(held, column[4], 0, 4, WRITE))) return 0;
    int64_t n = out->most = room_of(held, 4);
    return (out->query_at = taken(held, column[0], n, 8, WRITE)) &&
           (out->query_length = taken(held, column[1], n, 4, WRITE)) &&
           (out->doc_at = taken(held, column[2], n, 8, WRITE)) &&
           (out->doc_length = taken(held, column[3], n, 4, WRITE)) &&
           (out->whole = taken(held, column[5], n, 8, WRITE)) && (out->number = taken(held, column[6], n, 8, WRITE));
}

PyObject *call_tokenise(PyObject *self, PyObject *args)
{
    PyObject *block, *column[7], *events_in, *answer = NULL;
    Layout layout;
    long long end;
    Py_buffer views[9];
    Buffers held = {views, 0, 0};
    Text text;
    Lines out;
    Events events = {0};
    Counts n = {0};
    int whole;
    (void)self;
    if (!PyArg_ParseTuple(args, "OL(iiiiiii)(OOOOOOO)O", &block, &end, &layout.separator, &layout.fields, &layout.query,
                          &layout.doc, &layout.whole, &layout.number, &layout.tag, &column[0], &column[1], &column[2],
                          &column[3], &column[4], &column[5], &column[6], &events_in))
        return NULL;
    if (!tellable(&layout, end)) return refused("a layout or a block that cannot be");
    if (!(text = taken(&held, block, end, 1, READ)) || !take_lines(&held, column, &out) ||
        !(events.rows = taken(&held, events_in, 0, 40, WRITE)))
        goto done;
    events.most = room_of(&held, 40);
    Py_BEGIN_ALLOW_THREADS;
    whole = tokenised(text, end, &layout, &out, &events, &n);
    Py_END_ALLOW_THREADS;
    answer = whole ? Py_BuildValue("LLLLLLLLL", (long long)n.lines, (long long)n.rows, (long long)n.blank,
                                   (long long)n.comments, (long long)n.more, (long long)n.first_more, (long long)n.odd,
                                   (long long)n.beyond, (long long)events.n)
                   : Py_NewRef(Py_None);
done:
    release(&held);
    return answer;
}
