"""Repeats, ties, short lists, states, and lines that stand apart."""

from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

JUDGMENTS = Judgments.of(["q1", "q1", "q2"], ["a", "b", "a"], [2, 0, 1])
CLEAN = Run.of("A", ["q1", "q1", "q2"], ["a", "b", "a"], rank=[1, 2, 1], score=[3.0, 2.0, 1.0])


def test_a_doc_displayed_twice_is_told_once_with_both_ranks(found) -> None:
    run = Run.from_dict("A", {"q1": ["b", "a", "b", "b"], "q2": ["a", "c"], "q9": ["x", "x"]})
    rows = found("duplicate-doc", JUDGMENTS, run)
    assert [(row.severity, row.run, row.query_id, row.doc_id, row.count) for row in rows] == [
        ("error", "A", "q1", "b", 2),
        ("error", "A", "q9", "x", 1),
    ]
    assert "at rank 1 and again at rank 3" in str(rows[0].message)
    assert found("duplicate-doc", JUDGMENTS, CLEAN) == []


def test_the_first_showing_is_the_one_that_is_ranked_first(found) -> None:
    run = Run.of("A", ["q1"] * 3, ["a", "b", "a"], rank=[3, 2, 1])
    (row,) = found("duplicate-doc", JUDGMENTS, run, conventions=Conventions(duplicates="error"))
    assert "at rank 1 and again at rank 3" in str(row.message)


def test_tied_scores_are_counted_also_where_they_do_not_stand_together(found) -> None:
    run = Run.of("A", ["q1"] * 3 + ["q2"] * 2, list("abcab"), rank=[1, 2, 3, 1, 2], score=[5.0, 9, 5, 1, 1])
    (row,) = found("tied-scores", JUDGMENTS, run)
    assert (row.severity, row.count, row.facts["queries"], row.query_id) == ("info", 4, 2, "")
    assert "the displayed order decided" in str(row.message)
    (row,) = found("tied-scores", JUDGMENTS, run, conventions=Conventions(order="score", ties="doc_id_desc"))
    assert "the convention ties=doc_id_desc decided" in str(row.message)
    assert found("tied-scores", JUDGMENTS, CLEAN) == []
    assert found("tied-scores", JUDGMENTS, Run.from_dict("A", {"q1": ["a", "b"]})) == []


def test_single_precision_makes_ties_of_its_own(found) -> None:
    run = Run.from_dict("A", {"q1": {"a": 1.0, "b": 1.0 + 1e-12}})
    assert found("tied-scores", JUDGMENTS, run) == []
    assert found("tied-scores", JUDGMENTS, run, conventions=Conventions(score_width=32))[0].count == 2


def test_lists_shorter_than_the_cutoff_are_counted_where_there_is_one(found) -> None:
    (row,) = found("short-list", JUDGMENTS, CLEAN, cutoff=2)
    assert (row.severity, row.count, row.facts["queries"]) == ("info", 1, ("q2",))
    assert found("short-list", JUDGMENTS, CLEAN) == []
    assert found("short-list", JUDGMENTS, CLEAN, cutoff=1) == []


def test_empty_failed_and_not_run_are_kept_apart(found) -> None:
    states = {"q2": "failed", "q3": "empty", "q4": "failed", "q5": "not_run"}
    run = Run.of("A", ["q1"], ["a"], states=states)
    (row,) = found("run-state", JUDGMENTS, run)
    assert (row.severity, row.count, row.query_id) == ("warning", 4, "")
    assert "1 answered with nothing, 2 failed, 1 not run" in str(row.message)
    assert row.facts["failed_queries"] == ("q2", "q4")
    assert found("run-state", JUDGMENTS, CLEAN) == []


def test_queries_whose_lines_stand_apart(found) -> None:
    run = Run.of("A", ["q2", "q1", "q1", "q2", "q3"], list("abcda"))
    (row,) = found("interleaved-queries", JUDGMENTS, run)
    assert (row.severity, row.count, row.facts["queries"]) == ("info", 1, ("q2",))
    assert found("interleaved-queries", JUDGMENTS, CLEAN) == []
