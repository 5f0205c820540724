"""Comparison: measurements to differences, intervals and tests, per query and on average."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankproof.errors import NotComparable, NothingToEvaluate, UsageError
from rankproof.stats.differences import deviation_of, mean_of, rounded
from rankproof.stats.intervals import paired_t
from rankproof.stats.multiplicity import holm
from rankproof.stats.planning import detectable
from rankproof.stats.significance import SignFlip, sign_flips
from rankproof.tables.columns import Bools, among_of, numbers
from rankproof.tables.comparisons import Comparison, Comparisons, Interval, QueryDifference
from rankproof.tables.measurements import REASONS, Measurements, kept_of
from rankproof.weighing import weight_sensitivity
from rankproof.wording import say


def compare(
    *results: Measurements,
    baseline: str | None = None,
    primary: Sequence[str] = (),
    level: float = 0.95,
    seed: int = 0,
) -> Comparisons:
    """Every other run against `baseline` (the first run by default): differences, intervals and tests.

    Takes one result with several runs, or several results that measured the same thing; conventions,
    judgments and rubric versions that differ raise NotComparable. A query counts where both values are
    defined. The interval is a paired t interval, p comes from sign flips of the mean difference, and
    Holm's adjustment is over all candidates and `primary` measures (the first measure by default). Of each
    combination it is told how far the conclusion depends on its weights; see `weight_sensitivity`.

    >>> from rankproof import Judgments, Run, compare, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1, "D": 0, "E": 0}})
    >>> runs = [Run.from_dict("first", {"q": list("CADBE")}), Run.from_dict("second", {"q": list("ABCDE")})]
    >>> found = compare(evaluate(judgments, runs, "nDCG@3"))
    >>> round(found.rows[0].difference, 6), found.rows[0].wins
    (0.392508, 1)
    """
    result = joined(results)
    base, candidates = _sides(result, baseline)
    measures = [m for m, k in zip(result.measures, result.means_are, strict=True) if k == "arithmetic"]
    texts = {measure for _, measure in result.texts}
    measures = [measure for measure in measures if measure not in texts]
    if not measures:
        raise UsageError(
            "Only counts, texts and means of another kind were asked for. Name a measure that has a value for each query, such as nDCG@10."
        )
    for name in primary:
        result.of(base, name)  # an unknown one raises with the nearest names
    tags = {tag: among_of(result.queries, some) for tag, some in result.questions.by_tag.items()}
    pairs = [
        _Pair(result, base, candidate, measure, level) for candidate in candidates for measure in measures
    ]
    # every comparison of a seed draws the same sign for the same query, so all are tested at once
    tested = sign_flips([pair.settled for pair in pairs], seed=seed)
    rows: list[Comparison] = []
    for pair, flips in zip(pairs, tested, strict=True):
        rows.append(pair.overall(flips))
        rows += (pair.among(tag, here) for tag, here in tags.items())
    if not any(row.n for row in rows):
        raise NothingToEvaluate(
            "Baseline {baseline} and the candidates have no query in common that can be evaluated. "
            "Check that the runs belong to these judgments.",
            baseline=base,
        )
    rows = _adjusted(rows, set(primary) or {measures[0]})
    weights = tuple(
        weight_sensitivity(result, combination, base, candidate, level=level)
        for candidate in candidates
        for combination in result.combinations
    )
    return Comparisons(
        base, candidates, result.conventions, result.populations, tuple(rows), seed, level, weights
    )


def _sides(result: Measurements, baseline: str | None) -> tuple[str, tuple[str, ...]]:
    """The baseline and the candidates; refused where they cannot be compared."""
    if result.differing:
        raise NotComparable(
            "The systems displayed different docs for {n:query|queries}, the first being {query}, though the "
            "candidates are fixed. Rerun both over the same candidates.",
            n=len(result.differing),
            query=result.differing[0],
        )
    if len(result.runs) < 2:
        raise UsageError("Only one run was given; a comparison needs a baseline and a candidate.")
    base = result.runs[0] if baseline is None else baseline
    result.of(base, result.measures[0])  # an unknown one raises with the nearest names
    return base, tuple(run for run in result.runs if run != base)


def joined(results: Sequence[Measurements]) -> Measurements:
    """Several results as one; NotComparable where they did not measure the same thing."""
    if not results:
        raise UsageError("No result was given; a comparison needs measurements.")
    first = results[0]
    for other in results[1:]:
        for what, mine, theirs in (
            (say("conventions"), first.conventions.as_dict(), other.conventions.as_dict()),
            (say("judgments"), first.versions.get("judgments"), other.versions.get("judgments")),
            (say("rubric version"), first.versions.get("rubric"), other.versions.get("rubric")),
            (say("queries"), first.queries, other.queries),
            (say("measures"), first.measures, other.measures),
        ):
            if mine != theirs:
                raise NotComparable(
                    "The results differ in their {what}, so their numbers say nothing about each other. "
                    "Rerun both under the same {what}.",
                    what=what,
                )
    if len(results) == 1:
        return first
    runs = tuple(run for result in results for run in result.runs)
    if len(set(runs)) < len(runs):
        raise UsageError("Two results have a run of the same name. Give each run a name of its own.")
    populations = first.populations
    by_run = {name: run for result in results for name, run in result.populations.runs.items()}
    marks = dict.fromkeys(query for r in results for query in r.populations.anomalous)
    return replace(
        first,
        runs=runs,
        values=np.concatenate([r.values for r in results]),
        reasons=np.concatenate([r.reasons for r in results]),
        judged=np.concatenate([r.judged for r in results]),
        populations=replace(populations, runs=by_run, anomalous=tuple(marks)),
        lists={name: lists for r in results for name, lists in r.lists.items()},
        **kept_of(results),
        differing=tuple(dict.fromkeys(query for r in results for query in r.differing)),
    )


class _Pair:
    """One candidate beside the baseline under one measure."""

    def __init__(self, result: Measurements, base: str, candidate: str, measure: str, level: float) -> None:
        self.candidate, self.measure, self.level = candidate, measure, level
        self.before, self.after = result.of(base, measure), result.of(candidate, measure)
        self.both = ~np.isnan(self.before) & ~np.isnan(self.after)
        self.difference = np.full(len(self.both), np.nan)
        self.difference[self.both] = rounded(self.after[self.both] - self.before[self.both])
        by_id = np.argsort(np.array(result.queries, dtype=object), kind="stable")
        self.settled = np.nan_to_num(self.difference)[by_id]
        self.rows = self._rows(result, base)

    def _rows(self, result: Measurements, base: str) -> list[QueryDifference]:
        m = result.measures.index(self.measure)
        runs = [result.runs.index(base), result.runs.index(self.candidate)]
        reasons = np.where(self.both, 0, result.reasons[runs, m].max(axis=0))
        return [
            QueryDifference(query, before, after, difference, REASONS[reason], result.questions.tags(query))
            for query, before, after, difference, reason in zip(
                result.queries,
                numbers(self.before),
                numbers(self.after),
                numbers(self.difference),
                reasons.tolist(),
                strict=True,
            )
        ]

    def overall(self, flips: SignFlip) -> Comparison:
        """Over all queries, with what the test of `settled` found."""
        row = self.among("", np.ones(len(self.both), bool))
        if row.n < 2:
            return row
        method = "sign-flip exact" if flips.exact else "sign-flip Monte Carlo"
        return replace(row, p=flips.p, p_floor=flips.floor, method=method)

    def among(self, tag: str, here: Bools) -> Comparison:
        """Over the queries of one tag, looked at and not tested: p is null."""
        both = self.both & here
        paired = self.difference[both]
        n = len(paired)
        interval = paired_t(paired, self.level)
        deviation = deviation_of(paired) if n > 1 else None
        return Comparison(
            self.candidate,
            self.measure,
            n,
            mean_of(self.before[both]) if n else None,
            mean_of(self.after[both]) if n else None,
            mean_of(paired) if n else None,
            Interval(self.level, interval.lower, interval.upper, interval.method, interval.reason),
            None,
            None,
            None,
            "not tested",
            detectable(deviation, n, alpha=1 - self.level) if deviation and n > 1 else None,
            int((paired > 0).sum()),
            int((paired == 0).sum()),
            int((paired < 0).sum()),
            tuple(self.rows if here.all() else itertools.compress(self.rows, here.tolist())),
            tag,
            "" if n else "no_common_query",
            deviation,
        )


def _adjusted(rows: list[Comparison], primary: set[str]) -> list[Comparison]:
    """Holm's adjustment over all candidates and primary measures; the others keep null."""
    family = [place for place, row in enumerate(rows) if not row.tag and row.measure in primary]
    for place, adjusted in zip(family, holm([rows[place].p for place in family]), strict=True):
        rows[place] = replace(rows[place], p_adjusted=adjusted)
    return rows
