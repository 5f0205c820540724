"""Files of preferences: what is told from the columns, what is set aside, what contradicts itself."""

import gzip
import os
import threading
from pathlib import Path

import pytest

from rankproof import (
    Findings,
    Judgments,
    Preferences,
    StrictStop,
    UnknownName,
    UnreadableInput,
    UsageError,
    read_files,
    read_judged,
    read_judgments,
    read_preferences,
    read_run,
)

PLAIN = "q1 ann s1 A 3\nq1 ann s1 B 1.5\nq1 bob s1 C 0\n"
RUN = "q1 0 A 1 2.5\nq1 0 B 2 1.5\n"


def put(folder: Path, content: str, name: str = "prefs.txt") -> Path:
    path = folder / name
    path.write_text(content)
    return path


def said(findings: Findings) -> list[tuple[str, str, int, str, str]]:
    return [(row.code, row.severity, row.line, row.query_id, row.doc_id) for row in findings]


def test_five_columns_are_preferences_where_they_can_be_nothing_else(tmp_path: Path) -> None:
    table, findings = read_judged(put(tmp_path, PLAIN))
    assert isinstance(table, Preferences)
    assert said(findings) == [("read-as-preferences", "info", 0, "", "")]
    assert table.value.tolist() == [3.0, 1.5, 0.0]
    assert table.group.texts().tolist() == ["ann", "ann", "bob"]
    assert said(read_preferences(tmp_path / "prefs.txt")[1]) == []
    with pytest.raises(UsageError, match="was expected to be judgments, but it looks like preferences"):
        read_judgments(tmp_path / "prefs.txt")
    with pytest.raises(UsageError, match="was expected to be a run, but it looks like preferences"):
        read_run(tmp_path / "prefs.txt")


def test_a_headed_file_in_any_format(tmp_path: Path) -> None:
    lines = put(
        tmp_path, "qid,ujg,ujsg,docno,rel\nq1,ann,1,7,2\nq1,ann,1,8,0\n".replace("docno", "doc"), "p.csv"
    )
    table, _ = read_judged(lines)
    assert isinstance(table, Preferences)
    assert table.choices(["q1"]).n_pairs.tolist() == [1.0]
    rows = '{"query_id":"q1","subgroup":"1","doc_id":"7","grade":2}\n{"query_id":"q1","subgroup":"1","doc_id":"8","grade":1}\n'
    table, _ = read_judged(put(tmp_path, rows, "p.jsonl"))
    assert isinstance(table, Preferences)
    assert len(table) == 2
    packed = tmp_path / "p.gz"
    packed.write_bytes(gzip.compress(PLAIN.encode()))
    assert isinstance(read_judged(packed)[0], Preferences)


def test_what_could_be_something_else_has_to_be_said(tmp_path: Path) -> None:
    numbers = put(tmp_path, "q1 0 0 101 2\nq1 0 0 102 1\n")  # could be ranks and scores
    assert isinstance(read_judged(numbers)[0], Judgments)
    assert isinstance(read_judged(numbers, "preferences")[0], Preferences)
    assert len(read_run(put(tmp_path, RUN, "run.txt"))[0]) == 2
    with pytest.raises(UnreadableInput, match="4 columns without a header"):
        read_judged(put(tmp_path, "q1 0 A 1\n"), "preferences")
    with pytest.raises(UnknownName, match="preferences"):
        read_judged(numbers, "prefs")


def test_the_readings_of_a_file_of_grades(tmp_path: Path) -> None:
    path = put(tmp_path, "q1 ann A 1\nq1 ann B 0\nq1 bob B 2\nq1 bob A -1\n")
    grades, _ = read_judged(path, "grades")
    raters, _ = read_judged(path, "raters")
    preferred, _ = read_judged(path, "grades-as-preferences")
    assert isinstance(grades, Judgments)
    assert isinstance(raters, Judgments)
    assert isinstance(preferred, Preferences)
    assert grades.texts("rater").tolist() == [None] * 4
    assert raters.texts("rater").tolist() == ["ann", "ann", "bob", "bob"]
    assert preferred.group.texts().tolist() == ["ann", "ann", "bob"]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for content, kind in ((PLAIN, Preferences), ("q1 0 A 1\n", Judgments)):
        writer = threading.Thread(target=pipe.write_text, args=(content,))
        writer.start()
        assert isinstance(read_judged(pipe)[0], kind)
        writer.join()


def test_bad_rows_are_set_aside(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "q1 0 0 A 3\nq1 0 0 B -1\nq1 0 0 C much\nq1 0 0 D nan\nq1 0 0 E inf\nq1 0 0 F 1\nq1 0 0 G 1\nq1 0 0 H 2\nq1 0 0 I 3\n",
    )
    table, findings = read_preferences(path)
    assert table.doc.texts().tolist() == ["A", "F", "G", "H", "I"]
    assert said(findings) == [
        ("bad-preference", "error", line, "q1", doc) for line, doc in zip((2, 3, 4, 5), "BCDE", strict=True)
    ]
    with pytest.raises(StrictStop):
        read_preferences(path, strict=True)
    empty, findings = read_preferences(put(tmp_path, "", "empty.txt"))
    assert len(empty) == 0
    assert [row.code for row in findings] == ["empty-file"]


def test_what_contradicts_itself_is_told_and_does_not_count(tmp_path: Path) -> None:
    rows = (
        "q1 0 s1 A 3", "q1 0 s1 B 2", "q1 0 s1 A 1",  # A twice in one subgroup: the first row counts
        "q2 0 s1 A 2", "q2 0 s1 B 1", "q2 0 s2 B 2", "q2 0 s2 A 1", "q2 0 s3 A 2", "q2 0 s3 C 1",  # A > B > A
        "q3 0 s1 A 1", "q3 0 s1 B 0", "q3 0 s2 B 1", "q3 0 s2 C 0",  # B is not relevant, and relevant
    )  # fmt: skip  # a table, read row by row
    table, findings = read_preferences(put(tmp_path, "".join(f"{row}\n" for row in rows)))
    assert said(findings) == [
        ("repeated-preference", "error", 3, "q1", "A"),
        ("contradicting-preferences", "error", 4, "q2", "A"),
        ("relevant-and-not", "error", 11, "q3", "B"),
    ]
    assert "doc A is preferred to doc B and the other way round" in str(findings.rows[1].message)
    # q1: A > B. q2: A > C and B > A > C, but nothing of A and B. q3: A > B > C, so A > C.
    assert table.choices(["q1", "q2", "q3", "q4"]).n_pairs.tolist() == [1.0, 2.0, 3.0, 0.0]


def test_files_of_any_role(tmp_path: Path) -> None:
    given = read_files([put(tmp_path, PLAIN), put(tmp_path, "q1 Q0 A 1 2.5 mine\n", "run.txt")])
    assert given.judgments is None
    assert given.preferences is not None
    assert len(given.preferences) == 3
    assert [run.name for run in given.runs] == ["run"]
    assert "preferences, 3 rows" in str(given.taken[0])
