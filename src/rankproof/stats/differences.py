"""Differences: candidate minus baseline, one a query, made fit for decisions."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankproof.errors import UsageError

Floats = NDArray[np.float64]

DECIMALS = 12
UNIT = 10.0**-DECIMALS


def rounded(differences: ArrayLike) -> Floats:
    """(n,) the differences to 12 decimals; what floating point left over is no difference.

    Every question of sign, zero or tie is asked after this. A value that is not finite is an error.

    >>> rounded([0.1 + 0.2 - 0.3, 0.25]).tolist()  # 5.6e-17 is a tie
    [0.0, 0.25]
    """
    column = np.asarray(differences, np.float64)
    if column.ndim != 1:
        raise UsageError(
            "The differences have shape {seen}; expected one value a query, (n,).", seen=column.shape
        )
    with np.errstate(over="ignore", invalid="ignore"):
        settled: Floats = np.round(column, DECIMALS) + 0.0  # + 0.0 turns -0.0 into 0.0
    odd = np.flatnonzero(~np.isfinite(settled))
    if len(odd):
        raise UsageError(
            "Difference {place} of {n} is {seen}; expected a finite number. "
            "Leave out queries where a measure is not defined, or give them 0.",
            place=int(odd[0]) + 1,
            n=len(column),
            seen=column[odd[0]],
        )
    return settled


def same_queries(rows: Sequence[ArrayLike]) -> list[Floats]:
    """Each row of differences to 12 decimals; an error where rows have not as many queries as the others."""
    settled = [rounded(row) for row in rows]
    if len({len(row) for row in settled}) > 1:
        raise UsageError(
            "The rows have {seen} differences; expected the same queries in each, 0 where one is not defined.",
            seen=", ".join(str(len(row)) for row in settled),
        )
    return settled


def too_few(differences: Floats) -> str:
    """Why nothing can be said of so few queries: "no_common_query" or "n_below_2"; "" where it can."""
    return ("no_common_query", "n_below_2")[len(differences)] if len(differences) < 2 else ""


def mean_of(differences: Floats) -> float:
    """The mean of at least one difference; exactly the value where all are the same.

    >>> mean_of(rounded([0.1] * 6))
    0.1
    """
    first = float(differences[0])
    return math.fsum(differences) / len(differences) if np.any(differences != first) else first


def deviation_of(differences: Floats) -> float:
    """The standard deviation, n - 1 below; exactly 0 where all differences are the same.

    >>> deviation_of(rounded([0.1] * 6)), round(deviation_of(rounded([0.0, 0.2])), 4)
    (0.0, 0.1414)
    """
    return float(np.std(differences, ddof=1)) if np.any(differences != differences[0]) else 0.0


def share(name: str, value: float) -> float:
    """`value` where it lies between 0 and 1, else an error that names the setting."""
    if not 0 < value < 1:
        raise UsageError(
            "{name} is {seen}; expected a number between 0 and 1, such as 0.05 or 0.95.",
            name=name,
            seen=value,
        )
    return value
