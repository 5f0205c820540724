"""Empty and repeated questions, and texts that tell who asked."""

import pytest

from rankproof.checks.personal import masked, plausible_identity, sorts_in
from rankproof.tables.attributes import Question, Questions
from rankproof.tables.judgments import Judgments

NOTHING = Judgments.of([], [], [])


def asked(*rows: tuple[str, str]) -> Questions:
    return Questions(tuple(Question(query, text, line=n) for n, (query, text) in enumerate(rows, 2)), "q.csv")


def test_empty_questions_are_counted_where_others_have_a_text(found) -> None:
    (row,) = found("empty-query", NOTHING, questions=asked(("q1", "a"), ("q2", " "), ("q3", "")))
    assert (row.severity, row.count, row.line, row.file) == ("warning", 2, 3, "q.csv")
    assert row.facts["queries"] == ("q2", "q3")
    assert found("empty-query", NOTHING, questions=asked(("q1", ""), ("q2", ""))) == []
    assert found("empty-query", NOTHING, questions=asked(("q1", "a"))) == []


def test_a_repeated_question_is_told_once_an_id(found) -> None:
    questions = asked(("q1", "a"), ("q2", "b"), ("q1", "a"), ("q1", "c"))
    (row,) = found("repeated-question", NOTHING, questions=questions)
    assert (row.severity, row.query_id, row.line, row.count) == ("error", "q1", 4, 2)
    assert "stands again in line 4" in str(row.message)
    assert found("repeated-question", NOTHING, questions=asked(("q1", "a"), ("q2", "a"))) == []


def test_personal_data_is_counted_and_never_quoted(found) -> None:
    questions = asked(
        ("q1", "reset password"),
        ("q2", "mail from jane.doe@example.org bounced"),
        ("q3", "call 13800138000 or jane@example.org"),
    )
    (row,) = found("personal-data", NOTHING, questions=questions)
    assert (row.severity, row.count, row.line) == ("warning", 2, 3)
    said = str(row.message)
    assert "e-mail address, phone number" in said
    assert "query q2: ja***" in said
    assert "example.org" not in said
    assert "8000" not in said


def test_a_text_that_is_the_id_is_looked_at_and_hidden_too(found) -> None:
    table = Judgments.of(["ask jane@example.org", "13800138000"], ["a", "b"], [1, 1])
    (row,) = found("personal-data", table)
    assert row.count == 1  # an id without a blank is an id, not a text
    assert row.facts["first_query"] == "ask ja***"
    assert "example.org" not in str(row.row())


def test_plain_questions_hold_no_personal_data(found) -> None:
    questions = asked(
        ("q1", "ISBN 978-3-16-148410-0"), ("q2", "printer error 0x80070005"), ("q3", "2026-11-30")
    )
    assert found("personal-data", NOTHING, questions=questions) == []


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("a.b+c@mail.example.org", "e-mail address"),
        ("我的手机是138-0013-8000", "phone number"),
        ("+86 13800138000", "phone number"),
        ("010-12345678", "phone number"),
        ("+49 (30) 1234 5678", "phone number"),
        ("(555) 123-4567", "phone number"),
        ("身份证11010519491231002X丢了", "identity number"),
        ("part 11010519491231002XL", None),
        ("电话+86 138 0013 8000", "phone number"),
        ("邮箱jane@example.org", "e-mail address"),
        ("110105194912310021", None),  # the check character is wrong
        ("ssn 123-45-6789", "identity number"),
        ("A123456(7)", "identity number"),
        ("order 123456789012345", None),
        ("IEC 60364-4-41", None),
    ],
)
def test_what_looks_like_personal_data(text: str, sort: str | None) -> None:
    assert [str(one.name) for one in sorts_in(text)] == ([sort] if sort else [])
    assert (masked(text) == text) is (sort is None)


def test_the_check_character_of_an_identity_number() -> None:
    assert plausible_identity("11010519491231002X")
    assert plausible_identity("11010519491231002x")
    assert not plausible_identity("110105194912310029")
    assert plausible_identity("123-45-6789")  # has no check character
