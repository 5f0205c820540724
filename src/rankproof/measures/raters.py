"""A measure by each rater's judgments, averaged over the raters of a query."""

from collections.abc import Callable

import numpy as np

from rankproof.tables.columns import Bools
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum

Met = Callable[[Rankings], Bools]


def over_raters(measured: Callable[[Rankings], Sum], met: Met, r: Rankings, empty: str, least: float) -> Sum:
    """(n_queries,) the mean over the raters of each query, 0 where nobody judged it.

    A rater by whose judgments the value is not defined counts 0 or 1 where `empty` says "zero" or "one",
    and is left out otherwise. `least` counts in place of 0 where no value of the measure is lower.
    """
    by = r.raters
    if by is None:
        return measured(r)
    defined = met(by.rankings)
    value = np.where(defined, measured(by.rankings).value, 1.0 if empty == "one" else least)
    counts = np.ones(len(defined)) if empty in ("zero", "one") else defined.astype(float)
    raters, added = (
        np.bincount(by.query, weights=column, minlength=r.n_queries).astype(np.float64)
        for column in (counts, value * counts)
    )
    return Sum.each(r, ratio(added, raters), {"raters": raters, "sum over raters": added})


def defined_for_some(met: Met, r: Rankings) -> Bools:
    """(n_queries,) True where the value is defined by the judgments of at least one rater."""
    if r.raters is None:
        return met(r)
    return np.bincount(r.raters.query, weights=met(r.raters.rankings), minlength=r.n_queries) > 0
