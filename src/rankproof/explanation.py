"""Explanation: how one number came about, as a table that a person can follow with a pencil."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rankproof.errors import UnknownName, UsageError
from rankproof.tables.displayed import POOLED, REPEAT, Displayed
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.measurements import Measurements, number
from rankproof.tables.sums import Sum
from rankproof.wording import say

_NOTES = {NO_GRADE: "unjudged", POOLED: "pooled", REPEAT: "repeat"}


@dataclass(frozen=True)
class Term:
    """One displayed doc: its place, its grade (None without one, and why), what it adds, the sum so far.

    Both are None where the value is no sum over the displayed docs.
    """

    rank: int
    doc_id: str
    grade: int | None
    note: str
    factors: Mapping[str, float]
    term: float | None
    running: float | None
    tied: int = 1  # how many docs share its score


@dataclass(frozen=True)
class IdealTerm:
    """One place of the best possible list."""

    rank: int
    grade: int
    term: float
    running: float


@dataclass(frozen=True)
class Explanation:
    """value = added / divisor, term by term. `value` is None with a reason where it is not defined."""

    run: str
    query_id: str
    measure: str
    value: float | None
    reason: str
    added: float
    divisor: float
    terms: tuple[Term, ...]
    ideal: tuple[IdealTerm, ...]
    factors: tuple[str, ...]
    displayed: int = 0  # docs displayed, also where the table is cut
    parts: Mapping[str, float] = field(default_factory=dict)  # numbers that the value was made of, by name

    @property
    def over_the_list(self) -> bool:
        """True where the value is a sum over the displayed docs, so that each of them adds something to it."""
        return all(term.term is not None for term in self.terms)

    def as_dict(self) -> dict[str, object]:
        """The explanation as plain values."""
        return {
            "run": self.run,
            "query_id": self.query_id,
            "measure": self.measure,
            "value": self.value,
            "reason": self.reason or None,
            "sum": self.added,
            "divisor": self.divisor,
            "parts": dict(self.parts),
            "terms": [
                {
                    "rank": t.rank,
                    "doc_id": t.doc_id,
                    "grade": t.grade,
                    "note": t.note or None,
                    **t.factors,
                    "contribution": t.term,
                    "running_sum": t.running,
                }
                for t in self.terms
            ],
            "ideal": [
                {"rank": t.rank, "grade": t.grade, "contribution": t.term, "running_sum": t.running}
                for t in self.ideal
            ],
        }


def explain(
    measurements: Measurements, run: str, query: str, measure: str | None = None, *, depth: int | None = None
) -> Explanation:
    """The sum behind one value: each displayed doc with what it adds, the ideal list beside it.

    Reads the very terms from which the value was computed. `depth` cuts the table, not the sum; by
    default it shows every displayed doc. `measure` is the first one by default.

    >>> from rankproof import Judgments, Run, evaluate, explain
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1}})
    >>> found = evaluate(judgments, Run.from_dict("first", {"q": ["C", "A"]}), "nDCG@3")
    >>> [round(t.term, 4) for t in explain(found, "first", "q").terms]  # 1/log2(2), 3/log2(3)
    [1.0, 1.8928]
    """
    measure = measurements.measures[0] if measure is None else measure
    measurements.of(run, measure)  # unknown names raise with the nearest ones
    if query not in measurements.queries:
        raise UnknownName.of(say("query"), query, measurements.queries)
    if (run, measure) not in measurements.sums:
        raise UsageError("The sums were not kept; evaluate with keep=True to explain a value.")
    place = measurements.queries.index(query)
    whole, shown = measurements.sums[run, measure], measurements.list_of(run, measure)
    value = number(measurements.of(run, measure)[place])
    over_the_list = _over_the_list(whole, shown, place)
    return Explanation(
        run,
        query,
        measure,
        value,
        measurements.reason(run, measure, query),
        float(whole.added[place]),
        float(whole.divisor[place]),
        _terms(whole if over_the_list else None, shown, place, depth),
        _ideal(whole.ideal if over_the_list else whole, place, depth),
        tuple(whole.factors) if over_the_list else (),
        len(shown.docs(place)),
        {name: float(c[place]) for name, c in whole.parts.items() if not np.isnan(c[place])},
    )


def _over_the_list(whole: Sum, shown: Displayed, place: int) -> bool:
    """True where the sum of a query is over its displayed docs, not over the ideal list or the pool."""
    added = slice(*whole.rankings.offsets[place : place + 2])
    rows = shown.rows(place)
    hit = shown.grade[rows] >= 0
    same_ranks = np.array_equal(whole.rankings.rank[added], shown.rank[rows][hit])
    return same_ranks and np.array_equal(whole.rankings.grade[added], shown.grade[rows][hit])


def _terms(whole: Sum | None, shown: Displayed, place: int, depth: int | None) -> tuple[Term, ...]:
    rows = shown.rows(place, depth)
    grades = shown.grade[rows]
    docs = shown.docs(place, depth)
    start = int(whole.rankings.offsets[place]) if whole else 0
    of_hit = start + np.cumsum(grades >= 0) - 1
    terms: list[Term] = []
    running = 0.0
    for i, (doc, grade) in enumerate(zip(docs, grades.tolist(), strict=True)):
        hit = whole if grade >= 0 else None
        term = float(hit.terms[of_hit[i]]) if hit else 0.0 if whole else None
        running += term or 0.0
        factors = {name: float(column[of_hit[i]]) for name, column in hit.factors.items()} if hit else {}
        known = grade if grade >= 0 else None
        tied = int(shown.tie_size[rows][i])
        terms.append(
            Term(i + 1, doc, known, _NOTES.get(grade, ""), factors, term, running if whole else None, tied)
        )
    return tuple(terms)


def _ideal(ideal: Sum | None, place: int, depth: int | None) -> tuple[IdealTerm, ...]:
    """The list beside the displayed one, best first; nothing where there is none (a length has no rank)."""
    if ideal is None or not ideal.rankings.rank.all():
        return ()
    start, stop = (int(edge) for edge in ideal.rankings.offsets[place : place + 2])
    worth = np.flatnonzero(ideal.terms[start:stop])
    stop = start + int(worth[-1]) + 1 if len(worth) else start  # places that add nothing more are not shown
    stop = stop if depth is None else min(stop, start + depth)
    terms = ideal.terms[start:stop]
    sums = np.cumsum(terms)
    return tuple(
        IdealTerm(i + 1, int(ideal.rankings.grade[start + i]), float(terms[i]), float(sums[i]))
        for i in range(stop - start)
    )
