"""Subtopics from files to numbers: said by an option or a heading, explained, compared, and proven."""

import json
from pathlib import Path

import pytest

from flow.program import run

QRELS = "q1 car a 1\nq1 cat a 0\nq1 car b 1\nq1 cat c 1\nq2 car d 1\nq2 cat e 2\n"
OLD = "q1 Q0 a 1 3 old\nq1 Q0 b 2 2 old\nq1 Q0 c 3 1 old\nq2 Q0 d 1 2 old\n"
NEW = "q1 Q0 a 1 3 new\nq1 Q0 c 2 2 new\nq2 Q0 d 1 2 new\nq2 Q0 e 2 1 new\n"
STUDY = """
[study]
name = "sides of a need"
[files]
judgments = "qrels.txt"
[[runs]]
name = "old"
file = "old.run"
role = "baseline"
[[runs]]
name = "new"
file = "new.run"
[measures]
primary = ["alpha_nDCG@3"]
secondary = ["StRecall@2", "nDCG@3"]
[[gates]]
kind = "floor"
measure = "alpha_nDCG@3"
at_least = 0.5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"qrels.txt": QRELS, "old.run": OLD, "new.run": NEW, "study.toml": STUDY}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_evaluate(folder: Path) -> None:
    asked = ("evaluate", folder / "qrels.txt", folder / "new.run", "-m", "alpha_nDCG@3", "-m", "StRecall@1")
    done = run(*asked, "--subtopics", "--per-query", "--format", "jsonl")
    assert (done.code, done.error) == (0, "")
    values = {(row["measure"], row["query_id"]): row["value"] for row in done.rows}
    assert values["alpha_nDCG@3", "q2"] == 1
    assert values["StRecall@1", None] == 0.5
    spelt = run(
        *asked[:3], "-m", "alpha-nDCG@3", "-m", "strec@1", "--subtopics", "--per-query", "--format", "jsonl"
    )
    assert spelt.rows == done.rows


def test_not_said(folder: Path) -> None:
    done = run("evaluate", folder / "qrels.txt", folder / "new.run", "-m", "alpha_nDCG@3")
    assert done.code == 2
    assert "alpha_nDCG@3 needs to know which subtopics a doc covers" in done.error
    assert "--subtopics" in done.error
    done = run("evaluate", folder / "qrels.txt", folder / "new.run", "-m", "AP", "--format", "json")
    assert [row["code"] for row in done.json["findings"]] == ["subtopics-unread"]
    assert run("check", folder / "qrels.txt").code == 1
    assert run("check", folder / "qrels.txt", "--subtopics").code == 0
    assert run("evaluate", folder / "qrels.txt", folder / "new.run", "-m", "AP", "--strict").code == 1


def test_a_heading_needs_no_option(folder: Path) -> None:
    rows = [line.split() for line in QRELS.splitlines()]
    path = folder / "judgments.csv"
    path.write_text("query_id,intent,doc_id,grade\n" + "".join(",".join(row) + "\n" for row in rows), "utf-8")
    asked = (folder / "new.run", "-m", "alpha_nDCG@3", "-m", "nDCG@3", "--format", "jsonl")
    assert (
        run("evaluate", path, *asked).rows
        == run("evaluate", folder / "qrels.txt", *asked, "--subtopics").rows
    )


def test_explain(folder: Path) -> None:
    asked = (
        "explain",
        folder / "qrels.txt",
        folder / "old.run",
        "-q",
        "q1",
        "-m",
        "alpha_nDCG@3",
        "--subtopics",
    )
    (told,) = run(*asked, "--format", "json").json
    assert [(t["doc_id"], t["new subtopics"], t["gain"]) for t in told["terms"]] == [
        ("a", 1, 1), ("b", 0, 0.5), ("c", 1, 1),
    ]  # fmt: skip  # a table, read row by row
    assert "new" in run(*asked).text


def test_compare(folder: Path) -> None:
    files = (folder / "qrels.txt", folder / "old.run", folder / "new.run")
    done = run("compare", *files, "-m", "StRecall@2", "--subtopics", "--format", "json")
    (pair,) = done.json["comparisons"]
    assert (pair["mean_baseline"], pair["mean_candidate"], pair["wins"]) == (0.5, 1, 2)


def test_a_study_and_its_record(folder: Path) -> None:
    done = run("accept", folder)
    assert done.code == 0, done.error
    (record,) = (path.parent for path in folder.rglob("manifest.json"))
    data = (record / "1-questions-and-judgments.jsonl").read_text("utf-8").splitlines()
    judgments = [row for row in map(json.loads, data) if row["kind"] == "judgment"]
    assert [row["subtopic"] for row in judgments] == [line.split()[1] for line in QRELS.splitlines()]
    assert run("verify", record).code == 0


def test_a_study_of_a_combination_whose_parts_look_at_subtopics(folder: Path) -> None:
    plan = STUDY.replace('"alpha_nDCG@3"', '"0.5*StRecall@3 + 0.5*AP_IA"').replace(', "nDCG@3"', "")
    (folder / "study.toml").write_text(plan.replace('["StRecall@2"]', "[]"), "utf-8")
    done = run("accept", folder)
    assert (done.code, done.error) == (0, "")
    assert run("verify", folder / "acceptance").code == 0
