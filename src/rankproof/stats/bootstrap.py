"""Bootstrap: where a mean may lie, by what it is in resamples of the queries."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rankproof.errors import UsageError
from rankproof.stats.differences import Floats, same_queries, share
from rankproof.stats.intervals import Interval, without_spread
from rankproof.stats.resampling import checked, has_few, means_of_few, resampled_means

METHOD = "bootstrap percentile"


def percentile_interval(
    differences: ArrayLike, level: float = 0.95, *, seed: int = 0, resamples: int = 10_000
) -> Interval:
    """The interval that leaves out the smallest and the largest means of resamples, as many on either side.

    differences       (n,) candidate minus baseline, or the values of one system; queries sorted by id
    level             between 0 and 1
    seed, resamples   which resamples are drawn, and how many

    The bounds are the k-th smallest and the k-th largest mean, k = floor((resamples + 1) (1 - level) / 2), so
    swapped systems swap them. Fewer than two queries, or differences that are all the same, give null and a
    reason; see `Interval`. Under about 50 queries this interval is too short: of TREC differences of true mean
    0, it missed the mean in 11 of 100 cases with 10 queries and in 6 with 50, where 5 were promised. Decide by
    `paired_t`.
    Source: Efron 1979; the count of k, Davison and Hinkley 1997.
    Elsewhere: scipy `bootstrap(method="percentile")`, which interpolates between two means.

    >>> found = percentile_interval([0.2, 0.1, 0.3, 0.4, 0.25])
    >>> round(found.lower, 6), round(found.upper, 6)  # of all 5**5 resamples: 0.16 and 0.34
    (0.16, 0.34)
    """
    return percentile_intervals([differences], level, seed=seed, resamples=resamples)[0]


def percentile_intervals(
    rows: Sequence[ArrayLike], level: float = 0.95, *, seed: int = 0, resamples: int = 10_000
) -> list[Interval]:
    """The percentile interval of many rows over the same queries: what `percentile_interval` says of each.

    rows   (n_rows, n) differences or values; a row for each pair, system or measure

    All rows meet the same resamples, which are drawn once for all; but rows in which few values are distinct
    meet those of `means_of_few`. Either way each interval is bit for bit the one that the row alone gets.

    >>> [round(found.lower, 6) for found in percentile_intervals([[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]])]
    [0.0, 1.0]
    """
    share("level", level)
    checked(seed, resamples)
    k = math.floor((resamples + 1) * (1 - level) / 2 + 1e-9)  # 5/100 must not fall below 5 by rounding
    if k < 1:
        raise UsageError(
            "{resamples} resamples are too few for a level of {level}; expected at least {needed}.",
            resamples=resamples,
            level=level,
            needed=math.ceil(2 / (1 - level) - 1 - 1e-9),
        )
    settled = same_queries(rows)
    flat = [without_spread(d, level, METHOD) for d in settled]
    few = [has_few(d) for d in settled]
    many = [d for d, *known in zip(settled, flat, few, strict=True) if not any(known)]
    shared = iter(resampled_means(np.array(many), seed=seed, resamples=resamples) if many else ())
    return [
        interval
        or _between(means_of_few(d, seed=seed, resamples=resamples) if of_few else next(shared), k, level)
        for d, interval, of_few in zip(settled, flat, few, strict=True)
    ]


def _between(means: Floats, k: int, level: float) -> Interval:
    """The k-th smallest and the k-th largest of the means."""
    means = np.partition(means, (k - 1, len(means) - k))
    return Interval(level, float(means[k - 1]), float(means[len(means) - k]), METHOD)
