"""evaluate: files in, numbers out, in every form; and how it ends where that cannot be."""

import csv
import gzip
import io
import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from flow.program import BASELINE, CANDIDATE, DATA, QRELS, SAMPLES, Done, inside, run

DIRTY = DATA / "dirty"
FORMATS = ("table", "json", "jsonl", "csv", "parquet", "md", "html", "trec_eval")
MEASURES = ("-m", "nDCG@5", "-m", "AP")


def evaluate(*arguments: object, **settings: object) -> Done:
    return run("evaluate", QRELS, BASELINE, *MEASURES, *arguments, **settings)


@pytest.mark.parametrize("form", FORMATS)
def test_every_form(form: str) -> None:
    done = evaluate(CANDIDATE, "--format", form)
    assert (done.code, done.error) == (0, "")
    assert done.raw
    if form not in ("parquet",):
        assert "nDCG@5" in done.text or "ndcg_cut_5" in done.text


def test_rows_hold_the_same_values_in_every_form() -> None:
    lines = evaluate(CANDIDATE, "--per-query", "--format", "jsonl").rows
    assert len(lines) == 2 * 2 * (6 + 1)
    whole = evaluate(CANDIDATE, "--per-query", "--format", "json").json
    assert whole["measurements"] == lines
    table = list(csv.DictReader(io.StringIO(evaluate(CANDIDATE, "--per-query", "--format", "csv").text)))
    frame = pl.read_parquet(io.BytesIO(evaluate(CANDIDATE, "--per-query", "--format", "parquet").raw))
    for line, cells, row in zip(lines, table, frame.iter_rows(named=True), strict=True):
        for name, value in line.items():
            assert row[name] == value, name
            assert cells[name] == ("" if value is None else cells[name])
            assert value is None or type(value)(cells[name]) == value, name
        assert not {name for name in row if name not in line and row[name] is not None}


def test_the_values_are_those_of_the_samples() -> None:
    expected = json.loads((DATA / "formats" / "expected_clean.json").read_text("utf-8"))
    lines = evaluate("--format", "jsonl").rows
    mean = next(line for line in lines if line["measure"] == "nDCG@5")
    assert mean["value"] == pytest.approx(
        expected["ndcg_linear_at_5"]["baseline"]["mean_evaluable"], abs=1e-9
    )
    assert (mean["n"], mean["n_total"], mean["query_id"], mean["reason"]) == (5, 6, None, None)


def test_a_question_without_a_relevant_doc_is_null_and_counted_and_never_0() -> None:
    lines = evaluate("--per-query", "--format", "jsonl").rows
    for line in (line for line in lines if line["query_id"] == "6"):
        assert (line["value"], line["reason"]) == (None, "no_relevant")
    whole = evaluate("--format", "json").json
    assert (whole["populations"]["no_relevant"], whole["populations"]["queries"]["no_relevant"]) == (1, ["6"])
    assert "1 without relevant" in " ".join(evaluate().text.split())
    for choice, value in (("zero", 0.0), ("one", 1.0)):
        lines = evaluate("--per-query", "--format", "jsonl", "--no-relevant", choice).rows
        assert {line["value"] for line in lines if line["query_id"] == "6"} == {value}
    assert evaluate("--no-relevant", "error").code == 2


