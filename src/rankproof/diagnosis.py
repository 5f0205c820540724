"""Diagnosis: what a conclusion hangs on: the cutoff of its measure, and queries that cannot get better.

Reads the rankings from which values were made, so no run is laid over the judgments again.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankproof.errors import RankproofError, UsageError
from rankproof.measures.combining import Combination
from rankproof.measures.measure import Measure
from rankproof.measures.naming import measure_called, parse_measure
from rankproof.stats.differences import UNIT, mean_of, rounded
from rankproof.stats.intervals import paired_t
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.comparisons import Comparisons, Interval
from rankproof.tables.diagnoses import AtCutoff, Ceiling, Diagnosis, Finer
from rankproof.tables.measurements import Measurements

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)


def diagnose(
    found: Measurements, compared: Comparisons | None = None, measure: str | None = None
) -> Diagnosis:
    """How the conclusion depends on the cutoff, and how many queries are at the ceiling of the measure.

    `measure` is one of those measured, the first that has a value for each query by default; of a combination its
    first part is looked at. Without `compared` there are only ceilings, and where ties are averaged one order
    at a time there are no other cutoffs. Where more than half of at least 5
    queries are at the ceiling for candidate and baseline, finer yardsticks are tried on the ties. The result is empty
    where the rankings were not kept, or where the measure is no longer known by its name.

    >>> from rankproof import Judgments, Run, compare, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 2, "B": 1, "C": 1}})
    >>> runs = [Run.from_dict("old", {"q": ["A", "x", "y"]}), Run.from_dict("new", {"q": ["B", "A", "C"]})]
    >>> found = evaluate(judgments, runs, "nDCG@3")
    >>> [(turn.before.cutoff, turn.after.cutoff) for turn in diagnose(found, compare(found)).turns]
    [(1, 3)]
    """
    lead = _lead(found, measure)
    if lead is None:
        return Diagnosis()
    name = lead.full_name
    single = [_ceiling(found, lead, (run,)) for run in found.runs]
    if compared is None:
        return Diagnosis(name, ceilings=_told(single))
    base = compared.baseline
    both = [_ceiling(found, lead, (one, base)) for one in compared.candidates]
    finer = [row for c in both if c and c.saturated for row in _finer(found, lead, base, c.runs[0])]
    profile = cutoff_profile(found, name, compared=compared) if _cheap(found, lead) else ()
    return Diagnosis(name, base, profile, _told([*single, *both]), tuple(finer))


def cutoff_profile(
    found: Measurements,
    measure: str,
    cutoffs: Sequence[int] = CUTOFFS,
    *,
    compared: Comparisons | None = None,
) -> tuple[AtCutoff, ...]:
    """Every candidate against the baseline under one measure at several cutoffs, from the rankings that were kept.

    The cutoff of `measure` itself is among them, or the whole list where it has none; cutoffs beyond the
    longest list and the largest pool change nothing more and are left out, but for the first. The baseline is
    that of `compared`, or the first run. An interval is the paired t interval.

    >>> from rankproof import Judgments, Run, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 2, "B": 1, "C": 1}})
    >>> runs = [Run.from_dict("old", {"q": ["A", "x", "y"]}), Run.from_dict("new", {"q": ["B", "A", "C"]})]
    >>> rows = cutoff_profile(evaluate(judgments, runs, "nDCG@3"), "nDCG@3")
    >>> [(row.cutoff, round(row.difference, 4)) for row in rows]  # 1/2 - 1; 2.7619 / 3.1309 - 2 / 3.1309
    [(1, -0.5), (3, 0.2433)]
    """
    lead = measure_called(measure, found.conventions)
    if not _kept(found, lead):
        raise UsageError(
            "The rankings of {measure} were not kept; evaluate with keep=True to look at other cutoffs.",
            measure=measure,
        )
    base = compared.baseline if compared else found.runs[0]
    level = compared.level if compared else 0.95
    whole = [] if lead.at else [lead]
    known = sorted({*_deep_enough(found, lead, cutoffs), *([lead.at] if lead.at else [])})
    measures = [*(lead.with_(at=k) for k in known), *whole]
    before = [_values(found, base, lead, each) for each in measures]
    return tuple(
        _row(candidate, each, old, _values(found, candidate, lead, each), level)
        for candidate in (run for run in found.runs if run != base)
        for each, old in zip(measures, before, strict=True)
    )


def _lead(found: Measurements, measure: str | None) -> Measure | None:
    """The measure that is looked at; None where it cannot be."""
    kinds = zip(found.measures, found.means_are, strict=True)
    name = next((m for m, kind in kinds if kind == "arithmetic"), "") if measure is None else measure
    name = found.combinations[name][0][1] if name in found.combinations else name
    try:
        lead = measure_called(name, found.conventions)
    except RankproofError:  # a measure of somebody's own, given as an object
        return None
    return lead if lead.full_name == name and _kept(found, lead) else None


def _kept(found: Measurements, lead: Measure) -> bool:
    """True where the rankings of the measure were kept, in every run."""
    one_by_one = not isinstance(lead, Combination)
    return one_by_one and all((run, lead.full_name) in found.rankings for run in found.runs)


def _cheap(found: Measurements, lead: Measure) -> bool:
    """True where the measure has cutoffs, and needs no mean over orders one by one at each of them."""
    averaged = any(found.rankings[run, lead.full_name].averaged for run in found.runs)
    return lead.cutoff != "none" and (lead.linear or not averaged)


def _deep_enough(found: Measurements, lead: Measure, cutoffs: Sequence[int]) -> list[int]:
    """The cutoffs up to the first one beyond which nothing stands."""
    seen = [found.rankings[run, lead.full_name] for run in found.runs]
    deepest = max(int(max(r.n_retrieved.max(initial=0), r.pool.n_retrieved.max(initial=0))) for r in seen)
    rising = sorted(set(cutoffs))
    return [k for place, k in enumerate(rising) if not place or rising[place - 1] < deepest]


def _values(found: Measurements, run: str, lead: Measure, measure: Measure) -> Floats:
    """(n_queries,) the values of another measure where the lead has one; what a convention settled stays so."""
    own, rankings = found.of(run, lead.full_name), found.rankings[run, lead.full_name]
    means_something = measure.defined(rankings) & ~np.isnan(own)
    return np.where(means_something, measure.of(rankings).value, own)


def _row(candidate: str, measure: Measure, before: Floats, after: Floats, level: float) -> AtCutoff:
    both = ~np.isnan(before) & ~np.isnan(after)
    paired = rounded(after[both] - before[both])
    interval = paired_t(paired, level)
    n = len(paired)
    return AtCutoff(
        candidate,
        measure.full_name,
        measure.at,
        n,
        mean_of(before[both]) if n else None,
        mean_of(after[both]) if n else None,
        mean_of(paired) if n else None,
        Interval(level, interval.lower, interval.upper, interval.method, interval.reason),
    )


def _told(ceilings: Sequence[Ceiling | None]) -> tuple[Ceiling, ...]:
    return tuple(one for one in ceilings if one is not None)


def _ceiling(found: Measurements, lead: Measure, runs: tuple[str, ...]) -> Ceiling | None:
    """How many queries are at the ceiling in all of `runs`; None where the ideal order is not known to be the best."""
    by_raters = lead.values.get("raters") == "mean"  # the ideal list is that of the first grades
    if not lead.best_first or lead.sees != "hits" or by_raters:
        return None
    there = [_at_ceiling(found, lead, run) for run in runs]
    counted = np.logical_and.reduce([known for known, _ in there])
    reached = np.logical_and.reduce([at for _, at in there])
    return Ceiling(runs, int(counted.sum()), int((counted & reached).sum()))


def _at_ceiling(found: Measurements, lead: Measure, run: str) -> tuple[Bools, Bools]:
    """(n_queries,) where the value means something, and where no order of the judged docs gives a better one."""
    own, rankings = found.of(run, lead.full_name), found.rankings[run, lead.full_name]
    known = lead.defined(rankings) & ~np.isnan(own)
    best = lead.of(rankings.ideal).value
    return known, known & (np.nan_to_num(own) >= best - UNIT)


def yardsticks(lead: Measure) -> list[Measure]:
    """What may tell apart what `lead` does not: a steeper discount, exponential gain, fewer places, and all places.

    >>> from rankproof import parse_measure
    >>> [str(one) for one in yardsticks(parse_measure("Success@10"))]
    ['nDCG(discount=zipf)@10', 'nDCG(gain=exp2)@10', 'Success@5', 'nDCG']
    """
    steeper, exponential = parse_measure("nDCG(discount=zipf)"), parse_measure("nDCG(gain=exp2)")
    fewer = max((k for k in CUTOFFS if lead.at and k < lead.at), default=None)
    found = [
        *(one if lead.at is None else one.with_(at=lead.at) for one in (steeper, exponential)),
        *([lead.with_(at=fewer)] if fewer else []),
        parse_measure("nDCG"),
    ]
    named = [replace(one, aspect=lead.aspect) for one in found]
    return [one for one in named if one.full_name != lead.full_name]


def _finer(found: Measurements, lead: Measure, base: str, candidate: str) -> list[Finer]:
    """What finer yardsticks make of the queries in which the lead sees no difference."""
    tied = _difference(found, lead, lead, base, candidate) == 0
    rows = []
    for one in yardsticks(lead):
        each = one.under(found.conventions)
        apart = _difference(found, lead, each, base, candidate)[tied]
        better, worse = int((apart > 0).sum()), int((apart < 0).sum())
        rows.append(Finer(candidate, each.full_name, int(tied.sum()), better, worse))
    return rows


def _difference(found: Measurements, lead: Measure, measure: Measure, base: str, candidate: str) -> Floats:
    """(n_queries,) candidate minus baseline; NaN where either has no value."""
    change = _values(found, candidate, lead, measure) - _values(found, base, lead, measure)
    known = ~np.isnan(change)
    change[known] = rounded(change[known])
    return change
