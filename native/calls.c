#include "calls.h"
#include "groups.h"

void release(Buffers *held)
{
    while (held->n) PyBuffer_Release(&held->views[--held->n]);
}

PyObject *refused(const char *why)
{
    PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

/* Is what was checked there going to be overwritten? Of two buffers that overlap neither may be written. */
static int shared(const Buffers *held, const Py_buffer *view, int use)
{
    uintptr_t begin = (uintptr_t)view->buf, end = begin + (size_t)view->len;
    for (int i = 0; i < held->n; i++) {
        uintptr_t other = (uintptr_t)held->views[i].buf, its_end = other + (size_t)held->views[i].len;
        if ((use == WRITE || (held->written >> i & 1)) && begin < its_end && other < end) return 1;
    }
    return 0;
}

void *taken(Buffers *held, PyObject *from, int64_t n, size_t size, int use)
{
    static uint64_t nothing; /* an empty buffer may have no address */
    Py_buffer *view = &held->views[held->n];
    if (PyObject_GetBuffer(from, view, use == WRITE ? PyBUF_WRITABLE : PyBUF_SIMPLE)) return NULL;
    int overlaps = shared(held, view, use);
    held->written |= (uint32_t)(use == WRITE) << held->n++;
    size_t step = size % 8 == 0 ? 8 : size;
    if (overlaps) return refused("a buffer that is written shares its memory with another");
    if (n < 0 || (uint64_t)view->len / size < (uint64_t)n)
        return refused("a buffer is shorter than what it is to hold");
    if ((uintptr_t)view->buf % step) return refused("a buffer does not begin where its items may");
    return view->buf ? view->buf : (void *)&nothing;
}

int64_t room_of(const Buffers *held, size_t size)
{
    return (int64_t)((uint64_t)held->views[held->n - 1].len / size);
}

int take_ids(Buffers *held, PyObject *const parts[3], int64_t n, Ids *ids)
{
    ids->n = n;
    if (!(ids->text = taken(held, parts[0], 0, 1, READ))) return 0;
    ids->size = room_of(held, 1);
    return (ids->at = taken(held, parts[1], n, 8, READ)) && (ids->length = taken(held, parts[2], n, 4, READ));
}

PyObject *call_pack(PyObject *self, PyObject *args)
{
    PyObject *id[3], *text_in, *at_in, *answer = NULL;
    long long n, room;
    Py_buffer views[5];
    Buffers held = {views, 0, 0};
    Ids ids;
    uint8_t *text;
    int64_t *at, size;
    (void)self;
    if (!PyArg_ParseTuple(args, "(OOO)LLOO", &id[0], &id[1], &id[2], &n, &room, &text_in, &at_in)) return NULL;
    if (!take_ids(&held, id, n, &ids) || !(text = taken(&held, text_in, room, 1, WRITE)) ||
        !(at = taken(&held, at_in, n, 8, WRITE)))
        goto done;
    Py_BEGIN_ALLOW_THREADS;
    size = packed(&ids, room, text, at);
    Py_END_ALLOW_THREADS;
    answer = size < 0 ? refused("ids outside of their text, or longer than the room") : PyLong_FromLongLong(size);
done:
    release(&held);
    return answer;
}

PyObject *call_group(PyObject *self, PyObject *args)
{
    PyObject *place_in, *order_in, *starts_in, *answer = NULL;
    long long n, groups;
    Py_buffer views[3];
    Buffers held = {views, 0, 0};
    const int32_t *place;
    int64_t *order, *starts;
    int sound;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLOO", &place_in, &n, &groups, &order_in, &starts_in)) return NULL;
    if (!(place = taken(&held, place_in, n, 4, READ)) || !(order = taken(&held, order_in, n, 8, WRITE)) ||
        !(starts = taken(&held, starts_in, 1, 8, WRITE)))
        goto done;
    if (groups < 0 || groups >= room_of(&held, 8)) {
        refused("a buffer is shorter than what it is to hold");
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS;
    sound = grouped(place, n, groups, order, starts);
    Py_END_ALLOW_THREADS;
    answer = sound ? Py_NewRef(Py_None) : refused("a group that is none");
done:
    release(&held);
    return answer;
}
