"""Attributes of documents and histories as files give them."""

import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rankproof import Documents, UnreadableInput, read_documents, read_history

NAN = float("nan")


def documents(folder: Path, name: str, text: str) -> tuple[Documents, list[tuple[str, int]]]:
    """The documents of a file, and the code and line of each finding."""
    path = folder / name
    path.write_text(text, "utf-8")
    read, findings = read_documents(path)
    return read, [(row.code, row.line) for row in findings]


def test_attributes_from_csv(tmp_path: Path) -> None:
    text = (
        'doc_id,category,group,popularity,vector\na,x; y|x,women,3,"[1, 2.5]"\nb,,,,\nc,z,men,0,"[0,-1e3]"\n'
    )
    read, findings = documents(tmp_path, "docs.csv", text)
    assert findings == []
    told = [(row.doc_id, row.categories, row.group, row.popularity) for row in read.rows]
    assert told == [("a", ("x", "y"), "women", 3.0), ("b", (), "", None), ("c", ("z",), "men", 0.0)]
    np.testing.assert_array_equal(read.vectors, [[1, 2.5], [NAN, NAN], [0, -1000]])


def test_attributes_from_json_lines(tmp_path: Path) -> None:
    text = '{"doc_id": "a", "categories": ["x, 1", "y;2"], "popularity": 2}\n{"doc_id": "b", "embedding": [1, 0, 0]}\n'
    read, findings = documents(tmp_path, "docs.jsonl", text)
    assert findings == []
    assert [row.categories for row in read.rows] == [("x, 1", "y;2"), ()]
    np.testing.assert_array_equal(read.vectors, [[NAN] * 3, [1, 0, 0]])


def test_attributes_under_chinese_headings(tmp_path: Path) -> None:
    read, findings = documents(tmp_path, "docs.csv", "文档编号,类目,分组,热度\n甲,书；画,女,7\n")
    assert findings == []
    (row,) = read.rows
    assert (row.categories, row.group, row.popularity) == (("书", "画"), "女", 7.0)
    assert read.vectors is None


def test_attributes_from_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "doc_id": ["a", "b"],
            "genres": [["x", "y"], None],
            "vector": [[1.0, 0.5], [0.0, 2.0]],
            "popularity": [4, 1],
        }
    )
    stream = io.BytesIO()
    frame.write_parquet(stream)
    path = tmp_path / "docs.parquet"
    path.write_bytes(stream.getvalue())
    read, findings = read_documents(path)
    assert not len(findings)
    assert [(row.categories, row.popularity) for row in read.rows] == [(("x", "y"), 4.0), ((), 1.0)]
    np.testing.assert_array_equal(read.vectors, [[1, 0.5], [0, 2]])


def test_what_cannot_be_read_counts_as_not_known(tmp_path: Path) -> None:
    text = (
        "doc_id\tpopularity\tvector\n"
        "a\tmany\t[1, 2]\nb\t-1\t[1, 2, 3]\nc\tnan\t[1, true]\nd\tinf\t1 2\ne\t1\t[1, NaN]\nf\t2\t[]\n"
    )
    read, findings = documents(tmp_path, "docs.tsv", text)
    assert [row.popularity for row in read.rows] == [None, None, None, None, 1.0, 2.0]
    np.testing.assert_array_equal(read.vectors, [[1, 2]] + [[NAN, NAN]] * 5)
    assert {code for code, _ in findings} == {"bad-attribute"}
    assert [line for _, line in findings] == [2, 3, 3, 4, 4, 5, 5, 6, 7]


def test_a_popularity_that_cannot_be_read_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "docs.csv"
    path.write_text("doc_id,popularity\na,many\n")
    (row,) = read_documents(path)[1]
    assert (row.severity, row.line) == ("warning", 2)
    said = 'The popularity "many" of doc a is not a number from 0; the doc counts as one whose popularity is not known.'
    assert str(row.message) == said


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("h.csv", "user_id,item_id,when\nu,a,1\nu,b,2\nu,a,3\n"),
        ("h.tsv", "u\ta\nu\tb\nu\ta\n"),
        ("h.qrels", "u 0 a 1\nu 0 b 2\nu 0 a 0\n"),
        ("h.run", "u Q0 a 1 3.0 tag\nu Q0 b 2 2.0 tag\nu Q0 a 3 1.0 tag\n"),
        ("h.jsonl", '{"query_id": "u", "docs": ["a", "b", "a"]}\n'),
    ],
)
def test_a_history_in_any_form(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    history, findings = read_history(path)
    assert (history.query.texts().tolist(), history.doc.texts().tolist()) == (["u"] * 3, ["a", "b", "a"])
    assert [row for row in findings if row.severity == "error"] == []


def test_a_history_without_ids(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("query_id,doc_id\nu,\n,a\nu,b\n")
    history, findings = read_history(path)
    assert history.doc.texts().tolist() == ["b"]
    assert sorted(row.line for row in findings) == [2, 3]
    path.write_text("doc_id,title\na,b\n")
    with pytest.raises(UnreadableInput, match="query_id"):
        read_history(path)
    path.write_text("")
    assert len(read_history(path)[0]) == 0
