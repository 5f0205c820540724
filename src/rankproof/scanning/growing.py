"""Growing columns: rows of lists whose lines do not stand together, held until all are there, and then settled."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rankproof.scanning.lines import SCORED, Brief, Codes, Engine, Index, Looked, Rows
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
        self._times, self._columns, self._text, self.bytes = times, dict[str, Growing](), 0, 0

    def add(self, part: RowPart) -> None:
        """Put the rows of a part behind the others. TooMuch where their text has more places than are counted."""
        for name, values in self._columns_of(part):
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = Growing(values.dtype, self._times)
            column.add(values)
            self.bytes += values.nbytes
        self.bytes += len(part.place) * (ORDER + WHERE * isinstance(part.rows, Rows))

    def _columns_of(self, part: RowPart) -> Iterator[tuple[str, np.ndarray]]:
        rows = part.rows
        yield "place", part.place
        if isinstance(rows, Rows):
            yield from (("judgment", rows.judgment), ("hash", rows.hash), ("number", rows.number))
            yield from (("whole", rows.whole), ("length", rows.docs.length))
            yield "text", np.frombuffer(rows.docs.view, np.uint8)
            return
        if rows.text is not None:
            if self._text + len(rows.text) >= 2**32:
                raise TooMuch
            rows.rows["at"] += np.uint32(self._text)
            self._text += len(rows.text)
            yield "text", rows.text
        yield "brief", rows.rows[: rows.n]

    def given(self) -> tuple[Codes, Rows | Brief]:
        """The place of each row's query, and what settling needs."""
        if "brief" in self._columns:
            return self._in_brief()
        held = {name: column.values() for name, column in self._columns.items()}
        at = np.cumsum(held["length"], dtype=np.int64)
        at -= held["length"]
        docs = Spans(held["text"], at, held["length"])
        return held["place"], Rows(docs, *(held[name] for name in ("judgment", "hash", "number", "whole")))

    def _in_brief(self) -> tuple[Codes, Brief]:
        place, brief = self._columns["place"].values(), self._columns["brief"]
        if "text" not in self._columns:
            return place, Brief(brief.values())
        end = np.zeros(1, SCORED)
        end["at"] = self._text
        brief.add(end)
        return place, Brief(brief.values(), self._columns["text"].values())


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
        held.add(part)
        if held.bytes > memory:
            raise TooMuch
    place, rows = held.given()
    order, starts = kernels.grouped(place, len(index.judged.queries))
    lists = np.flatnonzero(np.diff(starts)).astype(np.int32)
    if isinstance(rows, Rows):
        judgment, hashes = rows.judgment, rows.hash
    else:
        judgment, hashes = rows.column("judgment"), rows.column("hash")
    looked = Looked(np.append(starts[lists], starts[-1]), lists, judgment, hashes)
    found = kernels.settle(rows, looked, index, ordering, order)
    return HitPart.of(found, lists, np.diff(looked.starts))
