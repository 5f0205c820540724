"""Subtopics: which parts of a need each doc covers, for the measures that reward covering many."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankproof.tables.columns import Bools, Ids, Ints, offsets_of
from rankproof.tables.displayed import Displayed
from rankproof.tables.judgments import Judgments


@dataclass(frozen=True, eq=False)
class Docs:
    """Docs of n queries with the subtopics that they were judged for.

    offsets   (n_queries + 1,) query i has the docs offsets[i]:offsets[i+1]
    starts    (n_docs + 1,) doc j has the rows starts[j]:starts[j+1]
    subtopic  (n_rows,) the subtopic of each row, numbered through all queries
    grade     (n_rows,) the grade of the doc for it, >= 0
    """

    offsets: Ints
    starts: Ints
    subtopic: Ints
    grade: Ints

    @cached_property
    def doc(self) -> Ints:
        """(n_rows,) the doc of each row, from 0."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @cached_property
    def query(self) -> Ints:
        """(n_docs,) the query of each doc, from 0."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def part(self, start: int, stop: int, first: int) -> "Docs":
        """The queries from `start` up to, not including, `stop`; `first` is the first subtopic of theirs."""
        one, end = int(self.offsets[start]), int(self.offsets[stop])
        starts = self.starts[one : end + 1]
        rows = slice(starts[0], starts[-1])
        offsets = self.offsets[start : stop + 1] - one
        return Docs(offsets, starts - starts[0], self.subtopic[rows] - first, self.grade[rows])

    def listed(self, offsets: Ints, docs: Ints, shift: Ints | int = 0) -> "Docs":
        """Lists made of `docs`, a place among my docs each; `shift` is added to the subtopics of each."""
        sizes = np.diff(self.starts)[docs]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        rows = np.arange(starts[-1]) + np.repeat(self.starts[docs] - starts[:-1], sizes)
        moved = np.repeat(np.broadcast_to(shift, docs.shape), sizes)
        return Docs(offsets, starts, self.subtopic[rows] + moved, self.grade[rows])


@dataclass(frozen=True, eq=False)
class Subtopics:
    """The subtopics of n queries; query i has those with the numbers offsets[i]:offsets[i+1].

    shown   the hits of Rankings, in its order
    pool    every judged doc of a query, the greatest doc id first
    best    the docs of which the ideal list may be made, the greatest doc id first
    """

    offsets: Ints
    shown: Docs
    pool: Docs
    best: Docs

    @classmethod
    def of(
        cls,
        judgments: Judgments,
        place: Ints,
        worthless: int,
        displayed: Displayed,
        pool: tuple[Ints, Ints],
        among: Bools | bool,
    ) -> "Subtopics":
        """The subtopics of the queries of `displayed`.

        `place` (n_judgments,) is the place of each judgment's query, -1 where it is not wanted; `pool` are
        query and doc of each judged doc, sorted by both. `among` (n_pool,) is True where a judged doc may
        stand in the ideal list; True alone is all of them, False alone those displayed. `worthless` is the
        grade of what is in the pool and not judged.
        """
        n, n_docs = len(displayed.queries), max(len(judgments.doc.names), 1)
        offsets, key, table = _covered(judgments, place, worthless, n, n_docs)

        def listed(query: Ints, doc: Ints) -> Docs:
            wanted = query * n_docs + doc
            at = np.searchsorted(key, wanted)
            known = np.append(key, -1)[at] == wanted
            return table.listed(offsets_of(query, n), np.where(known, at, len(key)))

        shown = _hits(displayed, judgments.doc)
        if among is False:
            among = np.isin(pool[0] * n_docs + pool[1], shown[0] * n_docs + shown[1])
        order = np.lexsort((-pool[1], pool[0]))
        query, doc = pool[0][order], pool[1][order]
        allowed = np.broadcast_to(among, len(order))[order]
        return cls(offsets, listed(*shown), listed(query, doc), listed(query[allowed], doc[allowed]))

    def part(self, start: int, stop: int) -> "Subtopics":
        """The queries from `start` up to, not including, `stop`."""
        first = int(self.offsets[start])
        cut = (docs.part(start, stop, first) for docs in (self.shown, self.pool, self.best))
        return Subtopics(self.offsets[start : stop + 1] - first, *cut)

    def again(self, orders: Ints) -> "Subtopics":
        """One query many times over; `orders` (n_orders, n_hits) says which hit stands at each place."""
        n, width = len(orders), int(self.offsets[-1])

        def repeated(docs: Docs, each: Ints) -> Docs:
            shift = np.repeat(np.arange(n) * width, each.shape[1])
            return docs.listed(np.arange(n + 1) * each.shape[1], each.ravel(), shift)

        def whole(docs: Docs) -> Docs:
            return repeated(docs, np.tile(np.arange(len(docs.starts) - 1), (n, 1)))

        offsets = np.arange(n + 1) * width
        return Subtopics(offsets, repeated(self.shown, orders), whole(self.pool), whole(self.best))


def _covered(
    judgments: Judgments, place: Ints, worthless: int, n: int, n_docs: int
) -> tuple[Ints, Ints, Docs]:
    """Where each query's subtopics begin; a key for each (query, doc) judged for one; and those docs.

    After the last of the docs stands one that was judged for none.
    """
    subtopic = judgments.subtopic or Ids.of([""] * len(judgments))
    width, whole = max(len(subtopic.names), 1), subtopic.code.get("", -1)
    grade = np.where(judgments.pooled, worthless, judgments.grade)
    rows = np.flatnonzero(judgments.counts & (subtopic.codes != whole) & (place >= 0) & (grade >= 0))
    rows = rows[np.lexsort((subtopic.codes[rows], judgments.doc.codes[rows], place[rows]))]
    key, firsts = np.unique(place[rows] * n_docs + judgments.doc.codes[rows], return_index=True)
    every, number = np.unique(place[rows] * width + subtopic.codes[rows], return_inverse=True)
    starts = np.append(firsts, [len(rows), len(rows)])
    return (
        offsets_of(every // width, n),
        key,
        Docs(np.array([0, len(starts) - 1]), starts, number, grade[rows]),
    )


def _hits(displayed: Displayed, judged: Ids) -> tuple[Ints, Ints]:
    """Query and doc, as the judgments number it, of each displayed doc that was judged."""
    hit = displayed.grade >= 0
    query = np.repeat(np.arange(len(displayed.queries)), np.diff(displayed.offsets))[hit]
    return query, displayed.run.doc.into(judged)[displayed.run.doc.codes[displayed.row[hit]]]
