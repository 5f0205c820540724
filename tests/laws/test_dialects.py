"""What holds of every dialect: its rows are sound, it answers every case, and its results say what they are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases, same
from rankproof import (
    CONVENTIONS,
    DIALECTS,
    MEASURES,
    Conventions,
    Dialect,
    Judgments,
    Measure,
    Run,
    UnknownName,
    UsageError,
    conventions_of,
    evaluate,
    explain_dialects,
    parse_measure,
)
from rankproof.measures.dialects import conventions_for, settings_of

EACH = pytest.mark.parametrize("row", DIALECTS, ids=lambda row: row.name)
dialects = st.sampled_from(list(DIALECTS))


def known(name: str) -> Measure | None:
    """The measure of that name, whatever stands in its parentheses, where there is one."""
    bare = name.partition("(")[0]
    return MEASURES.find(bare) if bare in MEASURES else None


def measures_of(row: Dialect) -> list[Measure]:
    """The measures of EVERY that a dialect has."""
    return [measure for measure in EVERY if row.has(measure.name, measure.at)]


@EACH
def test_a_row_names_what_there_is(row: Dialect) -> None:
    names = [name.removesuffix("@") for name in (*row.covers, *row.settings, *row.exceptions)]
    assert {name for name in names if known(name) is None} == set()
    named = {name.partition("(")[0].removesuffix("@") for name in (*row.settings, *row.exceptions)}
    assert not row.covers or named <= {name.removesuffix("@") for name in row.covers}
    for chosen in row.exceptions.values():
        row.conventions.but(**chosen)  # an unknown choice raises
        assert "extra" not in chosen  # the queries are those of all measures
    assert row.status == "own" or row.cautions
    assert all(caution.endswith((".", "k")) for caution in row.cautions)


@EACH
def test_its_settings_are_settings_of_the_measure(row: Dialect) -> None:
    for name, chosen in row.settings.items():
        measure = known(name.removesuffix("@"))
        assert measure is not None
        at = 10 if name.endswith("@") else None
        named = measure.with_(at).under(row.conventions)
        assert {key: str(named.values[key]) for key in chosen} == dict(chosen)
        for key, text in chosen.items():
            default = measure.with_(at).under(Conventions())
            always = next(setting for setting in measure.settings if setting.name == key).always
            assert str(default.values[key]) != text or always  # else it needs no row
            assert f"{key}={text}" in named.full_name or always


@EACH
def test_its_exceptions_are_no_choices_of_its_own(row: Dialect) -> None:
    for name, chosen in row.exceptions.items():
        for key, value in chosen.items():
            assert getattr(row.conventions, key) != value
            own = conventions_for(row.conventions, name.removesuffix("@"), 10)
            assert getattr(own, key) == value


@given(cases(), dialects, st.data())
def test_every_dialect_answers_every_case(case: Case, row: Dialect, data: st.DataObject) -> None:
    grades = {q: {d: max(g, 0) for d, g in docs.items()} for q, docs in case.grades.items()}
    kind = data.draw(st.sampled_from(("as it is", "no grade below 0")))
    case = case if kind == "as it is" else replace(case, grades=grades)
    chosen = row.conventions
    if kind != "as it is":  # what some dialects stop at is told to go on
        chosen = chosen.but(missing="zero", extra="exclude")
    try:
        found = case.measured(measures_of(row), chosen)
    except UsageError as error:
        refused = str(error)
        assert (kind, "error was asked" in refused) == ("as it is", True)
        return
    assert found.conventions.dialect == row.name
    assert (np.isnan(found.values) == (found.reasons > 0)).all()
    for name in found.measures:
        assert parse_measure(name).full_name == name
        values = found.of("run", name)
        assert np.isfinite(values[~np.isnan(values)]).all()


@given(cases())
def test_dialects_side_by_side_are_the_same_as_apart(case: Case) -> None:
    """Values of one call do not depend on what else was asked, nor on which dialect was asked before."""
    for row in DIALECTS:
        chosen = row.conventions.but(missing="zero", extra="exclude", negative_grades="zero")
        wanted = measures_of(row)[::7]
        together = case.measured(wanted, chosen)
        for measure in wanted[:3]:
            name = measure.under(chosen).full_name
            same(case.measured([measure], chosen), together.only([name]))


@given(cases(answered=True), dialects, st.permutations(("AP", "Judged@3", "RR@3", "RBP", "ERR@3")), st.data())
def test_the_order_of_the_measures_changes_nothing_else(
    case: Case, row: Dialect, names: list[str], data: st.DataObject
) -> None:
    """Populations, lists and counts are those of the dialect, also where each measure has an exception."""
    chosen = row.conventions.but(missing="zero", extra="exclude")
    names = names[: data.draw(st.integers(1, 5))]
    measures = [parse_measure(name) for name in names]
    try:
        one = case.measured(measures, chosen)
        other = case.measured(measures[::-1], chosen)
        plain = case.measured([parse_measure("P@1")], chosen.but(dialect="no tool"))
    except UsageError:
        return  # what some dialects stop at
    same(one, other.only(one.measures))
    assert one.populations == other.populations == plain.populations
    np.testing.assert_array_equal(one.n_relevant, other.n_relevant)
    for place in range(len(one.queries)):
        assert one.lists["run"].docs(place) == plain.lists["run"].docs(place)
    for name in one.measures:
        alone = case.measured([parse_measure(name)], chosen)
        for place in range(len(one.queries)):
            assert one.list_of("run", name).docs(place) == alone.list_of("run", name).docs(place)


def test_a_grade_below_0_is_what_the_dialect_says_whatever_comes_first() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1}, "p": {"b": -1}})
    run = Run.from_dict("run", {"q": ["a"], "p": ["b"]})
    for names in (["AP", "Judged@3"], ["Judged@3", "AP"], ["Judged@3"]):
        found = evaluate(judgments, run, names, conventions=conventions_of("ir_measures"))
        assert (found.populations.unjudged, found.populations.no_relevant) == ((), ("p",))
        assert found.of("run", "Judged(unanswered=zero)@3").tolist() == [1, 1]


@given(cases(answered=True), st.sampled_from(("nDCG@3", "AP", "AP@3", "P@3", "RR")))
def test_a_reading_is_the_value_that_evaluate_gives(case: Case, name: str) -> None:
    query = next(iter(case.grades))
    readings = explain_dialects(case.judgments, case.run, query, name)
    assert [row.dialect for row in readings.rows] == list(DIALECTS.names())
    for reading in readings.rows:
        row, asked = DIALECTS.find(reading.dialect), parse_measure(name)
        assert bool(reading.measure) == row.has(asked.name, asked.at)
        if not reading.measure:
            assert (reading.value, reading.choices, reading.together) == (None, (), ())
            continue
        try:
            found = evaluate(case.judgments, case.run, name, conventions=row.conventions)
        except UsageError:
            continue  # another query stops it
        assert reading.measure == found.measures[0]
        value = found.of("run", found.measures[0])[found.queries.index(query)]
        assert reading.value == pytest.approx(None if np.isnan(value) else value, abs=1e-12)
        assert reading.reason == found.reason("run", found.measures[0], query)


@given(cases(answered=True), st.sampled_from(("nDCG@3", "AP@3", "P@3")))
def test_a_choice_put_back_gives_the_value_that_is_told(case: Case, name: str) -> None:
    query = next(iter(case.grades))
    readings = explain_dialects(case.judgments, case.run, query, name)
    base = readings.of("rankproof")
    for reading in readings.rows:
        for choice in reading.choices:
            assert choice.theirs != choice.ours
            assert choice.value is None or reading.value is None or choice.value != reading.value
        if reading.measure and not reading.choices and not reading.together:
            assert reading.value == pytest.approx(base.value, abs=1e-12)
            assert (reading.reason, reading.error) == (base.reason, base.error)


GRADES = {"q": {"a": 3, "b": 2, "c": 1, "d": 0, "e": 2}}
SHOWN = Run.of("run", ["q"] * 5, ["c", "x", "a", "d", "b"], score=[5.0, 4.0, 3.0, 2.0, 1.0])


def test_the_choices_are_those_that_make_the_difference() -> None:
    found = explain_dialects(Judgments.from_dict(GRADES), SHOWN, "q", "nDCG@3")
    told = {row.dialect: {choice.name: choice.theirs for choice in row.choices} for row in found.rows}
    assert told["trec_eval-9"] == {}
    assert told["gdeval"] == {"gain": "exp2"}
    assert told["torchmetrics"] == {"pool": "shown"}
    assert told["lightgbm"] == {"pool": "shown", "gain": "exp2"}
    assert told["quepid"] == {"gain": "exp2", "against": "uncut"}
    assert found.of("msmarco").measure == ""
    (pool,) = found.of("torchmetrics").choices
    assert pool.value == pytest.approx(found.of("rankproof").value)


def test_choices_that_only_change_it_together() -> None:
    found = explain_dialects(Judgments.from_dict(GRADES), SHOWN, "q", "AP@3").of("lightgbm")
    assert (found.choices, set(found.together)) == ((), {"pool", "denominator"})  # min(3, 4) is 3 shown


def test_what_a_dialect_refuses_is_told_in_its_row() -> None:
    judgments = Judgments.from_dict({**GRADES, "other": {"a": 1}})
    found = explain_dialects(judgments, SHOWN, "other", "RR")
    assert "no list for the judged query other" in str(found.of("trec_eval-10").error)
    assert (found.of("trec_eval-9").reason, found.of("trec_eval-9").value) == ("missing", None)
    assert found.of("rankproof").value == 0
    assert found.of("trec_eval-10").choices[0].name == "missing"
    for row in explain_dialects(judgments, SHOWN, "q", "RR").rows:  # the other query stops nobody here
        assert row.error is None


def test_readings_may_be_held_to_another_dialect_and_choices_made_in_all() -> None:
    judgments = Judgments.from_dict(GRADES)
    found = explain_dialects(judgments, SHOWN, "q", "nDCG@3", base="gdeval", dialects=["ranx", "xgboost"])
    assert [row.dialect for row in found.rows] == ["gdeval", "ranx", "xgboost"]
    assert [choice.name for choice in found.of("ranx").choices] == ["gain"]
    found = explain_dialects(judgments, SHOWN, "q", "nDCG@3", choices={"gain": "binary"}, dialects=["gdeval"])
    assert found.of("gdeval").choices == ()
    for wrong in ({"base": "ranks"}, {"dialects": ["ranks"]}):
        with pytest.raises(UnknownName, match="ranx"):
            explain_dialects(judgments, SHOWN, "q", **wrong)
    with pytest.raises(UnknownName, match="query"):
        explain_dialects(judgments, SHOWN, "nobody asked")


def test_a_name_with_a_cutoff_may_mean_something_else() -> None:
    assert settings_of("spark_mllib", "AP") == {}
    assert settings_of("spark_mllib", "AP", 10) == {"denominator": "min_k"}
    assert parse_measure("AP@5").under(conventions_of("spark")).full_name == "AP(denominator=min_k)@5"
    assert parse_measure("AP(denominator=all)@5").under(conventions_of("spark")).full_name == "AP@5"
    assert len(CONVENTIONS) == len(conventions_of("spark").as_dict()) - 1
