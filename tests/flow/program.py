"""The program, run here: what it was asked, what it wrote, how it ended."""

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rankproof.cli.main import main

DATA = Path(__file__).parents[1] / "data"
SAMPLES = DATA / "formats" / "trec"
QRELS, BASELINE, CANDIDATE = (
    str(SAMPLES / name) for name in ("qrels.txt", "run_baseline.txt", "run_candidate.txt")
)


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    raw: bytes
    error: str

    @property
    def text(self) -> str:
        """What it wrote."""
        return self.raw.decode()

    @property
    def json(self) -> Any:
        """What it wrote, as one JSON value without a number that JSON does not have."""
        return json.loads(self.raw, parse_constant=_no_number)

    @property
    def rows(self) -> list[Any]:
        """What it wrote, as one JSON value a line."""
        return [json.loads(line, parse_constant=_no_number) for line in self.raw.decode().splitlines()]


def _no_number(text: str) -> None:
    raise AssertionError(f"{text} is not JSON")


def run(*arguments: object, stdin: bytes = b"", language: str = "en", width: int = 200) -> Done:
    """The command line, in this process."""
    out, error = io.BytesIO(), io.BytesIO()
    environment = {"RANKPROOF_LANG": language, "COLUMNS": str(width), "NO_COLOR": "1"}
    code: object = 0
    with (
        patch.dict(os.environ, environment),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(io.TextIOWrapper(out, "utf-8", write_through=True)),
        redirect_stderr(io.TextIOWrapper(error, "utf-8", write_through=True)),
    ):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code
        sys.stdout.flush()
        sys.stderr.flush()
        wrote, complained = out.getvalue(), error.getvalue().decode()
    return Done(int(str(code or 0)), wrote, complained)


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in another folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
