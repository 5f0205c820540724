"""Distributions: Student's t, central and not."""

import math

import numpy as np


def t_quantile(p: float, df: int) -> float:
    """The value that Student's t stays below with probability `p`.

    >>> round(t_quantile(0.975, 4), 6)
    2.776445
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # has no types; here, as it takes long to load

    return float(stdtrit(df, p))


def beyond(critical: float, df: int, away: float, *, sides: int) -> float:
    """The probability that a noncentral t lies above `critical`; on two sides, or below minus that.

    critical, away   0 or more; `away` is the noncentrality

    The normal probability given the sample's deviation, averaged over that deviation: x is the logarithm
    of its ratio to the true one, with density exp(df (x - exp(2x) / 2)) but for a constant. Both factors are
    smooth and vanish at the ends, so that equal steps, a fraction of the narrower one's width, leave
    errors below 1e-11. (scipy's `nctdtr` gives NaN in the far tail, and other digits in other releases.)
    Source: Johnson and Welch 1940; equal steps, Trefethen and Weideman 2014.

    >>> round(beyond(2.0, 49, 2.8, sides=1), 6), round(beyond(0.0, 49, 0.0, sides=1), 6)
    (0.786478, 0.5)
    """
    from scipy.special import ndtr

    spread = 1 / math.sqrt(df)
    left, right = -32 / df - 6.5 * spread, 6.5 * spread
    step = min(spread / 8, 0.5 / (1 + away))
    x = np.linspace(left, right, min(500_000, math.ceil((right - left) / step)))
    weight = np.exp(df * (x - np.expm1(2 * x) / 2))
    bar = critical * np.exp(x)
    over = ndtr(away - bar) if sides == 1 else ndtr(away - bar) + ndtr(-away - bar)
    return float(weight @ over / weight.sum())
