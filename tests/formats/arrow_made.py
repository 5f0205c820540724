"""Arrow tables made by hand, batch by batch: every layout of texts, offsets, nulls, errors, and a count of what is given back."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankproof.formats import arrow

_NEW = ctypes.pythonapi.PyCapsule_New
_NEW.restype, _NEW.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
FAILED = 5
ERROR = ctypes.create_string_buffer(b"the disk is gone")
HELD: list[Any] = []  # what somebody may look at, or call, as long as the tests run


@dataclass
class Laid:
    """A column as Arrow lays it: the type, the buffers (None for one that is absent), an offset, a dictionary."""

    type: str
    n: int
    buffers: Sequence[np.ndarray | None]
    offset: int = 0
    null_count: int = 0
    dictionary: "Laid | None" = None


def bits(present: Sequence[bool]) -> np.ndarray:
    """A bitmap of what is present."""
    return np.packbits(np.array(present, bool), bitorder="little")


def texts(values: Sequence[str], type: str = "u", skipped: int = 0) -> Laid:
    """Texts behind each other; `skipped` further ones stand before them."""
    raw = [one.encode() for one in ["skipped"] * skipped + list(values)]
    offsets = np.cumsum([0, *map(len, raw)]).astype(np.int32 if type == "u" else np.int64)
    return Laid(type, len(values), [None, offsets, np.frombuffer(b"".join(raw) or b" ", np.uint8)], skipped)


def views(values: Sequence[str], heaps: int = 1) -> Laid:
    """Texts in views; the long ones stand in turn in some buffers."""
    held: list[bytes] = [b"unused"] * heaps
    rows = []
    for place, one in enumerate(values):
        raw = one.encode()
        if len(raw) <= 12:
            rows.append(np.int32(len(raw)).tobytes() + raw.ljust(12, b"\0"))
            continue
        heap = place % heaps
        where = np.array([heap, len(held[heap])], np.int32).tobytes()
        rows.append(np.int32(len(raw)).tobytes() + raw[:4] + where)
        held[heap] += raw
    sizes = np.array([len(one) for one in held], np.int64)
    heap_buffers = [np.frombuffer(one, np.uint8) for one in held]
    return Laid("vu", len(values), [None, np.frombuffer(b"".join(rows), np.uint8), *heap_buffers, sizes])


def coded(values: Sequence[str], layout: Any = texts, type: str = "i") -> Laid:
    """Texts as places in a dictionary."""
    known = sorted(set(values))
    places = np.array([known.index(one) for one in values], arrow.NUMBERS[type])
    return Laid(type, len(values), [None, places], dictionary=layout(known))


def numbers(values: Sequence[float | None], type: str) -> Laid:
    """Numbers, some of them absent."""
    present = [one is not None for one in values]
    column = np.array([0 if one is None else one for one in values], arrow.NUMBERS[type])
    return Laid(type, len(values), [None if all(present) else bits(present), column], null_count=-1)


@dataclass
class Made:
    """A table of batches. `given_back` counts the batches and schemas that were released, and the stream."""

    batches: Sequence[dict[str, Laid]]
    fails_at: int = -1
    format: bytes = b"+s"
    given_back: list[str] = field(default_factory=list)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        place = iter(range(len(self.batches)))

        def schema(_: Any, out: Any) -> int:
            self._schema(self.batches[0], out.contents)
            return 0

        def following(_: Any, out: Any) -> int:
            at = next(place, None)
            if at is not None and at == self.fails_at:
                return FAILED
            out.contents.release = type(out.contents.release)()
            if at is not None:
                self._array(self.batches[at], out.contents)
            return 0

        stream = arrow._Stream()
        kinds = dict(arrow._Stream._fields_)
        stream.get_schema, stream.get_next = kinds["get_schema"](schema), kinds["get_next"](following)
        said = ctypes.CFUNCTYPE(ctypes.c_void_p, arrow._OneStream)(lambda _: ctypes.addressof(ERROR))
        stream.get_last_error = ctypes.cast(said, kinds["get_last_error"])
        HELD.append(said)
        stream.release = kinds["release"](lambda _: self.given_back.append("stream"))
        HELD.append(stream)
        return _NEW(ctypes.addressof(stream), b"arrow_array_stream", None)

    def _schema(self, columns: dict[str, Laid], out: Any) -> None:
        parts = [self._one_schema(name, column) for name, column in columns.items()]
        self._parent(out, parts, arrow._OneSchema)
        out.format = self.format
        out.release = self._release(arrow._Schema, "schema")

    def _one_schema(self, name: str, column: Laid) -> Any:
        one = arrow._Schema()
        one.format, one.name = column.type.encode(), name.encode()
        if column.dictionary:
            one.dictionary = ctypes.pointer(self._one_schema("", column.dictionary))
        HELD.append(one)
        return one

    def _array(self, columns: dict[str, Laid], out: Any) -> None:
        parts = [self._one_array(column) for column in columns.values()]
        self._parent(out, parts, arrow._OneArray)
        out.length = next(iter(columns.values())).n
        out.n_buffers, out.buffers = 1, (ctypes.c_void_p * 1)()
        out.release = self._release(arrow._Array, "batch")

    def _one_array(self, column: Laid) -> Any:
        one = arrow._Array()
        one.length, one.offset, one.null_count = column.n, column.offset, column.null_count
        kept = [None if buffer is None else np.ascontiguousarray(buffer) for buffer in column.buffers]
        one.n_buffers = len(kept)
        one.buffers = (ctypes.c_void_p * len(kept))(
            *(None if buffer is None else buffer.ctypes.data for buffer in kept)
        )
        if column.dictionary:
            one.dictionary = ctypes.pointer(self._one_array(column.dictionary))
        HELD.extend((one, kept))
        return one

    def _parent(self, out: Any, parts: list[Any], pointer: Any) -> None:
        children = (pointer * len(parts))(*map(ctypes.pointer, parts))
        HELD.extend((children, parts))
        out.n_children, out.children = len(parts), children

    def _release(self, kind: Any, name: str) -> Any:
        def release(one: Any) -> None:
            self.given_back.append(name)
            one.contents.release = type(one.contents.release)()

        found = dict(kind._fields_)["release"](release)
        HELD.append(found)
        return found
