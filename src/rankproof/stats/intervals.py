"""Intervals: where a mean difference may lie, and how large it is beside the spread of the queries."""

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from rankproof.stats.differences import Floats, deviation_of, mean_of, rounded, share, too_few
from rankproof.stats.distributions import t_quantile


@dataclass(frozen=True)
class Interval:
    """Bounds of a mean difference at a level; null with a reason where they cannot be told.

    `reason` is "no_common_query", "n_below_2" or "zero_variance". With "zero_variance" the bounds are 0 and
    0 where every difference is 0 (a degenerate interval), and null where all are the same other value.
    """

    level: float
    lower: float | None
    upper: float | None
    method: str = "paired-t"
    reason: str = ""


def paired_t(differences: ArrayLike, level: float = 0.95) -> Interval:
    """The interval that holds the true mean difference in `level` of all samples of queries.

    differences   (n,) candidate minus baseline, one a query
    level         between 0 and 1

    The mean, plus and minus t x s / sqrt(n), with n - 1 degrees of freedom. Fewer than two queries, or
    differences that are all the same, give null and a reason; see `Interval`.
    Source: Student 1908; for means of measures, Urbano, Lima and Hanjalic 2019.
    Elsewhere: scipy `ttest_1samp(...).confidence_interval`.

    >>> found = paired_t([0.2, 0.1, 0.3, 0.4, 0.25])
    >>> round(found.lower, 6), round(found.upper, 6)
    (0.111178, 0.388822)
    >>> # mean 0.25, s 0.111803, t(0.975, 4) 2.776445: 0.25 -+ 2.776445 x 0.111803 / sqrt(5)
    """
    d = rounded(differences)
    share("level", level)
    if flat := without_spread(d, level):
        return flat
    mean, half = mean_of(d), _half(d, (1 + level) / 2)
    return Interval(level, mean - half, mean + half)


def one_sided_t(differences: ArrayLike, alpha: float) -> tuple[float | None, float | None]:
    """Two bounds, each missed by the true mean difference with probability `alpha`, for gates.

    A gate with a margin passes where the lower bound lies above minus the margin, fails where the upper
    bound lies below it, and is inconclusive between. Differences that are all the same give their value
    twice; fewer than two give (None, None).
    Source: non-inferiority and TOST, Schuirmann 1987.

    >>> lower, upper = one_sided_t([0.2, 0.1, 0.3, 0.4, 0.25], 0.05)
    >>> round(lower, 6), round(upper, 6)  # 0.25 -+ 2.131847 x 0.111803 / sqrt(5)
    (0.143408, 0.356592)
    """
    d = rounded(differences)
    share("alpha", alpha)
    if too_few(d):
        return None, None
    mean, half = mean_of(d), _half(d, 1 - alpha)
    return mean - half, mean + half


def d_z(differences: ArrayLike) -> float | None:
    """The mean difference in standard deviations of the differences; any size, with its sign.

    Null for fewer than two queries and where all differences are the same. It grows with the correlation
    of the two systems, so it does not compare across test sets. Source: Cohen 1988.

    >>> round(d_z([0.2, 0.1, 0.3, 0.4, 0.25]), 6)  # 0.25 / 0.111803
    2.236068
    """
    d = rounded(differences)
    return None if _undefined(d) else mean_of(d) / deviation_of(d)


def without_spread(d: Floats, level: float, method: str = "paired-t") -> Interval | None:
    """The interval of differences that have no spread to judge by; None where they have one. See `Interval`."""
    if not (reason := _undefined(d)):
        return None
    bound = 0.0 if len(d) > 1 and not d.any() else None
    return Interval(level, bound, bound, method, reason)


def _undefined(d: Floats) -> str:
    """Why there is no t for these differences; "" where there is."""
    return too_few(d) or ("" if deviation_of(d) > 0 else "zero_variance")


def _half(d: Floats, p: float) -> float:
    """How far a bound lies from the mean."""
    return t_quantile(p, len(d) - 1) * deviation_of(d) / math.sqrt(len(d))
