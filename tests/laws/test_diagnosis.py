"""What a conclusion hangs on: other cutoffs and ceilings are those that would be measured anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases, conventions
from rankproof import (
    Conventions,
    Judgments,
    Measure,
    NothingToEvaluate,
    Run,
    UsageError,
    audit_results,
    compare,
    cutoff_profile,
    diagnose,
    evaluate,
    parse_measure,
)
from rankproof.diagnosis import CUTOFFS
from rankproof.measures.naming import measure_called

LEADS = [m for m in EVERY if m.cutoff == "optional" and m.mean == "arithmetic" and m.sees == "hits"]


@settings(max_examples=40)
@given(cases(answered=True), conventions, st.sampled_from(LEADS), st.data())
def test_other_cutoffs_are_what_would_be_measured_anew(
    case: Case, chosen: Conventions, lead: Measure, data: st.DataObject
) -> None:
    other = case.run_in(data.draw(st.permutations(range(len(case.run)))), "other")
    found = evaluate(case.judgments, [case.run, other], lead, conventions=chosen)
    rows = cutoff_profile(found, found.measures[0])
    measures = [measure_called(row.measure, chosen) for row in rows]
    assert found.measures[0] in map(str, measures)
    again = evaluate(case.judgments, [case.run, other], measures, conventions=chosen)
    by_need = lead.needs not in ("", "relevant", "gain", "nonrelevant")
    try:
        compared = compare(again)
    except NothingToEvaluate:
        assert not any(row.n for row in rows)
        return
    for row in rows:
        anew = compared.of("other", row.measure)
        if by_need or anew.n != compared.of("other", found.measures[0]).n:
            continue  # what a cutoff needs is not what the lead needs
        assert row.n == anew.n
        assert row.difference == pytest.approx(anew.difference, abs=1e-12)
        assert row.mean_baseline == pytest.approx(anew.mean_baseline, abs=1e-12)
        assert row.interval.lower == anew.interval.lower
        assert row.interval.upper == anew.interval.upper


@given(cases(), st.sampled_from([m for m in LEADS if m.best_first]))
def test_the_ideal_list_is_at_the_ceiling_and_nothing_is_above_it(case: Case, lead: Measure) -> None:
    best = {q: sorted(docs, key=docs.get, reverse=True) for q, docs in case.grades.items()}
    best = {q: [d for d in docs if case.grades[q][d] >= 0] for q, docs in best.items()}
    found = evaluate(case.judgments, [Run.from_dict("best", best), case.run], lead)
    told = {row.runs: row for row in diagnose(found).ceilings}
    if isinstance(lead.values.get("gain", ""), str):  # a table may value grades in another order
        assert told["best",].reached == told["best",].n == found.mean("best", found.measures[0]).n
    assert told["run",].reached <= told["run",].n


def query(*grades: int) -> dict[str, int]:
    return {f"d{place}": grade for place, grade in enumerate(grades)}


JUDGMENTS = Judgments.from_dict({f"q{i}": query(2, 1, 1, 0) for i in range(8)})
IDEAL = ["d0", "d1", "d2", "d3"]
SWAPPED = ["d1", "d0", "d2", "d3"]


def runs(n_swapped: int) -> list[Run]:
    lists = {f"q{i}": SWAPPED if i < n_swapped else IDEAL for i in range(8)}
    return [Run.from_dict("old", {f"q{i}": IDEAL for i in range(8)}), Run.from_dict("new", lists)]


def test_a_sign_that_changes_with_the_cutoff_is_a_finding_that_names_the_cutoffs() -> None:
    pair = [
        Run.from_dict("old", {f"q{i}": ["d0", "x", "y", "z"] for i in range(3)}),
        Run.from_dict("new", {f"q{i}": ["d1", "d0", "d2"] for i in range(3)}),
    ]
    found = evaluate(JUDGMENTS, pair, "nDCG@3", conventions=Conventions(missing="exclude"))
    told = diagnose(found, compare(found))
    assert [row.cutoff for row in told.cutoffs] == [1, 3, 5]  # beyond 5 there is nothing more
    assert [(t.before.cutoff, t.after.cutoff) for t in told.turns] == [(1, 3)]
    (finding,) = audit_results(told)
    assert (finding.code, finding.severity, finding.run, finding.count) == (
        "sign-changes-with-cutoff",
        "warning",
        "new",
        1,
    )
    before, after = told.cutoffs[0].difference, told.cutoffs[1].difference
    assert f"1 time: from {before:+.4f} at 1 to {after:+.4f} at 3." in str(finding.message)
    assert finding.kind.why
    assert finding.kind.mend


def test_a_difference_of_0_has_no_sign_and_one_sign_is_no_finding() -> None:
    found = evaluate(JUDGMENTS, runs(3), "nDCG@3")
    told = diagnose(found, compare(found))
    assert all(row.difference < 0 for row in told.cutoffs)
    assert not told.turns
    same = evaluate(JUDGMENTS, runs(0), "nDCG@3")
    assert not diagnose(same, compare(same)).turns


def test_saturation_is_told_and_finer_yardsticks_break_ties() -> None:
    found = evaluate(JUDGMENTS, runs(8), "Success@3")
    told = diagnose(found, compare(found))
    assert [(row.runs, row.reached, row.n) for row in told.ceilings] == [
        (("old",), 8, 8),
        (("new",), 8, 8),
        (("new", "old"), 8, 8),
    ]
    assert [(row.measure, row.tied, row.better, row.worse) for row in told.finer] == [
        ("nDCG(discount=zipf)@3", 8, 0, 8),
        ("nDCG(gain=exp2)@3", 8, 0, 8),
        ("Success@1", 8, 0, 0),
        ("nDCG", 8, 0, 8),
    ]
    (finding,) = audit_results(told)
    assert (finding.code, finding.run, finding.count) == ("saturated-measure", "new", 8)
    assert "Of 8 ties finer yardsticks break 8 by nDCG(discount=zipf)@3, 8 by nDCG(gain=exp2)@3" in str(
        finding.message
    )
    alone = audit_results(diagnose(found))
    assert [(row.code, row.run) for row in alone] == [
        ("saturated-measure", "old"),
        ("saturated-measure", "new"),
    ]


@pytest.mark.parametrize(("n_swapped", "saturated"), [(3, True), (4, False), (8, False)])
def test_more_than_half_of_the_queries_is_too_many(n_swapped: int, saturated: bool) -> None:
    found = evaluate(JUDGMENTS, runs(n_swapped), "nDCG@3")
    told = diagnose(found, compare(found))
    assert bool(told.saturated) == bool(told.finer) == saturated
    # where both orders are ideal no other discount or gain tells them apart
    assert all(row.told_apart == 0 for row in told.finer)


def test_of_few_queries_nothing_is_said() -> None:
    few = Judgments.from_dict({f"q{i}": query(1) for i in range(4)})
    run = Run.from_dict("run", {f"q{i}": ["d0"] for i in range(4)})
    told = diagnose(evaluate(few, run, "RR"))
    assert [(row.reached, row.n) for row in told.ceilings] == [(4, 4)]
    assert not len(audit_results(told))


def test_what_cannot_be_diagnosed_is_left_out() -> None:
    bare = evaluate(JUDGMENTS, runs(1), "nDCG@3", keep=False)
    assert diagnose(bare, compare(bare)).measure == ""
    assert diagnose(bare).as_dict() == {"measure": None, "cutoffs": [], "ceilings": [], "finer": []}
    with pytest.raises(UsageError, match="keep=True"):
        cutoff_profile(bare, "nDCG@3")
    averaged = Conventions(order="score", ties="average")
    slow = evaluate(JUDGMENTS, runs(1), "RR@3", conventions=averaged)
    assert not diagnose(slow, compare(slow)).cutoffs
    assert cutoff_profile(slow, "RR@3")
    whole = evaluate(JUDGMENTS, runs(1), "AP")
    assert [row.cutoff for row in cutoff_profile(whole, "AP", (1, 2))] == [1, 2, None]


def test_a_combination_is_diagnosed_by_its_first_part() -> None:
    found = evaluate(JUDGMENTS, runs(4), "0.5*nDCG@2 + 0.5*AP")
    told = diagnose(found, compare(found))
    assert told.measure == "nDCG@2"
    assert [row.cutoff for row in told.cutoffs] == [1, 2, 3, 5]
    own = next(row for row in told.cutoffs if row.cutoff == 2)
    assert own.difference == compare(found).of("new", "nDCG@2").difference
    assert diagnose(found, compare(found), "AP").measure == "AP"


def test_the_cutoffs_are_ranks_that_rise() -> None:
    assert list(CUTOFFS) == sorted(set(CUTOFFS))
    assert np.min(CUTOFFS) == 1
    assert parse_measure("nDCG").with_(at=CUTOFFS[-1]).at == CUTOFFS[-1]
