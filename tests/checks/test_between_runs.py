"""Runs against each other."""

from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

JUDGMENTS = Judgments.from_dict({"q1": {"a": 2, "b": 0}, "q2": {"a": 1}})
FIRST = Run.from_dict("A", {"q1": ["a", "b", "c"], "q2": ["a", "b"]})


def test_fixed_candidates_must_be_the_same_docs(found) -> None:
    other = Run.from_dict("B", {"q1": ["c", "a", "d"], "q2": ["b", "a"]})
    third = Run.from_dict("C", {"q1": ["x"], "q2": []})
    (row,) = found("candidate-sets-differ", JUDGMENTS, [FIRST, other, third], fixed_candidates=True)
    assert (row.severity, row.run, row.query_id, row.count) == ("error", "B", "q1", 2)
    assert "lacks 1 docs that run A displayed and displayed 1 that the other did not (b, d)" in str(
        row.message
    )
    assert found("candidate-sets-differ", JUDGMENTS, [FIRST, other, third]) == []


def test_another_order_of_the_same_docs_is_no_difference(found) -> None:
    other = Run.from_dict("B", {"q1": ["c", "b", "a"], "q2": ["b", "a"]})
    assert found("candidate-sets-differ", JUDGMENTS, [FIRST, other], fixed_candidates=True) == []


def test_runs_that_display_exactly_the_same_lists(found) -> None:
    same = Run.from_dict(
        "B", {"q2": {"a": 2.0, "b": 1.0}, "q1": {"a": 9.0, "b": 8.0, "c": 7.0}, "q9": {"z": 1.0}}
    )
    (row,) = found("all-runs-identical", JUDGMENTS, [FIRST, same])
    assert (row.severity, row.run, row.facts["other"], row.query_id) == ("warning", "B", "A", "")


def test_runs_that_differ_at_the_top_further_down_or_in_length_are_not_identical(found) -> None:
    for lists in (
        {"q1": ["b", "a", "c"], "q2": ["a", "b"]},
        {"q1": ["a", "c", "b"], "q2": ["a", "b"]},
        {"q1": ["a", "b"], "q2": ["a", "b", "c"]},
    ):
        assert found("all-runs-identical", JUDGMENTS, [FIRST, Run.from_dict("B", lists)]) == []
    strangers = [Run.from_dict(name, {"q9": ["a"]}) for name in "AB"]
    assert found("all-runs-identical", JUDGMENTS, strangers) == []
