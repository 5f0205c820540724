"""Displayed lists: what a run showed for each query, in the order that counts, with what was judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankproof.tables.columns import Ints
from rankproof.tables.run import Run

POOLED = -2  # in the pool, not judged
REPEAT = -3  # a doc that already stands higher in the same list


@dataclass(frozen=True, eq=False)
class Displayed:
    """What a run displayed for each of `queries`, in the order that counts.

    Query i has the rows offsets[i]:offsets[i+1]; `row` is the row of the run, `grade` is the judged grade,
    or NO_GRADE, POOLED or REPEAT; `tie_start` and `tie_size` tell the group of equal scores.
    """

    run: Run
    queries: tuple[str, ...]
    offsets: Ints
    row: Ints
    grade: Ints
    tie_start: Ints
    tie_size: Ints

    @cached_property
    def rank(self) -> Ints:
        """(n_rows,) the place in the list, from 1."""
        return np.arange(len(self.row)) - np.repeat(self.offsets[:-1], np.diff(self.offsets)) + 1

    def pooled(self, start: Ints, size: Ints | int) -> tuple[Ints, Ints]:
        """(n_rows,) how many docs that are in the pool and not judged stand above rank `start`, and in `size` places from it."""
        sums = np.concatenate(([0], np.cumsum(self.grade == POOLED)))
        top = np.repeat(self.offsets[:-1], np.diff(self.offsets))
        above = sums[top + start - 1]
        return above - sums[top], sums[top + start - 1 + size] - above

    def docs(self, place: int, depth: int | None = None) -> list[str]:
        """The docs of the query at `place`, down to `depth`."""
        return self.run.doc.texts_at(self.row[self.rows(place, depth)])

    def rows(self, place: int, depth: int | None = None) -> slice:
        """The rows of the query at `place`, down to `depth`."""
        start, stop = int(self.offsets[place]), int(self.offsets[place + 1])
        return slice(start, stop if depth is None else min(stop, start + depth))


def differing(displayed: Sequence[Displayed], queries: Sequence[str]) -> tuple[str, ...]:
    """The queries for which two runs that have a list displayed different docs."""
    found = []
    for place, query in enumerate(queries):
        sets = {frozenset(docs) for lists in displayed if (docs := lists.docs(place))}
        if len(sets) > 1:
            found.append(query)
    return tuple(found)
