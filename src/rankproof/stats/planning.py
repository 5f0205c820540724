"""Planning: what a number of queries can show, and how many it takes.

A paired t test with `n` queries whose differences have the standard deviation `deviation`. Power is the
probability that it finds a true difference: a noncentral t beyond the critical value.
"""

import math
from collections.abc import Callable
from functools import cache

from rankproof.errors import UsageError
from rankproof.stats.differences import share
from rankproof.stats.distributions import beyond, t_quantile


def power_at(
    deviation: float, n: int, difference: float, *, alpha: float = 0.05, sides: int = 2
) -> float | None:
    """The probability that `n` queries show a true `difference`, from `alpha` to 1.

    With `sides=1` only a difference above 0 can be shown. Null for fewer than two queries and where
    `deviation` is 0. Source: Sakai 2016. Elsewhere: statsmodels `TTestPower().power`.

    >>> round(power_at(0.2, 50, 0.05), 6)  # noncentrality 0.05 x sqrt(50) / 0.2 = 1.767767
    0.410381
    """
    _check(deviation, alpha, sides)
    if n < 2 or deviation == 0:
        return None
    return _power(difference * math.sqrt(n) / deviation, n, alpha, sides)


def detectable(
    deviation: float, n: int, *, alpha: float = 0.05, power: float = 0.8, sides: int = 2
) -> float | None:
    """The smallest true difference that `n` queries show with probability `power`; above 0.

    Null for fewer than two queries and where `deviation` is 0, which says nothing of other queries.
    Source: Sakai 2016. Elsewhere: statsmodels `TTestPower().solve_power(effect_size=None)`.

    >>> round(detectable(0.2, 50), 6)
    0.080837
    """
    _check(deviation, alpha, sides, power)
    if n < 2 or deviation == 0:
        return None
    return _away(n, alpha, power, sides) * deviation / math.sqrt(n)


def needed(
    deviation: float, difference: float, *, alpha: float = 0.05, power: float = 0.8, sides: int = 2
) -> int:
    """The fewest queries, at least 2, that show a true `difference` with probability `power`.

    `difference` is above 0. Where `deviation` is 0 two queries do.
    Source: Sakai 2016. Elsewhere: statsmodels `TTestPower().solve_power(nobs=None)`, rounded up.

    >>> needed(0.2, 0.05)  # near ((1.960 + 0.842) x 0.2 / 0.05)**2 + 1.960**2 / 2 = 127.5
    128
    """
    _check(deviation, alpha, sides, power)
    if not difference > 0:
        raise UsageError("The difference is {seen}; expected a size above 0.", seen=difference)
    if deviation == 0:
        return 2

    def enough(n: int) -> bool:
        return _power(difference * math.sqrt(n) / deviation, n, alpha, sides) >= power

    upper = 2
    while not enough(upper):
        upper *= 2
    lower = upper // 2  # too few, or 1
    while upper - lower > 1:
        middle = (lower + upper) // 2
        lower, upper = (lower, middle) if enough(middle) else (middle, upper)
    return upper


def _power(away: float, n: int, alpha: float, sides: int) -> float:
    """The probability that t goes beyond the critical value, with noncentrality `away`."""
    return beyond(t_quantile(1 - alpha / sides, n - 1), n - 1, away, sides=sides)


@cache
def _away(n: int, alpha: float, power: float, sides: int) -> float:
    """The noncentrality at which the test has this power; the same for every deviation."""
    return _crossing(lambda away: _power(away, n, alpha, sides), power)


def _crossing(rising: Callable[[float], float], target: float) -> float:
    """Where a function that rises from 0 on reaches `target`, to 14 digits."""
    lower, upper = 0.0, 1.0
    while rising(upper) < target:
        lower, upper = upper, 2 * upper
    while upper - lower > 1e-14 * upper:
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if rising(middle) < target else (lower, middle)
    return upper


def _check(deviation: float, alpha: float, sides: int, power: float | None = None) -> None:
    """An error for settings that cannot be."""
    share("alpha", alpha)
    if not 0 <= deviation < math.inf:
        raise UsageError("The deviation is {seen}; expected a finite number, 0 or more.", seen=deviation)
    if sides not in (1, 2):
        raise UsageError("sides is {seen}; expected 1 or 2.", seen=sides)
    if power is not None and share("power", power) <= alpha:
        raise UsageError("power is {power}; expected more than alpha, {alpha}.", power=power, alpha=alpha)
