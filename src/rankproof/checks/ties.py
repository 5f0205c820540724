"""Checks of equal scores: how many there are, and what they leave open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankproof.alignment import align
from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_rows
from rankproof.checks.ranked import compared
from rankproof.measures.gains import worth
from rankproof.measures.measure import Measure
from rankproof.measures.needs import NEEDS
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.conventions import Conventions
from rankproof.tables.findings import Finding, Kind
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
    worst, best = (_means(inputs, run, inputs.plain.but(order="score", ties=ties)) for ties in EDGES)
    return {name: (min(low, best[name]), max(low, best[name])) for name, low in worst.items()}


def _means(inputs: Inputs, run: Run, conventions: Conventions) -> dict[str, float]:
    """The mean of each measure, as an evaluation by these conventions gives it."""
    rankings = align(inputs.judgments, run, conventions, inputs.judged, candidates=inputs.runs).rankings
    found = {}
    for measure in _ordered(inputs.measures, rankings.top_grade):
        own = measure.under(conventions)
        counts = own.defined(rankings)
        if NEEDS[own.needs].about_relevance and conventions.no_relevant in ("zero", "one"):
            counts = np.ones(len(counts), bool)
        if conventions.missing == "exclude":
            counts &= rankings.n_retrieved > 0
        values = _settled(own.of(rankings).value, own.defined(rankings), conventions)[counts]
        if len(values):
            found[own.full_name] = float(values.mean())
    return found


def _settled(values: Floats, defined: Bools, conventions: Conventions) -> Floats:
    """Values with what a convention gives to queries without a relevant doc."""
    return np.where(defined, values, float(conventions.no_relevant == "one"))


def _ordered(measures: Sequence[Measure], top_grade: int) -> list[Measure]:
    """The measures that the most favourable order lifts to their highest value: a higher grade is worth more."""
    by_order = [m for m in measures if m.best_first and m.mean == "arithmetic" and m.sees == "hits"]
    grades = np.arange(min(top_grade, 1000) + 1)
    return [
        m
        for m in by_order
        if isinstance(gain := m.values.get("gain", ""), str) or (np.diff(worth(grades, gain)) >= 0).all()
    ]


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
