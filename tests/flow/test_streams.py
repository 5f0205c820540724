"""Streams: what is scanned can be stopped, comes through pipes, and is the same however many do it at once."""

import bz2
import gzip
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flow.program import BASELINE, CANDIDATE, QRELS, run
from rankproof import UsageError, evaluate_files

FORMS = ("trec_eval", "jsonl", "csv")
LINES = [f"q{n // 1000} Q0 d{n} {n % 1000 + 1} {1000 - n % 1000} t\n" for n in range(200_000)]


@pytest.fixture
def many(tmp_path: Path) -> tuple[Path, Path]:
    """Judgments and a run of 200 queries, more than a block."""
    judgments, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text(
        "".join(f"q{q} 0 d{q * 1000 + 7 * q % 90} 1\n" for q in range(200)), encoding="utf-8"
    )
    lists.write_text("".join(LINES), encoding="utf-8")
    return judgments, lists


@pytest.mark.parametrize("form", FORMS)
def test_the_streamed_output_is_that_of_whole_tables(form: str) -> None:
    asked = (
        "evaluate",
        QRELS,
        BASELINE,
        CANDIDATE,
        "-m",
        "nDCG@10",
        "-m",
        "AP",
        "-m",
        "NumRet",
        "--per-query",
    )
    streamed = run(*asked, "--format", form)
    whole = run(*asked, "--strict", "--format", form)  # which asks for an audit, and so for tables
    assert (streamed.code, whole.code) == (0, 0), whole.error
    assert streamed.raw == whole.raw


def test_it_stops_within_a_second_and_leaves_nothing(many: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    command = [
        sys.executable,
        "-m",
        "rankproof",
        "evaluate",
        str(many[0]),
        "-",
        "-m",
        "AP",
        "--format",
        "jsonl",
    ]
    command += ["-o", str(out / "values.jsonl")]
    spool = tmp_path / "spool"
    spool.mkdir()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(spool)}
    ) as running:
        assert running.stdin is not None
        running.stdin.write("".join(LINES[:150_000]).encode())  # and more would come
        running.stdin.flush()
        time.sleep(0.5)
        assert running.poll() is None
        begun = time.monotonic()
        running.send_signal(signal.SIGINT)
        code = running.wait(timeout=10)
        taken = time.monotonic() - begun
        running.stdin.close()
    assert code == 130
    assert taken < 1.0
    assert list(out.iterdir()) == []
    assert list(spool.iterdir()) == []


def test_a_pipe_gives_what_a_file_gives_in_any_order_of_lines(many: tuple[Path, Path]) -> None:
    judgments, lists = many
    command = [
        sys.executable,
        "-m",
        "rankproof",
        "evaluate",
        str(judgments),
        "-",
        "-m",
        "RR",
        "--format",
        "jsonl",
    ]
    apart = "".join(sorted(LINES, key=lambda line: line.split()[3])).encode()
    found = [
        subprocess.run(command, input=raw, capture_output=True, check=True).stdout
        for raw in (lists.read_bytes(), apart)
    ]
    assert found[0] == found[1]
    file = run("evaluate", judgments, lists, "-m", "RR", "--format", "jsonl")
    assert file.raw == found[0].replace(b'"stdin"', b'"run"')


def test_at_once_is_as_one_by_one(many: tuple[Path, Path]) -> None:
    def value(threads: int) -> list[float]:
        found: list[float] = evaluate_files(
            *many, ["AP", "nDCG@10"], threads=threads
        ).measurements.values.tolist()
        return found

    alone = value(1)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(value, [1, 2, 3, 4])) == [alone] * 4


def test_what_is_set_aside_is_told_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "run.txt"
    broken.write_text(Path(BASELINE).read_text(encoding="utf-8") + "q1 Q0 d1\n", encoding="utf-8")
    done = run("evaluate", QRELS, broken, "-m", "AP", "--format", "jsonl")
    assert done.code == 0
    assert "1 error-level finding" in done.error
    assert "3 fields" in done.error
    assert run("evaluate", QRELS, BASELINE, "-m", "AP", "--format", "jsonl").error == ""


