"""One file with several columns of labels: what becomes a grade, what is unjudged, what is a finding."""

from pathlib import Path

import pytest

from rankproof import StrictStop, UnknownName, UnreadableInput, UsageError, read_aspects, read_judgments
from rankproof.formats.aspects import steps_of

LABELS = """query_id,doc_id,click,Dwell Time,buy,rater
q1,A,1,35,1,ann
q1,B,0,0,,ann
q1,C,1,12.5,-1,bob
q2,D,3.0,9.99,0,
q3,E,,,,
q4,,,,,
q0,F,1,10,,
"""


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS, "utf-8")
    return path


def test_each_column_makes_judgments_and_every_query_is_asked_in_each(labels: Path) -> None:
    made, findings = read_aspects(labels, ["click", "dwell_time=0,10,30", "buy"])
    assert list(made) == ["click", "dwell_time", "buy"]
    click, dwell, buy = made.values()
    assert click.grade.tolist() == [1, 0, 1, 3, 1]
    assert dwell.grade.tolist() == [3, 1, 2, 1, 2]  # 35, 0, 12.5, 9.99 and 10 against 0, 10 and 30
    assert buy.grade.tolist() == [1, -1, 0]
    assert buy.pooled.tolist() == [False, True, False]
    assert buy.doc.texts().tolist() == ["A", "C", "D"]
    for one in made.values():
        assert set(one.query.names.tolist()) == {"q0", "q1", "q2", "q3", "q4"}
    assert click.texts("rater").tolist() == ["ann", "ann", "bob", None, None]
    assert click.line.tolist() == [2, 3, 4, 5, 8]
    assert [row.code for row in findings] == ["negative-grade"]


def test_one_aspect_is_what_a_column_called_grade_would_be(labels: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_text(LABELS.replace("click", "grade"), "utf-8")
    made, _ = read_aspects(labels, "click")
    assert made["click"].fingerprint == read_judgments(plain)[0].fingerprint


def test_thresholds_are_read_behind_the_name() -> None:
    assert steps_of("click, dwell = -1, 0.5,1e3 ,buy") == {"click": (), "dwell": (-1, 0.5, 1000), "buy": ()}
    assert steps_of(("click", "dwell=3")) == {"click": (), "dwell": (3,)}
    assert steps_of({"dwell": [0, 10]}) == {"dwell": (0, 10)}
    assert steps_of("7,8") == {"7": (), "8": ()}  # columns may be called by numbers


@pytest.mark.parametrize(
    ("aspects", "says"),
    [
        ("", 'called ""'),
        ((), "No aspect was named"),
        ("click,click", "named twice"),
        ("dwell=10,0", "numbers that rise"),
        ("dwell=0,0", "numbers that rise"),
        ("dwell=x", 'threshold of dwell is "x"'),
        ("dwell=", 'threshold of dwell is ""'),
        ("dwell=nan", 'threshold of dwell is "nan"'),
        ("click:x", "cannot stand before a measure"),
        ({"a*b": ()}, "cannot stand before a measure"),
    ],
)
def test_what_cannot_be_named_is_an_error(aspects: object, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        steps_of(aspects)


def test_a_column_that_is_not_there_answers_with_the_nearest(labels: Path) -> None:
    with pytest.raises(UnknownName, match=r'no column of labels "clik"\. Did you mean: click'):
        read_aspects(labels, "clik")
    with pytest.raises(UnknownName, match="no column of labels"):
        read_aspects(labels, "doc_id")


def test_a_file_without_a_header_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 A 1\n", "utf-8")
    with pytest.raises(UnreadableInput, match="expected to have a header"):
        read_aspects(path, "click")


def test_fractions_are_a_finding_that_says_how_to_make_grades_of_them(labels: Path, tmp_path: Path) -> None:
    made, findings = read_aspects(labels, "dwell time")
    bad = [row for row in findings if row.code == "bad-label"]
    assert [(row.line, row.query_id, row.severity) for row in bad] == [(4, "q1", "error"), (5, "q2", "error")]
    assert "dwell=1,10,30" in str(bad[0].mend)
    assert 'The label "12.5" in the column dwell time is not a grade' in str(bad[0].message)
    assert made["dwell time"].grade.tolist() == [35, 0, 10]
    with pytest.raises(StrictStop, match=r"12\.5"):
        read_aspects(labels, "dwell time", strict=True)
    path = tmp_path / "seconds.csv"
    path.write_text("query_id,doc_id,dwell\nq1,A,0.5\nq1,B,2.25\n", "utf-8")
    with pytest.raises(UsageError, match=r"no grade.*0\.5.*dwell=1,10,30"):
        read_aspects(path, "dwell")
    assert read_aspects(path, "dwell=1,2")[0]["dwell"].grade.tolist() == [0, 2]


@pytest.mark.parametrize("text", ["fast", "nan", "inf", "1 2"])
def test_what_is_no_number_is_not_binned(tmp_path: Path, text: str) -> None:
    path = tmp_path / "seconds.csv"
    path.write_text(f"query_id,doc_id,dwell\nq1,A,{text}\nq1,B,5\n", "utf-8")
    made, findings = read_aspects(path, "dwell=1")
    assert made["dwell"].grade.tolist() == [1]
    assert [(row.code, row.doc_id) for row in findings] == [("bad-label", "A")]


def test_rows_without_ids_are_told_once(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("query_id,doc_id,click,buy\n,A,1,1\n q1 ,B,1,0\nq2,,1,\n", "utf-8")
    made, findings = read_aspects(path, "click,buy")
    codes = [row.code for row in findings]
    assert codes.count("missing-id") == 2
    assert codes.count("blanks-around-id") == 1
    assert made["click"].query.texts().tolist() == ["q1"]


def test_json_lines_have_aspects_too(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"query_id": "q", "doc_id": "A", "click": 1, "dwell": 2.5}\n', "utf-8")
    made, _ = read_aspects(path, "click,dwell=1,2,3")
    assert [one.grade.tolist() for one in made.values()] == [[1], [2]]
