"""Significance: whether a mean difference is more than chance, by Fisher's sign-flip test.

If two systems were alike, each query's difference might as well have had the other sign. So all signs are
tried, or a large sample of them, and p is the share that moves the sum at least as far as it was seen.

The sample is drawn so that the sign of query i in draw b depends on the seed, i and b alone: systems
swapped, other measures, other pairs and more draws all meet the same signs (see `signs`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rankproof.errors import UnknownName, UsageError
from rankproof.stats.differences import UNIT, Floats, same_queries, too_few
from rankproof.stats.signs import drawn_sums, signed_sums
from rankproof.wording import say

SIDES = {"two-sided": 2, "greater": 1}
EXACT_UP_TO = 36  # nonzero differences: two halves of 2**18 sums each
CHUNK = 131_072  # draws at a time, and
PAIRS = 16  # pairs at a time, so that their sums take at most 16 MiB


@dataclass(frozen=True)
class SignFlip:
    """What a sign-flip test found.

    p           probability of a sum at least as far out, if signs were chance; null with a reason
    floor       the smallest p that could have come out
    exact       True where all signs were tried, False where they were drawn
    error       standard error of p from drawing; 0 where exact
    n_nonzero   how many differences are not 0
    reason      "no_common_query" or "n_below_2" where p is null, else ""
    """

    p: float | None
    floor: float | None
    exact: bool
    error: float
    n_nonzero: int
    reason: str = ""


def sign_flip(
    differences: ArrayLike, *, seed: int = 0, draws: int = 100_000, alternative: str = "two-sided"
) -> SignFlip:
    """The probability that chance alone moves the mean difference this far, in (0, 1].

    differences   (n,) candidate minus baseline, queries sorted by id, 0 where one is not defined
    seed, draws   which signs are drawn, and how many, where more than 36 differences are not 0
    alternative   "two-sided", or "greater" for the candidate being better

    Exact up to 36 nonzero differences; beyond, p = (b + 1) / (draws + 1), never 0. All differences 0 give
    p = 1, fewer than two queries null. Sums tie when they differ by less than rounding to 12 decimals and
    floating point can account for; a tie counts as "at least as far".
    Source: Fisher 1935; Smucker, Allan and Carterette 2007; the "+ 1", Phipson and Smyth 2010.
    Elsewhere: scipy `permutation_test(permutation_type="samples")`, ranx "fisher".

    >>> found = sign_flip([0.2, 0.1, 0.3, 0.4, 0.25])
    >>> found.p, found.floor  # only all plus and all minus reach 1.25: 2 of 32
    (0.0625, 0.0625)
    """
    return sign_flips([differences], seed=seed, draws=draws, alternative=alternative)[0]


def sign_flips(
    pairs: Sequence[ArrayLike], *, seed: int = 0, draws: int = 100_000, alternative: str = "two-sided"
) -> list[SignFlip]:
    """The sign-flip test of many pairs over the same queries: what `sign_flip` says of each, bit for bit.

    pairs   (n_pairs, n) differences; a row for each pair of systems and each measure, queries sorted by id

    All pairs meet the same signs, so these are drawn once for all: a pair among many costs a third of what
    it costs alone.

    >>> [found.p for found in sign_flips([[0.2, 0.1, 0.3, 0.4, 0.25], [0.2, -0.1, 0.3, 0.4, 0.25]])]
    [0.0625, 0.125]
    """
    rows = same_queries(pairs)
    if alternative not in SIDES:
        raise UnknownName.of(say("alternative"), alternative, SIDES)
    if draws < 1 or seed < 0:
        raise UsageError(
            "seed is {seed} and draws is {draws}; expected a seed of 0 or more and at least one draw.",
            seed=seed,
            draws=draws,
        )
    sides = SIDES[alternative]
    known = [_undrawn(d, sides) for d in rows]
    counts = iter(_counts([d for d, flips in zip(rows, known, strict=True) if not flips], sides, seed, draws))
    return [flips or _estimate(next(counts), d, draws) for d, flips in zip(rows, known, strict=True)]


def _undrawn(d: Floats, sides: int) -> SignFlip | None:
    """What the test finds where there is nothing to test, or few enough signs to try all."""
    m = int(np.count_nonzero(d))
    if reason := too_few(d):
        return SignFlip(None, None, True, 0.0, m, reason)
    if m > EXACT_UP_TO:
        return None
    return SignFlip(_exact(d, _far(d, sides), sides), min(1.0, sides * 0.5**m), True, 0.0, m)


def _estimate(count: int, d: Floats, draws: int) -> SignFlip:
    """What the test finds where `count` of the drawn sums were at least as far out."""
    p = (count + 1) / (draws + 1)
    return SignFlip(p, 1 / (draws + 1), False, math.sqrt(p * (1 - p) / draws), int(np.count_nonzero(d)))


def _far(d: Floats, sides: int) -> float:
    """From where on a sum is at least as far out as the one that was seen."""
    seen = math.fsum(d)
    return (abs(seen) if sides == 2 else seen) - _slack(d)


def _slack(d: Floats) -> float:
    """How far two sums may lie apart that would be equal in exact arithmetic.

    Rounding moves each difference by up to half a unit of the twelfth decimal in either sum, so one unit
    a query; adding thousands of floats moves a sum by far less than 1e-12 of the sizes added.
    """
    return UNIT * (np.count_nonzero(d) + math.fsum(np.abs(d)))


def _exact(d: Floats, far: float, sides: int) -> float:
    """The share of all sign vectors whose sum is at least as far out."""
    if sides == 2 and far <= 0:
        return 1.0
    sizes = np.sort(np.abs(d[d != 0]))  # neither order nor signs of the differences matter from here
    return min(1.0, sides * _at_least(sizes, far) * 0.5 ** len(sizes))


def _at_least(sizes: Floats, far: float) -> int:
    """How many sign vectors give a sum of at least `far`: each sum of one half meets those of the other."""
    half = len(sizes) // 2
    one, other = np.sort(signed_sums(sizes[:half])), np.sort(signed_sums(sizes[half:]))
    # one is symmetric about 0, so far + one stands for far - one, but in rising order, which is faster
    short = np.searchsorted(other, far + one)
    return len(one) * len(other) - int(short.sum())


def _counts(rows: list[Floats], sides: int, seed: int, draws: int) -> list[int]:
    """How many of the drawn sign vectors give each pair a sum at least as far out."""
    counts = [0] * len(rows)
    for first in range(0, len(rows), PAIRS):
        some = rows[first : first + PAIRS]
        for start in range(0, draws, CHUNK):
            sums = drawn_sums(np.array(some), seed=seed, start=start, stop=min(start + CHUNK, draws))
            for place, (d, row) in enumerate(zip(some, sums, strict=True), first):
                counts[place] += int(np.count_nonzero((np.abs(row) if sides == 2 else row) >= _far(d, sides)))
    return counts
