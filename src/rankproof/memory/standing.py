"""Standing: the ranks of some docs among the scores of their lists, by counting who stands above them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.hits import Ordering

MANY = 30  # docs of a list: from there on each list is worth a search of its own


class Wanted(NamedTuple):
    """Docs whose ranks are wanted: in which list of the block each stands, what its score is, and a name for it.

    position   where each stands among all docs of the block, where that is known
    """

    of_list: Ints
    score: Floats
    name: Ints
    position: Ints | None = None


class Standing(NamedTuple):
    """Where docs stand: rank, and where the group of equal scores begins and how many docs are in it."""

    rank: Ints
    tie_start: Ints
    tie_size: Ints


class Tied(NamedTuple):
    """The docs of one list: their names as `Wanted` has them, and what decides between equal scores, least first.

    name    at each position; nobody's where it is below 0
    key     of some positions, one for each; equal ones stand in the order of their positions
    """

    name: Callable[[Ints], Ints]
    key: Callable[[Ints], Ints]


def standing(
    score: Floats, starts: Ints, wanted: Wanted, ordering: Ordering, tied: Callable[[int], Tied]
) -> Standing:
    """The standing of the wanted docs; list i has the scores starts[i]:starts[i+1], NaN stands last.

    `tied` says of one list what decides between equal scores; it is asked only where a wanted doc needs it.
    """
    score, want = narrowed(score, ordering), -narrowed(wanted.score, ordering)
    begin, end = starts[wanted.of_list], starts[wanted.of_list + 1]
    fall = -score
    if wanted.position is not None and not _not_above(fall, starts, strictly=True).any():
        rank = wanted.position - begin + 1
        return Standing(rank, rank, np.ones(len(rank), np.int64))
    _sort(fall, starts)
    first = _first_places(fall, starts, wanted.of_list, want)
    unknown = np.isnan(want)
    if unknown.any():  # numbers that are none follow all others: the first one is where numbers end
        numbers = np.concatenate(([0], np.cumsum(~np.isnan(fall))))
        first[unknown] = (begin + numbers[end] - numbers[begin])[unknown]
    after = np.minimum(first + 1, len(fall) - 1)
    several = (first + 1 < end) & ((fall[after] == want) | unknown)
    start = first - begin + 1
    rank, size = start.copy(), np.ones(len(start), np.int64)
    if several.any():
        at = np.flatnonzero(several)
        last = _bisected(fall, first[at], end[at], want[at], equal=True)
        last[unknown[at]] = end[at][unknown[at]]
        size[at] = last - first[at]
        for place in np.unique(wanted.of_list[at]).tolist():
            rows = at[wanted.of_list[at] == place]
            scores = -score[starts[place] : starts[place + 1]]
            rank[rows] += _among_equals(scores, start[rows], size[rows], wanted.name[rows], tied(place))
        start[unknown] = rank[unknown]  # no two of them are equal
        size[unknown] = 1
    return Standing(rank, start, size)


def narrowed(score: Floats, ordering: Ordering) -> Floats:
    """Scores as wide as they are compared."""
    if ordering.score_width == 64:
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32).astype(np.float64)


def _not_above(fall: Floats, starts: Ints, *, strictly: bool = False) -> Bools:
    """(n - 1,) True where a number is below the one before it in its list, or one of them is no number."""
    below: Bools = ~(fall[1:] > fall[:-1]) if strictly else ~(fall[1:] >= fall[:-1])
    edges = starts[1:-1]
    below[edges[(edges > 0) & (edges < len(fall))] - 1] = False
    return below


def _sort(fall: Floats, starts: Ints) -> None:
    """Sort the numbers of each list in their place; lists that are sorted already, as most are, cost one look."""
    below = _not_above(fall, starts)
    if below.any():
        places = np.unique(np.searchsorted(starts, np.flatnonzero(below), "right") - 1)
        sizes = starts[places + 1] - starts[places]
        for size in np.unique(sizes).tolist():
            rows = starts[places[sizes == size]][:, None] + np.arange(size)
            fall[rows] = np.sort(fall[rows], axis=1)


def _first_places(fall: Floats, starts: Ints, of_list: Ints, want: Floats) -> Ints:
    """(n_wanted,) the first place in its list whose number is not below what is wanted; `of_list` does not fall."""
    n_lists = len(starts) - 1
    if len(want) < MANY * n_lists:
        return _bisected(fall, starts[of_list], starts[of_list + 1], want)
    found = np.empty(len(want), np.int64)
    edges = np.searchsorted(of_list, np.arange(n_lists + 1)).tolist()
    begins = starts.tolist()
    for place in range(n_lists):
        own = slice(edges[place], edges[place + 1])
        begin = begins[place]
        found[own] = np.searchsorted(fall[begin : begins[place + 1]], want[own]) + begin
    return found


def _bisected(fall: Floats, begin: Ints, end: Ints, want: Floats, *, equal: bool = False) -> Ints:
    """(n_wanted,) the first place in fall[begin:end] whose number is not below what is wanted; or, `equal`, above it."""
    at, left = begin.copy(), end - begin
    for _ in range(int(left.max(initial=0)).bit_length()):
        half = left >> 1
        here = fall[np.minimum(at + half, len(fall) - 1)]
        further = ((here <= want) if equal else (here < want)) & (left > 0)
        at = np.where(further, at + half + 1, at)
        left = np.where(further, left - half - 1, half)
    return at


def _among_equals(fall: Floats, start: Ints, size: Ints, name: Ints, tied: Tied) -> Ints:
    """(n_wanted,) how many docs of equal scores stand above each wanted doc of one list."""
    order = np.argsort(fall, kind="stable")
    above = np.empty(len(start), np.int64)
    for first, n in dict(zip(start.tolist(), size.tolist(), strict=True)).items():
        positions = order[first - 1 : first - 1 + n]
        positions = positions[np.argsort(tied.key(positions), kind="stable")]
        here = np.flatnonzero(start == first)
        names = tied.name(positions)
        sorter = np.argsort(
            names, kind="stable"
        )  # a doc that stands several times is found where it stands first
        above[here] = sorter[np.searchsorted(names, name[here], sorter=sorter)]
    return above
