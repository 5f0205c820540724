"""The mean of a measure over the orders in which equal scores could have stood.

Measures that are linear in what places are worth have it in closed form (`Rankings.placed`). For the others
the orders are gone through one by one where they are few, and drawn at random where they are many. The
numbers that decide an order depend on the draw and the place alone, so a query has the same value
whichever queries are measured with it.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rankproof.tables.columns import Floats, Ints
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

FEW = 720  # orders that are gone through one by one
DRAWS = 1000  # orders drawn where there are more; the standard error is at most 0.5 / √1000 = 0.016
ROWS = 1_000_000  # hits that are measured at once


def averaged(measured: Callable[[Rankings], Sum], r: Rankings, *, rises: bool = False) -> Sum:
    """`measured` of every query; where ties are averaged, over all orders of equal scores, or over DRAWS of them.

    `rises` says that no order gives more than the one with the higher grades first, and none less than the
    one with the lower grades first; so a query in which both give the same needs no other.
    """
    if not r.averaged:
        return measured(r)
    settled = replace(r, averaged=False, lists=None, preferred=None, raters=None)
    first = measured(settled)
    value = first.value.copy()
    open_ = np.ones(r.n_queries, bool)
    if rises and r.subtopics is None and not (r.pooled_tied is not None and r.pooled_tied.any()):
        best, worst = (measured(_extreme(settled, best=best)).value for best in (True, False))
        open_ = best != worst
        value[~open_] = best[~open_]
    n_orders = np.array(
        [_n_orders(r, query) if open_[query] else 1 for query in range(r.n_queries)], np.int64
    )
    if (n_orders == 1).all() and open_.all():
        return first
    for query in np.flatnonzero(n_orders > 1).tolist():
        one = settled.part(query, query + 1)
        few = n_orders[query] <= FEW
        value[query] = _over_all(measured, one) if few else _over_draws(measured, one)
    return Sum.each(r, value)


def _extreme(r: Rankings, *, best: bool) -> Rankings:
    """The rankings with the hits of each tie group at its first places, higher grades first, or the other way round."""
    order = np.lexsort((-r.grade if best else r.grade, r.tie_start, r.query))
    group = np.concatenate(([True], (np.diff(r.tie_start) != 0) | (np.diff(r.query) != 0)))[: len(order)]
    begins = np.flatnonzero(group)
    sizes = np.diff(np.append(begins, len(order)))
    within = np.arange(len(order)) - np.repeat(begins, sizes)
    rank = r.tie_start + within
    if not best:
        rank = rank + r.tie_size - np.repeat(sizes, sizes)
    return replace(r, rank=rank, grade=r.grade[order])


def _kinds(r: Rankings) -> Ints:
    """(n_rows,) what tells hits apart: the grade; the hit itself where docs cover subtopics."""
    return r.grade if r.subtopics is None else np.arange(len(r.grade))


def _groups(r: Rankings, query: int) -> list[tuple[int, int, list[int]]]:
    """The tie groups of a query that hold a hit: first place, size, kinds of the hits."""
    rows = slice(*r.offsets[query : query + 2])
    groups: dict[int, tuple[int, int, list[int]]] = {}
    for start, size, kind in zip(r.tie_start[rows], r.tie_size[rows], _kinds(r)[rows], strict=True):
        groups.setdefault(int(start), (int(start), int(size), []))[2].append(int(kind))
    return list(groups.values())


def _n_orders(r: Rankings, query: int) -> int:
    """How many orders of a query differ; more than FEW is FEW + 1."""
    rows = slice(*r.offsets[query : query + 2])
    if (r.tie_size[rows] == 1).all():
        return 1
    n = 1
    for _, size, kinds in _groups(r, query):
        n *= math.perm(size, len(kinds))
        for kind in set(kinds):
            n //= math.factorial(kinds.count(kind))
        if n > FEW:
            return FEW + 1
    return n


def _over_all(measured: Callable[[Rankings], Sum], one: Rankings) -> float:
    """The mean over all orders of the one query."""
    ways = [_arrangements(start, size, kinds) for start, size, kinds in _groups(one, 0)]
    orders = [[hit for group in order for hit in group] for order in itertools.product(*ways)]
    hits = np.array(orders, np.int64)  # (n_orders, n_hits, 2): rank and kind
    by_rank = np.argsort(hits[:, :, 0], axis=1)
    rank, kind = (np.take_along_axis(hits[:, :, part], by_rank, axis=1) for part in (0, 1))
    return _mean(measured, one, rank, kind)


def _mean(measured: Callable[[Rankings], Sum], one: Rankings, rank: Ints, kind: Ints) -> float:
    """The mean of one query over orders of its hits: rank and kind (n_orders, n_hits)."""
    values = measured(_many(one, rank, kind)).value
    return math.fsum(values) / len(values)


def _many(one: Rankings, rank: Ints, kind: Ints) -> Rankings:
    """One query many times over, with its hits in many orders."""
    n, size = rank.shape
    grade = kind if one.subtopics is None else one.grade[kind]

    def again(column: Ints) -> Ints:
        return np.tile(column, n)

    def edges(width: int) -> Ints:
        return np.arange(n + 1) * width

    return Rankings(
        edges(size),
        rank.ravel(),
        grade.ravel(),
        again(one.n_retrieved),
        edges(len(one.pool_grade)),
        again(one.pool_grade),
        edges(len(one.best_grade)),
        again(one.best_grade),
        again(one.tie_start),  # whatever the order, the hits of a tie group stand together
        again(one.tie_size),
        _pooled_above(one, rank).ravel(),
        one.top_grade,
        subtopics=one.subtopics and one.subtopics.again(kind),
    )


def _pooled_above(one: Rankings, rank: Ints) -> Floats:
    """(n_orders, n_hits) how many pooled docs to expect above each hit; they take any place that the hits leave."""
    above = np.tile(one.pooled_above.astype(np.float64), (len(rank), 1))
    if one.pooled_tied is not None and one.pooled_tied.any():
        first = np.searchsorted(one.tie_start, one.tie_start)  # the hits of a tie group stand together
        hits = np.searchsorted(one.tie_start, one.tie_start, side="right") - first
        left = rank - one.tie_start - (np.arange(len(first)) - first)
        above += one.pooled_tied * (left / np.maximum(one.tie_size - hits, 1))
    return above


def _arrangements(start: int, size: int, kinds: list[int]) -> list[tuple[tuple[int, int], ...]]:
    """The places and kinds that the hits of one tie group can have; hits of equal kind are not told apart.

    >>> _arrangements(1, 3, [2, 2])
    [((1, 2), (2, 2)), ((1, 2), (3, 2)), ((2, 2), (3, 2))]
    """
    found: list[tuple[tuple[int, int], ...]] = [()]
    for kind in sorted(set(kinds)):
        found = [
            (*placed, *((place, kind) for place in chosen))
            for placed in found
            for chosen in itertools.combinations(
                sorted({*range(start, start + size)} - {place for place, _ in placed}), kinds.count(kind)
            )
        ]
    return found


def _over_draws(measured: Callable[[Rankings], Sum], one: Rankings) -> float:
    """The mean of one query over DRAWS random orders."""
    at_once = max(ROWS // max(len(one.rank), int(one.tie_size.max(initial=1))), 1)
    parts = [
        _mean(measured, one, *_shuffled(one, np.arange(first, min(first + at_once, DRAWS))))
        * (min(first + at_once, DRAWS) - first)
        for first in range(0, DRAWS, at_once)
    ]
    return math.fsum(parts) / DRAWS


def _shuffled(one: Rankings, draws: Ints) -> tuple[Ints, Ints]:
    """Rank and kind (n_draws, n_hits) of one query with the hits of each tie group at random places of it."""
    rank = np.empty((len(draws), len(one.rank)), np.int64)
    for start in np.unique(one.tie_start):
        hits = np.flatnonzero(one.tie_start == start)
        hits = hits[np.argsort(_alike(one)[hits], kind="stable")]  # whatever the order of the lines
        places = np.arange(start, start + one.tie_size[hits[0]])
        mixed = np.argsort(_noise(places[None, :], draws[:, None]), axis=1)[:, : len(hits)]
        rank[:, hits] = start + mixed
    order = np.argsort(rank, axis=1)
    return np.take_along_axis(rank, order, axis=1), _kinds(one)[order]


def _alike(one: Rankings) -> Ints:
    """(n_hits,) a number that is the same for hits that no measure tells apart, whatever their order."""
    if one.subtopics is None:
        return one.grade
    shown = one.subtopics.shown
    edges = zip(shown.starts[:-1].tolist(), shown.starts[1:].tolist(), strict=True)
    covers = [
        tuple(sorted(zip(shown.subtopic[a:b].tolist(), shown.grade[a:b].tolist(), strict=True)))
        for a, b in edges
    ]
    marks = list(zip(one.grade.tolist(), covers, strict=True))
    place = {mark: place for place, mark in enumerate(sorted(set(marks)))}
    return np.array([place[mark] for mark in marks], np.int64)


def _noise(place: Ints, draw: Ints) -> Ints:
    """(n_draws, n_places) a number that looks random and depends on the draw and the place alone (splitmix64)."""
    with np.errstate(over="ignore"):
        x = place.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + draw.astype(np.uint64) * np.uint64(
            0xD1B54A32D192ED03
        )
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        noise: Ints = (x ^ (x >> np.uint64(31))).view(np.int64)
    return noise
