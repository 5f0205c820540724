"""The engine of this machine: every measure, on batches of whole queries."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


class Measured(NamedTuple):
    """One measure of n queries: its values, where they are defined, and the judged share in the cutoff.

    Where the value is of the whole run it stands in `whole`, and no query has one.
    """

    value: Floats
    defined: Bools
    judged: Floats
    sum: Sum | None = None
    texts: tuple[str, ...] = ()
    whole: float | None = None


def measure_one(measure: Measure, rankings: Rankings) -> Measured:
    """`measure` of every query, with the sum it came from."""
    found = measure.of(rankings)
    shown = rankings.n_shown(measure.at)
    judged = ratio(rankings.n_hits(measure.at), shown)
    judged[shown == 0] = np.nan
    if measure.mean == "run":
        nothing = np.full(rankings.n_queries, np.nan)
        return Measured(nothing, np.zeros(rankings.n_queries, bool), judged, found, whole=found.whole)
    return Measured(found.value, measure.defined(rankings), judged, found, found.texts)


def measure_batches(
    measures: Sequence[Measure], rankings: Rankings, *, rows: int = 100_000
) -> list[Measured]:
    """Every measure of every query, in batches of about `rows` hits, small enough for a processor's cache.

    Sums are not kept, so hits below a measure's cutoff need not be looked at. A value of the whole run is
    measured at once, as it is no sum over batches.
    """
    of_the_run = [m.mean == "run" for m in measures]
    by_query = [m for m, whole in zip(measures, of_the_run, strict=True) if not whole]
    parts = [_measure_all(by_query, part) for part in batches(rankings, rows)]
    joined = (
        Measured(
            np.concatenate([part[place].value for part in parts]),
            np.concatenate([part[place].defined for part in parts]),
            np.concatenate([part[place].judged for part in parts]),
            texts=tuple(text for part in parts for text in part[place].texts),
        )
        for place in range(len(by_query))
    )
    return [
        measure_one(m, rankings)._replace(sum=None) if whole else next(joined)
        for m, whole in zip(measures, of_the_run, strict=True)
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


def of_the_runs(
    runs: Iterable[str], names: Sequence[str], results: Sequence[Sequence[Measured]]
) -> dict[tuple[str, str], float]:
    """The values of whole runs, by run and measure."""
    return {
        (run, name): one.whole
        for run, measured in zip(runs, results, strict=True)
        for name, one in zip(names, measured, strict=True)
        if one.whole is not None
    }


def sums_of(
    runs: Iterable[str], names: Sequence[str], results: Sequence[Sequence[Measured]]
) -> dict[tuple[str, str], Sum]:
    """Each value's sum by run and measure, where it was kept."""
    return {
        (run, name): one.sum
        for run, measured in zip(runs, results, strict=True)
        for name, one in zip(names, measured, strict=True)
        if one.sum is not None
    }


def texts_of(
    runs: Iterable[str], names: Sequence[str], results: Sequence[Sequence[Measured]]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """What measures say that are texts, by run and measure."""
    return {
        (run, name): one.texts
        for run, measured in zip(runs, results, strict=True)
        for name, one in zip(names, measured, strict=True)
        if one.texts
    }
