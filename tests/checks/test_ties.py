"""Equal scores: what they leave open is what the most and the least favourable order give."""

import numpy as np
import pytest
from hypothesis import given, settings

from laws.strategies import EVERY, Case, cases
from rankproof import (
    DIALECTS,
    Conventions,
    Inputs,
    Judgments,
    Run,
    UsageError,
    audit,
    evaluate,
    parse_measures,
)
from rankproof.checks.ties import tie_ranges

JUDGMENTS = Judgments.from_dict({"q": {"a": 1, "b": 0, "c": 0, "d": 0}, "other": {"a": 1}})
TIED = Run.from_dict("A", {"q": dict.fromkeys("abcd", 1.0), "other": {"a": 1.0}})


def found(**given: object) -> list[object]:
    return [row for row in audit(JUDGMENTS, TIED, **given) if row.code == "tie-range"]


def test_the_range_of_the_means_is_told() -> None:
    (row,) = found(measures=parse_measures(["RR", "nDCG@2", "P@1", "NumRet"]))
    # the relevant doc of q can stand at rank 1 to 4, the one of the other query stands at rank 1
    assert "RR 0.6250–1.0000, nDCG@2 0.5000–1.0000, P@1 0.5000–1.0000" in str(row.message)
    assert "the convention ties=file decided" in str(row.message)
    assert "NumRet" not in str(row.message)
    assert (row.severity, row.count) == ("warning", 4)


def test_where_ranks_decide_it_is_only_told() -> None:
    run = Run.of("A", ["q"] * 2, ["b", "a"], rank=[1, 2], score=[1.0, 1.0])
    (row,) = [r for r in audit(JUDGMENTS, run, measures=parse_measures("RR")) if r.code == "tie-range"]
    assert row.severity == "info"
    assert "the displayed order decided" in str(row.message)


def test_ties_that_change_nothing_are_not_told() -> None:
    run = Run.from_dict("A", {"q": {"a": 2.0, "b": 1.0, "c": 1.0}})
    assert [r for r in audit(JUDGMENTS, run, measures=parse_measures("RR")) if r.code == "tie-range"] == []
    assert found(measures=()) == []


NAMES = (
    "nDCG",
    "nDCG(gain=exp2)@3",
    "DCG@1",
    "AP",
    "RR@3",
    "P@3",
    "R@1",
    "ERR",
    "RBP(p=0.8)",
    "Bpref",
    "Rprec",
)
SOME = [m for m in EVERY if m.full_name in NAMES]
WEIGHED = parse_measures("0.7*nDCG@3 + 2*AP")


def test_a_table_that_turns_grades_over_has_no_such_edges() -> None:
    assert len(SOME) == len(NAMES)
    assert found(measures=parse_measures("nDCG(gain=0=2,1=1)@1")) == []


def test_a_measure_by_several_raters_has_no_such_edges() -> None:
    assert found(measures=parse_measures(["AP(raters=mean)", "0.5*AP(raters=mean) + 0.5*RR"])) == []


CHOSEN = {
    "default": Conventions(),
    "missing=exclude": Conventions(missing="exclude"),
    "no_relevant=one": Conventions(no_relevant="one"),
    "rel=2": Conventions(rel=2),
    "condense": Conventions(unjudged="condense", depth=4, extra="zero"),
    "table": Conventions(gain="1=2,2=1"),
} | {row.name: row.conventions.but(missing="zero") for row in DIALECTS if row.status != "own"}


@pytest.mark.parametrize("chosen", CHOSEN.values(), ids=CHOSEN)
@settings(max_examples=8)
@given(case=cases(style="scores", answered=True))
def test_the_edges_are_the_values_of_the_extreme_orders(chosen: Conventions, case: Case) -> None:
    asked = [*SOME, *WEIGHED]
    told = tie_ranges(Inputs(case.judgments, (case.run,), conventions=chosen, measures=asked), case.run)
    everyone = [measure.under(chosen) for measure in asked]
    asked = [measure for measure in everyone if measure.full_name in told]
    assert len(asked) == len(told)
    assert any(measure.name == "P" for measure in asked)  # only a table of gains leaves measures out
    try:
        edges = [
            evaluate(case.judgments, case.run, asked, conventions=chosen.but(order="score", ties=ties))
            for ties in ("pessimistic", "optimistic", "average")
        ]
    except UsageError as error:
        stopped = "error was asked" in str(error)  # an evaluation, and no check
        assert stopped
        return
    for name in (measure.full_name for measure in asked):
        worst, best, average = (one.mean("run", name).value for one in edges)
        if worst is None:
            assert name not in told
            continue
        low, high = told[name]
        np.testing.assert_allclose(
            [low, high], [min(worst, best), max(worst, best)], rtol=1e-9, atol=1e-9, err_msg=name
        )
        slack = 1e-9 * max(1, high) + 0.05 * (high - low)  # some averages are over drawn orders
        assert low - slack <= average <= high + slack, name
