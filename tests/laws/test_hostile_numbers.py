"""Numbers that are easily said too strongly, under the wrong name, or of the wrong queries."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flow.program import QRELS, run
from rankproof import (
    Comparisons,
    Conventions,
    Judgments,
    Measurements,
    NothingToEvaluate,
    Question,
    Questions,
    Run,
    UsageError,
    compare,
    evaluate,
    parse_measure,
    parse_measures,
    read_judgments,
    report,
)
from rankproof.tables.conventions import LARGEST_GAIN

INSIDE = st.floats(0, 1, exclude_min=True, exclude_max=True)
TABLES = st.dictionaries(
    st.one_of(st.integers(0, 9), st.integers(0, 10**12)), st.floats(0, LARGEST_GAIN), min_size=1, max_size=5
)


# Names


@given(INSIDE)
@example(5e-324)
@example(1e-7)
@example(0.80000001)
@example(math.nextafter(0.8, 1))
@example(math.nextafter(1, 0))
@example(math.nextafter(0.5, 0))
def test_a_chance_is_read_back_as_the_same_double(p: float) -> None:
    for name in (f"RBP(p={p!r})@5", f"rbp( p = {p!r} )@5"):
        measure = parse_measure(name)
        again = parse_measure(measure.full_name)
        assert measure.values["p"] == again.values["p"] == p
        assert measure.full_name == again.full_name


@given(TABLES, st.sampled_from(("nDCG@3", "DCG", "nDCG(gain=exp2)")))
@example({1: 0.1 + 0.2, 2: 1e100, 3: 5e-324}, "nDCG@3")
@example({0: 123456789012345.0, 1: 1e15, 2: 1e16, 3: 0.0}, "DCG")
def test_a_gain_table_is_read_back_as_the_same_table(table: dict[int, float], name: str) -> None:
    measure = parse_measure(name).under(Conventions(gain=table))
    again = parse_measure(measure.full_name)
    assert again.under(Conventions(gain="linear")).values == measure.values
    assert again.full_name == measure.full_name
    if "exp2" not in name:
        assert dict(again.values["gain"]) == table


def test_two_chances_are_two_measures() -> None:
    found = parse_measures(["RBP(p=0.8)", "RBP(p=0.80000001)", "RBP(p=0.80)", "RBP(p=.8)"])
    assert [measure.full_name for measure in found] == ["RBP(p=0.8)", "RBP(p=0.80000001)"]
    judgments = Judgments.from_dict({"q": {"a": 1, "b": 1}})
    measured = evaluate(judgments, Run.from_dict("run", {"q": ["x", "a", "b"]}), found)
    one, other = (measured.mean("run", name).value for name in measured.measures)
    assert one != other


@pytest.mark.parametrize("gain", [1.01e100, 1e101, 1e308, math.inf, math.nan, -1.0])
def test_gains_out_of_range_are_refused(gain: float) -> None:
    with pytest.raises(UsageError, match="1e100"):
        Conventions(gain={1: gain})
    with pytest.raises(UsageError, match="1e100"):
        parse_measure(f"nDCG(gain=1={gain})")


# What goes in


@pytest.mark.parametrize(
    "docs",
    ["doc", b"doc", {"a", "b"}, frozenset("ab"), None, "", set()],
    ids=lambda docs: type(docs).__name__,
)
def test_a_list_without_an_order_is_refused(docs: object) -> None:
    with pytest.raises(UsageError, match="query q2") as refused:
        Run.from_dict("mine", {"q1": ["a"], "q2": docs})
    assert "Run mine" in str(refused.value)


def test_measurements_cannot_be_changed() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1}, "r": {"a": 1}})
    found = evaluate(judgments, Run.from_dict("run", {"q": ["a"], "r": ["b", "a"]}), ("AP", "NumRet"))
    for one in (found, found.marked(["q"])):
        for column in (
            one.values,
            one.values[0],
            one.reasons,
            one.judged,
            one.n_relevant,
            one.of("run", "AP"),
        ):
            with pytest.raises(ValueError, match="read-only"):
                column[...] = 0
    assert found.mean("run", "AP").value == 0.75


GRADED = {
    "pooled first": ("q 0 a -1\nq 0 a 2\nq 0 b 0\n", 2),
    "graded first": ("q 0 a 2\nq 0 a -1\nq 0 b 0\n", 2),
    "two grades between": ("q 0 a -1\nq 0 a 2\nq 0 a 1\nq 0 b 0\n", 2),
    "pooled twice": ("q 0 a -1\nq 0 b 0\nq 0 a -2\nq 0 c 1\n", None),
}


@pytest.mark.parametrize("case", GRADED)
def test_a_grade_counts_before_a_place_in_the_pool(tmp_path: Path, case: str) -> None:
    text, grade = GRADED[case]
    (tmp_path / "qrels.txt").write_text(text, "utf-8")
    judgments, _ = read_judgments(tmp_path / "qrels.txt")
    found = evaluate(judgments, Run.from_dict("run", {"q": ["a"]}), ("DCG", "Judged@1"))
    assert found.mean("run", "DCG").value == (grade or 0)
    assert found.mean("run", "Judged@1").value == (0 if grade is None else 1)
    plain = Judgments.from_dict({"q": {"a": grade, "b": 0}} if grade else {"q": {"a": -1, "b": 0, "c": 1}})
    assert judgments.fingerprint == plain.fingerprint


# Who is counted


def test_a_run_of_other_queries_is_nothing_to_evaluate(tmp_path: Path) -> None:
    judgments = Judgments.from_dict({"q1": {"a": 1}, "q2": {"a": 0}})
    other = Run.from_dict("other", {"Q1": ["a"]})
    for runs in (other, [Run.from_dict("good", {"q1": ["a"]}), other]):
        with pytest.raises(NothingToEvaluate, match="none of the 2 queries"):
            evaluate(judgments, runs, "AP")
    evaluate(judgments, Run.from_dict("q2 only", {"q2": ["a"], "Q1": ["a"]}), "AP")
    path = tmp_path / "other.txt"
    path.write_text("one Q0 kb-001 1 1.0 x\n", "utf-8")
    for verb in (("evaluate", QRELS, path), ("explain", QRELS, path, "-q", "1")):
        done = run(*verb)
        assert (done.code, done.raw) == (3, b"")
        assert "none of the 6 queries" in done.error


def test_what_is_left_out_keeps_its_own_reason() -> None:
    judgments = Judgments.from_dict(
        {"here": {"a": 1}, "gone": {"a": 1}, "none": {"a": 0}, "nobody": {}, "refuse": {"a": 1}}
    )
    expected = {
        "gone": "missing",
        "none": "no_relevant",
        "nobody": "no_judgments",
        "refuse": "refuse",
        "here": "",
    }
    questions = Questions(
        tuple(Question(q, expected="refuse" if q == "refuse" else "answer") for q in expected)
    )
    shown = Run.from_dict("run", {"here": ["a"]})
    failed = Run.of(
        "failed",
        ["here"],
        ["a"],
        rank=[1],
        states=dict.fromkeys(("gone", "none", "nobody", "refuse"), "failed"),
    )
    for missing in ("exclude", "zero"):
        chosen = Conventions(missing=missing)
        found = evaluate(
            judgments, [shown, failed], ("AP", "nDCG@3"), conventions=chosen, questions=questions
        )
        for name in found.runs:
            for measure in found.measures:
                reasons = {query: found.reason(name, measure, query) for query in expected}
                assert reasons == {**expected, "gone": "missing" if missing == "exclude" else ""}


@pytest.mark.parametrize("measures", [("NumRet", "AP"), ("AP", "NumRet"), ("nDCG@1", "NumRelRet"), ("P@1",)])
@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("form", ["table", "md"])
def test_the_table_of_what_was_found(measures: Sequence[str], rel: int, form: str) -> None:
    judgments = Judgments.from_dict(
        {"q": {"a": 2, "b": 1, "c": 2, "d": 0}, "r": {"a": 3, "e": 1}, "none": {"a": 0}}
    )
    runs = [
        Run.from_dict("one", {"q": ["a", "b", "x"], "r": ["e"], "none": ["a"]}),
        Run.from_dict("two", {"q": ["d", "a", "a", "c"], "r": [], "asked by nobody": ["a"]}),
    ]
    found = evaluate(judgments, runs, measures, conventions=Conventions(rel=rel))
    text = report(found, format=form, width=200)
    expected = {
        1: {"one": (3, 5), "two": (2, 5), "by any system": (4, 5)},
        2: {"one": (1, 3), "two": (2, 3), "by any system": (2, 3)},
    }[rel]
    for name, (some, every) in expected.items():
        row = rf"{name}\W+{some}\W+{every}\W+{re.escape(f'{some / every:.1%}')}"
        assert re.search(row, text), (name, text)


# What is said of a difference


def compared(ranks: Sequence[tuple[int, int]], tags: Sequence[str] = ()) -> tuple[Measurements, Comparisons]:
    """A baseline and a candidate that display the one relevant doc of each query at these ranks."""
    queries = [f"q{place:02}" for place in range(len(ranks))]
    judgments = Judgments.from_dict({query: {"good": 1} for query in queries})
    runs = [
        Run.from_dict(
            name,
            {
                q: [*(f"x{i}" for i in range(both[side] - 1)), "good"]
                for q, both in zip(queries, ranks, strict=True)
            },
        )
        for side, name in enumerate(("old", "new"))
    ]
    questions = Questions(
        tuple(Question(q, tags=(tags[place % len(tags)],)) for place, q in enumerate(queries)) if tags else ()
    )
    found = evaluate(judgments, runs, "RR", questions=questions)
    return found, compare(found)


def lead(found: Measurements, comparisons: Comparisons, form: str = "md") -> str:
    return " ".join(report(found, comparisons, format=form, only=("verdict",), width=400).split())


CLEAR = [(2 + place % 5, 1) for place in range(40)]


def test_better_needs_the_adjusted_p() -> None:
    found, comparisons = compared(CLEAR)
    (row,) = comparisons.rows
    assert row.verdict == "better"
    assert "new ranks better than old" in lead(found, comparisons)
    for p, adjusted, verdict in (
        (0.01, 0.04, "better"),
        (0.03, 0.06, "unclear"),
        (0.03, None, "better"),
        (0.06, 0.06, "unclear"),
        (None, None, "unclear"),
    ):
        other = replace(row, p=p, p_adjusted=adjusted)
        assert other.verdict == verdict, (p, adjusted)
        sentence = lead(found, replace(comparisons, rows=(other,)))
        assert ("ranks better" in sentence) == (verdict == "better")
        assert ("with so many comparisons" in sentence) == ((p, adjusted) == (0.03, 0.06))
    inside = replace(row, interval=replace(row.interval, lower=-0.1))
    assert inside.verdict == "unclear"


def test_many_candidates_make_a_small_p_large() -> None:
    judgments = Judgments.from_dict({f"q{place}": {"good": 1} for place in range(6)})
    lists = {"old": [2, 3, 4, 5, 6, 7], "new": [1] * 6, **{f"same{n}": [2, 3, 4, 5, 6, 7] for n in range(9)}}
    runs = [
        Run.from_dict(
            name,
            {f"q{place}": [f"x{i}" for i in range(rank - 1)] + ["good"] for place, rank in enumerate(ranks)},
        )
        for name, ranks in lists.items()
    ]
    alone = compare(evaluate(judgments, runs[:2], "RR")).of("new", "RR")
    among = compare(evaluate(judgments, runs, "RR")).of("new", "RR")
    assert alone is not None
    assert among is not None
    assert alone.p == among.p == pytest.approx(2 / 64)
    assert (alone.p_adjusted, among.p_adjusted) == (alone.p, pytest.approx(20 / 64))
    assert (alone.verdict, among.verdict) == ("better", "unclear")


@pytest.mark.parametrize(("ranks", "sign"), [((2, 1), "+0.5000"), ((1, 2), "-0.5000")])
def test_differences_that_are_all_the_same(ranks: tuple[int, int], sign: str) -> None:
    found, comparisons = compared([ranks] * 6)
    (row,) = comparisons.rows
    assert (row.interval.reason, row.verdict) == ("zero_variance", "unclear")
    sentence = lead(found, comparisons, "table")
    assert f"Every query differs by the same amount, {sign}" in sentence
    assert "p = 0.03125, n = 6" in sentence
    assert "better than" not in sentence
    assert "worse than" not in sentence


def test_no_difference_at_all_is_said_so() -> None:
    found, comparisons = compared([(2, 2)] * 6)
    assert "No difference was observed" in lead(found, comparisons)


@pytest.mark.parametrize("form", ["table", "md", "html"])
@pytest.mark.parametrize("ranks", [CLEAR, [(2, 1)] * 40], ids=["different", "all the same"])
def test_a_p_is_never_shown_as_0(form: str, ranks: list[tuple[int, int]]) -> None:
    found, comparisons = compared(ranks)
    (row,) = comparisons.rows
    assert row.p is not None
    assert 0 < row.p < 0.00005
    told = ("verdict", "measures")
    text = (
        report(found, comparisons, format=form, only=told, width=300).replace("&lt;", "<").replace("\\", "")
    )
    assert "<0.0001" in text
    assert "0.0000" not in re.sub(r"[+-]0\.0000", "", text)
    assert "p = 0," not in text


def test_what_is_looked_at_by_tag_is_not_tested() -> None:
    _, comparisons = compared(CLEAR, tags=("even", "odd"))
    tagged = [row for row in comparisons.rows if row.tag]
    assert {row.tag for row in tagged} == {"even", "odd"}
    for row in tagged:
        assert (row.p, row.p_adjusted, row.p_floor, row.method) == (None, None, None, "not tested")
        assert row.verdict == "unclear"
        assert row.row()["p"] is None
    (whole,) = (row for row in comparisons.rows if not row.tag)
    assert whole.p == whole.p_adjusted
