"""Lists: neighbouring lines of one query, and which of their docs were judged."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankproof.scanning.lines import Codes, Hashes, Lines, Looked
from rankproof.scanning.pure_words import Words, hashed, hashes_of, same, same_as_before, together
from rankproof.tables.columns import Ints
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans


@dataclass(frozen=True, eq=False)
class PureIndex:
    """Hashes of queries and of docs."""

    judged: Judged

    @cached_property
    def names(self) -> "Known":
        """The queries, to be found."""
        return Known(self.judged.names, hashes_of(self.judged.names), np.arange(len(self.judged.names)))

    @cached_property
    def docs(self) -> Hashes:
        """(n_rows,) the hash of each judged doc with its query."""
        return together(hashes_of(self.judged.docs), self.judged.query)

    def docs_of(self, places: Ints) -> "Known":
        """The docs judged for some queries, to be found: few, so that looking them up stays in the near memory."""
        rows = ranges(self.judged.offsets[places], np.diff(self.judged.offsets)[places])
        return Known(self.judged.docs, self.docs[rows], rows)


class Known:
    """Ids that can be found: their hashes in order, and a mark where a hash begins like one of them."""

    def __init__(self, ids: Spans, hashes: Hashes, rows: Ints) -> None:
        """`rows` says which of the ids take part, `hashes` are theirs."""
        order = np.argsort(hashes, kind="stable")
        self.ids, self.hashes, self.rows = ids, hashes[order], rows[order]
        bits = int(len(rows)).bit_length() + 4  # one mark of sixteen or less is set
        self.shift = np.uint64(64 - bits)
        self.marks = np.zeros(1 << bits, bool)
        self.marks[hashes >> self.shift] = True
        again = np.flatnonzero(self.hashes[1:] != self.hashes[:-1])
        self.most = int(np.diff(np.concatenate(([-1], again, [len(rows) - 1]))).max()) if len(rows) else 0

    def places(self, wanted: Spans, hashes: Hashes) -> Codes:
        """(n,) the row of the id that equals each wanted one, -1 where there is none."""
        found = np.full(len(hashes), -1, np.int32)
        maybe = np.flatnonzero(self.marks[hashes >> self.shift])
        at = np.searchsorted(self.hashes, hashes[maybe])
        for _ in range(self.most):  # ids with the same hash stand behind each other; nearly always there is one
            within = at < len(self.rows)
            maybe, at = maybe[within], at[within]
            alike = self.hashes[at] == hashes[maybe]
            maybe, at = maybe[alike], at[alike]
            rows = self.rows[at]
            equal = same(wanted.at_places(maybe), self.ids.at_places(rows))
            found[maybe[equal]] = rows[equal]
            maybe, at = maybe[~equal], at[~equal] + 1
        return found


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """(sum of sizes,) the whole numbers of each range, behind each other."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)


def looked_up(lines: Lines, index: PureIndex) -> Looked:
    """The lists of some rows, and which docs were judged."""
    n = len(lines.line)
    if not n:
        return Looked(np.zeros(1, np.int64), *(np.empty(0, kind) for kind in (np.int32, np.int32, np.uint64)))
    words = Words(lines.block)
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
    hashes = hashed(Words(docs.text), docs.at, docs.length)
    judged = np.repeat(together(np.zeros(len(place), np.uint64), place), sizes)
    judged ^= hashes
    places = np.unique(place).astype(np.int64)
    known = index.docs_of(places)
    return known.places(docs, judged), hashes
