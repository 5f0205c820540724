"""Attributes of documents in a study: measured, recorded, and measured again from the record."""

import json
from pathlib import Path

import pytest

from rankproof import Study, UsageError, verify

PLAN = """
[study]
name = "attributes"
[files]
judgments = "judgments.csv"
documents = "documents.jsonl"
{more}
[[runs]]
name = "a"
file = "a.csv"
[[runs]]
name = "b"
file = "b.csv"
[measures]
primary = ["nDCG@2"]
secondary = {others}
[[gates]]
kind = "no_worse"
"""
DOCUMENTS = (
    {"doc_id": "x", "categories": ["k; l", "m"], "group": "g", "popularity": 0, "vector": [1, 0]},
    {"doc_id": "y", "categories": ["m"], "group": "h", "popularity": 7, "vector": [0, 2.5]},
    {"doc_id": "z"},
)


def written(folder: Path, others: list[str], more: str = "") -> Path:
    (folder / "study.toml").write_text(PLAN.format(others=json.dumps(others), more=more))
    (folder / "history.csv").write_text("query_id,doc_id\nq,x\nr,x\nr,y\n")
    (folder / "expected.csv").write_text("query_id,doc_id,rank,score\nq,x,1,inf\nr,z,2,1\nr,x,1,2\n")
    (folder / "documents.jsonl").write_text("".join(json.dumps(row) + "\n" for row in DOCUMENTS))
    (folder / "judgments.csv").write_text("query_id,doc_id,grade\nq,x,1\nr,y,2\n")
    (folder / "a.csv").write_text("query_id,doc_id\nq,x\nq,y\nr,z\nr,y\n")
    (folder / "b.csv").write_text("query_id,doc_id\nq,x\nq,z\nr,y\nr,x\n")
    return folder


def test_a_record_holds_what_the_measures_looked_at(tmp_path: Path) -> None:
    others = ["ILD@2", "ILD(distance=jaccard)@2", "AvgPopularity@2", "Coverage@2", "AWRF@2"]
    study = Study.read(written(tmp_path, others))
    found = study.measurements
    assert found.mean("a", "Coverage@2").value == 1
    assert found.of("a", "ILD@2")[0] == 1  # at a right angle
    assert found.of("a", "ILD(distance=jaccard)@2")[0] == 0.5  # m, of k; l and m
    assert found.of("a", "AvgPopularity@2").tolist() == [3.5, 7]
    done = study.accept(tmp_path / "record")
    assert verify(done.record).sound


def test_a_record_holds_the_history_and_what_was_expected(tmp_path: Path) -> None:
    others = ["KnownShare@2", "Unexpectedness(expected=run)@2"]
    study = Study.read(written(tmp_path, others, 'history = "history.csv"\nexpected = "expected.csv"'))
    assert study.measurements.of("a", "KnownShare@2").tolist() == [0.5, 0.5]  # x of x, y; y of z, y
    values = study.measurements.of("a", study.measurements.measures[2]).tolist()
    assert values == [0.5, 0.5]  # y is not expected for q, y is not for r
    done = study.accept(tmp_path / "record")
    assert verify(done.record).sound
    first = tmp_path / "record" / "1-questions-and-judgments.jsonl"
    kinds = [json.loads(line)["kind"] for line in first.read_text().splitlines()]
    assert (kinds.count("met"), kinds.count("expected")) == (3, 3)


def test_what_a_study_lacks_is_said_in_its_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in a study the key history"):
        _ = Study.read(written(tmp_path, ["KnownShare@2"])).measurements
    for name, says in (
        ("0.5*PrefSimp + 0.5*AP", "PrefSimp reads preferences, and a study"),
        ("click:AP", "click:AP is measured in an aspect"),
    ):
        with pytest.raises(UsageError, match=says):
            Study.read(written(tmp_path, [name]))
