"""Settling: what the conventions say of queries without relevant docs, without a list, or that nobody asked."""

from collections.abc import Sequence

import numpy as np

from rankproof.errors import MeasureFault, NothingToEvaluate, UsageError
from rankproof.measures.measure import Measure
from rankproof.measures.needs import NEEDS
from rankproof.tables.attributes import Questions
from rankproof.tables.columns import Bools, Floats, among_of
from rankproof.tables.conventions import Conventions
from rankproof.tables.measurements import REASONS
from rankproof.tables.populations import Judging, Listing, Populations

# Why a value may be null where there is no list; with missing=exclude the list that is missing is the reason.
OF_THE_LIST = ("", "nothing_shown", "one_kind", "a_text", "nothing_known", "no_preference")


def stop_without_evidence(populations: Populations, runs: Sequence[Listing]) -> None:
    """NothingToEvaluate where no query has a relevant doc, or where a run has none of the asked queries."""
    if not populations.asked:
        raise NothingToEvaluate(
            "There is nothing to evaluate: no row of the judgments could be read, and nothing else says which queries "
            "were asked. rankproof check FILE says what is wrong with a file."
        )
    if not populations.evaluable:
        raise NothingToEvaluate(
            "None of the {asked} queries can be evaluated: no judged doc is relevant. "
            "Check that the judgments belong to these queries, and the convention rel.",
            asked=populations.asked,
        )
    asked = (*populations.evaluable, *populations.no_relevant, *populations.unjudged, *populations.refuse)
    for run in runs:
        appearing = run.appearing()
        if appearing and appearing[0] == asked[0]:
            continue
        if set(asked).isdisjoint(appearing):
            raise NothingToEvaluate(
                "Run {run} has none of the {asked} queries that were asked; the first one asked is {query}, "
                "the first one of the run is {other}. Check that the run belongs to these judgments.",
                run=run.name,
                asked=populations.asked,
                query=asked[0],
                other=next(iter(appearing), "—"),
            )


def stop_where_asked(populations: Populations, conventions: Conventions) -> None:
    if conventions.no_relevant == "error" and populations.no_relevant:
        raise UsageError(
            "Query {query} has no relevant doc, and no_relevant=error was asked.",
            query=populations.no_relevant[0],
        )
    for name, run in populations.runs.items():
        states = run.states.items() if conventions.missing == "error" else ()
        without = next((query for query, state in states if state != "ok"), None)
        if without is not None:
            raise UsageError(
                "Run {run} has no list for the judged query {query}, and missing=error was asked.",
                run=name,
                query=without,
            )
        if conventions.extra == "error" and run.extra:
            raise UsageError(
                "Run {run} has the query {query}, which nobody asked about, and extra=error was asked.",
                run=name,
                query=run.extra[0],
            )


def axis(
    judgments: Judging, questions: Questions, populations: Populations, conventions: Conventions
) -> tuple[str, ...]:
    """The queries that have values: those asked, and the extra ones where they count."""
    asked = questions.ids or judgments.asked()
    extra = [q for run in populations.runs.values() for q in run.extra] if conventions.extra == "zero" else []
    if isinstance(asked, tuple) and not extra and not questions.ids:
        return asked  # each of them once
    return tuple(dict.fromkeys((*asked, *extra)))


def settled(
    values: Floats,
    defined: Bools,
    queries: tuple[str, ...],
    runs: Sequence[Listing],
    populations: Populations,
    conventions: Conventions,
    chosen: Sequence[Measure],
) -> tuple[np.ndarray, np.ndarray]:
    """Values with the conventions for queries without relevant docs, lists or judgments put to work, and reasons.

    Everything is (n_runs, n_measures, n_queries); a value that is not defined comes out as NaN.
    """
    values = values.copy()
    reasons = np.zeros(values.shape, np.int8)
    for m, measure in enumerate(chosen):
        undefined = ~defined[:, m]
        need = NEEDS[measure.needs]
        if need.about_relevance and conventions.no_relevant in ("zero", "one"):
            lowest = measure.range[0] or 0.0
            values[:, m][undefined] = max(float(conventions.no_relevant == "one"), lowest)
            continue
        reasons[:, m][undefined] = REASONS.index(need.reason)
    for r, run in enumerate(runs):
        graded = np.array([measure.sees != "preferences" for measure in chosen], bool)
        unjudged = among_of(queries, populations.unjudged)
        reasons[r][np.ix_(graded, unjudged)] = REASONS.index("no_judgments")
        _note(reasons[r], among_of(queries, populations.refuse), "refuse")
        if conventions.missing == "exclude":
            without = among_of(queries, [q for q in queries if run.state(q) != "ok"])
            otherwise = np.isin(reasons[r], [REASONS.index(reason) for reason in OF_THE_LIST])
            reasons[r][otherwise & without] = REASONS.index("missing")
        own = set(populations.runs[run.name].extra)
        extra = {q for other in populations.runs.values() for q in other.extra}
        _note(reasons[r], among_of(queries, extra - own), "not_asked")
        counted = among_of(queries, own)
        for m, measure in enumerate(chosen):
            if measure.needs != "number":
                reasons[r, m, counted], values[r, m, counted] = 0, measure.range[0] or 0.0
    reasons[:, [measure.mean == "run" for measure in chosen]] = REASONS.index("of_the_run")
    values[reasons > 0] = np.nan
    for r, m, q in np.argwhere(~np.isfinite(values) & (reasons == 0))[:1]:
        raise MeasureFault(
            "{measure} gave {value} for query {query} of run {run}, where its row says that it is defined; a value is a "
            "number. Mend the measure, or what it says that it needs.",
            measure=chosen[m].full_name,
            value=str(values[r, m, q]),
            query=queries[q],
            run=runs[r].name,
        )
    return values, reasons


def _note(reasons: np.ndarray, where: Bools, reason: str) -> None:
    reasons[:, where] = REASONS.index(reason)
