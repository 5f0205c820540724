"""check, measures and dialects: what is wrong with files, and what there is."""

import csv
import io
from pathlib import Path

import polars as pl
import pytest

from flow.program import BASELINE, CANDIDATE, DATA, QRELS, SAMPLES, Done, run
from rankproof import DIALECTS, MEASURES

DIRTY = DATA / "dirty" / "run_duplicate_doc_and_gap.txt"
BEIR = DATA / "formats" / "beir"


def check(*arguments: object) -> Done:
    return run("check", *arguments)


def test_clean_files_end_with_0() -> None:
    assert check(QRELS, BASELINE, CANDIDATE, SAMPLES / "topics.tsv").code == 0
    assert check(*sorted(BEIR.rglob("*.*l")), BEIR / "qrels" / "test.tsv", BASELINE).code == 0
    assert check(*sorted((DATA / "formats" / "msmarco").glob("*.tsv"))).code == 0


def test_an_error_level_finding_ends_with_1() -> None:
    done = check(QRELS, DIRTY, "--format", "jsonl")
    assert done.code == 1
    codes = [row["code"] for row in done.rows]
    assert "duplicate-doc" in codes
    severities = [("error", "warning", "info").index(row["severity"]) for row in done.rows]
    assert severities == sorted(severities)
    stopped = check(QRELS, DIRTY, "--strict")
    assert stopped.code == 1
    assert "line 6" in stopped.error


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "parquet", "md"])
def test_every_form(form: str, tmp_path: Path) -> None:
    done = check(QRELS, DIRTY, "--format", form)
    assert (done.code, done.error) == (1, "")
    rows = check(QRELS, DIRTY, "--format", "jsonl").rows
    if form == "json":
        assert done.json == rows
    elif form == "csv":
        assert [row["code"] for row in csv.DictReader(io.StringIO(done.text))] == [
            row["code"] for row in rows
        ]
    elif form == "parquet":
        assert pl.read_parquet(io.BytesIO(done.raw))["message"].to_list() == [row["message"] for row in rows]
    elif form != "jsonl":
        assert "stands twice" in done.text or "again at rank" in done.text
    if form != "table":
        assert check(QRELS, DIRTY, "-o", tmp_path / f"out.{form}").code == 1
        assert (tmp_path / f"out.{form}").read_bytes() == done.raw


def test_roles_are_seen_or_said(tmp_path: Path) -> None:
    either = tmp_path / "either.csv"
    either.write_text("query_id,doc_id,score\n1,kb-001,3\n", "utf-8")
    done = check(either)
    assert done.code == 2
    assert "--judgments" in done.error
    assert check("--judgments", either).code == 0
    assert check(QRELS, "--run", either).code == 0
    assert check(QRELS, QRELS).code == 2
    assert check().code == 2
    assert check(tmp_path / "nothing.txt").code == 2


def test_the_language_changes_the_sentence_and_nothing_else() -> None:
    english = check(QRELS, DIRTY, "--format", "jsonl").rows
    chinese = check(QRELS, DIRTY, "--format", "jsonl", "--lang", "zh").rows
    for one, other in zip(english, chinese, strict=True):
        assert {**one, "message": "", "mend": ""} == {**other, "message": "", "mend": ""}
        assert one["message"] != other["message"]


def test_the_measures() -> None:
    everything = run("measures")
    assert everything.code == 0
    for row in MEASURES:
        assert row.name in everything.text
        one = run("measures", row.name)
        assert one.code == 0
        assert row.title in one.text
    done = run("measures", "nGDC")
    assert done.code == 2
    assert "nDCG" in done.error


def test_the_dialects() -> None:
    everything = run("dialects")
    assert everything.code == 0
    for row in DIALECTS:
        assert row.name in everything.text
        assert run("dialects", row.name).code == 0
    told = run("dialects", "rectools").text
    assert all(text in told for text in ("0.19.0", "nDCG@k", "against=full", "Never sees users"))
    assert "ties=average" in run("dialects", "torchmetrics").text  # an exception
    assert "doc_id_desc" in run("dialects", "trec_eval").text
    done = run("dialects", "trec_evl")
    assert done.code == 2
    assert "trec_eval" in done.error


@pytest.mark.parametrize(
    "command", ["demo", "check", "evaluate", "compare", "explain", "accept", "verify", "measures", "dialects"]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_help_has_an_example(command: str, language: str) -> None:
    done = run(command, "--help", language=language)
    assert (done.code, done.error) == (0, "")
    assert f"$ rankproof {command}" in done.text


def test_the_program_alone_shows_its_map() -> None:
    for arguments in ((), ("--help",)):
        done = run(*arguments)
        assert done.code == 0
        assert "evaluate" in done.text
    assert run("--version").text.startswith("rankproof ")
