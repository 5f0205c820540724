"""Repeats, conflicts, scales, and queries without an answer."""

from rankproof.checks.places import LISTED
from rankproof.tables.attributes import Grade, Question, Questions, Rubric
from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments

CLEAN = Judgments.of(["q1", "q1", "q2"], ["a", "b", "a"], [2, 0, 1])
SCALE = Rubric(grades=(Grade(0), Grade(1), Grade(2)))


def test_a_repeated_judgment_is_counted(found) -> None:
    table = Judgments.of(["q1", "q2", "q1", "q1"], ["a", "a", "a", "a"], [2, 1, 2, 2])
    (row,) = found("duplicate-judgment", table)
    assert (row.severity, row.count, row.query_id, row.line) == ("warning", 2, "", 0)
    assert (row.facts["first_query"], row.facts["first_doc"]) == ("q1", "a")


def test_two_raters_who_agree_are_no_repeat(found) -> None:
    two = Judgments.of(["q", "q"], ["a", "a"], [2, 2], details={"rater": ["x", "y"]})
    same = Judgments.of(["q", "q"], ["a", "a"], [2, 2], details={"rater": ["x", "x"]})
    unknown = Judgments.of(["q", "q"], ["a", "a"], [2, 2], details={"rater": ["x", ""]})
    assert found("duplicate-judgment", two) == []
    assert found("duplicate-judgment", same)[0].count == 1
    assert found("duplicate-judgment", unknown)[0].count == 1
    assert found("duplicate-judgment", CLEAN) == []


def test_conflicting_grades_are_told_once_a_pair_with_both_lines(found) -> None:
    table = Judgments.of(["q1", "q2", "q1", "q1"], ["a", "a", "a", "a"], [2, 1, 0, 3])
    (row,) = found("conflicting-grades", table)
    assert (row.severity, row.query_id, row.doc_id, row.count) == ("error", "q1", "a", 2)
    assert "grade 2 in line 1 and the grade 0 in line 3; the first counts" in str(row.message)
    assert found("conflicting-grades", CLEAN) == []


def test_a_pooled_row_conflicts_with_a_grade(found) -> None:
    table = Judgments.of(["q", "q"], ["a", "a"], [0, 2], pooled=[True, False])
    (row,) = found("conflicting-grades", table)
    assert "the grade 2 in line 2 and the grade pooled in line 1; the first counts" in str(row.message)


def test_a_grade_off_the_scale_is_told_where_there_is_a_scale(found) -> None:
    table = Judgments.of(["q1", "q1", "q2"], ["a", "b", "c"], [5, 2, 0], pooled=[False, False, True])
    (row,) = found("grade-off-scale", table, rubric=SCALE)
    assert (row.severity, row.query_id, row.doc_id) == ("error", "q1", "a")
    assert "grade 5" in str(row.message)
    assert "0, 1, 2" in str(row.message)
    assert found("grade-off-scale", table) == []
    assert found("grade-off-scale", CLEAN, rubric=SCALE) == []


def test_queries_without_a_relevant_doc_are_listed(found) -> None:
    (row,) = found("no-relevant", CLEAN, conventions=Conventions(rel=2))
    assert (row.severity, row.count, row.query_id) == ("warning", 1, "")
    assert row.facts["queries"] == ("q2",)
    assert found("no-relevant", CLEAN) == []


def test_a_question_that_must_be_refused_and_one_that_nobody_judged_lack_nothing(found) -> None:
    table = Judgments.of(["q1", "q2"], ["a", "a"], [0, 0])
    questions = Questions((Question("q1", expected="refuse"), Question("q2"), Question("q3")))
    (row,) = found("no-relevant", table, questions=questions)
    assert row.facts["queries"] == ("q2",)


def test_beyond_a_thousand_rows_each_query_still_bears_a_finding(found) -> None:
    n = LISTED + 20
    table = Judgments.of(
        [f"q{i % 7}" for i in range(n)] + ["last"], [f"d{i}" for i in range(n + 1)], [9] * (n + 1)
    )
    rows = found("grade-off-scale", table, rubric=SCALE)
    assert len(rows) == LISTED + 8
    assert sum(row.count for row in rows) == n + 1
    assert {row.query_id for row in rows} == {*(f"q{i}" for i in range(7)), "last"}
    assert str(rows[-1].message) == f"Query last: 1 more doc with the same problem, the first being d{n}."
