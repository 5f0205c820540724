"""The list of checks, and all of them at once."""

import pytest

from rankproof.checks.auditing import BUILT_IN, CHECKS, KINDS, audit
from rankproof.checks.check import Check
from rankproof.errors import UnknownName
from rankproof.formats.problems import NEGATIVE_GRADE
from rankproof.measures.dialects import conventions_of
from rankproof.measures.naming import parse_measures
from rankproof.tables.attributes import Document, Documents, Grade, Question, Questions, Rubric
from rankproof.tables.conventions import Conventions
from rankproof.tables.findings import SEVERITIES, Finding, Findings
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

NOTHING = Judgments.of([], [], [])


def everything_wrong() -> Findings:
    judgments = Judgments.of(
        ["q1", "q1", "q1", "q1", "q2", "q3", "Q3"],
        ["d1", "d1", "d1", "d2", "d3", "d9", "d1"],
        [2, 2, 1, 5, 0, 1, 1],
        details={
            "doc_version": ["1", "1", "1", None, None, None, None],
            "rubric_version": ["1", "1", "1", "2", "2", "2", "2"],
            "source": ["human", "human", "human", "model", "human", "human", "human"],
        },
        subtopic=["0", "0", "0", "0", "0", "0", ""],
    )
    questions = Questions(
        (
            Question("q1", "mail x.y@example.org"),
            Question("q1", "again"),
            Question("q2"),
            Question("q3", "why", weight=2.0),
        )
    )
    a = Run.of(
        "A",
        ["q1", "q1", "q2", "q1", "q2", "q99", "q99", "q99"],
        ["d1", "d1", "D3", "d8", "d7", "d1", "d2", "d5"],
        rank=[1, 2, 0, 3, 1, 1, 1, 4],
        score=[5.0, 9.0, 2.0, 5.0, 1.0, 3.0, 2.0, 1.0],
        states={"q4": "failed"},
    )
    gap = Run.of("B", ["q1", "q1"], ["d1", "d2"], rank=[1, 3], score=[2.0, 1.0])
    same = Run.of("C", ["q1", "q1"], ["d1", "d2"], rank=[1, 2])
    strange = Run.from_dict("D", {"z1": ["d1"]})
    tied = Run.from_dict("E", {"q1": {"d8": 1.0, "d1": 1.0}})
    return audit(
        judgments,
        [a, gap, same, strange, tied],
        questions=questions,
        documents=Documents((Document("d1", version="2", group="a"), Document("d2"), Document("d3"))),
        rubric=Rubric("2", tuple(map(Grade, range(4)))),
        fixed_candidates=True,
        cutoff=3,
        measures=parse_measures("RR"),
    )


def test_every_check_finds_something_where_everything_is_wrong() -> None:
    assert {row.code for row in everything_wrong()} == set(CHECKS.names())


def test_every_message_is_said_with_its_facts_and_every_error_has_its_query() -> None:
    for row in everything_wrong():
        said = row.row()
        assert "{" not in str(said["message"])
        assert str(said["message"]).endswith(".")
        if row.severity == "error" and row.code != "no-common-query":
            assert row.query_id, row.code
        if row.severity != "error" and row.code != "stale-judgment":
            assert not row.query_id, row.code


@pytest.mark.parametrize("check", BUILT_IN, ids=lambda check: check.kind.code)
def test_every_check_says_what_it_is(check: Check) -> None:
    kind = check.kind
    assert all((kind.code, kind.message, kind.why, kind.mend, check.example))
    assert kind.severity in SEVERITIES
    assert kind.code == kind.code.lower().replace("_", "-").replace(" ", "-")
    assert "\n" not in check.example
    assert callable(check.find)
    assert CHECKS.find(kind.code) is check


def test_codes_are_not_used_twice_and_readers_kinds_are_listed() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(set(codes)) == len(codes)
    assert NEGATIVE_GRADE in KINDS
    assert set(CHECKS.names()) < set(codes)


def test_an_unknown_check_answers_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="duplicate-doc"):
        CHECKS.find("duplicate-docs")


def test_what_readers_noticed_comes_first() -> None:
    noticed = Finding(NEGATIVE_GRADE, {"text": "-1"}, "q.csv", 3, query_id="q1")
    rows = audit(Judgments.of(["q1"], ["a"], [0]), noticed=[noticed]).rows
    assert [row.code for row in rows] == ["negative-grade", "no-relevant"]
    assert rows[0] is noticed


@pytest.mark.parametrize("dialect", ["trec_eval-9", "trec_eval-10"])
def test_grades_below_zero_are_the_custom_of_trec_eval(dialect: str) -> None:
    noticed = [Finding(NEGATIVE_GRADE, {"text": "-1"}, "q.csv", 3, query_id="q1")]
    (row,) = audit(NOTHING, conventions=conventions_of(dialect), noticed=noticed)
    assert (row.code, row.severity) == ("negative-grade", "info")
    (row,) = audit(NOTHING, noticed=noticed)
    assert row.severity == "error"


def test_sound_inputs_and_no_inputs_give_no_finding() -> None:
    judgments = Judgments.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}})
    run = Run.from_dict("A", {"q1": ["a", "b"], "q2": ["c"]})
    assert audit(judgments, run, fixed_candidates=True, cutoff=1).rows == ()
    assert audit(judgments).rows == ()
    assert audit(NOTHING).rows == ()
    assert audit(NOTHING, Run.of("A", [], [], rank=[], score=[])).rows == ()
    assert audit(NOTHING, Run.of("A", ["q"], ["a"], rank=[1], score=[1.0])).rows == ()


def test_a_convention_that_stops_an_evaluation_does_not_stop_an_audit() -> None:
    judgments = Judgments.of(["q", "q"], ["a", "b"], [1, 0], pooled=[False, True])
    run = Run.of("A", ["q"] * 3, ["x", "a", "a"], score=[1.0, 1.0, 1.0])
    stop = Conventions(ties="error", unjudged="error", duplicates="error", negative_grades="error", depth=1)
    codes = [row.code for row in audit(judgments, run, conventions=stop)]
    assert codes == ["duplicate-doc", "tied-scores", "unjudged-in-cutoff"]


def test_the_order_of_rows_changes_no_count() -> None:
    query, doc, grade = ["q1", "q2", "q1", "q3"], ["a", "a", "a", "c"], [1, 0, 1, 5]
    run = [("q1", "a", 1, 5.0), ("q1", "b", 2, 9.0), ("q3", "x", 0, 1.0), ("q3", "y", 1, 1.0)]

    def counts(step: int) -> dict[str, int]:
        judgments = Judgments.of(query[::step], doc[::step], grade[::step])
        q, d, r, s = zip(*run[::step], strict=True)
        found = audit(judgments, Run.of("A", q, d, rank=r, score=s), rubric=Rubric("1", (Grade(0), Grade(1))))
        return {row.code: row.count for row in found}

    assert counts(1) == counts(-1)
