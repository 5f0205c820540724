"""Checks of equal scores: how many there are, and what they leave open."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from rankproof.alignment import Aligned, align
from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_rows
from rankproof.checks.ranked import compared
from rankproof.measures.combining import Combination, parts_of, weighed
from rankproof.measures.dialects import conventions_for
from rankproof.measures.gains import worth
from rankproof.measures.measure import Measure
from rankproof.settling import axis, settled
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.conventions import CONVENTIONS, Conventions
from rankproof.tables.findings import Finding, Kind
from rankproof.tables.populations import Populations, populate
from rankproof.tables.run import Run
from rankproof.wording import Words, say

TIED_SCORES = Kind(
    "tied-scores",
    "info",
    "Run {run}: {count:doc|docs} in {queries:query|queries} share a score with another doc of the same list; {decides}.",
    "Tools that sort by score put such docs in an order of their own and print other numbers.",
    "Nothing to do where the displayed order is what counts; else write scores that differ.",
)
TIE_RANGE = Kind(
    "tie-range",
    "warning",
    "Run {run}: by the order of equal scores alone, means can be anything in {ranges}; {decides}.",
    "Nothing but a rule about ties, which differs from tool to tool, says where in this range a number falls.",
    "Write scores that differ, or the ranks that were displayed; ties=average gives the mean over all orders.",
)

DISPLAYED = say("the displayed order decided")
EDGES = ("pessimistic", "optimistic")

SHOWN = 5  # measures whose ranges are told


def find_tied_scores(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Docs of equal scores in one list, by the width at which scores are compared."""
    for run in inputs.runs:
        rows = _tied(run, inputs.conventions.score_width)
        if len(rows):
            queries = len(np.unique(run.query.codes[rows]))
            yield all_rows(kind, run, rows, queries=queries, decides=_decides(run, inputs))


def find_tie_ranges(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """The lowest and the highest mean that an order of equal scores can give; silent where they are one."""
    for run in inputs.runs:
        rows = _tied(run, inputs.conventions.score_width)
        found = tie_ranges(inputs, run) if len(rows) and len(inputs.judgments) else {}
        open_ = {name: edges for name, edges in found.items() if edges[1] - edges[0] > 5e-5}
        if open_:
            ranges = _ranges(open_)
            decides = _decides(run, inputs)
            finding = all_rows(kind, run, rows, ranges=ranges, means=open_, decides=decides)
            yield replace(finding, severity_here="info") if decides is DISPLAYED else finding


def _ranges(means: Mapping[str, tuple[float, float]]) -> str | Words:
    """The ranges of the first few measures, and how many more there are."""
    told = ", ".join(f"{name} {low:.4f}–{high:.4f}" for name, (low, high) in list(means.items())[:SHOWN])
    if len(means) <= SHOWN:
        return told
    return say("{ranges} and {n:more measure|more measures}", ranges=told, n=len(means) - SHOWN)


def tie_ranges(inputs: Inputs, run: Run) -> dict[str, tuple[float, float]]:
    """The lowest and highest mean of each measure over the orders of equal scores, when scores decide."""
    grades = np.arange(min(inputs.judgments.top_grade, 1000) + 1)
    measures = _ordered((measure.under(inputs.conventions) for measure in inputs.measures), grades)
    worst, best = (_Edge(inputs, run, ties) for ties in EDGES)
    means = {m.full_name: (worst.mean(m), best.mean(m)) for m in measures}
    return {
        name: (min(low, high), max(low, high))
        for name, (low, high) in means.items()
        if low is not None and high is not None
    }


@dataclass(frozen=True, eq=False)
class _Edge:
    """A run with its equal scores in one of the extreme orders, measured as an evaluation measures it."""

    inputs: Inputs
    run: Run
    ties: str
    laid: dict[Conventions, tuple[Aligned, Populations, tuple[str, ...]]] = field(default_factory=dict)

    def mean(self, measure: Measure) -> float | None:
        """The mean over the queries that have a value; None where there is none."""
        values = self._values(measure)
        values = values[~np.isnan(values)]
        return float(values.mean()) if len(values) else None

    def _values(self, measure: Measure) -> Floats:
        """(n_queries,) the values; NaN where they are not defined."""
        if isinstance(measure, Combination):
            return weighed([weight for weight, _ in measure.weighted], [*map(self._values, measure.parts)])
        own = conventions_for(self._conventions, measure.name, measure.at, measure.full_name)
        aligned, populations, queries = self.laid.get(own) or self._lay(own)
        value, defined = measure.of(aligned.rankings).value, measure.defined(aligned.rankings)
        found, _ = settled(
            value[None, None], defined[None, None], queries, [self.run], populations, own, [measure]
        )
        values: Floats = found[0, 0]
        return values

    @property
    def _conventions(self) -> Conventions:
        """The conventions in this order; what would stop an evaluation does not stop a check."""
        stops = {
            row.name: row.values[0]
            for row in CONVENTIONS
            if getattr(self.inputs.conventions, row.name) == "error"
        }
        return self.inputs.conventions.but(**{**stops, "order": "score", "ties": self.ties})

    def _lay(self, own: Conventions) -> tuple[Aligned, Populations, tuple[str, ...]]:
        inputs, run = self.inputs, self.run
        populations = populate(inputs.judgments, [run], own, inputs.questions)
        queries = axis(inputs.judgments, inputs.questions, populations, own)
        top_grade = max(inputs.rubric.top_grade, inputs.judgments.top_grade)
        laid = align(inputs.judgments, run, own, queries, candidates=inputs.runs, top_grade=top_grade)
        self.laid[own] = laid, populations, queries
        return self.laid[own]


def _ordered(measures: Iterable[Measure], grades: Ints) -> list[Measure]:
    """The measures that the most favourable order lifts to their highest value: a higher grade is worth more."""
    return [
        m for m in measures if m.mean == "arithmetic" and all(_lifted(part, grades) for part in parts_of([m]))
    ]


def _lifted(measure: Measure, grades: Ints) -> bool:
    gain = measure.values.get("gain", "")
    by_order = measure.best_first and measure.sees == "hits" and measure.values.get("raters") != "mean"
    return by_order and (isinstance(gain, str) or bool((np.diff(worth(grades, gain)) >= 0).all()))


def _tied(run: Run, width: int) -> Ints:
    """The rows, in file order, whose score another row of the same query has."""
    if run.score is None or not len(run):
        return np.empty(0, np.int64)
    score = compared(run.score, width)
    order = np.lexsort((score, run.query.codes))
    score, query = score[order], run.query.codes[order]
    like_next: Bools = (score[1:] == score[:-1]) & (query[1:] == query[:-1])
    return np.sort(order[np.append(like_next, False) | np.insert(like_next, 0, False)])


def _decides(run: Run, inputs: Inputs) -> Words:
    """Who put the tied docs in order: the ranks where they count and are all different, else the rule."""
    ranked = next((one for one in inputs.ranked if one.run is run), None)
    if inputs.conventions.order == "displayed" and ranked and not ranked.repeats.any():
        return DISPLAYED
    return say("the convention ties={ties} decided", ties=inputs.conventions.ties)


CHECKS = (
    Check(TIED_SCORES, find_tied_scores, "Three docs of one list have the score 1.0."),
    Check(TIE_RANGE, find_tie_ranges, "The relevant doc shares its score with nine others: RR is 0.1 to 1."),
)
