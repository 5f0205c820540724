"""Questions, documents and rubrics from files."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from rankproof.errors import UnreadableInput
from rankproof.formats.bytes import content, decoded
from rankproof.formats.format import LINE, Columns, Problems
from rankproof.formats.headings import columns_by_role
from rankproof.formats.problems import BAD_VALUE, MISSING_ID, REPEATED_ID
from rankproof.formats.reading import read_columns
from rankproof.tables.attributes import EXPECTED, Document, Documents, Grade, Question, Questions, Rubric
from rankproof.tables.findings import Findings
from rankproof.wording import say

QUESTION = ("query_id", "text", "need", "tags", "weight", "expected", "cluster")
DOCUMENT = ("doc_id", "version", "title", "text", "valid_from", "valid_until")


def read_questions(
    path: str | Path, *, format: str | None = None, strict: bool = False
) -> tuple[Questions, Findings]:
    """The queries that are asked: query_id, text, need, tags, weight, expected, cluster.

    Only query_id is needed ("_id" serves as well). Tags stand in one cell, between blanks, commas or
    semicolons. A file without a header is read as "query_id text".
    """
    columns, _ = read_columns(path, format)
    problems = columns.problems
    rows = []
    for cells in _rows(columns, QUESTION, ("query_id", "text"), path):
        line = int(str(cells[LINE]))
        query = str(cells["query_id"] or "").strip()
        if not query:
            problems.add(MISSING_ID, line, what="query_id")
            continue
        tags = str(cells.get("tags") or "").replace(",", " ").replace(";", " ").split()
        rows.append(
            Question(
                query,
                str(cells.get("text") or "").strip(),
                str(cells.get("need") or "").strip(),
                tuple(dict.fromkeys(tags)),
                _weight(cells, query, line, problems),
                _expected(cells, query, line, problems),
                str(cells.get("cluster") or "").strip(),
                line,
            )
        )
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return Questions(tuple(rows), problems.file), findings


def read_documents(
    path: str | Path, *, format: str | None = None, strict: bool = False
) -> tuple[Documents, Findings]:
    """The docs that are known: doc_id, version (or hash), title, text, valid_from, valid_until.

    Only doc_id is needed ("_id" serves as well). A file without a header is read as "doc_id text".
    """
    columns, _ = read_columns(path, format)
    problems = columns.problems
    rows: dict[str, Document] = {}
    for cells in _rows(columns, DOCUMENT, ("doc_id", "text"), path):
        line = int(str(cells[LINE]))
        doc = str(cells["doc_id"] or "").strip()
        if not doc:
            problems.add(MISSING_ID, line, what="doc_id")
        elif doc in rows:
            problems.add(REPEATED_ID, line, doc=doc, id=doc)
        else:
            known: dict[str, Any] = {name: str(cells.get(name) or "").strip() for name in DOCUMENT[1:]}
            rows[doc] = Document(doc, **known, line=line)
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return Documents(tuple(rows.values()), problems.file), findings


def _rows(
    columns: Columns, wanted: tuple[str, ...], places: tuple[str, str], path: str | Path
) -> Iterator[Mapping[str, object]]:
    frame, names = columns.frame, columns.names
    if not columns.named:
        found = dict(zip(places, names, strict=False))
    else:
        found = columns_by_role(names, wanted)
        if wanted[0] not in found:
            found |= _as(wanted[0], columns_by_role(names, ("_id",)))
    if not len(frame):
        return iter(())
    if wanted[0] not in found:
        raise UnreadableInput(
            "{file} has no column {column}. Seen: {seen}. Name the columns in a header.",
            file=path,
            column=wanted[0],
            seen=", ".join(names),
        )
    roles = {role: pl.col(name) for role, name in found.items()}
    return frame.select(LINE, **roles).iter_rows(named=True)


def _as(role: str, found: Mapping[str, str]) -> dict[str, str]:
    """The one column that was found, in the role of another."""
    return dict.fromkeys((role,), next(iter(found.values()))) if found else {}


def _weight(cells: Mapping[str, object], query: str, line: int, problems: Problems) -> float:
    text = str(cells.get("weight") or "").strip()
    try:
        weight = float(text) if text else 1.0
    except ValueError:
        weight = -1.0
    if 0 <= weight < float("inf"):
        return weight
    facts: dict[str, Any] = {"what": "weight", "expected": say("a number from 0"), "done": say("1 was taken")}
    problems.add(BAD_VALUE, line, query=query, text=text[:40], **facts)
    return 1.0


def _expected(cells: Mapping[str, object], query: str, line: int, problems: Problems) -> str:
    text = str(cells.get("expected") or "").strip().lower() or EXPECTED[0]
    if text in EXPECTED:
        return text
    allowed, done = say("answer or refuse"), say("answer was taken")
    facts: dict[str, Any] = {"what": "expected", "expected": allowed, "done": done}
    problems.add(BAD_VALUE, line, query=query, text=text[:40], **facts)
    return EXPECTED[0]


def read_rubric(path: str | Path) -> Rubric:
    """A rubric from TOML: `version`, and a [[grades]] table for each grade.

    Each has `grade`, and `meaning`, `example`, `counter_example` as a text or as a table by language.
    """
    problems = Problems(str(path))
    table = toml(Path(path), problems)
    grades = []
    for row in table.get("grades", []):
        if not isinstance(row, dict) or not isinstance(row.get("grade"), int) or row["grade"] < 0:
            raise UnreadableInput(
                "{file}: a [[grades]] table has no grade. Expected a whole number from 0.", file=path
            )
        words = (_by_language(row.get(name)) for name in ("meaning", "example", "counter_example"))
        grades.append(Grade(row["grade"], *words))
    return Rubric(str(table.get("version", "")), tuple(grades), str(path))


def _by_language(value: object) -> dict[str, str]:
    if isinstance(value, dict):
        return {str(language): str(text) for language, text in value.items()}
    return {} if value is None else {"en": str(value), "zh": str(value)}


def toml(path: Path, problems: Problems) -> dict[str, Any]:
    """A TOML file as a table; one that is not TOML is an error with the place in it."""
    try:
        return tomllib.loads(decoded(content(path, problems), problems))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableInput("{file} is not TOML: {reason}.", file=path, reason=str(error)) from error
