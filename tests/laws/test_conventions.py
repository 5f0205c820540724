"""Every choice of every convention does what its help says."""

from dataclasses import dataclass, field
from math import log2

import numpy as np
import pytest

from rankproof import CONVENTIONS, Conventions, Judgments, Run, evaluate
from rankproof.errors import NothingToEvaluate, UnknownName, UsageError
from rankproof.tables.run import State

JUDGED = {"q": {"a": 1, "b": 0, "c": 0}}


@dataclass(frozen=True)
class Choice:
    """One choice put to work: what it gives, or the words of the error that it raises."""

    name: str
    value: object
    run: Run
    measure: str
    wanted: float | str | None
    grades: dict[str, dict[str, int]] = field(default_factory=lambda: JUDGED)
    n: tuple[int, int] = (1, 1)
    beside: tuple[Run, ...] = ()
    also: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}={self.value}{' with ' + ', '.join(self.also) if self.also else ''}"


def run(*docs: str, rank: list[int] | None = None, score: list[float] | None = None, query: str = "q") -> Run:
    """A run of one query; without ranks and scores its rows stand in displayed order."""
    return Run.of("run", [query] * len(docs), docs, rank=rank, score=score)


TWO = {"q": {"a": 1}, "other": {"a": 1}}
TIED = run("b", "a", "c", score=[7.0, 7.0, 7.0])
RANKED = run("a", "b", rank=[2, 1], score=[9.0, 1.0])
CLOSE = run("a", "b", score=[0.12345678911, 0.12345678912])
GRADED = {"q": {"a": 3, "b": 2, "c": 1}}
SEVERAL = run("c")
CANDIDATE = Run.from_dict("candidate", {"q": ["c", "b"]})
OTHERS = Run.from_dict("run", {"q": ["b"], "other": ["a"]})
POOLED = {"q": {"a": -1, "b": 1}}
NONE = {"q": {"a": 1}, "none": {"a": 0}}
BOTH = Run.from_dict("run", {"q": ["a"], "none": ["a"]})
EXTRA = Run.from_dict("run", {"q": ["a"], "extra": ["a"]})

