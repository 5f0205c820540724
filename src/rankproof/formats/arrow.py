"""Arrow tables in memory: the buffers of their columns where they lie, batch by batch, whoever made them.

What hands out the Arrow C data interface (`__arrow_c_stream__` or `__arrow_c_array__`) is read without a copy
and without pyarrow. Source: the specification of the Arrow C data and C stream interfaces.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UnreadableInput
from rankproof.tables.columns import Bools
from rankproof.wording import say

Bytes = NDArray[np.uint8]
NUMBERS = {
    "c": np.int8, "C": np.uint8, "s": np.int16, "S": np.uint16, "i": np.int32, "I": np.uint32, "l": np.int64,
    "L": np.uint64, "f": np.float32, "g": np.float64,
}  # fmt: skip  # a table, read row by row
TEXTS = ("u", "U", "vu")


class _Schema(ctypes.Structure):
    """ArrowSchema: name and type of a column."""


class _Array(ctypes.Structure):
    """ArrowArray: a column, or a batch of columns."""


class _Stream(ctypes.Structure):
    """ArrowArrayStream: one batch after the other."""


_OneSchema, _OneArray, _OneStream = map(ctypes.POINTER, (_Schema, _Array, _Stream))
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(_OneSchema)),
    ("dictionary", _OneSchema),
    ("release", ctypes.CFUNCTYPE(None, _OneSchema)),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(_OneArray)),
    ("dictionary", _OneArray),
    ("release", ctypes.CFUNCTYPE(None, _OneArray)),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, _OneStream, _OneSchema)),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, _OneStream, _OneArray)),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, _OneStream)),
    ("release", ctypes.CFUNCTYPE(None, _OneStream)),
    ("private_data", ctypes.c_void_p),
]


class _Owned:
    """A structure that is ours; what it points to is given back when nobody looks at it any more."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def give_back(self) -> None:
        if self.struct.release:
            self.struct.release(ctypes.byref(self.struct))

    __del__ = give_back


@dataclass(frozen=True, eq=False)
class Column:
    """n values of one column: the type as Arrow writes it, and where the buffers lie.

    The memory stays as long as the column, or any array that was made of it, is held.
    """

    type: str
    n: int
    offset: int
    buffers: tuple[int, ...]
    null_count: int
    owner: _Owned
    dictionary: "Column | None" = None
    kept: dict[str, Any] = field(default_factory=dict)  # what was made of a dictionary, for the next rows

    def rows(self, low: int, high: int) -> "Column":
        """The rows low:high."""
        return replace(self, n=high - low, offset=self.offset + low, null_count=-1 if self.null_count else 0)

    def nulls(self) -> Bools | None:
        """(n,) True where there is no value; None where every row has one."""
        if not self.null_count or not self.buffers[0]:
            return None
        first = self.offset // 8
        packed = self._at(0, first, (self.offset + self.n + 7) // 8 - first)
        bits = np.unpackbits(packed, bitorder="little")[self.offset % 8 :][: self.n]
        return bits == 0 if not bits.all() else None

    def numbers(self) -> NDArray[Any]:
        """(n,) values of a fixed width, where they lie."""
        return self.items(1, NUMBERS[self.type], self.offset, self.n)

    def items(self, buffer: int, kind: Any, first: int, n: int) -> NDArray[Any]:
        """(n,) items of one kind in a buffer, from item `first` on."""
        size = np.dtype(kind).itemsize
        found: NDArray[Any] = self._at(buffer, first * size, n * size).view(kind)
        return found

    def _at(self, buffer: int, first: int, n: int) -> Bytes:
        address = self.buffers[buffer]
        if not address or not n:
            return np.empty(0, np.uint8)
        memory = (ctypes.c_uint8 * n).from_address(address + first)
        memory.owner = self.owner  # type: ignore[attr-defined]  # the array holds the memory, and with it the owner
        return np.frombuffer(memoryview(memory), np.uint8)


Batch = dict[str, Column]


class ArrowTable(Protocol):
    """A table that hands out its columns as Arrow does: of polars, pyarrow, pandas, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


def is_arrow(given: object) -> bool:
    """True for an ArrowTable, and for a single batch of one."""
    return hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")


def batches(given: Any) -> Iterator[Batch]:
    """The columns of a table by their names, batch by batch; of two with one name the first.

    Raises UnreadableInput where it is no table, or its maker reports an error.
    """
    if not hasattr(given, "__arrow_c_stream__"):
        yield _one_batch(given)
        return
    capsule = given.__arrow_c_stream__()
    stream, schema = _inside(capsule, b"arrow_array_stream", _Stream), _Owned(_Schema())
    try:
        _stop_at_error(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema.struct)))
        while True:
            batch = _Owned(_Array())
            _stop_at_error(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(batch.struct)))
            if not batch.struct.release:
                return
            yield _columns(schema.struct, batch)
    finally:
        schema.give_back()
        stream.release(ctypes.byref(stream))
        del capsule


def _one_batch(given: Any) -> Batch:
    capsules = given.__arrow_c_array__()
    schema = _inside(capsules[0], b"arrow_schema", _Schema)
    lent = _inside(capsules[1], b"arrow_array", _Array)
    batch = _Owned(_Array.from_buffer_copy(lent))
    lent.release = type(lent.release)()  # it is ours now: the capsule is not to give it back as well
    return _columns(schema, batch)


def _inside(capsule: object, name: bytes, kind: Any) -> Any:
    """The structure that a capsule holds."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return kind.from_address(pointer(capsule, name))


def _stop_at_error(stream: Any, code: int) -> None:
    if code:
        said = stream.get_last_error(ctypes.byref(stream)) or b"error %d" % code
        raise UnreadableInput(
            "{file} cannot be read: {reason}.", file=say("The table"), reason=said.decode("utf-8", "replace")
        )


def _columns(schema: Any, batch: _Owned) -> Batch:
    struct = batch.struct
    if schema.format != b"+s":
        raise UnreadableInput(
            'The table is a single column of the Arrow type "{seen}"; expected named columns.',
            seen=(schema.format or b"").decode(),
        )
    if _column(schema, struct, batch).nulls() is not None:
        raise UnreadableInput(
            "{file} cannot be read: {reason}.", file=say("The table"), reason=say("a row is null")
        )
    found: Batch = {}
    for place in range(schema.n_children):
        of, column = schema.children[place].contents, struct.children[place].contents
        one = _column(of, column, batch)
        rows = one.rows(struct.offset, struct.offset + struct.length)
        found.setdefault((of.name or b"").decode("utf-8", "replace"), rows)
    return found


def _column(schema: Any, array: Any, owner: _Owned) -> Column:
    return Column(
        schema.format.decode(),
        array.length,
        array.offset,
        tuple(array.buffers[place] or 0 for place in range(array.n_buffers)),
        array.null_count,
        owner,
        _column(schema.dictionary.contents, array.dictionary.contents, owner) if schema.dictionary else None,
    )
