"""Evaluation: judgments, runs and measures to measurements."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankproof.alignment import align
from rankproof.engines.local import Measured, measure_batches, measure_one, of_the_runs
from rankproof.errors import UsageError
from rankproof.measures.combining import Combination, parts_beside, parts_of, with_combinations
from rankproof.measures.dialects import NO_TOOL, conventions_for
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measures
from rankproof.seeing import Seeing, fingerprint, knowing, stop_where_unseen
from rankproof.settling import axis, settled, stop_where_asked, stop_without_evidence
from rankproof.tables.attributes import Documents, Questions, Rubric
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import Displayed
from rankproof.tables.judgments import Judgments
from rankproof.tables.known import History
from rankproof.tables.measurements import Measurements
from rankproof.tables.populations import populate
from rankproof.tables.preferences import Preferences
from rankproof.tables.run import Run
from rankproof.tables.sums import Sum

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "Judged@10")
PREFERENCE_MEASURES = ("PrefSimp", "PrefPair", "PrefAvgJG", "NumPrefs", "NumPrefsFulfilled")


def evaluate(
    judgments: Judgments | Preferences,
    runs: Run | Sequence[Run],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    conventions: Conventions | None = None,
    questions: Questions | None = None,
    rubric: Rubric | None = None,
    documents: Documents | None = None,
    history: History | None = None,
    expected: Run | None = None,
    fixed_candidates: bool = False,
    keep: bool = True,
    progress: Callable[[str], None] = lambda _: None,
    preferences: Preferences | None = None,
) -> Measurements:
    """A value, or a reason why there is none, for each query, measure and run.

    `questions`, where given, is the set that was asked; else it is every query of the judgments. What is
    undefined is NaN with a reason and leaves the mean, which says "n of n_total". With `fixed_candidates` every system must have ordered
    the same docs; `compare` refuses the result where they did not. With `keep` the lists and
    sums are kept, so that reports can show and explain them. The parts of a combination such as
    0.7*nDCG@10 + 0.3*AP are measured with it. `progress` is told the name of each run before it is measured.

    Measures beyond relevance look at the attributes of `documents`, at the `history` of what each user met
    before, and at the run `expected`, which displays what users expect. Measures of preferences read
    `preferences`, or the first argument where that is a table of Preferences (and then PREFERENCE_MEASURES are
    measured where nothing is asked for). Queries that only the preferences have are asked too, and have no
    judgments.

    Measures of diversity need judgments of subtopics; the other measures see each doc's highest grade.
    Raises NothingToEvaluate where no query has a relevant doc, UsageError for wrong measures or runs of
    one name.

    >>> from rankproof import Judgments, Run, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1, "D": 0, "E": 0}})
    >>> run = Run.from_dict("first", {"q": ["C", "A", "D", "B", "E"]})
    >>> evaluate(judgments, run, "nDCG@3").mean("first", "nDCG@3").value  # 2.892789 / 4.761860
    0.6074915180456525
    """
    runs = [runs] if isinstance(runs, Run) else list(runs)
    conventions = conventions or Conventions()
    if isinstance(judgments, Preferences) and measures is DEFAULT_MEASURES:
        measures = PREFERENCE_MEASURES
    chosen = _chosen(measures, conventions)
    stop_where_unseen(parts_of(chosen), judgments, preferences)
    _distinct([run.name for run in runs])
    given: dict[str, Any] = {
        "questions": questions,
        "rubric": rubric,
        "documents": documents,
        "history": history,
        "expected": expected,
        "preferences": preferences,
        "fixed_candidates": fixed_candidates,
        "keep": keep,
    }
    if combinations := [m for m in chosen if isinstance(m, Combination)]:
        every = parts_beside(chosen)
        parts = [m for m in every if not isinstance(m, Combination)]
        whole = _joined(judgments, runs, {conventions: parts}, conventions, given, progress)
        return with_combinations(whole, combinations).only([m.full_name for m in every])
    if apart := _apart(chosen, conventions):
        return _joined(judgments, runs, apart, conventions, given, progress).only(
            [m.full_name for m in chosen]
        )
    questions, rubric = questions or Questions(), rubric or Rubric()
    by = conventions
    if isinstance(judgments, Preferences):
        preferences, judgments = judgments, judgments.judgments
        by = conventions.but(rel=1)  # who likes a doc gives it no grade
    elif preferences is not None:
        judgments = judgments.asking(preferences.query.names.tolist())
    populations = populate(judgments, runs, by, questions)
    queries = axis(judgments, questions, populations, by)
    stop_without_evidence(populations, runs)
    stop_where_asked(populations, by)
    top_grade = max(rubric.top_grade, judgments.top_grade)
    seeing = Seeing.of(chosen, judgments, preferences, queries, by, top_grade)
    found = None
    if any(measure.sees == "known" for measure in chosen):
        docs = documents or Documents()
        found = knowing(judgments, runs, by, queries, docs, history, expected)
    aligned, results = [], []
    for run in runs:
        progress(run.name)
        laid = align(judgments, run, by, queries, candidates=runs, top_grade=top_grade, known=found)
        laid = seeing.over(laid, run, runs)
        rankings = laid.rankings
        kept = [measure_one(m, rankings) for m in chosen] if keep else measure_batches(chosen, rankings)
        aligned.append(laid)
        results.append(kept)
    values, reasons = settled(
        np.array([[one.value for one in measured] for measured in results]),
        np.array([[one.defined for one in measured] for measured in results]),
        queries,
        runs,
        populations,
        by,
        chosen,
    )
    names = tuple(m.full_name for m in chosen)
    lists = {run.name: laid.displayed for run, laid in zip(runs, aligned, strict=True)}
    return Measurements(
        queries,
        tuple(lists),
        names,
        tuple(m.mean for m in chosen),
        values,
        reasons,
        np.array([[one.judged for one in measured] for measured in results]),
        conventions,
        populations,
        lists if keep else {},
        _sums(lists, names, results),
        questions,
        rubric,
        versions(
            judgments,
            chosen,
            preferences=preferences,
            documents=documents,
            history=history,
            expected=expected,
        ),
        _differing(list(lists.values()), queries) if fixed_candidates else (),
        aligned[0].n_relevant,
        top_grade,
        texts=_texts(lists, names, results),
        whole=of_the_runs(lists, names, results),
        rankings={(run, m): a.rankings for run, a in zip(lists, aligned, strict=True) for m in names if keep},
    )


def _apart(chosen: Sequence[Measure], conventions: Conventions) -> dict[Conventions, list[Measure]]:
    """The measures by the conventions that hold for them, where those are not the same for all."""
    parts: dict[Conventions, list[Measure]] = {}
    for measure in chosen:
        own = conventions_for(conventions, measure.name, measure.at, measure.full_name)
        parts.setdefault(own, []).append(measure)
    return {} if set(parts) == {conventions} else parts


def _joined(
    judgments: Judgments | Preferences,
    runs: list[Run],
    parts: Mapping[Conventions, list[Measure]],
    conventions: Conventions,
    given: Mapping[str, Any],
    progress: Callable[[str], None],
) -> Measurements:
    """Each part evaluated by its own conventions, put beside each other.

    Populations and lists are those of `conventions` themselves, whatever dialects make exceptions for.
    """
    silent: Callable[[str], None] = lambda _: None  # noqa: E731 - the second part says nothing that the first has not said
    whole = (
        conventions if conventions in parts else conventions.but(dialect=NO_TOOL)
    )  # which has no exceptions
    ordered = {whole: parts.get(whole, next(iter(parts.values()))[:1]), **parts}
    found = [
        evaluate(judgments, runs, measures, conventions=own, progress=silent if place else progress, **given)
        for place, (own, measures) in enumerate(ordered.items())
    ]
    first, others = found[0], found[1:]
    if whole not in parts:
        first = first.called([f"\0{name}" for name in first.measures])  # nobody asked for its values
    beside = {name: given[name] for name in ("preferences", "documents", "history", "expected")}
    measured = [measure for some in parts.values() for measure in some]
    return replace(
        first.beside(others), conventions=conventions, versions=versions(judgments, measured, **beside)
    )


def _sums(
    lists: Iterable[str], names: Sequence[str], results: Sequence[Sequence[Measured]]
) -> dict[tuple[str, str], Sum]:
    """Each value's sum by run and measure, where it was kept."""
    return {
        (run, name): one.sum
        for run, measured in zip(lists, results, strict=True)
        for name, one in zip(names, measured, strict=True)
        if one.sum is not None
    }


