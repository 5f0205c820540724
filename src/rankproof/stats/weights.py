"""Weights: over how much of all ways to weigh several goals a difference keeps its sign.

All ways to weigh k goals are the points of a simplex: k shares from 0, of sum 1. A mean difference is
linear in them, so the part of the simplex where it is above 0 lies on one side of a plane.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rankproof.errors import UsageError
from rankproof.stats.differences import UNIT, Floats, rounded, share, too_few
from rankproof.stats.distributions import t_quantile

POINTS = 6000  # so many ways to weigh are tried at most
FINEST = 1000  # steps from one end of the simplex to the other, at most


def winning_share(differences: ArrayLike) -> float:
    """The share of all ways to weigh k goals in which the weighed mean difference is above 0; exact, 0 to 1.

    differences   (k,) the mean difference in each goal

    Where an edge of the simplex goes from a goal that wins, x > 0, to one that loses, -y < 0, the point of
    difference 0 cuts it into y : x, and the simplex with it. In either part one of the two goals has given way
    to that point, which decides nothing. So the share of x, y and the rest is (y A + x B) / (x + y), where A
    is the share without x and B that without y: sums of positive terms only, down to goals of one sign.
    Goals with the difference 0 decide nothing; all 0 give 0. `winning_share(-d)` is what is lost.
    Source: the volume is that of Varsi 1973 and Ali 1973 (the frustum of a simplex).

    >>> round(winning_share([0.1, -0.3]), 6)  # 0.1 w > 0.3 (1 - w) from w = 0.75 on
    0.25
    >>> round(winning_share([0.1, 0.1, -0.1]), 6)  # 1 - (1/2) (1/2)
    0.75
    """
    d = rounded(differences)
    without = np.zeros(int((d < 0).sum()) + 1)
    for x in d[d > 0]:
        without[0] = 1.0
        for place, y in enumerate(-d[d < 0], 1):
            without[place] = (y * without[place] + x * without[place - 1]) / (x + y)
    return float(without[-1])


def break_even(first: float, second: float) -> float | None:
    """The share of the weight, above 0 and below 1, that the first of two goals has where the two systems are even.

    Null where one sign holds for all weights.

    >>> round(break_even(0.1, -0.3), 6)  # 0.1 w = 0.3 (1 - w)
    0.75
    """
    one, other = rounded([first, second]).tolist()
    return other / (other - one) if one * other < 0 else None


def pareto(differences: ArrayLike) -> str:
    """ "better" where no goal gets worse and one better, "worse", "same", or "trade-off".

    >>> pareto([0.1, 0.0]), pareto([0.1, -0.1])
    ('better', 'trade-off')
    """
    d = rounded(differences)
    gains, losses = bool((d > 0).any()), bool((d < 0).any())
    return {(True, False): "better", (False, True): "worse", (False, False): "same"}.get(
        (gains, losses), "trade-off"
    )


def switches(weights: ArrayLike, differences: ArrayLike) -> list[tuple[int, int, float]]:
    """(from, to, moved): how much weight, moved from one goal to another, turns the sign; the least first.

    weights       (k,) numbers above 0; what is moved is a share of their sum, and half of the L1 distance
    differences   (k,) the mean difference in each goal

    A pair is left out where even all of its weight turns nothing. Nothing is listed where the weighed
    difference is 0 already.

    >>> [(a, b, round(moved, 6)) for a, b, moved in switches([1, 1], [0.1, -0.3])]  # from 0.5 to 0.75
    [(1, 0, 0.25)]
    """
    d, w = rounded(differences), shares(weights)
    total = math.fsum(w * d)
    if abs(total) < UNIT:
        return []
    pairs = itertools.permutations(range(len(d)), 2)
    moved = [(a, b, total / (d[a] - d[b])) for a, b in pairs if (d[a] - d[b]) * total > 0]
    return sorted(((a, b, float(t)) for a, b, t in moved if t < w[a]), key=lambda row: row[2])


def shares(weights: ArrayLike) -> Floats:
    """(k,) weights as shares of their sum."""
    w = np.asarray(weights, np.float64)
    if w.ndim != 1 or not len(w) or not (np.isfinite(w) & (w > 0)).all():
        raise UsageError("Weights are numbers above 0; seen {seen}.", seen=list(np.ravel(w)))
    return w / math.fsum(w)


def lattice(k: int) -> tuple[Floats, float]:
    """(n_points, k) ways to weigh k goals, evenly spread, none at an edge; and the step between neighbours.

    The middles of equal cells, as fine as POINTS and FINEST allow: the whole numbers of sum m, each plus 1 / k,
    over m + 1. Always the same points.

    >>> lattice(2)[0][[0, -1]].round(4).tolist(), lattice(2)[1]
    ([[0.0005, 0.9995], [0.9995, 0.0005]], 0.001)
    """
    m = 0
    while m + 1 < FINEST and math.comb(m + k, k - 1) <= POINTS:
        m += 1
    placed = list(itertools.combinations(range(m + k - 1), k - 1))
    bars = np.array(placed, np.float64).reshape(len(placed), k - 1)
    edges = np.column_stack((np.full(len(bars), -1.0), bars, np.full(len(bars), m + k - 1.0)))
    return (np.diff(edges, axis=1) - 1 + 1 / k) / (m + 1), 1 / (m + 1)


@dataclass(frozen=True)
class Certainty:
    """In what share of the ways to weigh the interval lies above 0, below 0, or holds it; null with a reason."""

    better: float | None
    worse: float | None
    undecided: float | None
    step: float
    reason: str = ""


def certainty(differences: Sequence[Floats] | Floats, level: float = 0.95) -> Certainty:
    """Over how much of all ways to weigh the paired-t interval of the weighed mean difference excludes 0.

    differences   (n, k) candidate minus baseline, one row a query and one column a goal

    Each query's weighed difference is linear in the weights, so its mean is w m and its variance w S w, with the
    means m and covariances S of the goals: nothing is measured again. Counted on the points of `lattice`.
    Fewer than two queries give null; weights under which every query differs alike are undecided, as there
    is no interval.
    Source: Student 1908.

    >>> found = certainty(np.array([[0.2, -0.3], [0.1, -0.2], [0.3, -0.2], [0.2, -0.1]]))
    >>> found.better, found.worse, round(found.undecided, 3)
    (0.241, 0.241, 0.518)
    """
    given = np.asarray(differences, np.float64)
    n, k = given.shape
    d: Floats = rounded(given.ravel()).reshape(n, k)
    share("level", level)
    points, step = lattice(k)
    if reason := too_few(d):
        return Certainty(None, None, None, step, reason)
    lower, upper = bounds(d, points, level)
    better, worse = lower > 0, upper < 0
    undecided = ~better & ~worse
    return Certainty(float(better.mean()), float(worse.mean()), float(undecided.mean()), step)


def bounds(differences: Floats, points: Floats, level: float) -> tuple[Floats, Floats]:
    """(n_points,) each: the paired-t bounds of the weighed mean difference; NaN where every query differs alike.

    >>> lower, upper = bounds(np.array([[0.2, -0.3], [0.1, -0.2], [0.3, -0.2]]), np.array([[1.0, 0.0]]), 0.95)
    >>> lower.round(4), upper.round(4)  # 0.2 -+ 4.302653 x 0.1 / sqrt(3)
    (array([-0.0484]), array([0.4484]))
    """
    n, k = differences.shape
    mean = points @ differences.mean(axis=0)
    covariance = np.cov(differences, rowvar=False).reshape(k, k)
    deviation = np.sqrt(np.maximum(((points @ covariance) * points).sum(axis=1), 0.0))
    half = t_quantile((1 + level) / 2, n - 1) * deviation / math.sqrt(n)
    half[deviation <= UNIT] = np.nan
    return mean - half, mean + half
