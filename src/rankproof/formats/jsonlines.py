"""JSON lines: one object a line, for one row or for one query with its list of docs."""

import json
import re
from collections.abc import Iterator

import polars as pl

from rankproof.formats.bytes import decoded
from rankproof.formats.format import Columns, Format, columns_of
from rankproof.formats.headings import known_heading
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BLANK_LINES, NOT_JSON, NUMBER_ID, REPEATED_KEY

IDS = ("query_id", "doc_id", "_id", "qid", "docid")
KEPT = 50  # so many keys that we have no use for are kept, for the sentence that names what was seen

# How a JSON array begins, and not a line of TREC whose query is "[".
JSON_ARRAY = re.compile(rb'[\xef\xbb\xbf\s]*\[(\d|\s*([\[{"\]]|\Z))')


def read_json_lines(raw: bytes, problems: Problems) -> Columns:
    """One JSON object a line. An object with a list of docs gives a row for each doc, in their order."""
    names: dict[str, None] = {}
    rows: list[dict[str, str | None]] = []
    lines: list[int] = []
    blank = numbers = 0
    text = decoded(raw, problems).replace("\r\n", "\n").replace("\r", "\n")
    for line, written in enumerate(text.removesuffix("\n").split("\n"), 1):
        if not written.strip():
            blank += 1
            continue
        for one in _one_a_doc(_object(written, line, problems)):
            numbers += sum(key in IDS and _is_number(value) for key, value in one.items())
            kept = [key for key in one if key in names or len(names) < KEPT or known_heading(key)]
            names.update(dict.fromkeys(kept))
            rows.append({key: _text(key, one[key]) for key in kept})
            lines.append(line)
    if blank and rows:
        problems.add(BLANK_LINES, count=blank)
    if numbers:
        problems.add(NUMBER_ID, count=numbers)
    cells = [[row.get(name) for name in names] for row in rows]
    return columns_of(list(names), cells, lines, named=True, problems=problems)


class _Repeated(ValueError):
    """A key that stands twice in one object."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return found


def _object(text: str, line: int, problems: Problems) -> dict[str, object]:
    """The object of a line; an empty one, with a finding, where the line is none."""
    record: object = None
    try:
        record = json.loads(text, object_pairs_hook=_once)
        if "\\ud" in text.lower():  # half a character, written as an escape, is no text
            json.dumps(record, ensure_ascii=False).encode()
    except _Repeated as repeated:
        problems.add(REPEATED_KEY, line, name=str(repeated)[:40])
        return {}
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict) and record:
        return record
    problems.add(NOT_JSON, line, text=text[:80])
    return {}


def _one_a_doc(record: dict[str, object]) -> Iterator[dict[str, object]]:
    """The record itself, or a record for each doc in its list "docs", ranked by its place there."""
    docs = record.get("docs")
    if not isinstance(docs, list):
        yield from (record,) if record else ()
        return
    rest = {key: value for key, value in record.items() if key not in ("docs", "error")}
    if not docs:
        yield {**rest, "state": rest.get("state", "empty")}
    for place, doc in enumerate(docs, 1):
        own = doc if isinstance(doc, dict) else {"doc_id": doc}
        yield {**rest, "rank": place, **own}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(key: str, value: object) -> str | None:
    """A JSON value as text: tags joined by blanks; an id that is a list or an object is none."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if key == "tags" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return None if key in IDS else json.dumps(value, ensure_ascii=False)


def write_json_lines(frame: pl.DataFrame) -> bytes:
    """One JSON object a row; nulls are left out."""
    rows = ({k: v for k, v in row.items() if v is not None} for row in frame.iter_rows(named=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


JSON_LINES = Format(
    "jsonl",
    "JSON lines: one object a line",
    (".jsonl", ".ndjson"),
    lambda _, head: head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{",
    read_json_lines,
    write_json_lines,
)