CHOICES = (
    Choice("order", "displayed", RANKED, "RR", 1 / 2),
    Choice("order", "score", RANKED, "RR", 1),
    Choice("ties", "file", TIED, "RR", 1 / 2, also={"order": "score"}),
    Choice("ties", "file_last", TIED, "RR", 1 / 2, also={"order": "score"}),
    Choice("ties", "doc_id_desc", TIED, "RR", 1 / 3, also={"order": "score"}),
    Choice("ties", "doc_id_asc", TIED, "RR", 1, also={"order": "score"}),
    Choice("ties", "average", TIED, "RR", (1 + 1 / 2 + 1 / 3) / 3, also={"order": "score"}),
    Choice("ties", "optimistic", TIED, "RR", 1, also={"order": "score"}),
    Choice("ties", "pessimistic", TIED, "RR", 1 / 3, also={"order": "score"}),
    Choice("ties", "error", TIED, "RR", "equal scores", also={"order": "score"}),
    Choice("score_width", 64, CLOSE, "RR", 1 / 2),
    Choice("score_width", 32, CLOSE, "RR", 1),
    Choice("gain", "linear", run("a"), "DCG", 3, GRADED),
    Choice("gain", "exp2", run("a"), "DCG(gain=exp2)", 7, GRADED),
    Choice("gain", "binary", run("a"), "DCG(gain=binary)", 1, GRADED),
    Choice("ideal", "judged", SEVERAL, "nDCG@2", 1 / (3 + 2 / log2(3)), GRADED, beside=(CANDIDATE,)),
    Choice("ideal", "candidates", SEVERAL, "nDCG@2", 1 / (2 + 1 / log2(3)), GRADED, beside=(CANDIDATE,)),
    Choice("ideal", "shown", SEVERAL, "nDCG@2", 1, GRADED, beside=(CANDIDATE,)),
    Choice("pool", "all", SEVERAL, "R", 1 / 3, GRADED),
    Choice("pool", "shown", SEVERAL, "R", 1, GRADED),
    Choice("rel", 1, run("c", "b", "a"), "RR", 1, GRADED),
    Choice("unjudged", "zero", run("x", "a"), "RR", 1 / 2),
    Choice("unjudged", "condense", run("x", "a"), "RR", 1),
    Choice("unjudged", "error", run("x", "a"), "RR", "nobody judged doc x"),
    Choice("missing", "zero", run("a"), "RR", 1 / 2, TWO, n=(2, 2)),
    Choice("missing", "exclude", run("a"), "RR", 1, TWO, n=(1, 2)),
    Choice("missing", "error", run("a"), "RR", "no list for the judged query other", TWO),
    Choice("extra", "exclude", EXTRA, "RR", 1),
    Choice("extra", "zero", EXTRA, "RR", 1 / 2, n=(2, 2)),
    Choice("extra", "error", EXTRA, "RR", "nobody asked about"),
    Choice("no_relevant", "null", BOTH, "RR", 1, NONE, n=(1, 2)),
    Choice("no_relevant", "zero", BOTH, "RR", 1 / 2, NONE, n=(2, 2)),
    Choice("no_relevant", "one", BOTH, "RR", 1, NONE, n=(2, 2)),
    Choice("no_relevant", "error", BOTH, "RR", "Query none has no relevant doc", NONE),
    Choice("duplicates", "first", run("b", "b", "a"), "RR", 1 / 3),
    Choice("duplicates", "keep", run("a", "b", "a"), "P@3", 2 / 3),
    Choice("duplicates", "error", run("b", "b", "a"), "RR", "doc b stands twice"),
    Choice("negative_grades", "pooled", run("a", "b"), "Judged", 1 / 2, POOLED),
    Choice("negative_grades", "zero", run("a", "b"), "Judged", 1, POOLED),
    Choice("negative_grades", "skip", run("a", "b"), "Judged", 1 / 2, POOLED),
    Choice("negative_grades", "error", run("a", "b"), "Judged", "is below 0", POOLED),
    Choice("precision_divisor", "cutoff", run("a", "b"), "P@5", 1 / 5),
    Choice("precision_divisor", "shown", run("a", "b"), "P@5", 1 / 2),
    Choice("depth", None, run("b", "a"), "RR", 1 / 2),
)
MORE = (
    # a rank column that is all zeros, or repeats, orders nothing; without scores the lines do
    Choice("order", "displayed", run("b", "a", rank=[0, 0], score=[1.0, 2.0]), "RR", 1),
    Choice("order", "displayed", run("b", "a", rank=[1, 1], score=[1.0, 2.0]), "RR", 1),
    Choice("order", "displayed", run("b", "a", rank=[1, 1]), "RR", 1 / 2),
    Choice("order", "displayed", run("b", "a", rank=[7, 3]), "RR", 1),
    Choice("order", "displayed", run("b", "a", rank=[1, 0]), "RR", 1),
    Choice("order", "displayed", run("b", "a", score=[1.0, 2.0]), "RR", 1),
    # without scores there is nothing to sort by but the ranks
    Choice("order", "score", run("b", "a", rank=[2, 1]), "RR", 1),
    Choice("order", "score", run("b", "a"), "RR", 1 / 2),
    # under the displayed order equal scores are only reported
    *(
        Choice("ties", ties, run("b", "a", rank=[1, 2], score=[1.0, 1.0]), "RR", 1 / 2)
        for ties in ("doc_id_asc", "optimistic", "average", "error")
    ),
    Choice("ties", "average", run("b", "a", score=[1.0, 1.0]), "P@1", 1 / 2),
    Choice("ties", "optimistic", run("b", "a", score=[1.0, 1.0]), "RR", 1),
    # a curve over thresholds is the same in every order of equal scores
    Choice("ties", "average", TIED, "AP(step=score)", 1 / 3, also={"order": "score"}),
    Choice("ties", "optimistic", TIED, "AP(step=score)", 1 / 3, also={"order": "score"}),
    # numbers that are none come last, below the smallest; infinities are equal
    Choice("ties", "file", run("b", "a", "c", score=[float("nan"), float("-inf"), 0.0]), "RR", 1 / 2),
    Choice("ties", "doc_id_asc", run("b", "a", score=[float("inf")] * 2), "RR", 1),
    Choice("ties", "error", run("b", "a", score=[float("inf")] * 2), "RR", "equal scores"),
    Choice("ties", "file_last", run("a", "b", score=[1.0, 1.0]), "RR", 1 / 2, also={"order": "score"}),
    Choice("ties", "file_last", run("b", "a", score=[1.0, 1.0]), "RR", 1, also={"order": "score"}),
    # of who is given nothing but the list, a query without one keeps its judgments, and is worth 0
    Choice("pool", "shown", run("c"), "R", 1 / 2, {**GRADED, "other": {"a": 1}}, n=(2, 2)),
    Choice("pool", "shown", run("x"), "R", None, n=(0, 1)),
    Choice("pool", "shown", run("x"), "R", 1, also={"no_relevant": "one"}),
    Choice("pool", "shown", SEVERAL, "nDCG@2", 1, GRADED, beside=(CANDIDATE,)),
    Choice("duplicates", "keep", run("a", "b", "a"), "R", 2),
    Choice("score_width", 32, run("b", "a", score=[1e300, 1e301]), "RR", 1 / 2),
    Choice("gain", {3: 5.0}, run("a"), "DCG(gain=3=5)", 5, GRADED),
    Choice("gain", "2=9", run("a"), "nDCG(gain=2=9)@1", 1 / 3, GRADED),
    Choice("gain", "linear", run("a"), "DCG(gain=exp2)", 7, GRADED),  # the measure's own wins
    Choice("rel", 2, run("c", "b", "a"), "RR(rel=2)", 1 / 2, GRADED),
    Choice("rel", 2, run("c", "b", "a"), "RR(rel=3)", 1 / 3, GRADED),  # the measure's own wins
    Choice("rel", 0, run("b"), "RR(rel=0)", 1, {"q": {"b": 0}}),
    # a doc that was displayed for another query is no candidate here
    Choice("ideal", "candidates", OTHERS, "nDCG@1", 1, {"q": {"a": 3, "b": 1}, "other": {"a": 2}}, n=(2, 2)),
    Choice(
        "ideal",
        "judged",
        OTHERS,
        "nDCG@1",
        (1 / 3 + 1) / 2,
        {"q": {"a": 3, "b": 1}, "other": {"a": 2}},
        n=(2, 2),
    ),
    Choice("unjudged", "condense", run("a", "b"), "RR", 1, POOLED),  # pooled is not judged either
    Choice("unjudged", "zero", run("a", "b"), "RR", 1 / 2, POOLED),
    Choice("unjudged", "condense", run("x", "a"), "RR", 0, also={"depth": 1}),  # the depth comes first
    Choice("depth", 1, run("b", "a"), "RR", 0),
    Choice("depth", 2, run("b", "a", "c"), "NumRet", 2),
    Choice("duplicates", "error", run("b", "b", "a"), "RR", 0, also={"depth": 1}),
    Choice("duplicates", "first", run("b", "b", "a"), "NumRet", 3),
    *(
        Choice("missing", "error", Run.of("run", ["q"], ["a"], states={"other": state}), "RR", "no list", TWO)
        for state in ("empty", "failed", "not_run")
    ),
    *(
        Choice(
            "missing", "exclude", Run.of("run", ["q"], ["a"], states={"other": state}), "RR", 1, TWO, n=(1, 2)
        )
        for state in ("empty", "failed", "not_run")
    ),
    Choice("no_relevant", "null", BOTH, "Judged", 1, NONE, n=(2, 2)),  # needs no relevant doc
    Choice("negative_grades", "zero", run("a"), "RR(rel=0)", 1, {"q": {"a": -1}}, also={"rel": 0}),
)


