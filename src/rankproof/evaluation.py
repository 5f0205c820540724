"""Evaluation: judgments, runs and measures to measurements."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankproof.errors import UsageError
from rankproof.given import has_tables, taken
from rankproof.measures.combining import Combination, parts_beside, parts_of, with_combinations
from rankproof.measures.dialects import NO_TOOL, conventions_for
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measures
from rankproof.measuring import Given, measured
from rankproof.memory.run import InMemory
from rankproof.memory.shapes import runs_of
from rankproof.preparing import as_hits, one_ordering, prepared
from rankproof.tables.attributes import Documents, Questions, Rubric
from rankproof.tables.conventions import Conventions
from rankproof.tables.hits import Hits
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import Judgments
from rankproof.tables.later import Later
from rankproof.tables.measurements import Measurements
from rankproof.tables.run import Run

if TYPE_CHECKING:
    from rankproof.given import Table
    from rankproof.tables.known import History
    from rankproof.tables.preferences import Preferences

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "Judged@10")
PREFERENCE_MEASURES = ("PrefSimp", "PrefPair", "PrefAvgJG", "NumPrefs", "NumPrefsFulfilled")

Lists = Mapping[str, Mapping[str, float]] | Mapping[str, Sequence[str]]  # one run, by query
Shown = (
    Run
    | Hits
    | InMemory
    | Lists
    | Mapping[str, Lists]
    | Sequence[Run]
    | Sequence[Hits]
    | Sequence[InMemory]
    | Sequence[tuple[str, Lists]]
)


def evaluate(
    judgments: "Judgments | Preferences | Judged | Mapping[str, Mapping[str, int]] | Table",
    runs: "Shown | Table | Sequence[Table] | Mapping[str, Table]",
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    conventions: Conventions | None = None,
    questions: Questions | None = None,
    rubric: Rubric | None = None,
    documents: Documents | None = None,
    history: "History | None" = None,
    expected: Run | None = None,
    fixed_candidates: bool = False,
    keep: bool = True,
    progress: Callable[[str], None] = lambda _: None,
    preferences: "Preferences | None" = None,
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

    Judgments may also be {query: {doc: grade}}, and a run {query: {doc: score}} or {query: [doc, ...]}: one by
    itself is called "run", several are {name: run} or [(name, run), ...]. With keep=False only judged docs are
    looked up in them, which is much faster; measures and conventions that look at more are served as well.
    Judgments that serve several evaluations are best made ready once: `Judged.of(judgments)`.

    Where `judgments` are made ready for looking docs up (`Judged`) and runs are `Hits`, as scanning gives them,
    nothing is kept, and only measures that look at hits can be asked for.

    Judgments and runs may also be tables that hand out their columns as Arrow does, of polars, pyarrow, pandas or
    DuckDB: one run, several, or {name: table}. Columns are found by their headings. Without `keep` they are
    scanned where they lie, which takes no memory for the rows. A row that cannot be read stops it: read_run and
    read_judgments read such tables too, and tell every finding.

    Measures of diversity need judgments of subtopics; the other measures see each doc's highest grade.
    Raises NothingToEvaluate where no query has a relevant doc, UsageError for wrong measures or runs of
    one name.

    >>> from rankproof import Judgments, Run, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1, "D": 0, "E": 0}})
    >>> run = Run.from_dict("first", {"q": ["C", "A", "D", "B", "E"]})
    >>> evaluate(judgments, run, "nDCG@3").mean("first", "nDCG@3").value  # 2.892789 / 4.761860
    0.6074915180456525
    """
    conventions = conventions or Conventions()
    if has_tables(judgments, runs):
        measures = asked_for(measures, conventions)
        rows = keep or fixed_candidates or preferences is not None
        ordering = None if rows else one_ordering(measures, conventions)
        judgments, runs = taken(judgments, runs, ordering)
    every: Any = runs_of(runs)
    if not isinstance(judgments, (Judgments, Judged, Mapping)) and measures is DEFAULT_MEASURES:
        measures = PREFERENCE_MEASURES
    chosen = _chosen(measures, conventions)
    _distinct([run.name for run in every])
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
    judgments, every = prepared(judgments, every, chosen, conventions, Given(**given))
    if not isinstance(judgments, Judged):
        from rankproof.seeing import stop_where_unseen  # not loaded where hits are enough

        stop_where_unseen(parts_of(chosen), judgments, preferences)
    if combinations := [m for m in chosen if isinstance(m, Combination)]:
        wanted = parts_beside(chosen)
        parts = [m for m in wanted if not isinstance(m, Combination)]
        whole = _joined(judgments, every, {conventions: parts}, conventions, given, progress)
        return with_combinations(whole, combinations).only([m.full_name for m in wanted])
    if apart := _apart(chosen, conventions):
        return _joined(judgments, every, apart, conventions, given, progress).only(
            [m.full_name for m in chosen]
        )
    beside = {name: given[name] for name in ("preferences", "documents", "history", "expected")}
    seen = Later(lambda: versions(judgments, chosen, **beside))
    hits = as_hits(judgments, every, conventions)
    return measured(judgments, hits, chosen, conventions, Given(**given), progress, seen)


def _apart(chosen: Sequence[Measure], conventions: Conventions) -> dict[Conventions, list[Measure]]:
    """The measures by the conventions that hold for them, where those are not the same for all."""
    parts: dict[Conventions, list[Measure]] = {}
    for measure in chosen:
        own = conventions_for(conventions, measure.name, measure.at, measure.full_name)
        parts.setdefault(own, []).append(measure)
    return {} if set(parts) == {conventions} else parts


def _joined(
    judgments: "Judgments | Preferences | Judged",
    runs: Any,
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
    every = [measure for some in parts.values() for measure in some]
    seen = Later(lambda: versions(judgments, every, **beside))
    return replace(first.beside(others), conventions=conventions, versions=seen)


def versions(
    judgments: "Judgments | Preferences | Judged",
    measures: Iterable[Measure] = (),
    *,
    preferences: "Preferences | None" = None,
    **beside: Any,
) -> dict[str, str]:
    """What two results must share to be compared: the judgments, and the rubric by which they were made.

    What `measures` look at `beside` the grades counts with the judgments.
    """
    if not isinstance(judgments, (Judgments, Judged)):
        preferences, judgments = judgments, judgments.judgments
    used = sorted({str(v) for v in judgments.texts("rubric_version").tolist() if v is not None})
    more = [] if preferences is None else [preferences.fingerprint]
    if isinstance(judgments, Judgments):
        from rankproof.seeing import fingerprint  # not loaded where nobody compares results

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
