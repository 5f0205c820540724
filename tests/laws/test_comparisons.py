"""What holds of every comparison of two systems."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import Case, cases, conventions, questions
from rankproof import (
    Comparison,
    Conventions,
    Judgments,
    Measurements,
    NotComparable,
    Run,
    UnknownName,
    UsageError,
    compare,
    evaluate,
)

MEASURES = ("nDCG@3", "AP", "RR", "P@3", "Judged@3", "NumRel")
CLOSE = 1e-12


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Case, Run]:
    """A case, and a second run of the same queries in another order."""
    case = draw(cases(min_queries=2, answered=True))
    shown = {query: draw(st.permutations(docs)) for query, docs in case.shown.items()}
    other = replace(case, shown=shown, style="ranks")
    return case, other.run_in(range(len(other.run)), name="other")


def measured(case: Case, other: Run, chosen: Conventions | None = None) -> Measurements:
    return evaluate(case.judgments, [case.run, other], MEASURES, conventions=chosen)


def negated(value: float | None) -> float | None:
    return None if value is None else -value


@given(pairs(), conventions)
def test_swapping_the_two_negates_everything_and_keeps_p(pair: tuple[Case, Run], chosen: Conventions) -> None:
    found = measured(*pair, chosen)
    ahead, back = compare(found, baseline="run"), compare(found, baseline="other")
    for one in ahead.rows:
        two = back.of("run", one.measure, one.tag)
        assert two is not None
        assert (one.n, one.wins, one.ties, one.losses) == (two.n, two.losses, two.ties, two.wins)
        assert (one.mean_baseline, one.mean_candidate) == (two.mean_candidate, two.mean_baseline)
        assert one.difference == negated(two.difference)
        assert (one.interval.lower, one.interval.upper) == (
            negated(two.interval.upper),
            negated(two.interval.lower),
        )
        assert (one.p, one.p_adjusted, one.p_floor, one.detectable, one.reason) == (
            two.p,
            two.p_adjusted,
            two.p_floor,
            two.detectable,
            two.reason,
        )
        for mine, theirs in zip(one.queries, two.queries, strict=True):
            assert (mine.query_id, mine.difference) == (theirs.query_id, negated(theirs.difference))


@given(pairs(), st.data())
def test_the_order_of_queries_changes_nothing(pair: tuple[Case, Run], data: st.DataObject) -> None:
    case, other = pair
    again = replace(case, grades=dict(data.draw(st.permutations(list(case.grades.items())))))
    for one, two in zip(
        compare(measured(case, other)).rows, compare(measured(again, other)).rows, strict=True
    ):
        assert (one.n, one.wins, one.ties, one.losses) == (two.n, two.wins, two.ties, two.losses)
        assert (one.difference, one.mean_baseline, one.p) == (two.difference, two.mean_baseline, two.p)
        assert one.interval.lower == pytest.approx(two.interval.lower, abs=CLOSE)
        assert one.interval.upper == pytest.approx(two.interval.upper, abs=CLOSE)
        differences = {row.query_id: row.difference for row in one.queries}
        assert differences == {row.query_id: row.difference for row in two.queries}


@given(pairs(), conventions, st.data())
def test_the_numbers_of_a_comparison_fit_each_other(
    pair: tuple[Case, Run], chosen: Conventions, data: st.DataObject
) -> None:
    case, other = pair
    asked = data.draw(st.one_of(st.none(), questions(case)))
    found = evaluate(case.judgments, [case.run, other], MEASURES, conventions=chosen, questions=asked)
    compared = compare(found)
    assert {row.measure for row in compared.rows} == {
        name
        for name in found.measures
        if not name.startswith("NumRel")  # a count is no mean
    }
    for row in compared.rows:
        fits(row)
        if not row.tag:
            assert [one.query_id for one in row.queries] == list(found.queries)


def fits(row: Comparison) -> None:
    defined = [one for one in row.queries if one.difference is not None]
    assert row.wins + row.ties + row.losses == row.n == len(defined)
    assert row.wins == len(row.best)
    assert row.losses == len(row.worst)
    for one in row.queries:
        assert (one.difference is None) == (one.baseline is None or one.candidate is None)
        assert (one.difference is None) == bool(one.reason)
        if one.difference is not None:
            assert one.difference == pytest.approx(one.candidate - one.baseline, abs=CLOSE)
    if not row.n:
        assert (row.difference, row.p, row.interval.lower, row.reason) == (
            None,
            None,
            None,
            "no_common_query",
        )
        assert row.verdict == "undefined"
        return
    assert row.difference == pytest.approx(row.mean_candidate - row.mean_baseline, abs=1e-9)
    assert row.p is None or 0 < row.p_floor <= row.p <= 1
    assert row.p_adjusted is None or row.p <= row.p_adjusted <= 1
    if row.interval.lower is not None:
        assert row.interval.lower <= row.difference <= row.interval.upper
    if row.wins == row.losses == 0:
        assert (row.difference, row.verdict) == (0, "same")
    if row.verdict in ("better", "worse"):
        assert row.p <= 0.05
        assert (row.difference > 0) == (row.verdict == "better")


@given(pairs())
def test_a_system_compared_with_itself(pair: tuple[Case, Run]) -> None:
    case, _ = pair
    found = measured(case, case.run_in(range(len(case.run)), name="other"))
    for row in compare(found).rows:
        assert (row.wins, row.losses) == (0, 0)
        if row.n > 1:
            assert (row.difference, row.p, row.interval.lower, row.interval.upper) == (0, 1, 0, 0)


@given(pairs())
def test_every_query_asked_twice_keeps_the_mean(pair: tuple[Case, Run]) -> None:
    case, other = pair
    twice = {f"{query} {i}": docs for query, docs in case.grades.items() for i in "12"}
    runs = [doubled(case.run), doubled(other)]
    single, double = (
        compare(measured(case, other)),
        compare(evaluate(Judgments.from_dict(twice), runs, MEASURES)),
    )
    for one, two in zip(single.rows, double.rows, strict=True):
        assert (2 * one.n, 2 * one.wins, 2 * one.losses) == (two.n, two.wins, two.losses)
        assert one.difference == pytest.approx(two.difference, abs=CLOSE)


def doubled(run: Run) -> Run:
    query, doc = run.query.texts().tolist(), run.doc.texts().tolist()
    return Run.of(
        run.name,
        [f"{one} {i}" for i in "12" for one in query],
        [*doc, *doc],
        rank=None if run.rank is None else [*run.rank, *run.rank],
        score=None if run.score is None else [*run.score, *run.score],
        states={f"{one} {i}": state for one, state in run.states.items() for i in "12"},
    )


@given(pairs())
def test_results_measured_apart_compare_as_if_together(pair: tuple[Case, Run]) -> None:
    case, other = pair
    apart = [evaluate(case.judgments, run, MEASURES) for run in (case.run, other)]
    assert compare(*apart).rows == compare(measured(case, other)).rows


def many(n: int, seed: int = 7) -> Measurements:
    """Two systems over so many queries that signs are drawn."""
    draw = np.random.default_rng(seed)
    docs = [f"d{place}" for place in range(8)]
    queries = [f"q{place:03}" for place in draw.permutation(n)]
    grades = {
        query: dict(zip(docs, draw.integers(0, 4, 8).tolist(), strict=True)) | {"d0": 1} for query in queries
    }
    runs = [
        Run.from_dict(name, {query: draw.permutation(docs).tolist() for query in queries})
        for name in ("run", "other", "third")
    ]
    return evaluate(Judgments.from_dict(grades), runs, ("nDCG@3", "AP"))


def test_drawn_signs_do_not_depend_on_who_is_the_baseline() -> None:
    found = many(60)
    ahead, back = compare(found, baseline="run", seed=11), compare(found, baseline="other", seed=11)
    for measure in found.measures:
        one, two = ahead.of("other", measure), back.of("run", measure)
        assert one is not None
        assert two is not None
        assert one.method == "sign-flip Monte Carlo"
        assert one.p == two.p
        assert one.difference == -two.difference
    assert compare(found, baseline="run", seed=11).rows == ahead.rows
    assert compare(found, baseline="run", seed=12).rows != ahead.rows


def test_candidates_tested_at_once_get_the_p_that_each_gets_alone() -> None:
    found = many(60)
    together = compare(found, seed=4)
    for place, candidate in enumerate(found.runs[1:], 1):
        two = [0, place]
        alone = replace(
            found,
            runs=("run", candidate),
            **{k: getattr(found, k)[two] for k in ("values", "reasons", "judged")},
        )
        for row in compare(alone, seed=4).rows:
            beside = together.of(candidate, row.measure)
            assert beside is not None
            assert (beside.p, beside.method) == (row.p, "sign-flip Monte Carlo")


def test_adjusted_p_is_over_all_candidates_and_primary_measures() -> None:
    found = many(30)
    everything = compare(found, primary=found.measures)
    assert all(row.p_adjusted is not None for row in everything.rows)
    some = compare(found, primary=["AP"])
    for row in some.rows:
        assert (row.p_adjusted is not None) == (row.measure == "AP")
    for row in some.rows:
        whole = everything.of(row.candidate, row.measure)
        assert whole is not None
        assert row.p == whole.p
        assert row.p_adjusted is None or row.p_adjusted <= whole.p_adjusted
    assert compare(found).rows == compare(found, primary=found.measures[:1]).rows


def test_only_results_of_the_same_thing_compare() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1}, "r": {"a": 1}})
    one, two = Run.from_dict("one", {"q": ["a"]}), Run.from_dict("two", {"q": ["a"]})
    first = evaluate(judgments, one, "AP")
    for what, other in (
        ("conventions", evaluate(judgments, two, "AP", conventions=Conventions(missing="exclude"))),
        ("judgments", evaluate(Judgments.from_dict({"q": {"a": 2}, "r": {"a": 1}}), two, "AP")),
        ("measures", evaluate(judgments, two, "RR")),
    ):
        with pytest.raises(NotComparable, match=f"differ in their {what}"):
            compare(first, other)
    rubrics = [
        Judgments.of(["q", "r"], ["a", "a"], [1, 1], details={"rubric_version": [v, v]}) for v in ("1", "2")
    ]
    with pytest.raises(NotComparable, match="rubric version"):
        compare(evaluate(rubrics[0], one, "AP"), evaluate(rubrics[1], two, "AP"))
    with pytest.raises(UsageError, match="Only one run"):
        compare(first)
    with pytest.raises(UsageError, match="same name"):
        compare(first, first)
    with pytest.raises(UnknownName, match="two"):
        compare(first, evaluate(judgments, two, "AP"), baseline="tow")