@pytest.mark.parametrize("choice", [*CHOICES, *MORE], ids=str)
def test_a_choice_does_what_its_help_says(choice: Choice) -> None:
    conventions = Conventions(**{choice.name: choice.value, **choice.also})
    judgments, runs = Judgments.from_dict(choice.grades), [choice.run, *choice.beside]
    if isinstance(choice.wanted, str):
        with pytest.raises(UsageError, match=choice.wanted):
            evaluate(judgments, runs, choice.measure, conventions=conventions)
        return
    mean = evaluate(judgments, runs, choice.measure, conventions=conventions).mean("run", choice.measure)
    assert mean.value == (None if choice.wanted is None else pytest.approx(choice.wanted, abs=1e-12))
    assert (mean.n, mean.n_total) == choice.n


def test_every_choice_is_tried() -> None:
    tried = {(choice.name, choice.value) for choice in CHOICES}
    assert tried == {(row.name, value) for row in CONVENTIONS for value in row.values}
    beside = {choice.name for choice in MORE}
    assert {row.name for row in CONVENTIONS if row.takes} <= beside


def test_the_default_is_the_first_value() -> None:
    for row in CONVENTIONS:
        assert getattr(Conventions(), row.name) == row.values[0]


@pytest.mark.parametrize("row", CONVENTIONS, ids=lambda row: row.name)
def test_values_are_read_from_texts(row: object) -> None:
    for value in row.values:
        if value is not None:
            read = Conventions(**{row.name: str(value)})
            assert getattr(read, row.name) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("order", "rank"),
        ("ties", "average by hand"),
        ("score_width", 16),
        ("gain", "log"),
        ("gain", "1=x"),
        ("gain", {-1: 1.0}),
        ("gain", {1: float("nan")}),
        ("gain", {}),
        ("rel", -1),
        ("rel", "1.5"),
        ("depth", 0),
        ("depth", "deep"),
    ],
)
def test_a_value_that_cannot_be_is_an_error(name: str, value: object) -> None:
    with pytest.raises(UsageError):
        Conventions(**{name: value})


