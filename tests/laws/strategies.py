"""Judgments and runs as they may come: what every law is tried on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from rankproof import (
    MEASURES,
    Conventions,
    Judgments,
    Measure,
    Measurements,
    Question,
    Questions,
    Run,
    conventions_of,
    evaluate,
)
from rankproof.errors import UsageError
from rankproof.tables.run import State

CUTOFFS = (1, 3, 10, None)
# Settings that change a formula, tried where a measure has them, beside its defaults.
SETTINGS: tuple[dict[str, object], ...] = (
    {},
    {"gain": "exp2"},
    {"gain": "1=5,2=1,3=0.5"},
    {"rel": 2},
    {"denominator": "min_k"},
    {"max_grade": 4},
    {"discount": "jk"},
    {"gain": "binary"},
    {"gain": "scaled"},
    {"count": "round"},
    {"recall": 0},
    {"levels": "0.25,0.5"},
    {"times": 0.5},
    {"beta": 2},
    {"beyond": "unjudged"},
    {"d": 0.5, "docs": 100},
    {"unanswered": "zero"},
    {"T": 3},
    {"depth": "inf"},
    {"depth": "lists"},
    {"normalize": "False"},
    {"unjudged": "left_out"},
    {"denominator": "k"},
    {"denominator": "found"},
    {"step": "score"},
    {"against": "uncut"},
    {"against": "length"},
)
FOR_SETTINGS = (3, None)  # the cutoffs at which measures with settings are tried
STATES: tuple[State, ...] = ("empty", "failed", "not_run", "missing")
# An empty list is not the worst list there is, or its value says something else than how good a list is.
NOT_FROM_0 = ("Yaap", "Utility", "RBPResidual", "NumQ")
UNJUDGED, POOLED = None, -1
GRADES = (UNJUDGED, UNJUDGED, POOLED, 0, 0, 1, 1, 2, 3, 4, 37, 100)
LETTERS = "abzAZ09Éßжñ查询文档一二😀._-:/#%&()[]{}+=@~|\\'\"<>^$!?*,;"
SAID = ("q1", "Q1", "q10", "q9", "007", "7", "1.0", "1", "nan", "查询一", "文档:2", "ä", "é", "😀")

ids = st.one_of(st.sampled_from(SAID), st.text(LETTERS, min_size=1, max_size=6))


def variants(row: Measure) -> tuple[Measure, ...]:
    """A measure at every useful cutoff and setting that it has."""
    found: dict[str, Measure] = {}
    for values in SETTINGS:
        for at in FOR_SETTINGS if values else CUTOFFS:
            try:
                made = row.with_(at, **values).under(Conventions())
            except UsageError:  # it has no cutoff, needs one, or lacks the setting
                continue
            found[made.full_name] = made
    return tuple(found.values())


# Measures that look at more than judgments and runs, or at the whole run, have laws of their own: test_beyond.
BEYOND = tuple(row for row in MEASURES if row.sees == "known" or row.mean == "run")
# Those that need judgments of subtopics or preferences are tried in test_subtopics and test_preferences.
PLAIN = tuple(row for row in MEASURES if row not in BEYOND and row.sees not in ("subtopics", "preferences"))
EVERY = tuple(measure for row in PLAIN for measure in variants(row))


@dataclass(frozen=True)
class Case:
    """Judgments and what one system displayed, as plain values. A grade below 0 is pooled and not judged.

    `shown` has a list for every query with the state ok; `scores` go with the lists, best first; `style`
    says which columns the run has: ranks, scores, both, or neither.
    """

    grades: Mapping[str, Mapping[str, int]]
    shown: Mapping[str, Sequence[str]]
    scores: Mapping[str, Sequence[float]]
    states: Mapping[str, State]
    style: str

    @property
    def judgments(self) -> Judgments:
        """The judgments, query by query."""
        return Judgments.from_dict(self.grades)

    @property
    def run(self) -> Run:
        """The run, query by query."""
        return self.run_in(range(sum(map(len, self.shown.values()))))

    def run_in(self, order: Sequence[int], name: str = "run") -> Run:
        """The run with its rows in another order."""
        rows = [
            (query, doc, rank, score)
            for query, docs in self.shown.items()
            for rank, (doc, score) in enumerate(zip(docs, self.scores[query], strict=True), 1)
        ]
        rows = [rows[place] for place in order]
        ranked, scored = self.style in ("ranks", "both"), self.style in ("scores", "both")
        return Run.of(
            name,
            [query for query, _, _, _ in rows],
            [doc for _, doc, _, _ in rows],
            rank=[rank for _, _, rank, _ in rows] if ranked else None,
            score=[score for _, _, _, score in rows] if scored else None,
            states=self.states,
        )

    def renamed(self, query: Callable[[str], str], doc: Callable[[str], str]) -> "Case":
        """The same case under other ids."""
        return replace(
            self,
            grades={query(q): {doc(d): g for d, g in docs.items()} for q, docs in self.grades.items()},
            shown={query(q): [doc(d) for d in docs] for q, docs in self.shown.items()},
            scores={query(q): scores for q, scores in self.scores.items()},
            states={query(q): state for q, state in self.states.items()},
        )

    def measured(self, measures: Sequence[Measure], conventions: Conventions | None = None) -> Measurements:
        """The values of the run."""
        return evaluate(self.judgments, self.run, measures, conventions=conventions)


@st.composite
def cases(draw: st.DrawFn, *, min_queries: int = 1, style: str | None = None, answered: bool = False) -> Case:
    """A case in which at least one query can be evaluated; `answered` where the run has a list for it."""
    queries = draw(st.lists(ids, min_size=min_queries, max_size=max(4, min_queries), unique=True))
    docs = draw(st.lists(ids, min_size=1, max_size=9, unique=True))
    grade = st.lists(st.sampled_from(GRADES), min_size=len(docs), max_size=len(docs))
    grades = {
        query: {doc: g for doc, g in zip(docs, draw(grade), strict=True) if g is not UNJUDGED}
        for query in queries
    }
    grades[queries[0]][docs[0]] = draw(st.sampled_from((2, 3, 100)))
    style = style or draw(st.sampled_from(("ranks", "scores", "both", "neither")))
    shown, scores, states = {}, {}, {}
    for query in draw(st.permutations([*queries, "nobody asked"])):
        always = answered and query == queries[0]
        state = "ok" if always else draw(st.sampled_from(("ok", "ok", "ok", *STATES)))
        listed = draw(st.permutations(docs))[: draw(st.integers(int(always), len(docs)))]
        if state == "ok" and listed:
            shown[query] = listed
            steps = draw(
                st.lists(st.sampled_from((0.0, 0.5, 1e-9)), min_size=len(listed), max_size=len(listed))
            )
            scores[query] = (1.0 - np.cumsum(steps)).tolist()
        elif state != "missing":
            states[query] = "empty" if state == "ok" else state
    if not set(queries) & {*shown, *states}:  # a run with none of the asked queries is refused
        states[queries[-1]] = "failed"
    return Case(grades, shown, scores, states, style)


CONVENTIONS = (
    Conventions(),
    conventions_of("trec_eval-9"),
    conventions_of("trec_eval-10", missing="zero"),
    Conventions(rel=2, no_relevant="one", ties="optimistic"),
    Conventions(rel=0, negative_grades="zero", ideal="shown"),
    Conventions(missing="exclude", unjudged="condense", ideal="candidates"),
    Conventions(extra="zero", no_relevant="zero", order="score", ties="pessimistic"),
    Conventions(gain="exp2", depth=2, precision_divisor="shown", ties="doc_id_asc"),
    Conventions(order="score", ties="average"),
    Conventions(order="score", ties="file_last", pool="shown", duplicates="keep", negative_grades="skip"),
)
conventions = st.sampled_from(CONVENTIONS)


@st.composite
def questions(draw: st.DrawFn, case: Case) -> Questions:
    """Questions for a case: some of the judged queries, one that nobody judged, some to be refused."""
    asked = [*draw(st.permutations(list(case.grades))), "judged by nobody"]
    rows = [
        Question(
            query, tags=("odd",) if place % 2 else (), expected=draw(st.sampled_from(("answer", "refuse")))
        )
        for place, query in enumerate(asked)
    ]
    first = next(iter(case.grades))  # this one can be evaluated
    return Questions(tuple(replace(row, expected="answer") if row.query_id == first else row for row in rows))


def same(one: Measurements, other: Measurements, **renamed: Callable[[str], str]) -> None:
    """Raise where two results differ in a value or a reason, whatever the order of their queries."""
    query = renamed.get("query", lambda q: q)
    places = [other.queries.index(query(q)) for q in one.queries]
    for measure in one.measures:
        mine, theirs = one.of(one.runs[0], measure), other.of(other.runs[0], measure)[places]
        np.testing.assert_array_equal(mine, theirs, err_msg=measure)
        reasons = [one.reason(one.runs[0], measure, q) for q in one.queries]
        assert reasons == [other.reason(other.runs[0], measure, query(q)) for q in one.queries], measure
