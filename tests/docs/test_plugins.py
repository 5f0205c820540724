"""The packages of the "add a ..." pages are found by every command once they are installed."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from examples import blocks

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
RUN = {"run.lists": "q1: B A\n", "judgments.csv": "query_id,doc_id,grade,basis\nq1,A,3,\nq1,B,0,none\n"}


def install(page: str, folder: Path) -> None:
    """The package of a page and its entry points, as pip leaves them, and some data."""
    files = {b.title: b.body for b in blocks((HOW_TO / f"{page}.md").read_text("utf-8")) if b.title}
    for name, text in (files | RUN).items():
        (folder / name).write_text(text, "utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    info = folder / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in points.items())
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("".join(lines))


def python(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Python with what is installed in the folder."""
    paths = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "RANKPROOF_LANG": "en", "COLUMNS": "200"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(
    ("page", "command", "wanted"),
    [
        ("add-a-check", "check judgments.csv", "no-basis"),
        (
            "add-a-format",
            "evaluate judgments.csv run.lists -m RR --format trec_eval",
            "recip_rank\tall\t0.5000",
        ),
    ],
)
def test_an_installed_package_is_found(page: str, command: str, wanted: str, tmp_path: Path) -> None:
    install(page, tmp_path)
    done = python(tmp_path, "-m", "rankproof", *command.split())
    assert wanted in done.stdout, done.stdout + done.stderr


TREC = {
    "qrels.txt": "q1 0 A 3\nq1 0 B 0\nq1 0 C 1\nq2 0 A 2\nq2 0 B 1\n",
    "one.txt": "q1 Q0 B 1 3 one\nq1 Q0 A 2 2 one\nq1 Q0 C 3 1 one\nq2 Q0 A 1 2 one\nq2 Q0 B 2 1 one\n",
    "two.txt": "q1 Q0 A 1 3 two\nq1 Q0 C 2 1 two\nq1 Q0 B 3 1 two\nq2 Q0 B 1 1 two\nq2 Q0 A 2 1 two\n",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the measures of the page are installed, with two runs to compare."""
    folder = tmp_path_factory.mktemp("installed")
    install("add-a-measure", folder)
    for name, text in TREC.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("measures", ["GBR", "gain by rank", "Σ gain / rank"]),
        ("measures --family graded", ["GBR"]),
        ("measures --tool", ["GBR", "gain_by_rank"]),  # the tool has a blank in its name, see below
        ("measures --search dashboard --format csv", ["GBR"]),
        (
            "measures GBR",
            [
                "Gain of each doc, divided by its rank, added up.",
                "no judged doc of the query is worth anything",
                "exact",
                "our search team, 2026",
                "our dashboard",
                "1/1 + 3/2",
                "2.5",
            ],
        ),
        ("measures GBX", ["Did you mean: GBR", "GBR is gain by rank and needs nothing more"]),
        ("evaluate qrels.txt one.txt -m gbr@2", ["GBR@2"]),
        ("compare qrels.txt one.txt two.txt -m GBR@2 --format md", ["GBR@2"]),
        ("explain qrels.txt one.txt -q q1 -m GBR(gain=exp2)", ["GBR(gain=exp2)", "gain", "place"]),
    ],
)
def test_a_measure_of_a_package_is_everywhere(command: str, wanted: list[str], installed: Path) -> None:
    arguments = command.split() + (["our dashboard"] if command.endswith("--tool") else [])
    done = python(installed, "-m", "rankproof", *arguments)
    for text in wanted:
        assert text in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("options", "value"),
    [
        # one: q1 (0/1 + 3/2) = 1.5, q2 (2/1 + 1/2) = 2.5
        ((), 2.0),
        # the gain of the convention: q1 7/2, q2 3 + 1/2
        (("--gain", "exp2"), 3.5),
        (("--dialect", "trec_eval-9"), 2.0),
    ],
)
def test_its_values(options: tuple[str, ...], value: float, installed: Path) -> None:
    arguments = ("evaluate", "qrels.txt", "one.txt", "-m", "gain_by_rank_2", "--format", "jsonl", *options)
    done = python(installed, "-m", "rankproof", *arguments)
    mean = json.loads(done.stdout)
    assert mean["measure"].startswith("GBR")
    assert mean["value"] == pytest.approx(value)


def test_its_mean_over_tied_orders(installed: Path) -> None:
    # two, q1: A, then C and B in either order: 3/1 + (1/2 + 0/2) / 2 = 3.25; q2: B and A: 2.25
    options = ("--order", "score", "--ties", "average", "-m", "GBR@2", "--format", "jsonl")
    done = python(installed, "-m", "rankproof", "evaluate", "qrels.txt", "two.txt", *options)
    mean = json.loads(done.stdout)
    assert mean["value"] == pytest.approx((3.25 + 2.25) / 2)


def test_it_keeps_the_laws_where_it_is_installed(installed: Path) -> None:
    code = "from test_mymeasures import test_our_measures_keep_the_laws as test; test(); print('kept')"
    done = python(installed, "-c", code)
    assert done.stdout == "kept\n", done.stderr


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    install("add-a-measure", tmp_path)
    module = tmp_path / "mymeasures.py"
    module.write_text(module.read_text("utf-8").replace('"GBR"', '"AP"'), "utf-8")
    done = python(tmp_path, "-m", "rankproof", "measures")
    assert done.returncode == 2
    assert 'a measure called "AP", which is taken' in done.stderr
