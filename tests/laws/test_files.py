"""Scanned files give what the readers of tables give: the same values, reasons, populations and findings."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof import (
    CONVENTIONS,
    MEASURES,
    Conventions,
    Findings,
    Measurements,
    Question,
    Questions,
    RankproofError,
    conventions_of,
    evaluate,
    evaluate_files,
    parse_measures,
    read_judgments,
    read_run,
)
from rankproof.formats import blocks, gathering, noticing, oddities, sources
from rankproof.formats.scanned import scan_judgments, scan_run
from rankproof.formats.sources import Source
from rankproof.scanning.engine import ENGINES, engine
from rankproof.tables.hits import Ordering

SEEN = [
    "nDCG@10",
    "nDCG@3",
    "AP",
    "RR",
    "P@5",
    "R@100",
    "Bpref",
    "infAP",
    "Judged@10",
    "RBP(p=0.8)",
    "NumRet",
    "ERR@5",
]
BLANKS = (" ", " ", "\t", "  ", " \t ", "\f", "\v")
ENDS = ("\n", "\n", "\r\n")
ODD_SCORES = (
    "nan",
    "inf",
    "-inf",
    "1e400",
    "x",
    "1_0",
    "-0.0",
    "0.30000000000000004",
    "12345678901234567890.5",
    "1e-7",
)
ODD_RANKS = ("a", "1.0", "1.5", "-3", "+2", "99999999999999999999")


@contextmanager
def kernels_of(name: str) -> Iterator[pytest.MonkeyPatch]:
    """One engine, with blocks so small that files have many."""
    if name == "native":
        pytest.importorskip("rankproof._scan", reason="the compiled engine is not built here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKPROOF_ENGINE", name)
        patch.setattr(blocks, "SIZE", 200)
        patch.setattr(sources, "PIECE", 170)
        engine.cache_clear()
        assert engine().name == name
        yield patch
    engine.cache_clear()


@pytest.fixture(params=ENGINES)
def patch(request: pytest.FixtureRequest) -> Iterator[pytest.MonkeyPatch]:
    """Each engine in turn."""
    with kernels_of(request.param) as patch:
        yield patch


def run_lines(random: Random, odd: float) -> Iterator[str]:
    """The lines of a run: mostly as tools write them, some as nobody should."""
    shuffled = random.random() < 0.3
    queries = [f"q{n}" for n in range(random.randint(4, 8))]
    lines = []
    for query in queries:
        ties, docs = random.choice((2, 5, 1000)), random.sample(range(40), random.randint(1, 25))
        if random.random() < odd:
            docs.append(random.choice(docs))
        first = random.choice((0, 1, 1, 1))
        for rank, doc in enumerate(docs, first):
            score = str(round(random.randint(0, ties) / 7, random.choice((1, 4, 17))))
            rank_text = str(0 if random.random() < odd / 4 else rank)
            if random.random() < odd / 4:
                score, rank_text = random.choice(ODD_SCORES), random.choice((rank_text, *ODD_RANKS))
            tag = "b" if random.random() < odd / 20 else "a"
            fields = [query, "Q0", random.choice(("d", "文档", "D")) + str(doc), rank_text, score, tag]
            if random.random() < odd / 10:
                fields = random.choice(
                    (fields[:4], [*fields, "more"], ["#", "remark"], [], ["#q", *fields[1:]])
                )
            lines.append(random.choice(BLANKS if random.random() < odd else BLANKS[:1]).join(fields))
    if shuffled:
        random.shuffle(lines)
    for line in lines:
        yield line + random.choice(ENDS if random.random() < odd else ENDS[:1])


def judgment_lines(random: Random, odd: float) -> Iterator[str]:
    """The lines of judgments."""
    for n in random.sample(range(10), random.randint(4, 9)):
        for doc in random.sample(range(40), random.randint(1, 20)):
            grade = random.choice((-1, 0, 0, 1, 1, 2, 3))
            name = random.choice(("d", "文档")) + str(doc)
            yield f"q{n} 0 {name} {grade}\n"
            if random.random() < odd / 30:
                yield random.choice(
                    (f"q{n} 0 {name} 1\n", f"q{n} 0 {name}\n", f"q{n} 0 d7 x\n", "\n", "# remark\n")
                )


def conventions(random: Random) -> Conventions:
    """Any conventions, or those of a tool."""
    if random.random() < 0.3:
        return conventions_of(random.choice(("trec_eval-9", "trec_eval-10", "ir_measures", "ranx", "beir")))
    chosen = {
        row.name: random.choice(row.values)
        for row in CONVENTIONS
        if row.values and not row.takes and random.random() < 0.4
    }
    chosen = {name: value for name, value in chosen.items() if value != "error"}
    depth = random.choice((None, None, 3, 8))
    return Conventions().but(**chosen, depth=depth, rel=random.choice((1, 1, 2)))


def by_tables(judgments: Path, runs: list[Path], by: Conventions) -> tuple[Measurements, Findings]:
    """The same by the readers of tables."""
    table, findings = read_judgments(judgments)
    read = []
    for path in runs:
        run, more = read_run(path)
        read.append(run)
        findings += more
    return evaluate(table, read, SEEN, conventions=by, keep=False), findings


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("odd", [0.0, 0.2, 1.0])
@given(seed=st.integers(0, 10**9))
def test_files_are_scanned_as_they_are_read(
    name: str, odd: float, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    random, folder = Random(seed), tmp_path_factory.mktemp("files")
    judgments, runs = folder / "qrels.txt", [folder / "a.txt", folder / "b.txt.gz"]
    judgments.write_text("".join(judgment_lines(random, odd)), encoding="utf-8", newline="")
    for path in runs:
        raw = "".join(run_lines(random, odd)).encode()
        path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    by = conventions(random)
    given = {"threads": random.choice((1, 2)), "memory": random.choice((2000, 1 << 30))}
    whole, error = attempted(lambda: by_tables(judgments, runs, by))
    with kernels_of(name):
        found, told = attempted(lambda: evaluate_files(judgments, runs, SEEN, conventions=by, **given))
    assert type(told) is type(error), (told, error)
    if error is not None:
        return
    expected, findings = whole
    assert found.measurements.queries == expected.queries
    assert found.measurements.runs == expected.runs
    np.testing.assert_array_equal(found.measurements.values, expected.values)
    np.testing.assert_array_equal(found.measurements.reasons, expected.reasons)
    np.testing.assert_array_equal(found.measurements.judged, expected.judged)
    np.testing.assert_array_equal(found.measurements.n_relevant, expected.n_relevant)
    assert populations(found.measurements) == populations(expected)
    assert dict(found.measurements.versions) == dict(expected.versions)
    assert [row.row() for row in found.findings] == [row.row() for row in findings]


def attempted(work: Callable[[], Any]) -> tuple[Any, RankproofError | None]:
    """What comes of it, or the error that is raised."""
    try:
        return work(), None
    except RankproofError as error:
        return None, error


def populations(found: Measurements) -> object:
    """The populations; of queries that nobody asked, which ones they are."""
    runs = {
        name: replace(run, extra=tuple(sorted(run.extra))) for name, run in found.populations.runs.items()
    }
    return replace(found.populations, runs=runs)


def test_every_measure_that_sees_hits_is_the_same(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    random = Random(7)
    judgments, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("".join(judgment_lines(random, 0)), encoding="utf-8")
    run.write_text("".join(run_lines(random, 0)), encoding="utf-8")
    names = [f"{row.name}@5" if row.cutoff != "none" else row.name for row in MEASURES if row.sees == "hits"]
    table, read = read_judgments(judgments)[0], read_run(run)[0]
    expected = evaluate(table, read, names, keep=False)
    found = evaluate_files(judgments, run, names).measurements
    assert found.measures == expected.measures
    np.testing.assert_array_equal(found.values, expected.values)


def test_whole_files_are_scanned_and_not_read(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The laws above would hold as well if nothing were ever scanned."""
    random = Random(3)
    judgments, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("".join(judgment_lines(random, 0)), encoding="utf-8")
    run.write_text("".join(run_lines(random, 0.5)), encoding="utf-8", newline="")
    patch.setattr("rankproof.formats.reading.read_run", None)
    patch.setattr("rankproof.formats.reading.read_judgments", None)
    found = evaluate_files(judgments, run, [m.full_name for m in parse_measures(SEEN)])
    assert found.measurements.values.shape[1] == len(SEEN)


