"""The program as a process: its exit code, its pipes, and a terminal that knows no Chinese."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flow.program import BASELINE, QRELS
from rankproof import __version__

PROGRAM = (sys.executable, "-m", "rankproof")
SCRIPT = (str(Path(sys.executable).with_name("rankproof")),)


def process(*command: str, stdin: bytes = b"", **environment: str) -> "subprocess.CompletedProcess[bytes]":
    own = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    return subprocess.run(command, input=stdin, env=own | environment, capture_output=True, check=False)


@pytest.mark.parametrize("program", [PROGRAM, SCRIPT], ids=["module", "script"])
def test_it_starts(program: tuple[str, ...]) -> None:
    done = process(*program, "--version")
    assert (done.returncode, done.stdout.decode().strip(), done.stderr) == (
        0,
        f"rankproof {__version__}",
        b"",
    )


def test_its_exit_code_and_streams() -> None:
    done = process(
        *PROGRAM, "evaluate", QRELS, "-", "-m", "AP", "--format", "jsonl", stdin=Path(BASELINE).read_bytes()
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    done = process(*PROGRAM, "evaluate", QRELS, "nothing.txt")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"There is no file nothing.txt" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_terminal_that_knows_no_chinese_gets_bytes_all_the_same(tmp_path: Path) -> None:
    done = process(*PROGRAM, "demo", str(tmp_path / "demo"), "--lang", "zh", LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "报名帮助中心" in done.stdout.decode("utf-8")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [*PROGRAM, "measures"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        complaint = running.stderr.read()
        assert running.wait() == 0
    assert complaint == b""


def test_the_environment_gives_the_language() -> None:
    chinese = process(*PROGRAM, "--help", LANG="zh_CN.UTF-8").stdout.decode()
    assert "用法" in chinese or "验收" in chinese
    assert "Usage" in process(*PROGRAM, "--help", LANG="en_US.UTF-8").stdout.decode()
    assert process(*PROGRAM, "--help", LANG="en_US.UTF-8", RANKPROOF_LANG="zh").stdout.decode() == chinese
