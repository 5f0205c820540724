"""Signs: the one stream of random signs of a study, and the sums of differences under them.

The sign of query i in draw b depends on the seed, i and b alone: systems swapped, other measures, other
pairs and more draws all meet the same signs. A draw is a row of random words, a bit for each of 64 queries.

No sign is ever multiplied. Eleven queries have 2048 signed sums; eleven random bits say which of them a draw
meets. So one look-up adds eleven queries, and for four pairs of systems at once it is hardly dearer.
"""

import numpy as np
from numpy.typing import NDArray

from rankproof.stats.differences import Floats

Words = NDArray[np.uint64]

BLOCK = 64  # queries whose signs share one random word
GROUP = 11  # queries a look-up adds: a word is cut into six, and the tables stay in the processor's cache
PAIRS = 4  # pairs of systems whose sums stand side by side in a table: rows of 32 bytes are copied fastest
AT_ONCE = 8192  # draws that are looked up before the next table row, for the same cache


def drawn_signs(block: int, *, seed: int, start: int, stop: int) -> Words:
    """(stop - start,) random words for the draws `start` up to `stop`; bit i is the sign of query 64 block + i.

    Raw words of PCG64, one generator a block: numpy promises that these never change.

    >>> bool((drawn_signs(1, seed=7, start=0, stop=9)[4:] == drawn_signs(1, seed=7, start=4, stop=9)).all())
    True
    """
    stream = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(block,)))
    stream.advance(start)
    words: Words = stream.random_raw(stop - start)
    return words


def signed_sums(values: Floats) -> Floats:
    """(2**k, ...) all sums of (k, ...) values with signs; the sum at i has plus where i has a bit.

    >>> signed_sums(np.array([1.0, 10.0])).tolist()  # --, +-, -+, ++
    [-11.0, -9.0, 9.0, 11.0]
    """
    sums = np.zeros((2 ** len(values), *values.shape[1:]))
    for place, value in enumerate(values):
        known = sums[: 2**place]
        np.add(known, value, out=sums[2**place : 2 ** (place + 1)])
        known -= value
    return sums


def drawn_sums(differences: Floats, *, seed: int, start: int, stop: int) -> Floats:
    """(n_pairs, stop - start) each pair's sum of differences under the drawn signs `start` up to `stop`.

    differences   (n_pairs, n) float64; every pair meets the same signs

    A pair's sums are bit for bit the same whatever stands beside it and wherever the draws are cut: its
    numbers are added in one order.
    """
    n_pairs, n = differences.shape
    sides = [differences[first : first + PAIRS].T.copy() for first in range(0, n_pairs, PAIRS)]
    sums = [np.zeros((stop - start, side.shape[1])) for side in sides]
    moved = np.logical_or.reduce(differences, axis=0)
    for block in range(0, n, BLOCK):
        if not moved[block : block + BLOCK].any():
            continue  # each block has signs of its own, so that none is used up by leaving it out
        words = drawn_signs(block // BLOCK, seed=seed, start=start, stop=stop)
        for first in range(0, min(BLOCK, n - block), GROUP):
            rows = slice(block + first, block + min(first + GROUP, BLOCK))
            if moved[rows].any():
                _add(sums, [signed_sums(side[rows]) for side in sides], words, first)
    return np.concatenate(sums, axis=1).T


def _add(sums: list[Floats], tables: list[Floats], words: Words, first: int) -> None:
    """Add to each draw the row of each table that the bits of its word from `first` on say."""
    shift, mask = np.uint64(first), np.uint64(len(tables[0]) - 1)
    found = np.empty((AT_ONCE, PAIRS)).reshape(-1)
    for start in range(0, len(words), AT_ONCE):
        which = ((words[start : start + AT_ONCE] >> shift) & mask).view(np.int64)
        for total, table in zip(sums, tables, strict=True):
            part = total[start : start + AT_ONCE]
            rows = found[: part.size].reshape(part.shape)
            # no place lies outside the table; "clip" spares the copy that numpy makes to be able to raise
            part += table.take(which, axis=0, out=rows, mode="clip")
