"""How far docs are apart: the mean over all pairs of a list."""

from collections.abc import Callable, Iterator

import numpy as np

from rankproof.measures.lines import Lines
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.known import Known
from rankproof.tables.rankings import ratio

AT_ONCE = 4_000_000  # components of pairs that are compared at once


def mean_distance(lines: Lines, known: Known, distance: str) -> Floats:
    """(n_queries,) the mean distance over the pairs of each list; 0 where there is no pair."""
    if distance == "cosine":
        return _mean_cosine(lines, known.directions)
    return _DISTANCES[distance](lines, known)


def _mean_cosine(lines: Lines, directions: Floats) -> Floats:
    """1 - the mean cosine. With vectors of length 1, Σ over pairs of u·v is (|Σ u|² - Σ |u|²) / 2: no pair is made."""
    cosines = np.zeros(lines.n_queries)
    start = np.searchsorted(lines.query, np.arange(lines.n_queries + 1))
    filled = np.flatnonzero(lines.n)
    step = max(AT_ONCE // max(directions.shape[1], 1), 1)
    for some in np.split(filled, np.flatnonzero(np.diff(start[filled] // step)) + 1) if len(filled) else ():
        unit = directions[lines.doc[start[some[0]] : start[some[-1] + 1]]]
        first = start[some] - start[some[0]]
        summed = np.add.reduceat(unit, first, axis=0)
        cosines[some] = (summed**2).sum(axis=1) - np.add.reduceat((unit**2).sum(axis=1), first)
    pairs = lines.n * (lines.n - 1)
    mean: Floats = np.maximum(ratio(pairs - cosines, pairs), 0.0)
    return mean


def _mean_jaccard(lines: Lines, known: Known) -> Floats:
    bits = known.categories

    def apart(one: Ints, other: Ints) -> Floats:
        shared = np.bitwise_count(bits[one] & bits[other]).sum(axis=-1)
        either = np.bitwise_count(bits[one] | bits[other]).sum(axis=-1)
        far: Floats = 1 - shared / either
        return far

    return _over_pairs(lines, apart, bits.shape[1])


def _mean_hamming(lines: Lines, known: Known) -> Floats:
    vectors = known.vectors

    def apart(one: Ints, other: Ints) -> Floats:
        far: Floats = (vectors[one] != vectors[other]).sum(axis=-1).astype(np.float64)
        return far

    return _over_pairs(lines, apart, vectors.shape[1])


_DISTANCES = {"jaccard": _mean_jaccard, "hamming": _mean_hamming}


def _over_pairs(lines: Lines, apart: Callable[[Ints, Ints], Floats], width: int) -> Floats:
    """(n_queries,) the mean of what `apart` says of each pair of docs."""
    added = np.zeros(lines.n_queries)
    for queries, docs in _of_one_length(lines, width):
        one, other = np.triu_indices(docs.shape[1], 1)
        far = np.ascontiguousarray(
            apart(docs[:, one], docs[:, other])
        )  # else the order of adding depends on the batch
        added[queries] = far.sum(axis=1)
    return ratio(added, lines.n * (lines.n - 1) / 2)


def _of_one_length(lines: Lines, width: int) -> Iterator[tuple[Ints, Ints]]:
    """Lists of one length, some at once: (n,) the queries and (n, length) their docs."""
    start = np.searchsorted(lines.query, np.arange(lines.n_queries))
    for length in np.unique(lines.n[lines.n > 1]).astype(np.int64).tolist():
        queries = np.flatnonzero(lines.n == length)
        step = max(AT_ONCE // (length * (length - 1) // 2 * max(width, 1)), 1)
        for first in range(0, len(queries), step):
            some = queries[first : first + step]
            yield some, lines.doc[start[some][:, None] + np.arange(length)]
