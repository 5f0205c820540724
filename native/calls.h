/* Calls from Python: buffers that are lent, checked, and given back; and the functions that can be called. */

#ifndef RANKPROOF_CALLS_H
#define RANKPROOF_CALLS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include "texts.h"
#include <Python.h>

/* Buffers of one call, released together; bit i of `written` is set where a kernel writes into buffer i. */
typedef struct {
    Py_buffer *views;
    int n;
    uint32_t written;
} Buffers;

void release(Buffers *held);

enum { READ, WRITE };

/* The memory of the next argument with room for n items of `size` bytes; NULL with an error set where it is short, or
   where a kernel would write into what it reads. */
void *taken(Buffers *held, PyObject *from, int64_t n, size_t size, int use);

/* How many items of `size` bytes the buffer holds that was taken last. */
int64_t room_of(const Buffers *held, size_t size);

/* Take (text, at, length) of n ids; 0 with an error set where a buffer is short. */
int take_ids(Buffers *held, PyObject *const parts[3], int64_t n, Ids *ids);

/* NULL with a ValueError set. */
PyObject *refused(const char *why);

PyObject *call_tokenise(PyObject *self, PyObject *args);
PyObject *call_index(PyObject *self, PyObject *args);
PyObject *call_look_up(PyObject *self, PyObject *args);
PyObject *call_settle(PyObject *self, PyObject *args);
PyObject *call_pack(PyObject *self, PyObject *args);
PyObject *call_group(PyObject *self, PyObject *args);

#endif