def test_an_unknown_convention_answers_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="ties"):
        Conventions().but(tie="file")


@pytest.mark.parametrize("state", ["empty", "failed", "not_run", "missing"])
def test_a_query_without_a_list_is_worth_0_and_keeps_its_state(state: State) -> None:
    states = {} if state == "missing" else {"other": state}
    found = evaluate(Judgments.from_dict(TWO), Run.of("run", ["q"], ["a"], states=states), ["RR", "Judged"])
    assert found.of("run", "RR").tolist() == [1, 0]
    assert found.populations.runs["run"].of(state) == ("other",)
    assert (found.mean("run", "Judged").n, found.reason("run", "Judged", "other")) == (1, "nothing_shown")


def test_reasons_say_why() -> None:
    grades = {"q": {"a": 1}, "none": {"a": 0}, "nobody": {}, "gone": {"a": 1}}
    run_ = Run.from_dict("run", {"q": ["a"], "none": ["a"], "nobody": ["a"], "extra": ["a"]})
    other = Run.from_dict("other", {"q": ["a"]})
    chosen = Conventions(missing="exclude", extra="zero")
    found = evaluate(Judgments.from_dict(grades), [run_, other], "RR", conventions=chosen)
    reasons = {query: found.reason("run", "RR", query) for query in found.queries}
    assert reasons == {
        "q": "",
        "none": "no_relevant",
        "nobody": "no_judgments",
        "gone": "missing",
        "extra": "",
    }
    assert found.reason("other", "RR", "extra") == "not_asked"
    assert np.isnan(found.of("other", "RR")[found.queries.index("extra")])


def test_nothing_to_evaluate_is_an_error() -> None:
    for grades in ({}, {"q": {}}, {"q": {"a": 0}}, {"q": {"a": -1}}):
        with pytest.raises(NothingToEvaluate):
            evaluate(Judgments.from_dict(grades), run("a"), "RR")
    with pytest.raises(NothingToEvaluate):
        evaluate(Judgments.from_dict(JUDGED), run("a"), "RR", conventions=Conventions(rel=2))
