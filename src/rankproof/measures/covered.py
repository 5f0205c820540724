"""Which subtopics the hits of a list cover, and how often each was covered above."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError
from rankproof.tables.columns import Floats, Ints, offsets_of
from rankproof.tables.rankings import Rankings
from rankproof.tables.subtopics import Docs, Subtopics


@dataclass(frozen=True, eq=False)
class Covered:
    """A row for each subtopic that a hit covers with a grade of `rel` or more, down each list.

    hit, subtopic   (n_rows,) places among the hits of Rankings and among the subtopics of all queries
    n_docs          (n_subtopics,) how many judged docs cover each subtopic, displayed or not
    """

    r: Rankings
    hit: Ints
    subtopic: Ints
    n_docs: Ints

    @classmethod
    def by(cls, r: Rankings, rel: int) -> "Covered":
        """What the hits of `r` cover."""
        s = subtopics_of(r)
        shown = _rows(s.shown, rel)
        n_docs = np.bincount(s.pool.subtopic[_rows(s.pool, rel)], minlength=int(s.offsets[-1]))
        return cls(r, s.shown.doc[shown], s.shown.subtopic[shown], n_docs)

    @cached_property
    def before(self) -> Ints:
        """(n_rows,) how many hits above cover the same subtopic."""
        order = np.argsort(self.subtopic, kind="stable")  # a subtopic belongs to one query
        starts = offsets_of(self.subtopic[order], len(self.n_docs))[self.subtopic[order]]
        before = np.empty(len(order), np.int64)
        before[order] = np.arange(len(order)) - starts
        return before

    @cached_property
    def n_subtopics(self) -> Floats:
        """(n_queries,) how many subtopics some judged doc covers; the others do not count."""
        return _sums(self.n_docs > 0, subtopics_of(self.r).offsets)

    @cached_property
    def count(self) -> Floats:
        """(n_hits,) how many subtopics each hit covers."""
        return self.each(np.ones(len(self.hit)))

    @cached_property
    def new(self) -> Floats:
        """(n_hits,) how many subtopics each hit covers that no hit above does."""
        return self.each(self.before == 0)

    def each(self, column: NDArray[Any]) -> Floats:
        """(n_hits,) the sum of a column over the rows of each hit."""
        return np.bincount(self.hit, weights=column, minlength=len(self.r.rank)).astype(np.float64)


def subtopics_of(r: Rankings) -> Subtopics:
    """The subtopics of rankings; an error where the judgments have none."""
    if r.subtopics is None:
        raise UsageError("The judgments are of the whole need; this measure needs them subtopic by subtopic.")
    return r.subtopics


def _rows(docs: Docs, rel: int) -> Ints:
    return np.flatnonzero(docs.grade >= rel)


def _sums(column: NDArray[Any], offsets: Ints) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(column)))
    return sums[offsets[1:]] - sums[offsets[:-1]]
