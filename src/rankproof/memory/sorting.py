"""Sorting: the numbers of many lists, each list by itself and all of them together."""

import numpy as np

from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.hits import Ordering

MANY = 30  # docs of a list: from there on each list is worth a search of its own


def falling(score: Floats, ordering: Ordering) -> Floats:
    """Numbers that grow as scores fall, as wide as scores are compared; a column of its own."""
    if ordering.score_width == 64:
        return -score
    with np.errstate(over="ignore"):
        return -score.astype(np.float32).astype(np.float64)


def _below(fall: Floats, starts: Ints) -> Bools:
    """(n - 1,) True where a number is below the one before it in its list, or is no number."""
    below: Bools = ~(fall[1:] >= fall[:-1])
    edges = starts[1:-1]
    below[edges[(edges > 0) & (edges < len(fall))] - 1] = False
    return below


def _unsorted(fall: Floats, starts: Ints) -> Ints:
    """The lists that are not sorted; to see that a list is, as most are, costs one look."""
    below = _below(fall, starts)
    return (
        np.unique(np.searchsorted(starts, np.flatnonzero(below), "right") - 1) if below.any() else starts[:0]
    )


def sort_lists(fall: Floats, starts: Ints) -> None:
    """Sort the numbers of each list in their place; what is no number comes last."""
    places = _unsorted(fall, starts)
    sizes = starts[places + 1] - starts[places]
    for size in np.unique(sizes).tolist():
        rows = starts[places[sizes == size]][:, None] + np.arange(size)
        fall[rows] = np.sort(fall[rows], axis=1)


def sorting_order(fall: Floats, starts: Ints) -> Ints | None:
    """(n,) what sorts the numbers within each list, equal ones as they stand; None where they are sorted."""
    places = _unsorted(fall, starts)
    if not len(places):
        return None
    order = np.arange(len(fall))
    sizes = starts[places + 1] - starts[places]
    for size in np.unique(sizes).tolist():
        begins = starts[places[sizes == size]][:, None]
        order[begins + np.arange(size)] = begins + np.argsort(
            fall[begins + np.arange(size)], axis=1, kind="stable"
        )
    return order


def first_places(fall: Floats, starts: Ints, of_list: Ints, want: Floats) -> Ints:
    """(n_wanted,) the first place in its list whose number is not below what is wanted; `of_list` does not fall."""
    n_lists = len(starts) - 1
    if len(want) < MANY * n_lists:
        return places_of(fall, starts[of_list], starts[of_list + 1], want)
    found = np.empty(len(want), np.int64)
    edges = np.searchsorted(of_list, np.arange(n_lists + 1)).tolist()
    begins = starts.tolist()
    for place in range(n_lists):
        own = slice(edges[place], edges[place + 1])
        begin = begins[place]
        found[own] = np.searchsorted(fall[begin : begins[place + 1]], want[own]) + begin
    return found


def places_of(fall: Floats, begin: Ints, end: Ints, want: Floats, *, equal: bool = False) -> Ints:
    """(n_wanted,) the first place in fall[begin:end] whose number is not below what is wanted; or, `equal`, above it."""
    at, left = begin.copy(), end - begin
    for _ in range(int(left.max(initial=0)).bit_length()):
        half = left >> 1
        here = fall[np.minimum(at + half, len(fall) - 1)]
        further = ((here <= want) if equal else (here < want)) & (left > 0)
        at = np.where(further, at + half + 1, at)
        left = np.where(further, left - half - 1, half)
    return at
