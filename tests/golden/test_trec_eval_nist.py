"""The outputs that trec_eval's own repository carries, made by its version 10, and its output line by line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pytest

from flow.program import run as program
from golden.recorded import Held, held, measured, printed
from golden.tallying import Tally
from rankproof import (
    Judgments,
    Run,
    conventions_of,
    parse_measure,
    read_judgments,
    read_run,
    read_spreads,
    standardised,
    trec_eval_name,
)

SHARED = Path(__file__).parents[3] / "shared"
FOLDER = SHARED / "data" / "trec_eval_test"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]


@dataclass(frozen=True)
class Command:
    """What was asked for one output."""

    expected: str
    judgments: str = "qrels.test"
    results: str = "results.test"
    choices: dict[str, object] = field(default_factory=dict)


COMMANDS = (
    Command("test"),
    Command("test.a"),
    Command("test.aq"),
    Command("test.aqc", results="results.trunc", choices={"missing": "zero"}),
    Command("test.aqcM", results="results.trunc", choices={"missing": "zero", "depth": 100}),
    Command("test.aql", judgments="qrels.rel_level", choices={"rel": 2}),
    Command("test.meas_params"),
    Command("comment.test", judgments="qrels.comment.test", results="results.comment.test"),
    Command("test", judgments="qrels.test.with-comments"),
)
STANDARD = Command("test.aqZ")


def place(name: str) -> Path:
    return FOLDER / f"{name}.gz"


@lru_cache
def judged(name: str) -> Judgments:
    return read_judgments(place(name))[0]


@lru_cache
def system(name: str) -> Run:
    return read_run(place(name))[0]


def compared(command: Command) -> Held:
    """Every value of one output beside ours."""
    conventions = conventions_of("trec_eval-10", **command.choices)
    golden, run = printed(place(f"expected.out.{command.expected}")), system(command.results)
    found, measures = measured(golden, judged(command.judgments), run, conventions)
    return held(golden, run, found, measures, tool="trec_eval-10", config=command.expected)


def compared_standard() -> Held:
    """Every standard score beside ours."""
    conventions = conventions_of("trec_eval-10")
    golden = {
        name.removeprefix("Z"): values for name, values in printed(place("expected.out.test.aqZ")).items()
    }
    run = system(STANDARD.results)
    found, measures = measured(golden, judged(STANDARD.judgments), run, conventions)
    scores = standardised(found, read_spreads(place("zscores_file"))[0])
    standard = {name: Named(f"Z({m.full_name})") for name, m in measures.items()}
    standard["relstring"] = Named(measures["relstring"].full_name)
    return held(golden, run, scores, standard, tool="trec_eval-10", config=STANDARD.expected)


@dataclass(frozen=True)
class Named:
    """A measure as far as its name goes."""

    full_name: str


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: f"{one.expected} {one.judgments}")
def test_its_own_outputs(command: Command) -> None:
    found = compared(command)
    assert found.different[:10] == []
    assert found.equal >= len(printed(place(f"expected.out.{command.expected}")))


def test_its_standard_scores() -> None:
    found = compared_standard()
    assert found.different[:10] == []
    assert found.equal > 300
    assert sum(found.excused.values()) == 3


@pytest.mark.parametrize(
    ("version", "options", "expected"),
    [
        ("trec_eval-10", ("-m", "all_trec", "--per-query"), "test.aq"),
        ("trec_eval-10", ("-m", "all_trec"), "test.a"),
        ("trec_eval-10", ("-m", "official"), "test"),
    ],
)
def test_its_output_line_by_line(version: str, options: tuple[str, ...], expected: str) -> None:
    """The same lines, which stand between blanks there."""
    files = (place("qrels.test"), place("results.test"))
    done = program("evaluate", *files, "--dialect", version, "--format", "trec_eval", *options)
    golden = {
        f"{name}\t{query}\t{value}"
        for name, values in printed(place(f"expected.out.{expected}")).items()
        for query, value in values.items()
    }
    lines = done.text.splitlines()
    assert set(lines) == golden
    assert len(lines) == len(golden)


def test_its_standard_scores_line_by_line() -> None:
    files = (place("qrels.test"), place("results.test"))
    done = program(
        "evaluate", *files, "--dialect", "trec_eval-10", "--format", "trec_eval", "-m", "all_trec",
        "--per-query", "--z-scores", place("zscores_file"),
    )  # fmt: skip  # a command, in one piece
    golden = {
        f"{name}\t{query}\t{value}"
        for name, values in printed(place("expected.out.test.aqZ")).items()
        for query, value in values.items()
    }
    no_values = {"Zgm_map\tall\t0.0000", "Zgm_bpref\tall\t0.0000", "Znum_q\tall\t3.0000"}
    assert set(done.text.splitlines()) == golden - no_values
    assert no_values <= golden


def test_version_9_line_by_line() -> None:
    data, folder = SHARED / "data" / "cacm", SHARED / "golden" / "trec_eval" / "cacm"
    done = program(
        "evaluate", data / "qrels.txt.gz", data / "run.anserini-bm25.txt.gz", "--dialect", "trec_eval-9",
        "--format", "trec_eval", "-m", "all_trec", "--per-query",
    )  # fmt: skip  # a command, in one piece
    golden = {
        f"{name}\t{query}\t{value}"
        for name, values in printed(folder / "anserini-bm25.q.9.0.8.tsv.gz").items()
        for query, value in values.items()
    }
    assert set(done.text.splitlines()) == golden


def test_a_name_is_written_as_it_was_printed() -> None:
    """All but levels of recall, which are printed as they were typed."""
    conventions = conventions_of("trec_eval-10")
    for command in COMMANDS:
        for name in printed(place(f"expected.out.{command.expected}")):
            if name not in ("runid", "11pt_avg_.25,.5,.75"):
                assert spelt(name, conventions) == name
    assert spelt("11pt_avg_.25,.5,.75", conventions) == "11pt_avg_0.25,0.5,0.75"


def spelt(name: str, conventions: object) -> str:
    return trec_eval_name(parse_measure(name).under(conventions), conventions)


def tally() -> Iterator[Tally]:
    """The counts of all outputs."""
    if not SHARED.exists():
        return
    for command, found in [*((one, compared(one)) for one in COMMANDS), (STANDARD, compared_standard())]:
        source = f"trec_eval's own {command.expected} {command.judgments}"
        yield Tally(source, found.compared, found.equal, dict(found.excused))
