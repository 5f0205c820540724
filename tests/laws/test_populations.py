"""Every query that was asked is counted once, and every evaluable one has one state in each run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases, conventions, questions
from rankproof import Conventions, Judgments, Run, conventions_of, evaluate
from rankproof.tables.populations import RUN_STATES


@given(cases(), conventions, st.data())
def test_populations_add_up(case: Case, chosen: Conventions, data: st.DataObject) -> None:
    asked = data.draw(st.one_of(st.none(), questions(case)))
    found = evaluate(case.judgments, case.run, EVERY[:1], conventions=chosen, questions=asked)
    parts = found.populations
    everyone = (*parts.evaluable, *parts.no_relevant, *parts.unjudged, *parts.refuse)
    assert sorted(everyone) == sorted(asked.ids if asked else case.grades)
    assert parts.asked == len(everyone)
    run = parts.runs["run"]
    states = [query for state in RUN_STATES for query in run.of(state)]
    assert sorted(states) == sorted(parts.evaluable)
    for query in parts.evaluable:
        assert run.states[query] == ("ok" if query in case.shown else case.states.get(query, "missing"))
    assert not set(run.extra) & set(everyone)
    assert set(run.extra) <= {*case.shown, *case.states}


@given(cases(), st.data())
def test_populations_are_what_they_are_called(case: Case, data: st.DataObject) -> None:
    asked = data.draw(questions(case))
    parts = evaluate(case.judgments, case.run, EVERY[:1], questions=asked).populations
    for query in asked.ids:
        judged = [grade for grade in case.grades.get(query, {}).values() if grade >= 0]
        if asked.by_id[query].expected == "refuse":
            assert query in parts.refuse
        elif not judged:
            assert query in parts.unjudged
        elif max(judged) < 1:
            assert query in parts.no_relevant
        else:
            assert query in parts.evaluable


@given(cases(), st.data())
def test_populations_as_numbers(case: Case, data: st.DataObject) -> None:
    asked = data.draw(questions(case))
    parts = evaluate(case.judgments, case.run, EVERY[:1], questions=asked).populations
    told = parts.as_dict()
    kinds = ("evaluable", "no_relevant", "unjudged", "refuse")
    assert told["asked"] == sum(told[kind] for kind in kinds)
    for kind in (*kinds, "anomalous"):
        assert told[kind] == len(told["queries"][kind])
    run = told["runs"]["run"]
    assert told["evaluable"] == sum(run[state] for state in RUN_STATES)
    for state in (*RUN_STATES[1:], "extra"):
        assert run[state] == len(run["queries"][state])


@given(cases(), st.data())
def test_the_anomalous_are_an_overlay(case: Case, data: st.DataObject) -> None:
    asked = data.draw(questions(case))
    found = evaluate(case.judgments, case.run, EVERY[:1], questions=asked)
    some = data.draw(st.sets(st.sampled_from([*asked.ids, "somewhere else"])))
    marked = found.marked(frozenset(some))
    assert set(marked.populations.anomalous) == some - {"somewhere else"}
    assert marked.populations.asked == found.populations.asked
    np.testing.assert_array_equal(marked.values, found.values)


@given(cases(), st.data())
def test_what_is_not_measured_has_no_value_in_any_run(case: Case, data: st.DataObject) -> None:
    asked = data.draw(questions(case))
    found = evaluate(case.judgments, case.run, EVERY, questions=asked)
    parts = found.populations
    for measure in EVERY:
        values = dict(zip(found.queries, found.of("run", measure.full_name), strict=True))
        assert all(np.isnan(values[query]) for query in (*parts.unjudged, *parts.refuse))
        if measure.needs in ("relevant", "gain"):
            assert all(np.isnan(values[query]) for query in parts.no_relevant)
        if measure.needs == "relevant" and measure.values.get("rel", 1) == 1:
            assert not any(np.isnan(values[query]) for query in parts.evaluable)


POOL_ALONE = Judgments.from_dict({"judged": {"a": 1, "b": 0}, "pooled": {"a": -2, "b": -1}})
SHOWN = Run.from_dict("run", {"judged": ["a"], "pooled": ["a", "x"]})


@pytest.mark.parametrize("dialect", ["trec_eval-9", "trec_eval-10", "ir_measures", "beir", "mteb"])
@pytest.mark.parametrize("name", ["AP@3", "P@3", "R@3", "nDCG@3"])
def test_a_query_whose_pool_nobody_judged_counts_where_one_without_relevant_docs_does(
    dialect: str, name: str
) -> None:
    """pytrec_eval-terrier 0.5.11 gives it 0, which counts in the mean."""
    found = evaluate(POOL_ALONE, SHOWN, name, conventions=conventions_of(dialect))
    assert found.populations.no_relevant == ("pooled",)
    first, second = found.of("run", name).tolist()
    assert (second, found.mean("run", name).value) == (0, pytest.approx(first / 2))


@pytest.mark.parametrize(
    "chosen",
    [
        Conventions(),
        Conventions(no_relevant="zero", negative_grades="skip"),
        conventions_of("gdeval"),
        Conventions(no_relevant="error"),
    ],
    ids=repr,
)
def test_elsewhere_such_a_query_was_judged_by_nobody(chosen: Conventions) -> None:
    found = evaluate(POOL_ALONE, SHOWN, "P@3", conventions=chosen)
    assert found.populations.unjudged == ("pooled",)
    assert found.reason("run", "P@3", "pooled") == "no_judgments"


def test_a_pool_that_nobody_judged_holds_no_relevant_doc_even_from_grade_0_on() -> None:
    found = evaluate(POOL_ALONE, SHOWN, "P@3", conventions=conventions_of("trec_eval-9", rel=0))
    assert found.populations.no_relevant == ("pooled",)
    assert found.of("run", "P(rel=0)@3").tolist() == [pytest.approx(1 / 3), 0]


@given(cases(), st.sampled_from(["zero", "one"]))
def test_where_no_relevant_doc_is_a_value_so_is_nothing_but_grades_below_0(case: Case, value: str) -> None:
    chosen = Conventions(no_relevant=value)
    parts = evaluate(case.judgments, case.run, EVERY[:1], conventions=chosen).populations
    for query, grades in case.grades.items():
        assert (query in parts.unjudged) == (not grades)
        assert (query in parts.evaluable) == (max(grades.values(), default=-1) >= 1)
