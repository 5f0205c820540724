"""Resampling: how far a mean would move with other queries, by drawing n queries of n, with replacement.

A resample is a count for each query, and its mean the counts times the values. The counts of resample b
depend on the seed, n and b alone: systems swapped, other measures and other pairs all meet the same ones.
"""

import numpy as np

from rankproof.errors import UsageError
from rankproof.stats.differences import Floats

AT_ONCE = 65_536  # counts that are held at a time, in the processor's cache
BINS = 8192  # counts that are counted into at a time, so that these stay in the processor's nearest cache
FEW = 16  # so many queries for each distinct value, and drawing how often each value comes is faster


def resampled_counts(n: int, *, seed: int, start: int, stop: int) -> Floats:
    """(stop - start, n) how often each of n queries is drawn in the resamples `start` up to `stop`.

    Half a raw word of PCG64 for each draw, multiplied out to a query: no query is likelier than another by
    more than a share of n / 2**32. numpy promises that the raw words never change.

    >>> resampled_counts(5, seed=0, start=0, stop=4).sum(axis=1).tolist()
    [5.0, 5.0, 5.0, 5.0]
    >>> last = resampled_counts(5, seed=0, start=3, stop=4)
    >>> bool((resampled_counts(5, seed=0, start=0, stop=4)[3] == last).all())
    True
    """
    counts = np.empty((stop - start, n))
    _count(counts, _stream(n, seed, start))
    return counts


def _stream(n: int, seed: int, start: int) -> np.random.PCG64:
    """The words of the resamples of n queries, from resample `start` on."""
    # the signs have keys of one number, so that no word serves twice
    stream = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    stream.advance(start * _words(n))
    return stream


def _words(n: int) -> int:
    """How many words a resample of n queries uses; of an odd n, half a word is left over."""
    return (n + 1) // 2


def _count(counts: Floats, stream: np.random.PCG64) -> None:
    """Fill (k, n) counts with the next k resamples of the stream."""
    n = counts.shape[1]
    together = max(1, BINS // n)
    for first in range(0, len(counts), together):
        some = counts[first : first + together]
        words = stream.random_raw(len(some) * _words(n)).astype("<u8", copy=False)
        drawn = words.view("<u4") * np.uint64(n)
        drawn >>= np.uint64(32)
        places = drawn.view(np.int64).reshape(len(some), -1)[:, :n]
        if len(some) > 1:
            places += n * np.arange(len(some))[:, None]
        some[:] = np.bincount(places.ravel(), minlength=some.size).reshape(some.shape)


def resampled_means(rows: Floats, *, seed: int = 0, resamples: int = 10_000) -> Floats:
    """(n_rows, resamples) the mean of each row in each resample; all rows meet the same resamples.

    rows   (n_rows, n) float64, a value for each query, one row for each system, measure or pair

    Resamples are counted once for all rows, some at a time, so that memory does not grow with them. A row's
    means are bit for bit the same whatever stands beside it.
    Source: Efron 1979. Elsewhere: scipy `bootstrap(paired=True).bootstrap_distribution`.

    >>> means = resampled_means(np.array([[0.0, 1.0], [1.0, 3.0]]), resamples=200)
    >>> np.unique(means, axis=1).tolist()  # of two queries: the one, both, the other
    [[0.0, 0.5, 1.0], [1.0, 2.0, 3.0]]
    """
    checked(seed, resamples)
    n_rows, n = rows.shape
    means = np.empty((n_rows, resamples))
    counts = np.empty((max(1, AT_ONCE // n), n))
    stream = _stream(n, seed, 0)
    for start in range(0, resamples, len(counts)):
        part = slice(start, min(start + len(counts), resamples))
        some = counts[: part.stop - start]
        _count(some, stream)
        for row, mean in zip(rows, means, strict=True):
            # not a matrix product: in one of those, the order of adding up depends on what stands beside it
            np.einsum("cn,n->c", some, row, out=mean[part])
    means /= n
    return means


def means_of_few(values: Floats, *, seed: int = 0, resamples: int = 10_000) -> Floats:
    """(resamples,) the means of resamples of values of which few are distinct, such as reciprocal ranks.

    Instead of n queries, it is drawn how often each distinct value comes, in the order in which the values
    appear, so that swapped systems draw the same. These are resamples of their own, with the same
    distribution as those of `resampled_means`; and numpy may draw them otherwise in a later version.

    >>> sorted(set(means_of_few(np.array([0.0, 1.0]), resamples=200).tolist()))
    [0.0, 0.5, 1.0]
    """
    checked(seed, resamples)
    distinct, firsts, counts = np.unique(values, return_index=True, return_counts=True)
    order = np.argsort(firsts)
    n, chances = len(values), counts[order] / len(values)
    draw = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(0, 1))))
    means = np.empty(resamples)
    chunk = max(1, AT_ONCE // len(distinct))
    for start in range(0, resamples, chunk):
        drawn = draw.multinomial(n, chances, size=len(means[start : start + chunk])).astype(np.float64)
        np.einsum("ck,k->c", drawn, distinct[order], out=means[start : start + chunk])
    means /= n
    return means


def has_few(values: Floats) -> bool:
    """Whether so few values are distinct that `means_of_few` is the faster way."""
    return len(np.unique(values)) * FEW <= len(values)


def checked(seed: int, resamples: int) -> None:
    """An error where the seed or the number of resamples is none."""
    if resamples < 1 or seed < 0:
        raise UsageError(
            "seed is {seed} and resamples is {resamples}; expected a seed of 0 or more and at least one resample.",
            seed=seed,
            resamples=resamples,
        )
