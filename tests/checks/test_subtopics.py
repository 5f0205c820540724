"""Judgments by subtopic: what nobody covers, columns that hold no subtopics, repeats by three keys."""

from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments

CLEAN = Judgments.of(["q1", "q1", "q2"], ["a", "a", "b"], [1, 2, 1], subtopic=["1", "2", "1"])
PLAIN = Judgments.of(["q1", "q2"], ["a", "b"], [1, 1])


def test_a_doc_is_judged_once_for_each_subtopic(found) -> None:
    for code in ("duplicate-judgment", "conflicting-grades", "subtopic-uncovered", "one-subtopic"):
        assert found(code, CLEAN) == [], code
        assert found(code, PLAIN) == [], code


def test_repeats_are_those_of_the_same_subtopic(found) -> None:
    table = Judgments.of(["q", "q", "q"], ["a", "a", "a"], [1, 1, 1], subtopic=["1", "2", "1"])
    (row,) = found("duplicate-judgment", table)
    assert row.count == 1
    table = Judgments.of(["q", "q", "q"], ["a", "a", "a"], [1, 0, 2], subtopic=["1", "2", "1"])
    (row,) = found("conflicting-grades", table)
    assert "grade 1 in line 1 and the grade 2 in line 3" in str(row.message)


def test_subtopics_that_nobody_covers(found) -> None:
    rows = [
        ("q1", "a", "1", 1),
        ("q1", "a", "2", 0),
        ("q1", "b", "2", 0),
        ("q2", "a", "2", 2),
        ("q2", "c", "", 0),
    ]
    query, doc, subtopic, grade = zip(*rows, strict=True)
    table = Judgments.of(query, doc, grade, subtopic=subtopic)
    (row,) = found("subtopic-uncovered", table)
    assert (row.count, row.severity, row.facts["examples"]) == (1, "warning", "q1 2")
    (row,) = found("subtopic-uncovered", table, conventions=Conventions(rel=2))
    assert (row.count, row.facts["examples"]) == (2, "q1 1, q1 2")
    (row,) = found("no-subtopic", table)
    assert (row.count, row.facts["first_query"], row.facts["first_doc"]) == (1, "q2", "c")


def test_an_iteration_is_no_subtopic(found) -> None:
    table = Judgments.of(["q1", "q2"], ["a", "b"], [1, 1], subtopic=["0", "0"])
    (row,) = found("one-subtopic", table)
    assert (row.count, row.facts["subtopic"]) == (2, "0")
    alone = Judgments.of(["q1", "q1"], ["a", "b"], [1, 1], subtopic=["0", "0"])
    assert found("one-subtopic", alone) == []  # a query may have one
