"""Questions, documents and rubrics from files."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from rankproof.errors import UnreadableInput
from rankproof.formats.bytes import content, decoded
from rankproof.formats.format import LINE, Columns
from rankproof.formats.headings import columns_by_role
from rankproof.formats.known import ATTRIBUTES, attributes_of, vectors_of
from rankproof.formats.noticing import Problems
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
    """The docs that are known: doc_id, version (or hash), title, text, valid_from, valid_until, and attributes.

    Attributes are categories (a JSON list, or several apart by semicolons or bars), group, popularity (how
    many interactions) and vector (a JSON list of numbers, as long for every doc).
    Only doc_id is needed ("_id" serves as well). A file without a header is read as "doc_id text".
    """
    columns, _ = read_columns(path, format)
    problems = columns.problems
    rows: dict[str, Document] = {}
    vectors: list[str] = []
    for cells in _rows(columns, (*DOCUMENT, *ATTRIBUTES), ("doc_id", "text"), path):
        line = int(str(cells[LINE]))
        doc = str(cells["doc_id"] or "").strip()
        if not doc:
            problems.add(MISSING_ID, line, what="doc_id")
        elif doc in rows:
            problems.add(REPEATED_ID, line, doc=doc, id=doc)
        else:
            known: dict[str, Any] = {name: str(cells.get(name) or "").strip() for name in DOCUMENT[1:]}
            known |= attributes_of(cells, doc, line, problems)
            rows[doc] = Document(doc, **known, line=line)
            vectors.append(str(cells.get("vector") or "").strip())
    vector = vectors_of(vectors, list(rows), [row.line for row in rows.values()], problems)
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return Documents(tuple(rows.values()), problems.file, vector), findings


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
            seen=", ".join(names)
            if columns.named
            else say("{n:column|columns} without a header", n=len(names)),
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


RUBRIC = ("version", "grades")
WORDS = ("meaning", "example", "counter_example")
GRADE = ("grade", *WORDS)


def read_rubric(path: str | Path) -> Rubric:
    """A rubric from TOML: `version`, and a [[grades]] table for each grade.

    Each has `grade`, and `meaning`, `example`, `counter_example` as a text or as a table by language.
    Anything else in it, a repeated grade and a file that is no UTF-8 are errors.
    """
    table = _rubric_table(Path(path))
    _only(table, RUBRIC, path)
    version, rows = table.get("version", ""), table.get("grades", [])
    if isinstance(version, (bool, list, dict)):
        raise UnreadableInput("{file}: version is {seen}; expected a text.", file=path, seen=repr(version))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnreadableInput(
            "{file}: grades is {seen}; expected a [[grades]] table for each grade.",
            file=path,
            seen=repr(rows),
        )
    grades = [_grade(row, path) for row in rows]
    numbers = [one.grade for one in grades]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise UnreadableInput(
            "{file}: two [[grades]] tables have grade = {grade}; expected one for each grade.",
            file=path,
            grade=twice,
        )
    return Rubric(str(version), tuple(grades), str(path))


def _grade(row: Mapping[str, Any], path: str | Path) -> Grade:
    _only(row, GRADE, path)
    grade = row.get("grade")
    if not isinstance(grade, int) or isinstance(grade, bool) or not 0 <= grade < 2**63:
        raise UnreadableInput(
            "{file}: a [[grades]] table has no grade. Expected a whole number from 0.", file=path
        )
    return Grade(grade, *(_by_language(row, name, path) for name in WORDS))


def _only(table: Mapping[str, Any], known: tuple[str, ...], path: str | Path) -> None:
    for key in table:
        if key not in known:
            raise UnreadableInput(
                '{file}: a rubric has no key "{key}" there. Expected: {known}.',
                file=path,
                key=key,
                known=", ".join(known),
            )


def _by_language(row: Mapping[str, Any], name: str, path: str | Path) -> dict[str, str]:
    value = row.get(name, {})
    texts = {"en": value, "zh": value} if isinstance(value, str) else value
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise UnreadableInput(
            '{file}: {name} is {seen}; expected a text, or texts by language such as {{ en = "full answer" }}.',
            file=path,
            name=name,
            seen=repr(value),
        )
    return dict(texts)


def _rubric_table(path: Path) -> dict[str, Any]:
    """A TOML file as a table; one that is no TOML, or no text in UTF-8, is an error."""
    problems = Problems(str(path))
    text = decoded(content(path, problems), problems)
    for problem in problems.findings():
        raise UnreadableInput(
            "{file} cannot be read as a rubric. {message} {mend}",
            file=path,
            message=problem.message,
            mend=problem.mend,
        )
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise UnreadableInput("{file} is not TOML: {reason}.", file=path, reason=str(error)) from error
