"""Measuring: tables and measures that share their conventions become measurements; whole runs or hits of runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankproof.engines.local import (
    Measured,
    measure_batches,
    measure_one,
    of_the_runs,
    sums_of,
    texts_of,
)
from rankproof.errors import UsageError
from rankproof.hit_alignment import Laying, can_lay
from rankproof.measures.measure import Measure
from rankproof.settling import axis, settled, stop_where_asked, stop_without_evidence
from rankproof.tables.attributes import Documents, Questions, Rubric
from rankproof.tables.columns import Floats
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import Displayed, differing
from rankproof.tables.hit_populations import populate_hits
from rankproof.tables.hits import Hits
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import Judgments
from rankproof.tables.measurements import Measurements
from rankproof.tables.populations import populate
from rankproof.tables.rankings import Rankings
from rankproof.tables.run import Run

if TYPE_CHECKING:
    from rankproof.tables.known import History
    from rankproof.tables.preferences import Preferences


@dataclass(frozen=True, eq=False)
class Given:
    """What is measured beside judgments and runs, and what is kept of it: as `evaluate` takes it."""

    questions: Questions | None = None
    rubric: Rubric | None = None
    documents: Documents | None = None
    history: "History | None" = None
    expected: Run | None = None
    preferences: "Preferences | None" = None
    fixed_candidates: bool = False
    keep: bool = True


class Laid(NamedTuple):
    """A run laid over judgments: what measures see, how many docs are relevant, and the lists where they are known."""

    rankings: Rankings
    n_relevant: Floats
    displayed: Displayed | None


def measured(
    judgments: "Judgments | Preferences | Judged",
    runs: Sequence[Run] | Sequence[Hits],
    chosen: Sequence[Measure],
    conventions: Conventions,
    given: Given,
    progress: Callable[[str], None],
    versions: Any,
) -> Measurements:
    """The measurements of some measures by one set of conventions."""
    questions, rubric, preferences = (
        given.questions or Questions(),
        given.rubric or Rubric(),
        given.preferences,
    )
    by = conventions
    if not isinstance(judgments, (Judgments, Judged)):
        preferences, judgments = judgments, judgments.judgments
        by = conventions.but(rel=1)  # who likes a doc gives it no grade
    elif preferences is not None and isinstance(judgments, Judgments):
        judgments = judgments.asking(preferences.query.names.tolist())
    if isinstance(judgments, Judged) and not questions.ids:
        populations = populate_hits(judgments, runs, by)  # type: ignore[arg-type]  # runs are hits where judgments are made ready
    else:
        populations = populate(judgments, runs, by, questions)
    queries = axis(judgments, questions, populations, by)
    stop_without_evidence(populations, runs)
    stop_where_asked(populations, by)
    top_grade = max(rubric.top_grade, judgments.top_grade)
    lay = _laying(judgments, runs, chosen, by, queries, top_grade, given, preferences)
    names = tuple(m.full_name for m in chosen)
    keep = given.keep and isinstance(judgments, Judgments)
    results: list[list[Measured]] = []
    lists: dict[str, Displayed] = {}
    rankings: dict[tuple[str, str], Rankings] = {}
    for run in runs:
        progress(run.name)
        laid = lay(run)
        results.append(
            [measure_one(m, laid.rankings) for m in chosen]
            if keep
            else measure_batches(chosen, laid.rankings)
        )
        if laid.displayed is not None and (keep or given.fixed_candidates):
            lists[run.name] = laid.displayed
        rankings |= {(run.name, name): laid.rankings for name in names if keep}
    values, reasons = settled(
        np.array([[one.value for one in found] for found in results]),
        np.array([[one.defined for one in found] for found in results]),
        queries,
        runs,
        populations,
        by,
        chosen,
    )
    run_names = tuple(run.name for run in runs)
    return Measurements(
        queries,
        run_names,
        names,
        tuple(m.mean for m in chosen),
        values,
        reasons,
        np.array([[one.judged for one in found] for found in results]),
        conventions,
        populations,
        lists if keep else {},
        sums_of(run_names, names, results),
        questions,
        rubric,
        versions,
        differing(list(lists.values()), queries) if given.fixed_candidates else (),
        laid.n_relevant,
        top_grade,
        texts=texts_of(run_names, names, results),
        whole=of_the_runs(run_names, names, results),
        rankings=rankings,
    )


def _laying(
    judgments: Judgments | Judged,
    runs: Sequence[Run] | Sequence[Hits],
    chosen: Sequence[Measure],
    by: Conventions,
    queries: tuple[str, ...],
    top_grade: int,
    given: Given,
    preferences: "Preferences | None",
) -> Callable[[Any], Laid]:
    """What lays a run over the judgments: whole lists with all that the measures look at, or hits."""
    if isinstance(judgments, Judged):
        _stop_where_lines_are_needed(chosen, given, by)
        laying = Laying.of(judgments, by, queries, top_grade)
        return lambda run: Laid(laying.lay(run, runs), laying.n_relevant, None)  # type: ignore[arg-type]  # runs are hits where judgments are made ready
    from rankproof.alignment import align  # not loaded where hits are enough
    from rankproof.seeing import Seeing, knowing

    seeing = Seeing.of(chosen, judgments, preferences, queries, by, top_grade)
    known = None
    if any(measure.sees == "known" for measure in chosen):
        docs = given.documents or Documents()
        known = knowing(judgments, runs, by, queries, docs, given.history, given.expected)  # type: ignore[arg-type]  # runs are whole where judgments are

    def lay(run: Run) -> Laid:
        one = align(judgments, run, by, queries, candidates=runs, top_grade=top_grade, known=known)  # type: ignore[arg-type]  # the same
        one = seeing.over(one, run, runs)  # type: ignore[arg-type]  # the same
        return Laid(one.rankings, one.n_relevant, one.displayed)

    return lay


def sees_hits(measure: Measure) -> bool:
    """True where hits are all that a measure looks at."""
    return measure.sees == "hits" and measure.values.get("raters") != "mean"


def _stop_where_lines_are_needed(chosen: Sequence[Measure], given: Given, by: Conventions) -> None:
    """UsageError where something was asked that hits do not tell."""
    for measure in chosen:
        if not sees_hits(measure):
            raise UsageError(
                "{measure} looks at more than judged docs and their ranks, and the run was scanned for these. Read "
                "the run whole: read_run.",
                measure=measure.full_name,
            )
    if not can_lay(by):
        raise UsageError(
            "The conventions look at more than judged docs and their ranks, and the run was scanned for these. Read "
            "the run whole: read_run."
        )
    if given.fixed_candidates:
        raise UsageError(
            "Whether systems ordered the same docs cannot be told from hits alone. Read the runs whole: read_run."
        )
