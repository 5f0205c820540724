"""Comparison: measurements to differences, intervals and tests, per query and on average."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankproof.errors import NotComparable, NothingToEvaluate, UsageError
from rankproof.stats.differences import mean_of, rounded
from rankproof.stats.intervals import paired_t
from rankproof.stats.multiplicity import holm
from rankproof.stats.planning import detectable
from rankproof.stats.significance import sign_flip
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.comparisons import Comparison, Comparisons, Interval, QueryDifference
from rankproof.tables.measurements import REASONS, Measurements, number
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
    Holm's adjustment is over all candidates and `primary` measures (the first measure by default).

    >>> from rankproof import Judgments, Run, compare, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1, "D": 0, "E": 0}})
    >>> runs = [Run.from_dict("first", {"q": list("CADBE")}), Run.from_dict("second", {"q": list("ABCDE")})]
    >>> found = compare(evaluate(judgments, runs, "nDCG@3"))
    >>> round(found.rows[0].difference, 6), found.rows[0].wins
    (0.392508, 1)
    """
    result = joined(results)
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
    values = {run: {m: result.of(run, m) for m in result.measures} for run in result.runs}
    if base not in values:
        result.of(base, result.measures[0])  # raises with the nearest names
    candidates = tuple(run for run in result.runs if run != base)
    measures = [m for m, total in zip(result.measures, result.totals, strict=True) if not total]
    if not measures:
        raise UsageError(
            "Only counts were asked for. Name a measure that has a value for each query, such as nDCG@10."
        )
    rows: list[Comparison] = []
    for candidate in candidates:
        for measure in measures:
            everything = np.ones(len(result.queries), bool)
            rows.append(_one(result, base, candidate, measure, everything, "", level, seed))
            for tag, queries in result.questions.by_tag.items():
                among = np.isin(result.queries, queries)
                rows.append(_one(result, base, candidate, measure, among, tag, level, seed))
    if not any(row.n for row in rows):
        raise NothingToEvaluate(
            "Baseline {baseline} and the candidates have no query in common that can be evaluated. "
            "Check that the runs belong to these judgments.",
            baseline=base,
        )
    rows = _adjusted(rows, set(primary) or {measures[0]})
    return Comparisons(
        base,
        candidates,
        result.conventions,
        result.populations,
        tuple(rows),
        seed,
        level,
        dict(result.versions),
    )


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
    return Measurements(
        first.queries,
        runs,
        first.measures,
        first.totals,
        np.concatenate([r.values for r in results]),
        np.concatenate([r.reasons for r in results]),
        np.concatenate([r.judged for r in results]),
        first.conventions,
        type(populations)(
            populations.evaluable,
            populations.no_relevant,
            populations.unjudged,
            populations.refuse,
            by_run,
            tuple(dict.fromkeys(q for r in results for q in r.populations.anomalous)),
        ),
        {name: lists for r in results for name, lists in r.lists.items()},
        {key: sums for r in results for key, sums in r.sums.items()},
        first.questions,
        first.rubric,
        first.versions,
        tuple(dict.fromkeys(q for r in results for q in r.differing)),
    )


def _one(
    result: Measurements,
    base: str,
    candidate: str,
    measure: str,
    among: Bools,
    tag: str,
    level: float,
    seed: int,
) -> Comparison:
    before, after = result.of(base, measure), result.of(candidate, measure)
    both = ~np.isnan(before) & ~np.isnan(after) & among
    difference = np.full(len(both), np.nan)
    difference[both] = paired = rounded(after[both] - before[both])
    n = len(paired)
    interval = paired_t(paired, level)
    flips = sign_flip(_by_id(result.queries, difference), seed=seed) if n else None
    deviation = float(paired.std(ddof=1)) if n > 1 else None
    rows = [
        _query(result, place, measure, (base, candidate), (before[place], after[place], difference[place]))
        for place in np.flatnonzero(among).tolist()
    ]
    return Comparison(
        candidate,
        measure,
        n,
        mean_of(before[both]) if n else None,
        mean_of(after[both]) if n else None,
        mean_of(paired) if n else None,
        Interval(level, interval.lower, interval.upper, interval.method, interval.reason),
        flips.p if flips and n > 1 else None,
        None,
        flips.floor if flips and n > 1 else None,
        "sign-flip exact" if flips is None or flips.exact else "sign-flip Monte Carlo",
        detectable(deviation, n, alpha=1 - level) if deviation and n > 1 else None,
        int((paired > 0).sum()),
        int((paired == 0).sum()),
        int((paired < 0).sum()),
        tuple(rows),
        tag,
        "" if n else "no_common_query",
        deviation,
    )


def _by_id(queries: Sequence[str], difference: Floats) -> Floats:
    """(n_queries,) differences in the order of the query ids, 0 where not defined, so that every
    comparison of a study draws the same signs for the same query."""
    return np.nan_to_num(difference)[np.argsort(np.array(queries, dtype=object), kind="stable")]


def _query(
    result: Measurements,
    place: int,
    measure: str,
    runs: tuple[str, str],
    values: tuple[float, float, float],
) -> QueryDifference:
    query = result.queries[place]
    reason = ""
    if np.isnan(values[2]):
        m = result.measures.index(measure)
        reason = REASONS[max(result.reasons[result.runs.index(run), m, place] for run in runs)]
    before, after, difference = (number(value) for value in values)
    return QueryDifference(query, before, after, difference, reason, result.questions.tags(query))


def _adjusted(rows: list[Comparison], primary: set[str]) -> list[Comparison]:
    """Holm's adjustment over all candidates and primary measures; the others keep null."""
    family = [place for place, row in enumerate(rows) if not row.tag and row.measure in primary]
    for place, adjusted in zip(family, holm([rows[place].p for place in family]), strict=True):
        rows[place] = replace(rows[place], p_adjusted=adjusted)
    return rows
