"""A combination is the weighed sum of its parts, whatever the data, the conventions and the company."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases, conventions
from rankproof import (
    Conventions,
    Judgments,
    Measure,
    Preferences,
    Run,
    UsageError,
    combination,
    compare,
    conventions_of,
    evaluate,
    explain,
    parse_measure,
    parse_measures,
    weight_sensitivity,
)

PARTS = [one for one in EVERY if one.mean in ("arithmetic", "total") and one.family != "text"]


@st.composite
def combinations(draw: st.DrawFn) -> Measure:
    """Two to four measures of any kind, behind weights."""
    parts = draw(st.lists(st.sampled_from(PARTS), min_size=2, max_size=4, unique_by=str))
    weights = [draw(st.sampled_from([1e-7, 0.1, 0.3, 0.7, 1, 2.5, 100, 3e8])) for _ in parts]
    return combination(list(zip(weights, parts, strict=True)))


@settings(max_examples=40)
@given(cases(), conventions, combinations())
def test_the_value_is_the_weighed_sum_of_what_the_parts_are_apart(
    case: Case, chosen: Conventions, whole: Measure
) -> None:
    found = evaluate(case.judgments, case.run, whole, conventions=chosen)
    under = whole.under(chosen)
    name = under.full_name
    assert found.measures[0] == name
    assert set(found.measures[1:]) == {part.full_name for part in under.parts}
    expected = 0.0
    reasons = []
    for weight, part in under.weighted:
        alone = evaluate(case.judgments, case.run, part, conventions=chosen)
        expected = expected + weight * alone.of("run", part.full_name)
        reasons.append(alone.reasons[0, 0])
        np.testing.assert_array_equal(
            alone.of("run", part.full_name), found.of("run", part.full_name), err_msg=part.full_name
        )
    np.testing.assert_allclose(found.of("run", name), expected, rtol=1e-12)
    first = [next((int(one) for one in column if one), 0) for column in np.array(reasons).T]
    assert found.reasons[0, 0].tolist() == first
    low, high = whole.range
    values = found.of("run", name)
    values = values[~np.isnan(values)]
    assert low is None or (values >= low - 1e-9).all()
    assert high is None or (values <= high * (1 + 1e-12)).all()


@given(combinations())
def test_a_name_is_read_back(whole: Measure) -> None:
    again = parse_measure(whole.full_name)
    assert again.full_name == whole.full_name
    assert [weight for weight, _ in again.weighted] == [weight for weight, _ in whole.weighted]
    assert parse_measures(whole.full_name.replace(" + ", "+").replace("*", " * "))[0].full_name == str(whole)
    assert pickle.loads(pickle.dumps(whole)).full_name == whole.full_name


@settings(max_examples=25)
@given(cases(min_queries=2), combinations())
def test_queries_together_or_apart_have_the_same_value(case: Case, whole: Measure) -> None:
    together = evaluate(case.judgments, case.run, whole)
    in_batches = evaluate(case.judgments, case.run, whole, keep=False)
    np.testing.assert_array_equal(together.values, in_batches.values)
    rankings = together.rankings["run", together.measures[1]]
    measured = whole.under(Conventions())
    value = measured.of(rankings).value
    for place in range(rankings.n_queries):
        alone = measured.of(rankings.part(place, place + 1)).value
        np.testing.assert_array_equal(alone, value[place : place + 1])
    known = ~np.isnan(together.of("run", measured.full_name))
    np.testing.assert_array_equal(value[known], together.of("run", measured.full_name)[known])


def test_a_combination_is_explained_by_its_parts() -> None:
    judgments = Judgments.from_dict({"q": {"A": 1, "B": 0}, "none": {"A": 0}})
    run = Run.from_dict("run", {"q": ["B", "A"], "none": ["A"]})
    found = evaluate(judgments, run, ["0.5*RR + 2*NumRet", "AP"])
    told = explain(found, "run", "q")
    assert (told.measure, told.value) == ("0.5*RR + 2*NumRet", 0.5 * 0.5 + 2 * 2)
    assert dict(told.parts) == {"RR": 0.5, "NumRet": 2.0}
    nothing = explain(found, "run", "none")
    assert (nothing.value, nothing.reason, dict(nothing.parts)) == (None, "no_relevant", {"NumRet": 1.0})
    assert found.mean("run", "0.5*RR + 2*NumRet").n == 1


def test_conventions_and_a_dialects_exceptions_reach_the_parts() -> None:
    chosen = Conventions(rel=2, gain="exp2")
    assert parse_measure("0.5*P@5 + 0.5*nDCG").under(chosen).full_name == (
        "0.5*P(rel=2)@5 + 0.5*nDCG(gain=exp2)"
    )
    judgments = Judgments.from_dict({"q": {"A": 1, "B": 0}})
    run = Run.from_dict("run", {"q": {"A": 1.0, "B": 1.0}})
    found = evaluate(judgments, run, "0.5*RR + 0.5*AP", conventions=conventions_of("trec_eval"))
    assert found.of("run", "0.5*RR + 0.5*AP").tolist() == [0.5]  # equal scores: the higher id comes first


def test_the_mean_is_the_weighed_sum_of_means_only_where_the_same_queries_are_defined() -> None:
    judgments = Judgments.from_dict({"q": {"A": 1}, "r": {"A": 0}})
    run = Run.from_dict("run", {"q": ["A"], "r": ["A"]})
    found = evaluate(judgments, run, "1*RR + 1*NumRet + 1*Judged@5")
    assert [found.mean("run", m).n for m in found.measures] == [1, 1, 2, 2]
    assert found.mean("run", found.measures[0]).value == 3  # NumRet adds up to 2 over both


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0.5*AP", "at least two"),
        ("0.5*AP + 0.5*map", "at least two different"),
        ("0*AP + RR", "expected a number above 0"),
        ("-1*AP + RR", "expected a number above 0"),
        ("nan*AP + RR", "expected a number above 0"),
        ("1e400*AP + RR", "expected a number above 0"),
        ("x*AP + RR", "expected a number above 0"),
        ("AP*0.5 + RR", "expected a number above 0"),
        ("0.7*nDCG@10 - 0.3*AP", "not weight"),
        ("0.7*nDCG@10 + 0.3*", "not weight"),
        ("0.7*nDCG@5,10 + AP", "names 2 measures"),
        ("0.7*nDGC@5 + AP", "Did you mean"),
    ],
)
def test_what_cannot_be_is_an_error(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        parse_measure(text)


@pytest.mark.parametrize("text", ["nDCG(gain=1=2,3=1e+2)@10", "ndcg_1=3,2=5", "P@5"])
def test_a_plus_or_a_star_in_a_setting_makes_no_combination(text: str) -> None:
    assert not hasattr(parse_measure(text), "weighted")


def test_an_aspect_without_aspects_is_an_error() -> None:
    judgments, run = Judgments.from_dict({"q": {"A": 1}}), Run.from_dict("run", {"q": ["A"]})
    for text in ("click:AP", "0.5*click:AP + 0.5*RR"):
        with pytest.raises(UsageError, match="aspect click"):
            evaluate(judgments, run, text)


def test_how_far_weights_decide_is_told_by_compare() -> None:
    judgments = Judgments.from_dict({q: {"A": 1, "B": 1} for q in ("q1", "q2", "q3")})
    old = Run.from_dict("old", {q: ["A", "x", "y", "z"] for q in ("q1", "q2", "q3")})
    new = Run.from_dict("new", {"q1": ["x", "A", "B"], "q2": ["x", "B", "A"], "q3": ["A", "B"]})
    name = "0.25*RR + 0.75*R@3"
    found = evaluate(judgments, [old, new], [name, "AP"])
    (told,) = compare(found).weights
    assert (told.candidate, told.measure, told.n, told.pareto) == ("new", name, 3, "trade-off")
    assert told.parts == ("RR", "R@3")
    assert told.differences == pytest.approx((-1 / 3, 1 / 2))
    assert told.break_even == pytest.approx(0.6)  # w / 3 = (1 - w) / 2
    assert (told.better, told.worse) == pytest.approx((0.6, 0.4))
    assert [(m.taken_from, m.given_to, round(m.weight, 9)) for m in told.moves] == [("R@3", "RR", 0.35)]
    assert told.difference == pytest.approx(compare(found).of("new", name).difference)
    assert told == weight_sensitivity(found, name, "old", "new")
    alike = weight_sensitivity(found, ["RR", "R@3"])
    assert (alike.weights, alike.differences) == ((0.5, 0.5), told.differences)
    swapped = weight_sensitivity(found, name, "new", "old")
    assert (swapped.better, swapped.worse) == pytest.approx((told.worse, told.better))
    assert (swapped.surely_better, swapped.surely_worse) == (told.surely_worse, told.surely_better)
    assert not compare(found.only(["AP"])).weights
    with pytest.raises(UsageError, match=r"no combination|There is no combination"):
        weight_sensitivity(found, "AP")


def test_what_the_parts_look_at_is_what_must_be_given() -> None:
    preferences = Preferences.of_pairs([("q", "A", "B"), ("q", "B", "C")])
    run, graded = Run.from_dict("run", {"q": ["B", "A"]}), Judgments.from_dict({"q": {"A": 1}})
    found = evaluate(preferences, run, "0.5*PrefSimp + 0.5*PrefPair")
    alone = [evaluate(preferences, run, name).mean("run", name).value for name in ("PrefSimp", "PrefPair")]
    assert found.mean("run", found.measures[0]).value == pytest.approx(sum(alone) / 2)
    for text, judged, says in (
        ("0.5*PrefSimp + 0.5*AP", preferences, "AP reads grades"),
        ("0.5*PrefSimp + 0.5*AP", graded, "PrefSimp reads preferences"),
        ("0.5*AP + 0.5*StRecall@3", graded, "StRecall@3 needs to know which subtopics"),
    ):
        with pytest.raises(UsageError, match=says):
            evaluate(judged, run, text)
    both = evaluate(graded, run, "0.5*PrefSimp + 0.5*AP", preferences=preferences)
    assert both.mean("run", both.measures[0]).value == pytest.approx(0.5 * alone[0] + 0.5 * 0.5)
