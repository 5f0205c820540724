"""What is asked, judged, displayed and known, against each other."""

from rankproof.tables.attributes import Document, Documents, Question, Questions
from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

JUDGMENTS = Judgments.of(["q1", "q1", "q2"], ["a", "b", "a"], [2, 0, 1])
CLEAN = Run.from_dict("A", {"q1": ["a", "b"], "q2": ["a"]})
NOTHING = Judgments.of([], [], [])


def test_judged_queries_of_which_a_run_says_nothing(found) -> None:
    (row,) = found("missing-query", JUDGMENTS, Run.from_dict("A", {"q1": ["a"]}))
    assert (row.severity, row.count, row.facts["queries"], row.query_id) == ("warning", 1, ("q2",), "")
    assert "missing=zero" in str(row.message)
    assert found("missing-query", JUDGMENTS, Run.from_dict("A", {"q1": ["a"], "q2": []})) == []
    assert found("missing-query", JUDGMENTS, CLEAN) == []


def test_a_question_that_is_to_be_refused_or_that_nobody_judged_is_not_missing(found) -> None:
    questions = Questions((Question("q1"), Question("q2", expected="refuse"), Question("q3")))
    assert found("missing-query", JUDGMENTS, Run.from_dict("A", {"q1": ["a"]}), questions=questions) == []


def test_queries_that_nobody_asked(found) -> None:
    run = Run.from_dict("A", {"q1": ["a"], "q8": ["a"], "q9": []})
    (row,) = found("extra-query", JUDGMENTS, run)
    assert (row.severity, row.count, row.facts["queries"]) == ("warning", 2, ("q8", "q9"))
    assert found("extra-query", JUDGMENTS, CLEAN) == []
    assert found("extra-query", NOTHING, run) == []  # nothing was asked: nothing is extra


def test_a_run_without_a_common_query(found) -> None:
    (row,) = found("no-common-query", JUDGMENTS, [Run.from_dict("B", {"1": ["a"]}), CLEAN])
    assert (row.severity, row.run, row.query_id) == ("error", "B", "")
    assert "none of the 2 queries" in str(row.message)
    assert found("no-common-query", NOTHING, CLEAN) == []


def test_judged_queries_that_are_not_among_the_questions(found) -> None:
    (row,) = found("judged-not-asked", JUDGMENTS, questions=Questions((Question("q1"),)))
    assert (row.severity, row.count, row.facts["queries"]) == ("warning", 1, ("q2",))
    assert found("judged-not-asked", JUDGMENTS) == []
    assert found("judged-not-asked", JUDGMENTS, questions=Questions((Question("q1"), Question("q2")))) == []


def test_docs_that_no_documents_table_has(found) -> None:
    documents = Documents((Document("a"),))
    run = Run.from_dict("A", {"q1": ["a", "b", "b"], "q2": ["a", "x"], "q9": ["x"]})
    rows = found("unknown-doc", JUDGMENTS, run, documents=documents)
    assert [(row.severity, row.run, row.query_id, row.doc_id) for row in rows] == [
        ("error", "A", "q1", "b"),
        ("error", "A", "q2", "x"),
        ("error", "A", "q9", "x"),
    ]
    rows = found("unknown-judged-doc", JUDGMENTS, documents=documents)
    assert [(row.severity, row.query_id, row.doc_id) for row in rows] == [("error", "q1", "b")]


def test_nothing_is_unknown_without_a_documents_table(found) -> None:
    all_known = Documents((Document("a"), Document("b")))
    for code in ("unknown-doc", "unknown-judged-doc"):
        assert found(code, JUDGMENTS, CLEAN) == []
        assert found(code, JUDGMENTS, CLEAN, documents=all_known) == []


def test_unjudged_docs_within_the_cutoff_are_counted_with_their_share(found) -> None:
    table = Judgments.of(["q1", "q1", "q2"], ["a", "p", "a"], [2, 0, 1], pooled=[False, True, False])
    run = Run.from_dict("A", {"q1": ["a", "x", "p"], "q2": ["a", "a"], "q9": ["x"]})
    (row,) = found("unjudged-in-cutoff", table, run)
    assert (row.severity, row.count, row.facts["share"], row.facts["queries"]) == ("warning", 2, 2 / 5, 1)
    assert (row.facts["first_query"], row.facts["first_doc"], row.query_id) == ("q1", "x", "")
    assert "(40.0% of those displayed)" in str(row.message)
    (row,) = found("unjudged-in-cutoff", table, run, cutoff=2, conventions=Conventions(unjudged="error"))
    assert (row.count, row.facts["share"]) == (1, 1 / 4)
    assert found("unjudged-in-cutoff", table, run, cutoff=1) == []
    assert found("unjudged-in-cutoff", JUDGMENTS, CLEAN) == []
    assert found("unjudged-in-cutoff", NOTHING, CLEAN) == []


def test_ten_ranks_are_looked_at_where_there_is_no_cutoff(found) -> None:
    docs = [f"d{n}" for n in range(12)]
    table = Judgments.from_dict({"q": dict.fromkeys(docs[:10], 1)})
    assert found("unjudged-in-cutoff", table, Run.from_dict("A", {"q": docs})) == []
    assert found("unjudged-in-cutoff", table, Run.from_dict("A", {"q": docs[::-1]}))[0].count == 2
