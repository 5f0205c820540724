"""A run in memory: what `evaluate` takes beside tables, and turns into hits or into a table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from rankproof.tables.columns import Ints
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.run import Run

ROWS = 1 << 16  # docs looked at together: few enough to stay near the processor


class InMemory(Protocol):
    """A run that somebody has made in this process."""

    @property
    def name(self) -> str:
        """The name of the run."""

    def hits(self, judged: Judged, ordering: Ordering) -> Hits:
        """Its judged docs."""

    def table(self, judged: Judged | None = None) -> Run:
        """All of its docs; queries are called as the judgments call them, where the run has no names for them."""


class Found(NamedTuple):
    """Judged docs of a block of lists, in any order; of_list counts from the first list of the block."""

    of_list: Ints
    row: Ints
    rank: Ints
    tie_start: Ints
    tie_size: Ints


class Part(NamedTuple):
    """The hits of a block, list by list and best first, as `Hits` has them; n_hits is of each list."""

    n_hits: Ints
    judgment: Ints
    rank: Ints
    tie_start: Ints
    tie_size: Ints


def blocks(sizes: Ints) -> Iterator[slice]:
    """Neighbouring lists of about ROWS docs together."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + ROWS, "right")), start + 1)
        yield slice(start, stop)
        start = stop


def starts_of(sizes: Ints) -> Ints:
    """(n + 1,) where each of n lists begins that stand behind each other."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def best_first(found: Found, starts: Ints) -> Part:
    """The hits of a block whose lists have the places starts[i]:starts[i+1].

    A doc that stands higher already has the judgment -1 - row.
    """
    place = starts[found.of_list] + found.rank
    if (place[1:] < place[:-1]).any():
        order = _order(place, int(starts[-1]) + 1)
        found = Found(*(column[order] for column in found))
    row = found.row
    if len(row) and np.bincount(row - row.min()).max() > 1:
        again = np.ones(len(row), bool)
        again[np.unique(row, return_index=True)[1]] = False
        row = np.where(again, -1 - row, row)
    n_hits = np.bincount(found.of_list, minlength=len(starts) - 1)
    return Part(n_hits, row, found.rank, found.tie_start, found.tie_size)


def _order(place: Ints, n: int) -> Ints:
    """What sorts places that are all different and below n."""
    if 8 * len(place) < n:
        return np.argsort(place)
    table = np.full(n, -1)
    table[place] = np.arange(len(place))
    return table[table >= 0]


def joined(parts: Sequence[Part]) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Parts behind each other: offsets, judgment, rank, tie_start and tie_size."""
    none = Part(*(np.empty(0, np.int64) for _ in Part._fields))
    whole = Part(*(np.concatenate(column) for column in zip(none, *parts, strict=True)))
    return starts_of(whole.n_hits), *whole[1:]
