"""Growing columns: rows of lists whose lines do not stand together, held until all are there, and then settled."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rankproof.scanning.lines import Engine, Index, Looked, Rows
from rankproof.scanning.parts import HitPart, RowPart
from rankproof.tables.hits import Ordering
from rankproof.tables.spans import Spans

# What is held of each row beside the text of its doc.
COLUMNS = {
    "place": np.int32, "judgment": np.int32, "hash": np.uint64, "number": np.float64, "whole": np.int64,
    "length": np.int32,
}  # fmt: skip  # a table, read row by row
BYTES = 52  # a row while it is settled: its columns, where its doc stands, its place in the order


class TooMuch(Exception):
    """More rows than may be held."""


class Growing:
    """A column to which more is put: room for `times` the first piece, then for twice as much whenever it ends.

    Memory that was never touched costs nothing; memory that is touched for the first time costs more than what
    is written there.
    """

    def __init__(self, dtype: Any, times: float = 1.0) -> None:
        self._held, self._n, self._times = np.empty(0, dtype), 0, times

    def add(self, more: np.ndarray) -> None:
        """Put values behind those that are there."""
        end = self._n + len(more)
        if end > len(self._held):
            room = 2 * len(self._held) if self._n else int(self._times * len(more))
            held = np.empty(max(room, end), self._held.dtype)
            held[: self._n] = self._held[: self._n]
            self._held = held
        self._held[self._n : end] = more
        self._n = end

    def values(self) -> np.ndarray:
        """What is there."""
        return self._held[: self._n]


def settled_rows(
    kernels: Engine,
    parts: Iterable[RowPart],
    index: Index,
    ordering: Ordering,
    memory: int,
    times: float = 1.0,
) -> HitPart:
    """The hits of rows that come in any order of queries. TooMuch where they would take more than `memory` bytes.

    `times` is how many times the first part is expected. Lists come out by the place of their queries.
    """
    columns = {name: Growing(dtype, times) for name, dtype in COLUMNS.items()}
    text, rows = Growing(np.uint8, times), 0
    read = ("place", "judgment", "hash", "number", *(("whole",) if ordering.order == "displayed" else ()))
    for part in parts:
        for name in read:
            columns[name].add(getattr(part, name))
        columns["length"].add(part.docs.length)
        text.add(np.frombuffer(part.docs.view, np.uint8))
        rows += len(part.place)
        if BYTES * rows + len(text.values()) > memory:
            raise TooMuch
    held = {name: column.values() for name, column in columns.items()}
    at = np.cumsum(held["length"], dtype=np.int64)
    at -= held["length"]
    docs = Spans(text.values(), at, held["length"])
    if ordering.order != "displayed":
        held["whole"] = np.empty(rows, np.int64)  # which nobody looks at
    order, starts = kernels.grouped(held["place"], len(index.judged.queries))
    lists = np.flatnonzero(np.diff(starts)).astype(np.int32)
    looked = Looked(np.append(starts[lists], starts[-1]), lists, held["judgment"], held["hash"])
    given = Rows(docs, held["judgment"], held["hash"], held["number"], held["whole"])
    found = kernels.settle(given, looked, index, ordering, order)
    return HitPart.of(found, lists, np.diff(looked.starts))