def test_trec_evals_form() -> None:
    done = run(
        "evaluate",
        QRELS,
        BASELINE,
        "--dialect",
        "trec_eval",
        "--format",
        "trec_eval",
        "--per-query",
        "-m",
        "map",
        "-m",
        "ndcg_cut.5",
        "-m",
        "num_ret",
        "-m",
        "RBP(p=0.5)",
    )
    lines = [line.split("\t") for line in done.text.splitlines()]
    assert all(len(line) == 3 for line in lines)
    assert {line[0] for line in lines} == {"map", "ndcg_cut_5", "num_ret", "RBP(p=0.5)"}
    assert ["num_ret", "all", "30"] in lines
    assert ["map", "6", "0.0000"] in lines
    levelled = run(
        "evaluate",
        QRELS,
        BASELINE,
        "--dialect",
        "trec_eval",
        "--rel",
        2,
        "-m",
        "map",
        "--format",
        "trec_eval",
    )
    assert levelled.text.startswith("map\tall\t")


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".parquet", ".md", ".html", ".htm", ".JSON"])
def test_a_files_suffix_decides_the_form(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    form = {".htm": "html"}.get(suffix, suffix[1:].lower())
    done = evaluate("-o", path)
    assert (done.code, done.raw, done.error.strip()) == (0, b"", f"Written: {path}")
    assert [child.name for child in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == evaluate("--format", form).raw


@pytest.mark.parametrize("name", ["out", "out.xlsx", "out.txt"])
def test_a_suffix_that_says_nothing_is_wrong_use(tmp_path: Path, name: str) -> None:
    done = evaluate("-o", tmp_path / name)
    assert done.code == 2
    assert "--format" in done.error
    assert evaluate("-o", tmp_path / name, "--format", "csv").code == 0
    assert (tmp_path / name).read_text("utf-8").startswith("run,query_id")


def test_a_table_with_a_row_a_query_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    assert evaluate("--per-query", "--format", "table", "-o", path).code == 0
    assert path.read_text("utf-8") == evaluate("--per-query").text
    lines = [line.split() for line in path.read_text("utf-8").splitlines()]
    assert ["3", "baseline", "1.0000", "1.0000"] in lines
    assert [
        "6",
        "baseline",
        *["—", "(no", "relevant", "document)", "—", "(no", "relevant", "document)"],
    ] in lines


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    done = evaluate("-o", tmp_path / "nowhere" / "out.csv")
    assert done.code == 2
    assert "nowhere" in done.error
    assert "Traceback" not in done.error
    assert evaluate("-o", tmp_path, "--format", "csv").code == 2
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_a_file() -> None:
    expected = evaluate("--format", "jsonl").rows
    for arguments, path in (((QRELS, "-"), BASELINE), (("-", BASELINE), QRELS)):
        raw = Path(path).read_bytes()
        for content in (raw, gzip.compress(raw)):
            done = run("evaluate", *arguments, *MEASURES, "--format", "jsonl", stdin=content)
            assert done.code == 0
            assert [{**row, "run": "baseline"} for row in done.rows] == expected
    assert run("evaluate", "-", "-", *MEASURES).code == 2


def test_strict_stops_at_the_first_error_level_finding() -> None:
    dirty = DIRTY / "run_duplicate_doc_and_gap.txt"
    assert run("evaluate", QRELS, dirty, *MEASURES).code == 0
    done = run("evaluate", QRELS, dirty, *MEASURES, "--strict")
    assert (done.code, done.raw) == (1, b"")
    assert f"{dirty}, line 6" in done.error
    assert evaluate("--strict").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-m", "nGDC@5"), "nDCG"),
        (("-m", "nDCG@0"), "whole number from 1"),
        (("-m", "nDCG@-1"), "whole number from 1"),
        (("-m", "nDCG@five"), "whole number from 1"),
        (("-m", "nDCG(gian=exp2)"), "gain"),
        (("-m", "P(rel=x)@5"), "whole number"),
        (("-m", "Bpref@5"), "no cutoff"),
        (("-m", ""), "measure"),
        (("--dialect", "trec_evl"), "trec_eval"),
        (("--ties", "fiel"), "file"),
        (("--gain", "log"), "exp2"),
        (("--depth", "0"), "whole number from 1"),
        (("--format", "xls"), "csv"),
        (("--langauge", "zh"), "--lang"),
        (("--lang", "fr"), "zh"),
    ],
    ids=str,
)
def test_what_nobody_knows_is_wrong_use_with_the_nearest(arguments: tuple[str, ...], words: str) -> None:
    done = run("evaluate", QRELS, BASELINE, *arguments)
    assert done.code == 2
    assert words in done.error
    assert "Traceback" not in done.error


def test_an_unknown_command_answers_with_the_nearest() -> None:
    done = run("evalaute")
    assert done.code == 2
    assert "evaluate" in done.error


def test_files_in_the_wrong_order() -> None:
    done = run("evaluate", BASELINE, QRELS)
    assert done.code == 2
    assert "Judgments come first" in done.error
    assert run("evaluate", QRELS, QRELS).code == 2
    assert run("evaluate", QRELS).code == 2


@pytest.mark.parametrize("place", ["judgments", "run"])
def test_files_that_cannot_be_read(tmp_path: Path, place: str) -> None:
    def given(path: object) -> Done:
        return run("evaluate", *((path, BASELINE) if place == "judgments" else (QRELS, path)))

    image = tmp_path / "image.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8)
    half = tmp_path / "half.parquet"
    half.write_bytes(b"PAR1" + bytes(100))
    for path, words in (
        (tmp_path / "nothing.txt", "There is no file"),
        (tmp_path, "is a folder"),
        (image, "not a text file"),
        (half, "not a Parquet file"),
    ):
        done = given(path)
        assert (done.code, done.raw) == (2, b"")
        assert words in done.error
        assert str(path) in done.error
        assert "Traceback" not in done.error


