"""Tables: CSV and TSV with any separator, JSON lines, Parquet."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Literal

import polars as pl

from rankproof.errors import UnreadableInput
from rankproof.formats.bytes import decoded
from rankproof.formats.format import LINE, Columns, Format, Problems, columns_of
from rankproof.formats.headings import is_header
from rankproof.formats.problems import BAD_CSV, BLANK_LINES, FIELD_COUNT, NOT_JSON, NUMBER_ID

SEPARATORS = ("\t", ",", ";", "|")


def read_delimited(raw: bytes, problems: Problems) -> Columns:
    """CSV or TSV; the separator is found, and so is whether the first line is a header."""
    text = decoded(raw, problems)
    separator = separator_of(text) or ","
    rows: list[list[str]] = []
    lines: list[int] = []
    blank = 0
    for line, cells in _cells(text, separator, problems):
        if any(cell.strip() for cell in cells):
            rows.append(cells)
            lines.append(line)
        else:
            blank += 1
    if blank:
        problems.add(BLANK_LINES, count=blank)
    named = bool(rows) and is_header(rows[0])
    names = _named(rows.pop(0)) if named else [str(i + 1) for i in range(_usual(rows))]
    lines = lines[1:] if named else lines
    whole = _as_long_as(names, rows, lines, separator, problems)
    return columns_of(names, [r for _, r in whole], [n for n, _ in whole], named=named, problems=problems)


def separator_of(text: str) -> str | None:
    """The separator of a delimited text; None where there is none that fits."""
    head = [line for line in text[:65536].splitlines()[:50] if line.strip()]
    for separator in SEPARATORS:
        if head and is_header(next(csv.reader(head[:1], delimiter=separator), [])):
            return separator
    for separator in SEPARATORS:
        counts = [line.count(separator) for line in head]
        if counts and min(counts) == max(counts) > 0:
            return separator
    return None


def _cells(text: str, separator: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    # TSV files of this field do not quote: a text may begin with a quotation mark that never closes.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=quoting)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.add(BAD_CSV, line, reason=str(error))
            continue
        yield line, cells


def _usual(rows: list[list[str]]) -> int:
    counts = [len(row) for row in rows]
    return max(set(counts), key=lambda n: (counts.count(n), n), default=0)


def _named(header: list[str]) -> list[str]:
    """Names of columns, each once: a repeated one gets a number."""
    names: list[str] = []
    for place, cell in enumerate(header, 1):
        name = cell.strip() or f"column {place}"
        names.append(name if name not in names else f"{name} ({place})")
    return names


def _as_long_as(
    names: list[str], rows: list[list[str]], lines: list[int], separator: str, problems: Problems
) -> list[tuple[int, list[str | None]]]:
    whole: list[tuple[int, list[str | None]]] = []
    for line, cells in zip(lines, rows, strict=True):
        extra = cells[len(names) :]
        # A short row lacks cells at its end; a row with text beyond the header has an unquoted separator.
        if (len(cells) < len(names) and len(cells) < 2) or any(cell.strip() for cell in extra):
            text = separator.join(cells)[:80]
            problems.add(FIELD_COUNT, line, seen=len(cells), expected=len(names), text=text)
            continue
        whole.append((line, [*cells[: len(names)], *[None] * (len(names) - len(cells))]))
    return whole


def read_json_lines(raw: bytes, problems: Problems) -> Columns:
    """One JSON object a line. An object with a list of docs gives a row for each doc, in their order."""
    names: dict[str, None] = {}
    rows: list[dict[str, str | None]] = []
    lines: list[int] = []
    blank = numbers = 0
    for line, text in enumerate(decoded(raw, problems).removesuffix("\n").split("\n"), 1):
        if not text.strip():
            blank += 1
            continue
        record = _object(text)
        if record is None:
            problems.add(NOT_JSON, line, text=text[:80])
            continue
        for one in _one_a_doc(record):
            numbers += sum(_is_id(key) and _is_number(value) for key, value in one.items())
            rows.append({key: _text(value) for key, value in one.items()})
            names.update(dict.fromkeys(one))
            lines.append(line)
    if blank and rows:
        problems.add(BLANK_LINES, count=blank)
    if numbers:
        problems.add(NUMBER_ID, count=numbers)
    cells = [[row.get(name) for name in names] for row in rows]
    return columns_of(list(names), cells, lines, named=True, problems=problems)


def _object(text: str) -> dict[str, object] | None:
    try:
        record = json.loads(text)
        if "\\ud" in text.lower():  # half a character, written as an escape, is no text
            json.dumps(record, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _one_a_doc(record: dict[str, object]) -> Iterator[dict[str, object]]:
    """The record itself, or a record for each doc in its list "docs", ranked by its place there."""
    docs = record.get("docs")
    if not isinstance(docs, list):
        yield record
        return
    rest = {key: value for key, value in record.items() if key not in ("docs", "error")}
    if not docs:
        yield {**rest, "state": rest.get("state", "empty")}
    for place, doc in enumerate(docs, 1):
        own = doc if isinstance(doc, dict) else {"doc_id": doc}
        yield {**rest, "rank": place, **own}


def _is_id(key: str) -> bool:
    return key in ("query_id", "doc_id", "_id", "qid", "docid")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(value: object) -> str | None:
    """A JSON value as text; lists of texts joined by blanks, as tags are written in a table."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return repr(value) if isinstance(value, (int, float)) else json.dumps(value, ensure_ascii=False)


def write_json_lines(frame: pl.DataFrame) -> bytes:
    """One JSON object a row; nulls are left out."""
    rows = ({k: v for k, v in row.items() if v is not None} for row in frame.iter_rows(named=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def write_csv(frame: pl.DataFrame) -> bytes:
    """Comma-separated, with a header."""
    return frame.write_csv().encode()


def read_parquet(raw: bytes, problems: Problems) -> Columns:
    """A Parquet file; every column as text."""
    try:
        frame = pl.read_parquet(io.BytesIO(raw))
        texts = frame.select(
            [
                pl.col(name).list.join(" ") if dtype == pl.List(pl.String) else pl.col(name).cast(pl.String)
                for name, dtype in frame.schema.items()
            ]
        )
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UnreadableInput(
            "{file} is not a Parquet file of plain columns: {reason}.",
            file=problems.file,
            reason=str(error).splitlines()[0],
        ) from error
    lines = pl.Series(LINE, range(1, len(texts) + 1), pl.Int64)
    return Columns(texts.with_columns(lines), True, problems)


def write_parquet(frame: pl.DataFrame) -> bytes:
    """Columns as they are, compressed."""
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


PARQUET = Format(
    "parquet", "Parquet", (".parquet",), lambda _, head: head[:4] == b"PAR1", read_parquet, write_parquet
)
JSON_LINES = Format(
    "jsonl",
    "JSON lines: one object a line",
    (".jsonl", ".ndjson"),
    lambda _, head: head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{",
    read_json_lines,
    write_json_lines,
)
DELIMITED = Format(
    "csv",
    "CSV or TSV, any separator",
    (".csv", ".tsv"),
    lambda _, head: separator_of(head.decode("utf-8", "replace")) is not None,
    read_delimited,
    write_csv,
)
