"""The compiled engine: kernels of `rankproof._scan`, and the buffers that they write into."""

import os
import threading
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rankproof import _scan  # type: ignore[attr-defined]  # compiled; it may be absent, and who asks for this module knows
from rankproof.scanning.lines import (
    Brief,
    Codes,
    Counts,
    Layout,
    Lines,
    Looked,
    Rows,
    Settled,
    Tokens,
    TooBrief,
)
from rankproof.tables.columns import Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans

SEED = int.from_bytes(os.urandom(8), "little")  # of the hashes, which decide nothing but where to look
MOST_EVENTS = 4096  # of one block
TIES = ("file", "file_last", "doc_id_desc", "doc_id_asc", "optimistic", "pessimistic")
_WORTHLESS = {"zero": 0, "skip": -1}


class _Scratch(threading.local):
    """Columns of each thread, used again from block to block: new memory costs more than what is put there."""

    def __init__(self) -> None:
        self.columns: dict[str, np.ndarray] = {}

    def column(self, name: str, n: int, dtype: Any) -> np.ndarray:
        """n places under a name; what the last call with that name wrote is gone."""
        held = self.columns.get(name)
        if held is None or len(held) < n:
            held = self.columns[name] = np.empty(n + n // 4, dtype)
        return held[:n]


_SCRATCH = _Scratch()
_LINES = {
    "query_at": np.int64, "query_length": np.int32, "doc_at": np.int64, "doc_length": np.int32, "line": np.int32,
    "whole": np.int64, "number": np.float64,
}  # fmt: skip  # a table, read row by row


@dataclass(frozen=True, eq=False)
class NativeIndex:
    """Hash tables over the judgments."""

    judged: Judged
    offsets: Ints
    grade: Ints
    name_slots: Any
    doc_slots: Any
    doc_slot_offsets: Ints
    n_repeated: int


class Native:
    """The kernels, compiled."""

    name = "native"

    def tokenise(self, block: bytes | bytearray, end: int, layout: Layout) -> Tokens | None:
        """The rows of block[:end]; None where too much is odd."""
        most = end // (2 * layout.fields) + 1  # a field has a byte, and so has what ends it
        columns = tuple(_SCRATCH.column(name, most, dtype) for name, dtype in _LINES.items())
        events = _SCRATCH.column("events", 5 * MOST_EVENTS, np.int64)
        told = _scan.tokenise(block, end, tuple(layout), columns, events)
        if told is None:
            return None
        *counts, n_events = told
        lines = Lines(block, *(column[: counts[1]] for column in columns))
        return Tokens(lines, Counts(*counts), events[: 5 * n_events].reshape(-1, 5))

    def index(self, judged: Judged) -> NativeIndex:
        """Hash tables of the queries and of the docs of each query."""
        all_names = np.array([0, len(judged.queries)])
        names = _table(judged.names, all_names)
        docs = _table(judged.docs, judged.offsets)
        return NativeIndex(
            judged, judged.offsets, judged.grade, names.slots, docs.slots, docs.offsets, docs.n_repeated
        )

    def look_up(self, lines: Lines, index: NativeIndex) -> Looked:
        """The lists of some rows, and which docs were judged."""
        n, judged = len(lines.line), index.judged
        out = (
            _SCRATCH.column("starts", n + 1, np.int64),
            _SCRATCH.column("place", n, np.int32),
            _SCRATCH.column("judgment", n, np.int32),
            _SCRATCH.column("hash", n, np.uint64),
        )
        names = (_ids(judged.names), len(judged.names), index.name_slots)
        docs = (_ids(judged.docs), len(judged.docs), index.doc_slots, index.doc_slot_offsets)
        lists = _scan.look_up(lines.block, n, lines[1:5], names, docs, SEED, out)
        starts, place, judgment, hashes = out
        return Looked(starts[: lists + 1], place[:lists], judgment, hashes)

    def settle(
        self,
        rows: Rows | Brief,
        looked: Looked,
        index: NativeIndex,
        ordering: Ordering,
        order: Ints | None = None,
    ) -> Settled:
        """The hits of lists."""
        docs, columns = _given(rows)
        n, lists = len(looked.judgment), len(looked.place)
        names = ("hit_judgment", "hit_rank", "hit_tie_start", "hit_tie_size")
        out = tuple(_SCRATCH.column(name, n, np.int32) for name in names)
        of_lists = tuple(_SCRATCH.column(name, lists, np.int32) for name in ("n_hits", "n_repeats"))
        below = _WORTHLESS.get(ordering.negative_grades, -2)
        grade = index.grade if ordering.ties in TIES[:4] else np.where(index.grade < 0, below, index.grade)
        rules = (ordering.order == "displayed", TIES.index(ordering.ties), ordering.score_width == 32)
        hits = _scan.settle(
            docs,
            n,
            columns,
            (looked.starts, looked.place),
            lists,
            order,
            (grade, len(grade), index.offsets, len(index.offsets) - 1),
            rules,
            out,
            of_lists,
        )
        if hits is None:
            raise TooBrief
        return Settled(*(column[:hits] for column in out), *of_lists)

    def grouped(self, place: Codes, n: int) -> tuple[Ints, Ints]:
        """The rows of each of n groups in their order."""
        order, starts = np.empty(len(place), np.int64), np.empty(n + 1, np.int64)
        _scan.group(place, len(place), n, order, starts)
        return order, starts

    def packed(self, ids: Spans) -> Spans:
        """The same ids behind each other in a text of their own."""
        size = int(ids.length.sum(dtype=np.int64))
        text, at = np.empty(size, np.uint8), np.empty(len(ids), np.int64)
        _scan.pack(_ids(ids), len(ids), size, text, at)
        return Spans(text, at, ids.length.copy())

    def repeats(self, ids: Spans, offsets: Ints) -> Ints:
        """(n,) the first equal id within its group."""
        return _table(ids, offsets).first


def _ids(spans: Spans) -> tuple[Any, Ints, Any]:
    return spans.text, spans.at, spans.length


def _given(rows: Rows | Brief) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Docs and columns of rows; rows in brief are one column."""
    if isinstance(rows, Rows):
        return _ids(rows.docs), (rows.judgment, rows.hash, rows.number, rows.whole)
    return (rows.text, None, None), (rows.rows, None, None, None)


class _Tables(NamedTuple):
    """A hash table for each group of ids: its slots, where each table begins, and the first equal id of each."""

    slots: Any
    offsets: Ints
    first: Ints
    n_repeated: int


def _table(ids: Spans, offsets: Ints) -> _Tables:
    groups = len(offsets) - 1
    slot_offsets, first = np.empty(groups + 1, np.int64), np.empty(len(ids), np.int64)
    room = _scan.index(_ids(ids), offsets, groups, SEED, None, slot_offsets, first)
    slots = np.empty(room, np.uint64)
    n_repeated = _scan.index(_ids(ids), offsets, groups, SEED, slots, slot_offsets, first)
    return _Tables(slots, slot_offsets, first, n_repeated)