def _texts(
    lists: Iterable[str], names: Sequence[str], results: Sequence[Sequence[Measured]]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """What measures say that are texts, by run and measure."""
    return {
        (run, name): one.texts
        for run, measured in zip(lists, results, strict=True)
        for name, one in zip(names, measured, strict=True)
        if one.texts
    }


def _differing(displayed: Sequence[Displayed], queries: Sequence[str]) -> tuple[str, ...]:
    """The queries for which two runs that have a list displayed different docs."""
    found = []
    for place, query in enumerate(queries):
        sets = {frozenset(docs) for lists in displayed if (docs := lists.docs(place))}
        if len(sets) > 1:
            found.append(query)
    return tuple(found)


def versions(
    judgments: Judgments | Preferences,
    measures: Iterable[Measure] = (),
    *,
    preferences: Preferences | None = None,
    **beside: Any,
) -> dict[str, str]:
    """What two results must share to be compared: the judgments, and the rubric by which they were made.

    What `measures` look at `beside` the grades counts with the judgments.
    """
    if isinstance(judgments, Preferences):
        preferences, judgments = judgments, judgments.judgments
    used = sorted({str(v) for v in judgments.texts("rubric_version").tolist() if v is not None})
    more = [] if preferences is None else [preferences.fingerprint]
    more += [seen] if (seen := fingerprint(measures, judgments, **beside)) else []
    return {"judgments": "+".join([judgments.fingerprint, *more]), "rubric": ", ".join(used)}


def asked_for(measures: str | Measure | Iterable[str | Measure], conventions: Conventions) -> list[Measure]:
    """The measures that were asked for, as the dialect names them; an error where there is none."""
    given = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    dialect = conventions.dialect
    parsed = [
        m for one in given for m in ((one,) if isinstance(one, Measure) else parse_measures(one, dialect))
    ]
    if not parsed:
        raise UsageError("No measure was asked for. Name at least one, such as nDCG@10.")
    return parsed


def _chosen(measures: str | Measure | Iterable[str | Measure], conventions: Conventions) -> list[Measure]:
    """Each measure once, with what its name leaves open filled in."""
    parsed = asked_for(measures, conventions)
    chosen = list({m.full_name: m for m in (one.under(conventions) for one in parsed)}.values())
    for measure in parts_beside(chosen):
        if measure.aspect:
            raise UsageError(
                "{measure} is measured in the aspect {aspect}, and the judgments were read as a single one. Say "
                "which columns are graded: --aspects {aspect}, or read_aspects and evaluate_aspects.",
                measure=measure.full_name,
                aspect=measure.aspect,
            )
    return chosen


def _distinct(names: list[str]) -> None:
    if not names:
        raise UsageError("No run was given. Give at least one.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError('Two runs are called "{name}". Give each run a name of its own.', name=twice)
