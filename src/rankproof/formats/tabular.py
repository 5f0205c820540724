"""Tables: CSV and TSV with any separator."""

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice
from typing import Literal

import polars as pl

from rankproof.formats.bytes import decoded, lines_of
from rankproof.formats.format import Columns, Format, columns_of
from rankproof.formats.headings import folded, is_header
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_CSV, BLANK_LINES, FIELD_COUNT, OPEN_QUOTE, REPEATED_COLUMN

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
    if named:
        _note_repeated(rows[0], problems)
    names = _named(rows.pop(0)) if named else [str(i + 1) for i in range(_usual(rows))]
    lines = lines[1:] if named else lines
    whole = _as_long_as(names, rows, lines, separator, problems)
    return columns_of(names, [r for _, r in whole], [n for n, _ in whole], named=named, problems=problems)


def separator_of(text: str) -> str | None:
    """The separator of a delimited text; None where there is none that fits."""
    head = [line for line in lines_of(text[:65536])[:50] if line.strip()]
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
    csv.field_size_limit(2**31 - 1)  # a long text is a cell like another
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=quoting)
    line = 1
    last: tuple[int, list[str]] | None = None
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            problems.add(BAD_CSV, line, reason=str(error))
        else:
            if last is not None:
                yield last
            last = (line, cells)
        line = reader.line_num + 1
    if last is None:
        return
    if quoting == csv.QUOTE_MINIMAL and _stays_open(text, last[0], separator):
        problems.add(OPEN_QUOTE, last[0], count=reader.line_num - last[0] + 1)
        return
    yield last


def _stays_open(text: str, line: int, separator: str) -> bool:
    """True where the last row, which begins in `line`, would swallow one line more."""
    rest = islice(io.StringIO(text, newline=""), line - 1, None)
    return len(list(csv.reader(chain(rest, ("one more",)), delimiter=separator))) == 1


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


def _note_repeated(header: list[str], problems: Problems) -> None:
    known = [folded(cell) for cell in header if cell.strip()]
    for name in dict.fromkeys(name for name in known if known.count(name) > 1):
        problems.add(REPEATED_COLUMN, 1, name=name)


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


def write_csv(frame: pl.DataFrame) -> bytes:
    """Comma-separated, with a header."""
    return frame.write_csv().encode()


DELIMITED = Format(
    "csv",
    "CSV or TSV, any separator",
    (".csv", ".tsv"),
    lambda _, head: separator_of(head.decode("utf-8", "replace")) is not None,
    read_delimited,
    write_csv,
)
