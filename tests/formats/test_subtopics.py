"""Judgments of subtopics are read where somebody says so, in a heading or by a word; never by a guess."""

from pathlib import Path

import pytest

from rankproof import Judgments, StrictStop, UnreadableInput, read_files, read_judgments
from rankproof.tables.judgments import NO_GRADE

DIVERSITY = "q1 1 a 1\nq1 2 a 0\nq1 1 b 0\nq1 2 b 2\nq2 1 a 1\n"
AD_HOC = "q1 0 a 1\nq1 0 b 2\nq2 0 a 1\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(table: Judgments) -> list[tuple[str, str, str, int]]:
    assert table.subtopic is not None
    columns = table.query.texts(), table.doc.texts(), table.subtopic.texts(), table.grade
    return [(q, d, s, int(g)) for q, d, s, g in zip(*columns, strict=True)]


READ = [
    ("q1", "a", "1", 1),
    ("q1", "a", "2", 0),
    ("q1", "b", "1", 0),
    ("q1", "b", "2", 2),
    ("q2", "a", "1", 1),
]


def test_a_trec_file_of_which_somebody_says_so(tmp_path: Path) -> None:
    table, found = read_judgments(written(tmp_path, "qrels.txt", DIVERSITY), subtopics=True)
    assert rows(table) == READ
    assert list(found) == []
    assert table.first.tolist() == [True, False, False, True, True]  # the highest grade of each doc
    given = read_files([tmp_path / "qrels.txt"], subtopics=True)
    assert given.judgments is not None
    assert rows(given.judgments) == READ


def test_a_trec_file_of_which_nobody_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "qrels.txt", DIVERSITY)
    table, found = read_judgments(path)
    assert table.subtopic is None
    (one,) = found
    assert (one.code, one.severity, one.count, one.line) == ("subtopics-unread", "error", 2, 2)
    assert "query q1 has 1, 2 there" in str(one.message)
    assert "--subtopics" in str(one.mend)
    assert table.doc.texts().tolist() == ["a", "b", "a"]
    assert table.grade.tolist() == [1, 0, 1]  # the first line of each
    with pytest.raises(StrictStop):
        read_judgments(path, strict=True)
    table, found = read_judgments(path, subtopics=False)  # all five lines, for the checks to look at
    assert (len(table), table.subtopic, list(found)) == (5, None, [])


@pytest.mark.parametrize("text", [AD_HOC, "q1 0 a 1\nq1 1 b 2\nq2 2 a 1\n", "q1 0 a 1\nq1 0 a 2\n"])
def test_an_iteration_is_passed_over(tmp_path: Path, text: str) -> None:
    table, found = read_judgments(written(tmp_path, "qrels.txt", text))
    assert (len(table), table.subtopic, list(found)) == (text.count("\n"), None, [])


@pytest.mark.parametrize("heading", ["subtopic", "Subtopic ID", "intent", "aspect", "子主题", "意图"])
def test_a_heading_says_so(tmp_path: Path, heading: str) -> None:
    lines = [f"query_id,doc_id,{heading},grade", *(f"{q},{d},{s},{g}" for q, d, s, g in READ), "q2,b,,1"]
    path = written(tmp_path, "judgments.csv", "\n".join(lines) + "\n")
    for subtopics in (None, True):
        table, found = read_judgments(path, subtopics=subtopics)
        assert rows(table) == [*READ, ("q2", "b", "", 1)]
        assert list(found) == []
    table, _ = read_judgments(path, subtopics=False)
    assert table.subtopic is None


def test_json_lines_and_pooled_docs(tmp_path: Path) -> None:
    lines = (
        '{"query_id": "q", "doc_id": "a", "subtopic": "price", "grade": 1}\n'
        '{"query_id": "q", "doc_id": "a", "subtopic": "battery", "pooled": true}\n'
    )
    table, _ = read_judgments(written(tmp_path, "j.jsonl", lines))
    assert rows(table) == [("q", "a", "price", 1), ("q", "a", "battery", NO_GRADE)]
    assert table.first.tolist() == [True, False]


def test_what_was_asked_and_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="no column is subtopic"):
        read_judgments(written(tmp_path, "j.csv", "query_id,doc_id,grade\nq,a,1\n"), subtopics=True)
    with pytest.raises(UnreadableInput, match="subtopic"):
        read_judgments(written(tmp_path, "three.txt", "q a 1\nq b 0\n"), subtopics=True)


def test_a_heading_whose_cells_are_blank_says_nothing(tmp_path: Path) -> None:
    table, _ = read_judgments(written(tmp_path, "j.csv", "query_id,doc_id,intent,grade\nq,a,,1\n"))
    assert table.subtopic is None