@pytest.mark.parametrize(
    "judged",
    ["query_id,doc_id,grade\nq1,d1,1\n", "q1 0 d1 1\nq1 0 d1 2\n", "q1 0 d1 1\n"],
    ids=["csv", "judged twice", "beside a run in UTF-16"],
)
def test_judgments_through_a_pipe_are_read_with_care_where_that_is_needed(
    judged: str, tmp_path: Path
) -> None:
    lists = tmp_path / "run.txt"
    lists.write_bytes(
        "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n".encode("utf-16" if judged.count("\n") == 1 else "utf-8")
    )
    command = [
        sys.executable,
        "-m",
        "rankproof",
        "evaluate",
        "-",
        str(lists),
        "-m",
        "AP",
        "--format",
        "jsonl",
    ]
    done = subprocess.run(command, input=judged.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b'"value": 0.5' in done.stdout


def test_damage_is_told_where_it_leaves_nothing(tmp_path: Path) -> None:
    packed = tmp_path / "run.txt.bz2"
    packed.write_bytes(bz2.compress(Path(BASELINE).read_bytes())[:40])
    done = run("evaluate", QRELS, packed, "-m", "AP", "--format", "jsonl")
    assert done.code == 3
    assert "ends too early" in done.error


def test_a_wrong_sum_costs_no_line(tmp_path: Path) -> None:
    raw = bytearray(gzip.compress(Path(BASELINE).read_bytes()))
    raw[-6] ^= 255
    packed = tmp_path / "run.txt.gz"
    packed.write_bytes(raw)
    whole = run("evaluate", QRELS, BASELINE, "-m", "AP", "--format", "trec_eval")
    done = run("evaluate", QRELS, packed, "-m", "AP", "--format", "trec_eval")
    assert done.raw == whole.raw
    assert "damaged" in done.error


@pytest.mark.parametrize("given", [{"threads": 0}, {"memory": -1}, {"threads": 1.5}], ids=str)
def test_numbers_that_cannot_be(given: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="expected a whole number from 1"):
        evaluate_files(QRELS, BASELINE, "AP", **given)


def test_a_repeated_doc_is_told(tmp_path: Path) -> None:
    lists = tmp_path / "run.txt"
    lines = Path(BASELINE).read_text(encoding="utf-8").splitlines(keepends=True)
    query, _, doc, *_ = lines[0].split()
    lists.write_text("".join([*lines, f"{query} Q0 {doc} 999 -9 t\n"]), encoding="utf-8")
    done = run("evaluate", QRELS, lists, "-m", "AP", "--format", "jsonl")
    assert "Run run: 1 line names a doc that the same list has already" in done.error


def test_a_mean_between_two_printed_numbers_is_printed_as_trec_eval_adds_it_up(tmp_path: Path) -> None:
    """The mean is 0.48125; added up by query it is a little less in floating point."""
    found = [2, 9, 1, 4, 1, 7, 7, 7, 10, 6, 3, 1, 7, 0, 6, 6]
    judgments, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judged = [f"q{q:02} 0 d{d} {int(d < n)}\n" for q, n in enumerate(found) for d in range(11)]
    judgments.write_text("".join([*judged, "q13 0 far 1\n"]), encoding="utf-8")
    shown = [f"q{q:02} Q0 d{d} {d} {9 - d} t\n" for q in range(16) for d in range(10)]
    lists.write_text("".join(shown), encoding="utf-8")
    asked = ("evaluate", judgments, lists, "-m", "P@10", "--format", "trec_eval")
    added = 0.0
    for n in found:
        added += n / 10
    assert (
        run(*asked, "--dialect", "trec_eval-10").text
        == f"P_10\tall\t{added / 16:.4f}\n"
        == "P_10\tall\t0.4812\n"
    )
    assert run(*asked).text == "P_10\tall\t0.4813\n"
