"""Lists: neighbouring lines of one query, and which of their docs were judged."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankproof.scanning.lines import Codes, Hashes, Lines, Looked
from rankproof.scanning.pure_words import (
    Eights,
    first_equal,
    hashed,
    hashes_of,
    same,
    same_as_before,
    together,
    twice,
)
from rankproof.tables.columns import Ints
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans


@dataclass(frozen=True, eq=False)
class PureIndex:
    """The queries, to be found, and the hash of each judged doc together with its query."""

    judged: Judged
    names: "Known"
    docs: Hashes

    @classmethod
    def of(cls, judged: Judged) -> "PureIndex":
        """Judgments made ready."""
        names = Known(judged.names, hashes_of(judged.names), np.arange(len(judged.names)))
        return cls(judged, names, together(hashes_of(judged.docs), judged.query))

    @cached_property
    def n_repeated(self) -> int:
        """How many docs are judged twice for a query."""
        rows = twice(self.docs)
        first = first_equal(self.judged.docs.at_places(rows), self.docs[rows], self.judged.query[rows])
        return int((first != np.arange(len(rows))).sum())

    def docs_of(self, places: Ints) -> "Known":
        """The docs judged for some queries, to be found: few, so that looking them up stays in the near memory."""
        rows = ranges(self.judged.offsets[places], np.diff(self.judged.offsets)[places])
        return Known(self.judged.docs, self.docs[rows], rows)


class Known:
    """Ids that can be found: a table in which each stands at the place that its hash says, or soon behind it."""

    def __init__(self, ids: Spans, hashes: Hashes, rows: Ints) -> None:
        """`rows` says which of the ids take part, `hashes` are theirs."""
        bits = max(len(rows).bit_length() + 2, 12)  # at most a quarter of the places is taken
        self.ids, self.hashes, self.rows = ids, hashes, rows
        self.shift, self.last = np.uint64(64 - bits), (1 << bits) - 1
        self.slots = np.full(1 << bits, -1, np.int32)
        waiting, slot = np.arange(len(rows), dtype=np.int32), self._slot(hashes)
        while len(waiting):
            empty = self.slots[slot] < 0
            self.slots[slot[empty]] = waiting[empty]  # where several want one place, the last of them gets it
            left = np.flatnonzero(self.slots[slot] != waiting)
            waiting, slot = waiting[left], self._next(slot[left])

    def _slot(self, hashes: Hashes) -> Ints:
        return (hashes >> self.shift).view(np.int64)

    def _next(self, slot: Ints) -> Ints:
        return (slot + 1) & self.last

    def places(self, wanted: Spans, hashes: Hashes) -> Codes:
        """(n,) the row of the id that equals each wanted one, -1 where there is none."""
        found = np.full(len(hashes), -1, np.int32)
        slot = self._slot(hashes)
        held = self.slots[slot]
        open_ = np.flatnonzero(held >= 0)
        slot, held = slot[open_], held[open_]
        while len(open_):
            alike = np.flatnonzero(self.hashes[held] == hashes[open_])
            rows, here = self.rows[held[alike]], open_[alike]
            equal = same(wanted.at_places(here), self.ids.at_places(rows))
            found[here[equal]] = rows[equal]
            slot = self._next(slot)
            held = self.slots[slot]
            going = held >= 0
            going[alike[equal]] = False
            open_, slot, held = open_[going], slot[going], held[going]
        return found


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """(sum of sizes,) the whole numbers of each range, behind each other."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)


def looked_up(lines: Lines, index: PureIndex) -> Looked:
    """The lists of some rows, and which docs were judged."""
    n = len(lines.line)
    if not n:
        none = np.empty(0, np.int32)
        return Looked(np.zeros(1, np.int64), none, none, np.empty(0, np.uint64))
    words = Eights(lines.block)
    again = same_as_before(words, lines.query_at, lines.query_length)
    starts = np.concatenate(([0], np.flatnonzero(~again) + 1, [n]))
    first = starts[:-1]
    queries = Spans(lines.block, lines.query_at[first], lines.query_length[first])
    place = index.names.places(queries, hashed(words, queries.at, queries.length))
    asked = np.flatnonzero(place >= 0)
    sizes = np.diff(starts)
    if len(asked) == len(place):
        judgment, hashes = _judged(Spans(lines.block, lines.doc_at, lines.doc_length), place, sizes, index)
        return Looked(starts, place, judgment, hashes)
    judgment, hashes = np.full(n, -1, np.int32), np.zeros(n, np.uint64)
    rows = ranges(first[asked], sizes[asked])
    docs = Spans(lines.block, lines.doc_at[rows], lines.doc_length[rows])
    judgment[rows], hashes[rows] = _judged(docs, place[asked], sizes[asked], index)
    return Looked(starts, place, judgment, hashes)


def _judged(docs: Spans, place: Codes, sizes: Ints, index: PureIndex) -> tuple[Codes, Hashes]:
    """(n,) the judgment of each doc, -1 where nobody judged it, and its hash."""
    hashes = hashed(Eights(docs.text), docs.at, docs.length)
    judged = np.repeat(together(np.zeros(len(place), np.uint64), place), sizes)
    judged ^= hashes
    places = np.unique(place).astype(np.int64)
    known = index.docs_of(places)
    return known.places(docs, judged), hashes
