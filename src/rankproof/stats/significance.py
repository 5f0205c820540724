"""Significance: whether a mean difference is more than chance, by Fisher's sign-flip test.

If two systems were alike, each query's difference might as well have had the other sign. So all signs are
tried, or a large sample of them, and p is the share that moves the sum at least as far as it was seen.

The sample is drawn so that the sign of query i in draw b depends on the seed, i and b alone: systems
swapped, other measures, other pairs and more draws all meet the same signs.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankproof.errors import UnknownName, UsageError
from rankproof.stats.differences import UNIT, Floats, rounded, too_few
from rankproof.wording import say

SIDES = {"two-sided": 2, "greater": 1}
EXACT_UP_TO = 36  # nonzero differences: two halves of 2**18 sums each
BLOCK = 64  # queries whose signs share one random word
CHUNK = 32_768  # draws at a time, so that what is worked on stays in the processor's cache


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
    d = rounded(differences)
    if alternative not in SIDES:
        raise UnknownName.of(say("alternative"), alternative, SIDES)
    if draws < 1 or seed < 0:
        raise UsageError(
            "seed is {seed} and draws is {draws}; expected a seed of 0 or more and at least one draw.",
            seed=seed,
            draws=draws,
        )
    sides, m = SIDES[alternative], int(np.count_nonzero(d))
    if reason := too_few(d):
        return SignFlip(None, None, True, 0.0, m, reason)
    seen = math.fsum(d)
    far = (abs(seen) if sides == 2 else seen) - _slack(d)
    if m <= EXACT_UP_TO:
        return SignFlip(_exact(d, far, sides), min(1.0, sides * 0.5**m), True, 0.0, m)
    p = (_drawn(d, far, sides, seed, draws) + 1) / (draws + 1)
    return SignFlip(p, 1 / (draws + 1), False, math.sqrt(p * (1 - p) / draws), m)


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


def signed_sums(values: Floats) -> Floats:
    """(..., 2**k) all sums of (..., k) values with signs; the sum at i has plus where i has a bit.

    >>> signed_sums(np.array([1.0, 10.0])).tolist()  # --, +-, -+, ++
    [-11.0, -9.0, 9.0, 11.0]
    """
    sums = np.zeros((*values.shape[:-1], 1))
    for place in range(values.shape[-1]):
        value = values[..., place, None]
        sums = np.concatenate((sums - value, sums + value), axis=-1)
    return sums


def _drawn(d: Floats, far: float, sides: int, seed: int, draws: int) -> int:
    """How many of the drawn sign vectors give a sum at least as far out."""
    found = 0
    for start in range(0, draws, CHUNK):
        sums = drawn_sums(d, seed=seed, start=start, stop=min(start + CHUNK, draws))
        found += int(np.count_nonzero((np.abs(sums) if sides == 2 else sums) >= far))
    return found


def drawn_sums(d: Floats, *, seed: int, start: int, stop: int) -> Floats:
    """(stop - start,) the sums of the differences under the drawn sign vectors `start` up to `stop`.

    Eight queries at a time: a byte of signs looks up one of their 256 signed sums.
    """
    blocks = np.pad(d, (0, -len(d) % BLOCK)).reshape(-1, BLOCK // 8, 8)
    sums = np.zeros(stop - start)
    for block in np.flatnonzero(blocks.any(axis=(1, 2))):
        signs = drawn_signs(int(block), seed=seed, start=start, stop=stop)
        tables = signed_sums(blocks[block])
        for eight in np.flatnonzero(blocks[block].any(axis=1)):
            sums += tables[eight].take(signs[:, eight])
    return sums


def drawn_signs(block: int, *, seed: int, start: int, stop: int) -> NDArray[np.uint8]:
    """(stop - start, 8) random bytes, a bit for each of 64 queries, for the draws `start` up to `stop`.

    Raw words of PCG64, one generator a block: numpy promises that these never change.

    >>> bool((drawn_signs(1, seed=7, start=0, stop=9)[4:] == drawn_signs(1, seed=7, start=4, stop=9)).all())
    True
    """
    stream = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(block,)))
    stream.advance(start)
    words = stream.random_raw(stop - start).astype("<u8", copy=False)
    return words.view(np.uint8).reshape(-1, BLOCK // 8)