def test_a_list_past_the_memory_is_gathered_in_parts(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [f"q{n % 5} Q0 d{n} {n} {n * 7919 % 104729 / 100} t\n" for n in range(1000)]
    (tmp_path / "run.txt").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(
        "".join(f"q{n % 5} 0 d{n} 1\n" for n in range(0, 1000, 3)), encoding="utf-8"
    )
    passes = passes_of(patch)
    files = tmp_path / "qrels.txt", tmp_path / "run.txt"
    small = evaluate_files(*files, SEEN, memory=15_000).measurements
    assert passes[-1] == (3, 4, True, True)
    passes.clear()
    large = evaluate_files(*files, SEEN).measurements
    assert passes == [(0, 1, True, True)]
    np.testing.assert_array_equal(small.values, large.values)


def passes_of(patch: pytest.MonkeyPatch) -> list[tuple[int, int, bool, bool]]:
    """Which passes are made over a run from now on: which part of how many, by rank or not, in brief or not."""
    passes: list[tuple[int, int, bool, bool]] = []
    settle = gathering._settled
    patch.setattr(gathering, "_settled", lambda *given: passes.append(tuple(given[2])) or settle(*given))
    return passes


@pytest.mark.parametrize(
    ("odd", "order", "brief"),
    [
        ("", "displayed", [True]),
        ("", "score", [True]),
        ("q3 Q0 d3 2000 0 t\n", "displayed", [True, False]),  # a doc that its list has
        ("q3 Q0 d3 3 0 t\n", "displayed", [True, False]),  # a rank that its list has
        ("q3 Q0 d4 2147483648 0 t\n", "displayed", [True, False]),  # a rank that does not fit
        ("q9 Q0 d3 3 0 t\nq9 Q0 d3 3 0 t\n", "displayed", [True]),  # a query that nobody asked
    ],
)
def test_lines_from_anywhere_are_held_in_brief_where_that_is_enough(
    patch: pytest.MonkeyPatch, tmp_path: Path, odd: str, order: str, brief: list[bool]
) -> None:
    lines = [f"q{n % 5} Q0 d{n} {n} {n * 7919 % 104729 / 100} t\n" for n in range(1000)]
    (tmp_path / "run.txt").write_text("".join(lines) + odd, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(
        "".join(f"q{n % 5} 0 d{n} 1\n" for n in range(0, 1000, 3)), encoding="utf-8"
    )
    passes, by = passes_of(patch), Conventions(order=order)
    files = tmp_path / "qrels.txt", tmp_path / "run.txt"
    found = evaluate_files(*files, SEEN, conventions=by).measurements
    assert [kind for *_, kind in passes] == brief
    expected = by_tables(files[0], [files[1]], by)[0]
    np.testing.assert_array_equal(found.values, expected.values)


@pytest.mark.parametrize(
    "odd", ["文".encode("gb18030"), b"\0", "\u3000".encode()], ids=["gb18030", "0", "blank"]
)
def test_a_late_block_that_is_not_plain_is_left_to_careful_readers(
    patch: pytest.MonkeyPatch, tmp_path: Path, odd: bytes
) -> None:
    judged = [f"q{n // 9} 0 d{n} 1\n".encode() for n in range(90)]
    ranked = [f"q{n // 9} Q0 d{n} {n} {9 - n / 90} t\n".encode() for n in range(90)]

    def scanned(late: bytes, late_judged: bytes) -> int:
        path = tmp_path / "lines.txt"  # the lines before the last few are plain
        path.write_bytes(b"".join([*judged[:85], judged[85].replace(b"d", b"d" + late_judged), *judged[86:]]))
        with Source(path) as source:
            index = scan_judgments(source)[0]
        path.write_bytes(b"".join([*ranked[:85], ranked[85].replace(b"d", b"d" + late), *ranked[86:]]))
        with Source(path) as source:
            return int(scan_run(source, gathering.Scanning(index, Ordering()), "run")[0].n_retrieved.sum())

    assert scanned(b"", b"") == 90
    assert scanned("文".encode(), "文".encode()) == 90
    for late in ((odd, b""), (b"", odd)):
        with pytest.raises(blocks.NotPlain):
            scanned(*late)


def test_questions_that_the_judgments_do_not_know(tmp_path: Path) -> None:
    judgments, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("q1 0 a 1\n", encoding="utf-8")
    lists.write_text("q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\nq2 Q0 c 2 1 t\n", encoding="utf-8")
    questions = Questions((Question("q1"), Question("q2"), Question("q3")))
    asked = ("NumRet", "Judged@10", "P@5")
    found = evaluate_files(judgments, lists, asked, questions=questions).measurements
    whole = evaluate(read_judgments(judgments)[0], read_run(lists)[0], asked, questions=questions)
    np.testing.assert_array_equal(found.values, whole.values)
    np.testing.assert_array_equal(found.judged, whole.judged)  # q2 has a list, of which nothing is judged


def test_a_grade_of_a_row_that_does_not_count_is_of_the_scale(tmp_path: Path) -> None:
    judgments, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("q1 0 a 1\nq1 0 a 3\n", encoding="utf-8")  # the first one counts
    lists.write_text("q1 Q0 a 1 2 t\n", encoding="utf-8")
    found = evaluate_files(judgments, lists, "ERR@5").measurements
    whole = evaluate(read_judgments(judgments)[0], read_run(lists)[0], "ERR@5")
    assert found.top_grade == whole.top_grade == 3
    np.testing.assert_array_equal(found.values, whole.values)


def test_a_list_of_more_bytes_than_a_block_can_have(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judgments, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("q1 0 d7 1\n", encoding="utf-8")
    lists.write_text("".join(f"q1 Q0 d{n} {n + 1} {-n} t\n" for n in range(200)), encoding="utf-8")
    patch.setattr(blocks, "LARGEST", 1000)
    assert evaluate_files(judgments, lists, "RR").measurements.mean("run", "RR").value == 1 / 8


def test_odd_lines_beyond_those_that_are_listed(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in (noticing, oddities):
        patch.setattr(module, "LISTED", 3)
    judgments, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("q1 0 d7 1\n", encoding="utf-8")
    odd = (
        "q{q} Q0 d{n} x 1 t",
        "q{q} Q0 d{n} 1 x t",
        "q{q} Q0 d{n} 1 inf t",
        "q{q} Q0",
        "q{q} Q0 d{n} 1 1 t",
    )
    lines = [odd[n % 5 if n % 2 else 4].format(q=n // 20, n=n) + "\n" for n in range(200)]
    lists.write_text("".join(lines), encoding="utf-8")
    found = evaluate_files(judgments, lists, "RR").findings
    assert list(found) == list(read_run(lists)[1])
    with Source(judgments) as source:
        index = scan_judgments(source)[0]
    with Source(lists) as source:
        scanned = scan_run(source, gathering.Scanning(index, Ordering()), "run")[1]
    assert list(scanned) == list(found)
