"""Tables, in files and in memory, are scanned as they are read: the same values, reasons, populations and findings."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.test_files import SEEN, attempted, by_tables, conventions, kernels_of, populations
from rankproof import Conventions, evaluate, evaluate_files
from rankproof.formats import column_files, columnar, reading
from rankproof.scanning.engine import ENGINES

NAMES = ("", "d", "文档", "a document with a long name ", "another of the documents of a long name ")
ODD_IDS = (None, "", " d1", "d2 ", "d\n3", "\u3000d4", "d5\u2003", "\x1cd6", "d\x007", "d 8", "q\r")
ODD_WHOLE = (None, -3, 10**15, 10**16, 2**53 + 1)
ODD_NUMBERS = (None, float("nan"), float("inf"), -0.0, 1e-320, 0.1)
WHOLE_TYPES = (*[pl.Int64] * 5, pl.UInt16, pl.UInt64, pl.Int8, pl.Float64, pl.Float64, pl.Float32, pl.String)
SCORE_TYPES = (*[pl.Float64] * 7, pl.Float32, pl.Float32, pl.Int16, pl.UInt64, pl.String)
HEADLESS = ("query_id", "doc_id", "grade", "rank", "score")
TEXT_TYPES = (pl.String, pl.String, pl.Categorical)
ID_TYPES = (*TEXT_TYPES, pl.Int64, pl.UInt8)


def runs_of(random: Random, odd: float, names: dict[str, str]) -> pl.DataFrame:
    """A run as a table of some columns, of some types."""
    rows = []
    for query in range(random.randint(3, 8)):
        ties, docs = random.choice((2, 5, 1000)), random.sample(range(40), random.randint(1, 25))
        if random.random() < odd:
            docs.append(random.choice(docs))
        rows += [
            (query, doc, rank, random.randint(0, ties) / 7, "b" if random.random() < odd / 40 else "a")
            for rank, doc in enumerate(docs, random.choice((0, 1, 1)))
        ]
    if random.random() < 0.3:
        random.shuffle(rows)
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "rank", "score", "tag"], orient="row")
    kept = ["query_id", "doc_id", *(one for one in ("rank", "score", "tag") if random.random() < 0.8)]
    frame = spoilt(frame.select(kept), random, odd)
    return typed(frame, random, names)


def judgments_of(random: Random, odd: float, names: dict[str, str]) -> pl.DataFrame:
    """Judgments as a table."""
    rows = [
        (query, doc, random.choice((0, 0, 1, 1, 2, 3)))
        for query in random.sample(range(10), random.randint(3, 9))
        for doc in random.sample(range(40), random.randint(1, 20))
    ]
    if random.random() < odd / 3:
        rows.append(random.choice(rows))
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", random.choice(("grade", "label"))], orient="row")
    frame = spoilt(frame, random, odd / 3)
    if random.random() < odd / 5:
        frame = frame.with_columns(rubric_version=pl.lit("v1"))
    return typed(frame, random, names)


def spoilt(frame: pl.DataFrame, random: Random, odd: float) -> pl.DataFrame:
    """The numbers, some of them as nobody should write them."""
    for name, values in (("rank", ODD_WHOLE), ("score", ODD_NUMBERS), ("grade", ODD_WHOLE)):
        if name in frame.columns and random.random() < odd / 4:
            column = frame[name].to_list()
            column[random.randrange(len(column))] = random.choice(values)
            frame = frame.with_columns(pl.Series(name, column, frame.schema[name]))
    return frame


def typed(frame: pl.DataFrame, random: Random, names: dict[str, str]) -> pl.DataFrame:
    """The columns in some types; ids are texts, with a name before their number, or numbers where there is none."""
    for column, name in names.items():
        kind = random.choice(TEXT_TYPES if name else ID_TYPES)
        if kind in TEXT_TYPES:
            texts = [f"{name}{number}" for number in frame[column]]
            if random.random() < 0.04:
                texts[random.randrange(len(texts))] = random.choice(ODD_IDS)
            frame = frame.with_columns(pl.Series(column, texts, pl.String).cast(kind))
        else:
            frame = frame.with_columns(pl.col(column).cast(kind))
    for column in set(frame.columns) - set(names) - {"tag", "rubric_version"}:
        kind = random.choice(SCORE_TYPES if column == "score" else WHOLE_TYPES)
        frame = frame.with_columns(pl.col(column).cast(kind, strict=False))
    return frame.select(random.sample(frame.columns, len(frame.columns)))


def written(frame: pl.DataFrame, path: Path, random: Random) -> Path:
    """The file of a table, in some groups of rows, or with some separator and a header or none."""
    if path.suffix in (".csv", ".tsv"):
        headless = random.random() < 0.4
        if headless:
            frame = frame.select([one for one in HEADLESS if one in frame.columns])
            if "grade" in frame.columns and random.random() < 0.6:
                frame = frame.select("query_id", pl.lit("0").alias("0"), "doc_id", "grade")
        separator = "\t" if path.suffix == ".tsv" else random.choice(",,;|")
        text = frame.write_csv(
            separator=separator,
            include_header=not headless,
            line_terminator=random.choice(("\n", "\n", "\r\n")),
            quote_style=random.choice(("never", "never", "necessary")),
        )
        mark = random.choice(("", "", "", "\ufeff"))
        path.write_text(mark + text, encoding="utf-8", newline="")
    elif path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=random.choice((7, 50, 1000)), use_pyarrow=False)
    else:
        frame.write_ipc(path)
    return path


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("odd", [0.0, 1.0])
@pytest.mark.parametrize("columns", [True, False])
@given(seed=st.integers(0, 10**9))
def test_tables_are_scanned_as_they_are_read(
    name: str, odd: float, columns: bool, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    random, folder = Random(seed), tmp_path_factory.mktemp("columns")
    suffix = random.choice((".parquet", ".arrow") if columns else (".csv", ".tsv"))
    names = {"query_id": random.choice(("", "q", "a query that is long")), "doc_id": random.choice(NAMES)}
    judgments = written(judgments_of(random, odd, names), folder / f"qrels{suffix}", random)
    runs = [written(runs_of(random, odd, names), folder / f"{name}{suffix}", random) for name in "ab"]
    by = conventions(random)
    given = {"threads": random.choice((1, 2)), "memory": random.choice((2000, 1 << 30))}
    whole, error = attempted(lambda: by_tables(judgments, runs, by))
    with kernels_of(name) as patch:
        patch.setattr(columnar, "STEP", random.choice((5, 64)))
        found, told = attempted(lambda: evaluate_files(judgments, runs, SEEN, conventions=by, **given))
    assert type(told) is type(error), (told, error)
    if error is not None:
        return
    expected, findings = whole
    assert found.measurements.queries == expected.queries
    np.testing.assert_array_equal(found.measurements.values, expected.values)
    np.testing.assert_array_equal(found.measurements.reasons, expected.reasons)
    np.testing.assert_array_equal(found.measurements.n_relevant, expected.n_relevant)
    assert populations(found.measurements) == populations(expected)
    assert dict(found.measurements.versions) == dict(expected.versions)
    assert [row.row() for row in found.findings] == [row.row() for row in findings]


@pytest.mark.parametrize("name", ENGINES)
@given(seed=st.integers(0, 10**9))
def test_tables_in_memory_are_scanned_as_they_are_read(name: str, seed: int) -> None:
    random = Random(seed)
    names = {"query_id": random.choice(("", "q", "a query that is long")), "doc_id": random.choice(NAMES)}
    judgments, run = judgments_of(random, 0.3, names), runs_of(random, 0.3, names)
    by = conventions(random)
    parts = pl.concat([run[:9], run[9:]], rechunk=False)
    whole, error = attempted(lambda: evaluate(judgments, {"a": run}, SEEN, conventions=by, keep=True))
    with kernels_of(name) as patch:
        patch.setattr(columnar, "STEP", random.choice((5, 64)))
        found, told = attempted(lambda: evaluate(judgments, {"a": parts}, SEEN, conventions=by, keep=False))
    assert (type(told), str(told)) == (type(error), str(error))
    if error is not None:
        return
    assert found.queries == whole.queries
    np.testing.assert_array_equal(found.values, whole.values)
    np.testing.assert_array_equal(found.reasons, whole.reasons)
    assert populations(found) == populations(whole)
    assert dict(found.versions) == dict(whole.versions)


@pytest.fixture
def plain(tmp_path: Path) -> tuple[Path, Path]:
    """Judgments and a run without anything odd."""
    rows = [(f"q{query}", f"d{doc}", doc + 1, 50.0 - doc) for query in range(40) for doc in range(50)]
    run = pl.DataFrame(rows, schema=["query_id", "doc_id", "rank", "score"], orient="row")
    judged = run.filter(pl.col("rank") % 3 == 1).with_columns(grade=pl.col("rank") % 2 + 1)
    judged.select("query_id", "doc_id", "grade").write_parquet(tmp_path / "qrels.parquet")
    run.write_parquet(tmp_path / "run.parquet", row_group_size=130)
    return tmp_path / "qrels.parquet", tmp_path / "run.parquet"


def without_batches(patch: pytest.MonkeyPatch) -> None:
    """As an older polars, which has no batches of its own."""
    patch.delattr(pl.LazyFrame, "collect_batches", raising=False)
    patch.setattr(column_files, "STEP", 170)


def as_it_is(patch: pytest.MonkeyPatch) -> None:
    """Nothing is changed."""


@pytest.mark.parametrize("prepare", [as_it_is, without_batches])
def test_whole_files_of_columns_are_scanned_and_not_read(
    prepare: Callable[[pytest.MonkeyPatch], None], plain: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, _ = by_tables(plain[0], [plain[1]], Conventions())
    prepare(monkeypatch)
    monkeypatch.setattr(reading, "read_run", None)
    monkeypatch.setattr(reading, "read_judgments", None)
    found = evaluate_files(*plain, SEEN).measurements
    np.testing.assert_array_equal(found.values, expected.values)


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("kept", [["rank", "score"], ["rank"], []])
def test_whole_delimited_files_are_scanned_and_not_read(
    separator: str, header: bool, kept: list[str], plain: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, _ = by_tables(plain[0], [plain[1]], Conventions())
    paths = [path.with_suffix(".tsv" if separator == "\t" else ".csv") for path in plain]
    frames = pl.read_parquet(plain[0]), pl.read_parquet(plain[1]).select("query_id", "doc_id", *kept)
    for path, frame in zip(paths, frames, strict=True):
        frame.write_csv(path, separator=separator, include_header=header)
    monkeypatch.setattr(reading, "read_run", None)
    monkeypatch.setattr(reading, "read_judgments", None)
    found = evaluate_files(*paths, SEEN).measurements
    np.testing.assert_array_equal(found.values, expected.values)


def test_the_encoding_of_a_header_is_told(tmp_path: Path) -> None:
    judgments, run = tmp_path / "qrels.csv", tmp_path / "run.csv"
    judgments.write_bytes("query_id,doc_id,grade,备注\nq,d,1,x\n".encode("gb18030"))
    run.write_bytes("query_id,doc_id,score,备注\nq,d,1,x\n".encode("gb18030"))
    found = evaluate_files(judgments, run, SEEN)
    assert [row.code for row in found.findings] == ["encoding", "encoding"]
    np.testing.assert_array_equal(
        found.measurements.values, by_tables(judgments, [run], Conventions())[0].values
    )


def test_a_broken_file_is_told_as_by_the_reader(plain: tuple[Path, Path]) -> None:
    raw = bytearray(plain[1].read_bytes())
    raw[200:2000] = b"\xff" * 1800
    plain[1].write_bytes(raw)
    _, error = attempted(lambda: by_tables(plain[0], [plain[1]], Conventions()))
    _, told = attempted(lambda: evaluate_files(*plain, SEEN))
    assert error is not None
    assert str(told) == str(error)
