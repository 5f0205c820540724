"""What is written is read again: the same table, in every format that writes, plain and compressed."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import Case, cases, ids
from rankproof import FORMATS, Judgments, UsageError, read_judgments, read_run, write_rows
from rankproof.tables.judgments import DETAILS

WRITERS = [row.name for row in FORMATS if row.write is not None]
every_format = pytest.mark.parametrize("name", WRITERS)
ends = pytest.mark.parametrize("ending", ["", ".gz"])
texts = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False)


def file(folder: Path, name: str, columns: dict[str, list[Any]], ending: str) -> Path:
    """The columns, written in a format."""
    row = FORMATS.find(name)
    assert row.write is not None
    raw = row.write(pl.DataFrame(columns, strict=False))
    path = folder / f"table{row.suffixes[0]}{ending}"
    path.write_bytes(gzip.compress(raw) if ending else raw)
    return path


@st.composite
def judged(draw: st.DrawFn) -> Judgments:
    """Judgments with everything that may be known of them."""
    pairs = draw(st.lists(st.tuples(ids, ids), min_size=1, max_size=12))
    n = len(pairs)
    pooled = [False, *draw(st.lists(st.booleans(), min_size=n - 1, max_size=n - 1))]
    grades = draw(st.lists(st.sampled_from((0, 1, 2, 3, 100, 10**15 - 1)), min_size=n, max_size=n))
    details = {name: draw(st.lists(st.none() | texts, min_size=n, max_size=n)) for name in DETAILS[:2]}
    details = {name: column for name, column in details.items() if any(column)}
    return Judgments.of([q for q, _ in pairs], [d for _, d in pairs], grades, pooled=pooled, details=details)


def same_judgments(one: Judgments, other: Judgments, details: Sequence[str]) -> None:
    assert one.query.texts().tolist() == other.query.texts().tolist()
    assert one.doc.texts().tolist() == other.doc.texts().tolist()
    assert one.grade.tolist() == other.grade.tolist()
    assert one.pooled.tolist() == other.pooled.tolist()
    assert one.fingerprint == other.fingerprint
    for name in details:
        assert one.texts(name).tolist() == other.texts(name).tolist(), name


@every_format
@ends
@given(judged())
def test_judgments(
    tmp_path_factory: pytest.TempPathFactory, name: str, ending: str, table: Judgments
) -> None:
    query, doc = table.query.texts().tolist(), table.doc.texts().tolist()
    if name == "trec":
        grades = np.where(table.pooled, -1, table.grade).tolist()
        columns = {"1": query, "2": ["0"] * len(table), "3": doc, "4": grades}
    else:
        grades = [None if pooled else grade for pooled, grade in zip(table.pooled, table.grade, strict=True)]
        columns = {"query_id": query, "doc_id": doc, "grade": grades, "pooled": table.pooled.tolist()}
        columns |= {detail: column.tolist() for detail, column in table.details.items()}
    path = file(tmp_path_factory.mktemp("judgments"), name, columns, ending)
    again, findings = read_judgments(path, format=name)
    assert len(findings.errors) == 0
    same_judgments(table, again, [] if name == "trec" else list(table.details))
    if not query[0].startswith("{"):  # what a JSON line begins with
        found, _ = read_judgments(path)
        same_judgments(table, found, [])


@every_format
@ends
@given(cases(), st.data())
def test_runs(
    tmp_path_factory: pytest.TempPathFactory, name: str, ending: str, case: Case, data: st.DataObject
) -> None:
    run = case.run
    query, doc, n = run.query.texts().tolist(), run.doc.texts().tolist(), len(run)
    query = [one.replace(" ", "_") for one in query]  # "nobody asked"
    score = data.draw(st.lists(numbers, min_size=n, max_size=n))
    rank = list(range(1, n + 1))
    if name == "trec":
        columns: dict[str, list[Any]] = {
            "1": query,
            "2": ["Q0"] * n,
            "3": doc,
            "4": rank,
            "5": score,
            "6": ["t"] * n,
        }
        states = {}
    else:
        states = {one.replace(" ", "_"): state for one, state in run.states.items()}
        blank = [None] * len(states)
        columns = {
            "query_id": [*query, *states],
            "doc_id": [*doc, *blank],
            "rank": [*rank, *blank],
            "score": [*score, *blank],
            "state": [*(["ok"] * n), *states.values()],
        }
    if not columns[next(iter(columns))]:
        return
    again, findings = read_run(file(tmp_path_factory.mktemp("run"), name, columns, ending), format=name)
    assert len(findings.errors) == 0
    assert (again.name, dict(again.states)) == ("table", states)
    assert again.query.texts().tolist() == query
    assert again.doc.texts().tolist() == doc
    if n:
        assert again.rank is not None
        assert again.score is not None
        assert again.rank.tolist() == rank
        assert again.score.tolist() == score


@given(cases())
def test_one_object_a_query_is_the_run_as_well(tmp_path_factory: pytest.TempPathFactory, case: Case) -> None:
    objects = [
        {
            "query_id": query,
            "docs": [{"doc_id": d, "score": s} for d, s in zip(docs, case.scores[query], strict=True)],
        }
        for query, docs in case.shown.items()
    ]
    objects += [{"query_id": query, "state": state, "docs": []} for query, state in case.states.items()]
    if not objects:
        return
    path = tmp_path_factory.mktemp("objects") / "run.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects), "utf-8")
    again, findings = read_run(path)
    assert not findings.errors.rows
    assert dict(again.states) == dict(case.states)
    assert again.query.texts().tolist() == [query for query, docs in case.shown.items() for _ in docs]
    assert again.doc.texts().tolist() == [doc for docs in case.shown.values() for doc in docs]
    if len(again):
        assert again.rank is not None
        assert again.score is not None
        assert again.rank.tolist() == [rank for docs in case.shown.values() for rank, _ in enumerate(docs, 1)]
        assert again.score.tolist() == [score for query in case.shown for score in case.scores[query]]


@every_format
@pytest.mark.parametrize(("read", "third"), [(read_judgments, "grade"), (read_run, "rank")])
def test_no_rows_at_all(tmp_path: Path, name: str, read: Any, third: str) -> None:
    table, findings = read(file(tmp_path, name, {"query_id": [], "doc_id": [], third: []}, ""), format=name)
    assert len(table) == 0
    assert [row.code for row in findings.errors] == ["empty-file"]


@pytest.mark.parametrize("field", ["a b", "", None, " a", "a\t"])
def test_a_field_that_a_trec_file_cannot_hold_is_an_error(field: str | None) -> None:
    write = FORMATS.find("trec").write
    assert write is not None
    with pytest.raises(UsageError, match="parts its fields by blanks"):
        write(pl.DataFrame({"1": [field], "2": ["0"]}))


rows = st.lists(
    st.fixed_dictionaries(
        {"measure": texts, "value": st.none() | numbers, "n": st.none() | st.integers(0, 2**53)}
    ),
    min_size=1,
    max_size=6,
)


@given(rows)
def test_rows_for_programs_come_back_with_the_same_doubles(listed: list[dict[str, Any]]) -> None:
    assert json.loads(write_rows(listed, "json")) == listed
    assert [json.loads(line) for line in write_rows(listed, "jsonl").decode().split("\n")[:-1]] == listed
    for name, read in (("csv", pl.read_csv), ("parquet", pl.read_parquet)):
        schema = {"measure": pl.String, "value": pl.Float64, "n": pl.Int64}
        frame = read(write_rows(listed, name), **({"schema": schema} if name == "csv" else {}))
        for column in ("value", "n"):
            assert frame[column].to_list() == [row[column] for row in listed], name
