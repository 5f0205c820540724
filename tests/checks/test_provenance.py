"""Versions of docs and rubrics, people and models."""

from rankproof.tables.attributes import Document, Documents, Rubric
from rankproof.tables.judgments import Judgments


def judged(**details: list[str | None]) -> Judgments:
    return Judgments.of(["q1", "q1", "q2"], ["a", "b", "a"], [2, 0, 1], details=details)


DOCUMENTS = Documents((Document("a", version="2"), Document("b", version="1"), Document("c")))


def test_each_stale_pair_is_named(found) -> None:
    rows = found("stale-judgment", judged(doc_version=["1", "1", "1"]), documents=DOCUMENTS)
    assert [(row.severity, row.query_id, row.doc_id) for row in rows] == [
        ("warning", "q1", "a"),
        ("warning", "q2", "a"),
    ]
    assert "judged on version 1 of the doc, which now has version 2" in str(rows[0].message)


def test_an_unknown_version_is_not_stale_and_only_the_counting_judgment_is(found) -> None:
    assert found("stale-judgment", judged(doc_version=["2", None, ""]), documents=DOCUMENTS) == []
    assert found("stale-judgment", judged(doc_version=["1", "1", "1"])) == []
    assert found("stale-judgment", judged(), documents=DOCUMENTS) == []
    again = Judgments.of(["q", "q"], ["a", "a"], [2, 2], details={"doc_version": ["2", "1"]})
    assert found("stale-judgment", again, documents=DOCUMENTS) == []


def test_mixed_rubric_versions(found) -> None:
    (row,) = found("mixed-rubric-versions", judged(rubric_version=["1", "2", "2"]))
    assert (row.severity, row.count) == ("warning", 1)
    assert "2 versions of the rubric: 2 (2), 1 (1)" in str(row.message)
    assert found("mixed-rubric-versions", judged(rubric_version=["1", None, ""])) == []
    assert found("mixed-rubric-versions", judged()) == []


def test_another_rubric_than_the_one_given(found) -> None:
    table = judged(rubric_version=["1", None, "2"])
    (row,) = found("other-rubric-version", table, rubric=Rubric("2"))
    assert (row.count, row.facts["first_query"], row.facts["first_doc"]) == (1, "q1", "a")
    assert "given (2)" in str(row.message)
    assert "query q1 (1)" in str(row.message)
    assert found("other-rubric-version", table) == []
    assert found("other-rubric-version", judged(rubric_version=["2"] * 3), rubric=Rubric("2")) == []


def test_labels_of_models_among_those_of_people(found) -> None:
    (row,) = found("mixed-sources", judged(source=["human", "model", "model"]))
    assert (row.severity, row.count) == ("warning", 2)
    assert "model (2), human (1)" in str(row.message)
    assert found("mixed-sources", judged(source=["model", "model", None])) == []
    assert found("mixed-sources", judged(source=["click", "model", "model"]))[0].count == 1
