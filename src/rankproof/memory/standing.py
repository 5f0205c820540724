"""Standing: the ranks of some docs among the scores of their lists.

Where docs were found by their ids only, those who stand above them are counted; where it is known which score is
whose, the scores are sorted.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rankproof.memory.sorting import falling, first_places, places_of, sort_lists, sorting_order
from rankproof.memory.ties import Tied
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.hits import Ordering


class Scored(NamedTuple):
    """The scores of a block of lists: list i has score[starts[i]:starts[i+1]]; one that is no number stands last.

    tied   says of one list what decides between equal scores; it is asked only where that matters
    """

    score: Floats
    starts: Ints
    ordering: Ordering
    tied: Callable[[int], Tied]


class Standing(NamedTuple):
    """Where docs stand: rank, and where the group of equal scores begins and how many docs are in it."""

    rank: Ints
    tie_start: Ints
    tie_size: Ints


def by_counting(scored: Scored, of_list: Ints, own: Floats, row: Ints) -> Standing:
    """The standing of docs of which the list, the score and the row of the judgments are known; lists do not fall."""
    starts, want = scored.starts, falling(own, scored.ordering)
    fall = falling(scored.score, scored.ordering)
    sort_lists(fall, starts)
    begin, end = starts[of_list], starts[of_list + 1]
    first = first_places(fall, starts, of_list, want)
    unknown = np.isnan(want)
    if unknown.any():  # they follow all others: the first one is where numbers end
        numbers = np.concatenate(([0], np.cumsum(~np.isnan(fall))))
        first[unknown] = (begin + numbers[end] - numbers[begin])[unknown]
    after = np.minimum(first + 1, len(fall) - 1)
    several = (first + 1 < end) & ((fall[after] == want) | unknown)
    start = first - begin + 1
    rank, size = start.copy(), np.ones(len(start), np.int64)
    if several.any():
        at = np.flatnonzero(several)
        last = places_of(fall, first[at], end[at], want[at], equal=True)
        last[unknown[at]] = end[at][unknown[at]]
        size[at] = last - first[at]
        edges = np.flatnonzero(np.append(True, np.diff(of_list[at]) != 0)).tolist()
        for rows in np.split(at, edges[1:]):
            rank[rows] += _above(scored, int(of_list[rows[0]]), start[rows], size[rows], row[rows])
        start[unknown], size[unknown] = rank[unknown], 1  # no two of them are equal
    return Standing(rank, start, size)


def _above(scored: Scored, place: int, start: Ints, size: Ints, row: Ints) -> Ints:
    """(n_docs,) how many docs of equal scores stand above some docs of one list."""
    own = slice(scored.starts[place], scored.starts[place + 1])
    order = np.argsort(falling(scored.score[own], scored.ordering), kind="stable")
    tied, above = scored.tied(place), np.empty(len(start), np.int64)
    for first, n in dict(zip(start.tolist(), size.tolist(), strict=True)).items():
        positions = order[first - 1 : first - 1 + n]
        rows = tied.rows(positions[np.argsort(tied.key(positions), kind="stable")])
        here = np.flatnonzero(start == first)
        sorter = np.argsort(rows)
        above[here] = sorter[np.searchsorted(rows, row[here], sorter=sorter)]
    return above


def by_sorting(scored: Scored, of_list: Ints, position: Ints) -> Standing:
    """The standing of docs of which the list and the position among all scores are known."""
    starts = scored.starts
    fall = falling(scored.score, scored.ordering)
    order, at = sorting_order(fall, starts), position
    if order is not None:
        fall, inverse = fall[order], np.empty(len(order), np.int64)
        inverse[order] = np.arange(len(order))
        at = inverse[position]
    edges = np.zeros(len(fall) + 1, bool)
    edges[starts] = True
    begins = np.append(True, fall[1:] != fall[:-1]) | edges[:-1]
    begin = starts[of_list]
    rank = at - begin + 1
    if scored.ordering.ties != "file":
        unknown = np.isnan(fall)  # no two of them are equal, and yet something decides between them
        decided = begins & ~(unknown & np.append(False, unknown[:-1])) | edges[:-1]
        rank += _moved(scored, order, decided, of_list, at)
    if begins.all():
        return Standing(rank, rank, np.ones(len(rank), np.int64))
    firsts = np.flatnonzero(begins)
    group = (np.cumsum(begins) - 1)[at]
    size = np.diff(np.append(firsts, len(fall)))[group]
    return Standing(rank, np.where(size > 1, firsts[group] - begin + 1, rank), size)


def _moved(scored: Scored, order: Ints | None, begins: Bools, of_list: Ints, at: Ints) -> Ints:
    """(n_docs,) by how many places docs move that stand `at` places sorted by score, where more than that decides."""
    moved = np.zeros(len(at), np.int64)
    firsts = np.flatnonzero(begins)
    sizes = np.diff(np.append(firsts, len(begins)))
    group = (np.cumsum(begins) - 1)[at]
    several = np.flatnonzero(sizes[group] > 1)
    several = several[np.argsort(group[several], kind="stable")]
    if not len(several):
        return moved
    edges = np.flatnonzero(np.diff(group[several]) != 0) + 1
    ties: dict[int, Tied] = {}
    for rows in np.split(several, edges):
        first, place = int(firsts[group[rows[0]]]), int(of_list[rows[0]])
        every = np.arange(first, first + sizes[group[rows[0]]])
        positions = (every if order is None else order[every]) - scored.starts[place]
        tied = ties[place] if place in ties else ties.setdefault(place, scored.tied(place))
        decided = np.argsort(tied.key(positions), kind="stable")
        places = np.empty(len(decided), np.int64)
        places[decided] = np.arange(len(decided))
        moved[rows] = places[at[rows] - first] - (at[rows] - first)
    return moved
