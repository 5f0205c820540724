"""Multiplicity: p-values of several comparisons that belong together."""

from collections.abc import Sequence

from rankproof.errors import UsageError


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Each p-value adjusted so that one false alarm or more in the whole family stays as rare as alpha.

    In rising order p(i) becomes the largest of (m - j + 1) p(j) over j <= i, at most 1. An undefined
    p-value leaves the family, which is then smaller by one, and stays undefined. The order is kept; an
    empty family gives an empty list.
    Source: Holm 1979. Elsewhere: statsmodels `multipletests(method="holm")`.

    >>> holm([0.01, None, 0.04])  # 2 x 0.01, then 1 x 0.04
    [0.02, None, 0.04]
    """
    family = sorted((_checked(p), place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for before, (p, place) in enumerate(family):
        largest = max(largest, min(1.0, (len(family) - before) * p))
        adjusted[place] = largest
    return adjusted


def _checked(p: float) -> float:
    if not 0 <= p <= 1:
        raise UsageError("A p-value is {seen}; expected 0 to 1, or None where it is not defined.", seen=p)
    return float(p)
