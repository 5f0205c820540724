"""Rankings: a run laid over judgments, cut by query. All that a measure sees.

Rows are *hits*: the judged docs that were displayed, with their ranks. Docs without a judgment are no
rows; they show in the ranks of the others and in `n_retrieved`. So the view can be filled from whole lists
or by a reader that keeps hits only, and no measure can tell which.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankproof.tables.columns import Bools, Floats, Ints

if TYPE_CHECKING:  # the few measures that look at them bring them along
    from rankproof.tables.lists import Lists
    from rankproof.tables.preferred import Preferred
    from rankproof.tables.subtopics import Subtopics


@dataclass(frozen=True, eq=False)
class Rankings:
    """Hits of n queries, sorted by query and rank; query i has the rows offsets[i]:offsets[i+1].

    rank          (n_rows,) place in the displayed list, from 1
    grade         (n_rows,) judged grade, >= 0
    n_retrieved   (n_queries,) how many docs were displayed
    pool_*        the grades of every judged doc of a query, best first
    best_*        what the ideal list is made of, best first (the pool, unless a convention says otherwise)
    tie_start, tie_size   (n_rows,) where the group of equal scores begins that a hit belongs to, and its size
    pooled_above  (n_rows,) how many docs that are in the pool and not judged stand above each hit; where ties
                  are averaged, above its tie group, and then `pooled_tied` says how many stand in that group
    top_grade     the highest grade of the scale
    averaged      equal scores stand in no order: a hit may take any place of its tie group
    lists         every displayed line with its doc, for the few measures that need more than hits
    subtopics     what hits and judged docs cover, where the judgments say it
    preferred     which judged doc is preferred to which, and where they stand, for measures of preferences
    raters        the same run laid over the judgments of each rater by themselves
    """

    offsets: Ints
    rank: Ints
    grade: Ints
    n_retrieved: Ints
    pool_offsets: Ints
    pool_grade: Ints
    best_offsets: Ints
    best_grade: Ints
    tie_start: Ints
    tie_size: Ints
    pooled_above: Ints | Floats
    top_grade: int = 0
    averaged: bool = False
    lists: "Lists | None" = None
    subtopics: "Subtopics | None" = None
    preferred: "Preferred | None" = None
    raters: "Raters | None" = None
    pooled_tied: Ints | None = None

    @cached_property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.n_retrieved)

    @cached_property
    def query(self) -> Ints:
        """(n_rows,) the query of each hit, from 0."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.offsets))

    @cached_property
    def position(self) -> Ints:
        """(n_rows,) the place of a hit among the hits of its query, from 1."""
        return np.arange(len(self.rank)) - self.offsets[:-1][self.query] + 1

    def relevant(self, rel: int) -> Bools:
        """(n_rows,) True where the grade is at least `rel`."""
        return self.grade >= rel

    def top(self, cutoff: int | None) -> Bools:
        """(n_rows,) True down to rank `cutoff`; everywhere without one."""
        return np.ones(len(self.rank), bool) if cutoff is None else self.rank <= cutoff

    def placed(self, worth: Callable[[Ints], Floats], cutoff: int | None = None) -> Floats:
        """(n_rows,) what the place of each hit is worth: worth(rank) down to `cutoff`, 0 below.

        Where ties are averaged, the mean over the places of the tie group. So a measure that is linear in
        what its places are worth has its exact mean over all orders of equal scores.
        """
        deepest = int(self.rank.max(initial=0))
        if self.averaged:
            deepest = int((self.tie_start + self.tie_size - 1).max(initial=0))
        elif deepest > 2 * len(self.rank) + 1000:  # a few hits far down: no table of all places
            return np.where(self.top(cutoff), worth(self.rank), 0.0)
        places = worth(np.arange(1, deepest + 1))
        places[len(places) if cutoff is None else cutoff :] = 0.0
        if not self.averaged:
            return places[self.rank - 1]
        sums = np.concatenate(([0.0], np.cumsum(places)))
        before = self.tie_start - 1
        mean = (sums[before + self.tie_size] - sums[before]) / self.tie_size
        return np.where(self.tie_size == 1, places[before], mean)

    def within(self, cutoff: int | Floats | None) -> Floats:
        """(n_rows,) 1 down to rank `cutoff`, 0 below; where ties are averaged, how much of the tie group is within.

        The cutoff may be another one for each query: (n_queries,).
        """
        if cutoff is None:
            return np.ones(len(self.rank))
        each = cutoff[self.query] if isinstance(cutoff, np.ndarray) else cutoff
        if not self.averaged:
            return (self.rank <= each).astype(np.float64)
        share: Floats = np.clip((np.floor(each) - self.tie_start + 1) / self.tie_size, 0.0, 1.0)
        return share

    def total(self, column: NDArray[Any]) -> Floats:
        """(n_queries,) the sum of a column over each query; 0 where a query has no row."""
        # bincount answers with integers when there is nothing to count, hence astype
        return np.bincount(self.query, weights=column, minlength=self.n_queries).astype(np.float64)

    def running(self, count: Bools | Ints) -> Ints:
        """(n_rows,) the sum of a whole-number column from the query's first hit to this one."""
        sums = np.concatenate(([0], np.cumsum(count, dtype=np.int64)))
        return sums[1:] - sums[self.offsets[:-1]][self.query]

    def running_product(self, column: Floats) -> Floats:
        """(n_rows,) the product of a column over the hits *before* this one; 1 at the first.

        Goes place by place through all queries at once, so that a value never depends on which
        queries are measured together.
        """
        before = np.ones(len(column))
        rows = np.flatnonzero(self.position == 1)
        while len(rows := rows[self._goes_on(rows)] + 1):
            before[rows] = before[rows - 1] * column[rows - 1]
        return before

    def running_sum(self, column: Floats) -> Floats:
        """(n_rows,) the sum of a column over the hits from the query's first to this one, place by place."""
        sums = column.astype(np.float64)
        rows = np.flatnonzero(self.position == 1)
        while len(rows := rows[self._goes_on(rows)] + 1):
            sums[rows] += sums[rows - 1]
        return sums

    def _goes_on(self, rows: Ints) -> Bools:
        """(len(rows),) True where the next row belongs to the same query."""
        return rows + 1 < self.offsets[1:][self.query[rows]]

    def peak(self, column: NDArray[Any]) -> Floats:
        """(n_queries,) the largest value of a column over each query; 0 where a query has no row."""
        largest = np.zeros(self.n_queries)
        filled = np.flatnonzero(np.diff(self.offsets))
        if len(filled):
            largest[filled] = np.maximum.reduceat(column, self.offsets[:-1][filled])
        return largest

    @cached_property
    def ideal(self) -> "Rankings":
        """The best possible list of each query."""
        return self.listed(self.best_offsets, self.best_grade)

    def ideal_top(self, cutoff: int) -> "Rankings":
        """The first `cutoff` places of the best possible list of each query."""
        sizes = np.minimum(np.diff(self.best_offsets), cutoff)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        rows = np.arange(offsets[-1]) + np.repeat(self.best_offsets[:-1] - offsets[:-1], sizes)
        return self.listed(offsets, self.best_grade[rows])

    @cached_property
    def pool(self) -> "Rankings":
        """All judged docs of each query, best first."""
        return self.listed(self.pool_offsets, self.pool_grade)

    def listed(self, offsets: Ints, grade: Ints) -> "Rankings":
        """Lists that hold judged docs only, with these grades from the first place on."""
        sizes = np.diff(offsets)
        rank = np.arange(len(grade)) - np.repeat(offsets[:-1], sizes) + 1
        one = np.ones(len(grade), np.int64)
        return Rankings(
            offsets, rank, grade, sizes, offsets, grade, offsets, grade, rank, one, 0 * one, self.top_grade
        )

    def n_relevant(self, rel: int) -> Floats:
        """(n_queries,) how many judged docs are relevant, displayed or not."""
        return self._counted(rel)[0]

    def n_nonrelevant(self, rel: int) -> Floats:
        """(n_queries,) how many judged docs are not relevant, displayed or not."""
        return self._counted(rel)[1]

    @cached_property
    def _counts(self) -> dict[int, tuple[Floats, Floats]]:
        return {}

    def _counted(self, rel: int) -> tuple[Floats, Floats]:
        """(n_queries,) relevant docs, and the others; counted once for each grade, as most measures ask."""
        if rel not in self._counts:
            before = np.concatenate(([0], np.cumsum(self.pool_grade >= rel)))
            relevant = np.diff(before[self.pool_offsets]).astype(np.float64)
            self._counts[rel] = relevant, np.diff(self.pool_offsets) - relevant
        return self._counts[rel]

    def n_shown(self, cutoff: int | None) -> Floats:
        """(n_queries,) how many docs were displayed down to `cutoff`."""
        shown = self.n_retrieved if cutoff is None else np.minimum(self.n_retrieved, cutoff)
        return shown.astype(np.float64)

    def n_hits(self, cutoff: int | None) -> Floats:
        """(n_queries,) how many judged docs were displayed down to `cutoff`."""
        if cutoff is None:
            return np.diff(self.offsets).astype(np.float64)
        within = np.concatenate(([0], np.cumsum(self.rank <= cutoff)))[self.offsets]
        return np.diff(within).astype(np.float64)

    def cut(self, cutoff: int) -> "Rankings":
        """The same queries with the hits below `cutoff` forgotten.

        What looks at hits within the cutoff finds the same, and has fewer of them to look at. Tied hits that
        could stand on either side of the cutoff must not be averaged.
        """
        hit = self.rank <= cutoff
        fewer = replace(
            self,
            offsets=np.concatenate(([0], np.cumsum(hit)))[self.offsets],
            rank=self.rank[hit],
            grade=self.grade[hit],
            tie_start=self.tie_start[hit],
            tie_size=self.tie_size[hit],
            pooled_above=self.pooled_above[hit],
            pooled_tied=None if self.pooled_tied is None else self.pooled_tied[hit],
        )
        # What is known of the judgments is known of the same judgments.
        known: dict[str, Any] = {n: self.__dict__[n] for n in ("pool", "ideal") if n in self.__dict__}
        fewer.__dict__.update(known, _counts=self._counts)
        return fewer

    def part(self, start: int, stop: int) -> "Rankings":
        """The queries from `start` up to, not including, `stop`."""
        if start == 0 and stop == self.n_queries:
            return self
        rows = slice(self.offsets[start], self.offsets[stop])
        pool = slice(self.pool_offsets[start], self.pool_offsets[stop])
        best = slice(self.best_offsets[start], self.best_offsets[stop])
        return Rankings(
            self.offsets[start : stop + 1] - self.offsets[start],
            self.rank[rows],
            self.grade[rows],
            self.n_retrieved[start:stop],
            self.pool_offsets[start : stop + 1] - self.pool_offsets[start],
            self.pool_grade[pool],
            self.best_offsets[start : stop + 1] - self.best_offsets[start],
            self.best_grade[best],
            self.tie_start[rows],
            self.tie_size[rows],
            self.pooled_above[rows],
            self.top_grade,
            self.averaged,
            self.lists.part(start, stop) if self.lists else None,
            self.subtopics.part(start, stop) if self.subtopics else None,
            self.preferred.part(start, stop) if self.preferred else None,
            self.raters.part(start, stop) if self.raters else None,
            None if self.pooled_tied is None else self.pooled_tied[rows],
        )

    def one_row_each(self) -> "Rankings":
        """Rankings with one row a query, to carry a number of the query; it stands at no rank."""
        edges = np.arange(self.n_queries + 1)
        one = np.ones(self.n_queries, np.int64)
        none = 0 * one
        return Rankings(
            edges, none, one, self.n_retrieved, edges, one, edges, one, one, one, none, self.top_grade
        )


@dataclass(frozen=True, eq=False)
class Raters:
    """A run laid over the judgments of one rater at a time; query i has the places offsets[i]:offsets[i+1]."""

    offsets: Ints
    rankings: Rankings

    @cached_property
    def query(self) -> Ints:
        """(n_places,) the query of each rater's judgments, from 0."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def part(self, start: int, stop: int) -> "Raters":
        """The queries from `start` up to, not including, `stop`."""
        first, last = self.offsets[start], self.offsets[stop]
        return Raters(self.offsets[start : stop + 1] - first, self.rankings.part(int(first), int(last)))


def ratio(above: Floats, below: Floats) -> Floats:
    """above / below; 0 where below is 0."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below != 0)
