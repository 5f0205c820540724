"""Growing columns: rows of lists whose lines do not stand together, held until all are there, and then settled."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rankproof.scanning.lines import Brief, Codes, Engine, Index, Looked, Rows
from rankproof.scanning.parts import HitPart, RowPart
from rankproof.tables.hits import Ordering
from rankproof.tables.spans import Spans

ORDER, WHERE = 8, 8  # bytes of a row's place in the order, and of where its doc stands


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


class Held:
    """The columns of rows that come part by part."""

    def __init__(self, times: float) -> None:
        self._times, self._columns, self.bytes = times, dict[str, Growing](), 0

    def add(self, part: RowPart, by_rank: bool) -> None:
        """Put the rows of a part behind the others."""
        for name, values in _columns_of(part, by_rank):
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = Growing(values.dtype, self._times)
            column.add(values)
            self.bytes += values.nbytes
        self.bytes += len(part.place) * (ORDER + WHERE * isinstance(part.rows, Rows))

    def given(self) -> tuple[Codes, Rows | Brief]:
        """The place of each row's query, and what settling needs."""
        held = {name: column.values() for name, column in self._columns.items()}
        if "brief" in held:
            return held["place"], held["brief"]
        at = np.cumsum(held["length"], dtype=np.int64)
        at -= held["length"]
        docs = Spans(held["text"], at, held["length"])
        whole = held["whole"] if "whole" in held else np.empty(len(at), np.int64)  # which nobody looks at
        return held["place"], Rows(docs, held["judgment"], held["hash"], held["number"], whole)


def _columns_of(part: RowPart, by_rank: bool) -> Iterator[tuple[str, np.ndarray]]:
    rows = part.rows
    yield "place", part.place
    if not isinstance(rows, Rows):
        yield "brief", rows
        return
    yield from (("judgment", rows.judgment), ("hash", rows.hash), ("number", rows.number))
    if by_rank:
        yield "whole", rows.whole
    yield "length", rows.docs.length
    yield "text", np.frombuffer(rows.docs.view, np.uint8)


def settled_rows(
    kernels: Engine,
    parts: Iterable[RowPart],
    index: Index,
    ordering: Ordering,
    memory: int,
    times: float = 1.0,
) -> HitPart:
    """The hits of rows that come in any order of queries. TooMuch where they would take more than `memory` bytes.

    `times` is how many times the first part is expected. Lists come out by the place of their queries. TooBrief
    where rows in brief do not do.
    """
    held = Held(times)
    for part in parts:
        held.add(part, ordering.order == "displayed")
        if held.bytes > memory:
            raise TooMuch
    place, rows = held.given()
    order, starts = kernels.grouped(place, len(index.judged.queries))
    lists = np.flatnonzero(np.diff(starts)).astype(np.int32)
    of_rows = (rows.judgment, rows.hash) if isinstance(rows, Rows) else (rows["judgment"], rows["hash"])
    looked = Looked(np.append(starts[lists], starts[-1]), lists, *of_rows)
    found = kernels.settle(rows, looked, index, ordering, order)
    return HitPart.of(found, lists, np.diff(looked.starts))
