"""The engine of this machine: every measure, on batches of whole queries."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


class Measured(NamedTuple):
    """One measure of n queries: its values, where they are defined, and the judged share in the cutoff."""

    value: Floats
    defined: Bools
    judged: Floats
    sum: Sum | None = None


def measure_one(measure: Measure, rankings: Rankings) -> Measured:
    """`measure` of every query, with the sum it came from."""
    found = measure.of(rankings)
    shown = rankings.n_shown(measure.at)
    judged = ratio(rankings.n_hits(measure.at), shown)
    judged[shown == 0] = np.nan
    return Measured(found.value, measure.defined(rankings), judged, found)


def measure_batches(
    measures: Sequence[Measure], rankings: Rankings, *, rows: int = 100_000
) -> list[Measured]:
    """Every measure of every query, in batches of about `rows` hits, small enough for a processor's cache.

    Sums are not kept, so hits below a measure's cutoff need not be looked at.
    """
    parts = [_measure_all(measures, part) for part in batches(rankings, rows)]
    return [
        Measured(
            np.concatenate([part[place].value for part in parts]),
            np.concatenate([part[place].defined for part in parts]),
            np.concatenate([part[place].judged for part in parts]),
        )
        for place in range(len(measures))
    ]


def _measure_all(measures: Sequence[Measure], rankings: Rankings) -> list[Measured]:
    """Every measure of one batch; those with the same cutoff see the same hits."""
    cut: dict[int, Rankings] = {}
    found = []
    for measure in measures:
        seen = rankings
        if measure.at is not None and measure.sees == "hits" and not rankings.averaged:
            seen = cut.setdefault(measure.at, cut.get(measure.at) or rankings.cut(measure.at))
        found.append(measure_one(measure, seen)._replace(sum=None))
    return found


def batches(rankings: Rankings, rows: int) -> Iterator[Rankings]:
    """Parts of whole queries of about `rows` hits each; at least one, also of no queries."""
    start = 0
    while start < rankings.n_queries or start == 0:
        stop = int(np.searchsorted(rankings.offsets, rankings.offsets[start] + max(rows, 1), "right")) - 1
        stop = min(max(stop, start + 1), rankings.n_queries)
        yield rankings.part(start, stop)
        start = max(stop, 1)
