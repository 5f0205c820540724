"""The packages of the "add a ..." pages are found by every command once they are installed."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from examples import blocks

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
RUN = {"run.lists": "q1: B A\n", "judgments.csv": "query_id,doc_id,grade,basis\nq1,A,3,\nq1,B,0,none\n"}


@pytest.mark.parametrize(
    ("page", "command", "wanted"),
    [
        ("add-a-measure", "measures GBR", "Σ gain / rank"),
        ("add-a-check", "check judgments.csv", "no-basis"),
        (
            "add-a-format",
            "evaluate judgments.csv run.lists -m RR --format trec_eval",
            "recip_rank\tall\t0.5000",
        ),
    ],
)
def test_an_installed_package_is_found(page: str, command: str, wanted: str, tmp_path: Path) -> None:
    files = {b.title: b.body for b in blocks((HOW_TO / f"{page}.md").read_text("utf-8")) if b.title}
    for name, text in (files | RUN).items():
        (tmp_path / name).write_text(text, "utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    info = tmp_path / f"{project['name']}-{project['version']}.dist-info"  # as pip leaves it
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in points.items())
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("".join(lines))
    paths = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "rankproof", *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths, "RANKPROOF_LANG": "en", "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert wanted in done.stdout, done.stdout + done.stderr