@pytest.mark.parametrize("seed", range(12))
def test_bytes_without_sense_end_without_a_crash(tmp_path: Path, seed: int) -> None:
    import random

    draw = random.Random(seed)
    pieces = [
        b"1 Q0 d 1 2.5 x\n",
        b"\xff\xfe",
        b'{"query_id": 1',
        b",;|\t",
        b'"',
        b"\n\n",
        b"\xe6\x9f",
        b"query_id,doc_id\n",
    ]
    path = tmp_path / draw.choice(("a.txt", "a.csv", "a.jsonl", "a.tsv.gz"))
    path.write_bytes(b"".join(draw.choice(pieces) + draw.randbytes(draw.randint(0, 9)) for _ in range(40)))
    for arguments in ((QRELS, path), (path, BASELINE)):
        done = run("evaluate", *arguments)
        assert done.code in (0, 2, 3)
        assert "Traceback" not in done.error


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl", ".tsv"])
def test_empty_files(tmp_path: Path, suffix: str) -> None:
    empty = tmp_path / f"empty{suffix}"
    empty.write_bytes(b"")
    assert run("evaluate", empty, BASELINE).code == 3
    done = run("evaluate", QRELS, empty, *MEASURES, "--format", "jsonl")
    assert (done.code, done.raw) == (3, b"")
    assert "none of the" in done.error
    assert run("evaluate", QRELS, empty, "--strict").code == 1
    found = run("check", "--judgments", QRELS, "--run", empty, "--format", "jsonl")
    assert found.code == 1
    assert "empty-file" in {row["code"] for row in found.rows}


def test_half_a_character_is_a_line_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    whole, half = r"\ud83d\ude00", r"\ud83d"
    start = '{"query_id": "1", "doc_id": "'
    lines = (f'{start}{doc}", "rank": {rank}}}\n' for rank, doc in enumerate((whole, half), 1))
    path.write_text("".join(lines), "utf-8")
    done = run("evaluate", QRELS, path, "-m", "NumRet", "--format", "json").json
    assert [(row["code"], row["line"]) for row in done["findings"] if row["severity"] == "error"] == [
        ("not-json", 2)
    ]
    assert done["measurements"][0]["value"] == 1


def test_a_compressed_file_that_ends_too_early(tmp_path: Path) -> None:
    path = tmp_path / "run.txt.gz"
    raw = gzip.compress(Path(BASELINE).read_bytes() * 50)
    path.write_bytes(raw[: len(raw) // 2])
    done = run("evaluate", QRELS, path, "--format", "json")
    assert done.code == 0
    assert "truncated" in {row["code"] for row in done.json["findings"]}


def test_nothing_to_evaluate(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 kb-001 0\n", "utf-8")
    done = run("evaluate", qrels, BASELINE)
    assert (done.code, done.raw) == (3, b"")
    assert "no judged doc is relevant" in done.error
    assert evaluate("--rel", 9).code == 3


def test_runs_are_told_apart(tmp_path: Path) -> None:
    done = run("evaluate", QRELS, BASELINE, BASELINE)
    assert done.code == 2
    assert "given twice" in done.error
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        shutil.copy(BASELINE, tmp_path / folder / "a.txt")
    shutil.copy(BASELINE, tmp_path / "a.run")
    with inside(tmp_path):
        done = run("evaluate", QRELS, "old/a.txt", "new/a.txt", "a.run", "-m", "AP", "--format", "jsonl")
    assert [row["run"] for row in done.rows] == ["old/a.txt", "new/a.txt", "a.run"]


def test_questions_say_what_was_asked() -> None:
    done = evaluate("--questions", SAMPLES / "topics.tsv", "--format", "json").json
    assert (done["populations"]["asked"], done["populations"]["queries"]["unjudged"]) == (7, ["7"])
    assert done["measurements"][0]["n_total"] == 7


def test_the_language_changes_words_and_never_numbers_or_names() -> None:
    for form in ("jsonl", "csv", "trec_eval"):
        assert evaluate("--format", form, "--lang", "zh").raw == evaluate("--format", form).raw
    assert evaluate("--lang", "zh").text != evaluate().text


def test_every_format_of_input_gives_the_same(tmp_path: Path) -> None:
    rows = [line.split() for line in Path(BASELINE).read_text("utf-8").splitlines()]
    names = {"query_id": 0, "doc_id": 2, "rank": 3, "score": 4}
    columns = {name: [row[place] for row in rows] for name, place in names.items()}
    frame = pl.DataFrame(columns)
    frame.write_csv(tmp_path / "baseline.csv")
    frame.write_csv(tmp_path / "baseline.tsv", separator="\t")
    frame.write_ndjson(tmp_path / "baseline.jsonl")
    frame.with_columns(pl.col("rank").cast(int), pl.col("score").cast(float)).write_parquet(
        tmp_path / "baseline.parquet"
    )
    (tmp_path / "baseline.csv.gz").write_bytes(gzip.compress((tmp_path / "baseline.csv").read_bytes()))
    expected = evaluate("--per-query", "--format", "jsonl").rows
    for path in sorted(tmp_path.iterdir()):
        done = run("evaluate", QRELS, path, *MEASURES, "--per-query", "--format", "jsonl")
        assert done.rows == expected, path.name
