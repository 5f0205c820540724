"""What a grade is worth, and what a place is worth."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import Floats, Ints

FULLEST = 1_000_000  # places of a full list that are added up
LARGEST_EXPONENT = 1000  # a sum of thousands of such gains is still a number


def worth(grade: Ints, gain: object) -> Floats:
    """(n_rows,) what each grade is worth: linear, exp2, binary, or by a table."""
    if gain == "linear":
        return grade.astype(float)
    if gain == "exp2":
        return _exponential(grade)
    if gain == "binary":
        return (grade >= 1).astype(float)
    table: Mapping[int, float] = gain  # type: ignore[assignment]  # none of the words, so a table
    levels, place = np.unique(grade, return_inverse=True)
    return np.array([float(table.get(int(level), level)) for level in levels], float)[place]


def _exponential(grade: Ints) -> Floats:
    """(n_rows,) 2^grade - 1; a grade whose gain no double can hold is an error."""
    if grade.max(initial=0) > LARGEST_EXPONENT:
        raise UsageError(
            "The grade {grade} is too high for the gain exp2; 2^grade is a number up to grade {largest}. "
            "Use the gain linear, or a table such as 1=1,2=3.",
            grade=int(grade.max()),
            largest=LARGEST_EXPONENT,
        )
    return np.exp2(grade) - 1


def discounted(discount: str, base: float) -> Callable[[Ints], Floats]:
    """A function from ranks to what their places are worth.

    log   1 / log_base(rank + 1)
    jk    1 / log_base(rank) from rank `base` on, 1 before (the form of 2002)
    zipf  1 / rank
    none  1
    """
    return partial(_DISCOUNTS[discount], base=base)


def of_full_list(worth: Callable[[Ints], Floats], cutoff: int) -> float:
    """What all places down to `cutoff` are worth together; an error where they are too many to be added up.

    >>> of_full_list(discounted("zipf", 2.0), 2)  # 1/1 + 1/2
    1.5
    """
    if cutoff > FULLEST:
        raise UsageError(
            "The cutoff is {cutoff}, and a measure that divides by a full list of so many docs goes to {largest} at "
            "most. Choose a cutoff that lists reach.",
            cutoff=cutoff,
            largest=FULLEST,
        )
    return float(worth(np.arange(1, cutoff + 1)).sum())


def _log(rank: Ints, base: float) -> Floats:
    return 1 / (np.log2(rank + 1) if base == 2 else np.log(rank + 1) / np.log(base))


def _jk(rank: Ints, base: float) -> Floats:
    return 1 / np.maximum(np.log2(rank) if base == 2 else np.log(rank) / np.log(base), 1.0)


def _zipf(rank: Ints, base: float) -> Floats:  # noqa: ARG001 - every discount is asked alike
    return 1 / rank


def _none(rank: Ints, base: float) -> Floats:  # noqa: ARG001 - every discount is asked alike
    return np.ones(len(rank))


_DISCOUNTS = {"log": _log, "jk": _jk, "zipf": _zipf, "none": _none}
DISCOUNTS = tuple(_DISCOUNTS)
