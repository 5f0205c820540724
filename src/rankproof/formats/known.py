"""What is known of docs and users from files: attributes of documents, and histories."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankproof.errors import UnreadableInput
from rankproof.formats.format import LINE, Columns
from rankproof.formats.headings import columns_by_role
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_ATTRIBUTE
from rankproof.formats.reading import read_columns
from rankproof.formats.typed import ids, stripped, with_ids
from rankproof.tables.findings import Findings
from rankproof.tables.known import History
from rankproof.wording import Words, say

ATTRIBUTES = ("categories", "group", "popularity", "vector")
PAIR = ("query_id", "doc_id")
# Where a file without a header has the two ids, by its number of columns: as judgments and as runs have them.
PLACES = {2: ("1", "2"), 3: ("1", "2"), 4: ("1", "3"), 5: ("1", "3"), 6: ("1", "3")}


def read_history(
    path: str | Path, *, format: str | None = None, strict: bool = False
) -> tuple[History, Findings]:
    """Which docs each user met before: query_id and doc_id, a pair a row, whatever else the rows hold.

    Columns are found by their headings, or by their place where there is no header: files of judgments
    and of runs serve. A pair that stands twice is two interactions.
    """
    columns, _ = read_columns(path, format)
    frame = stripped(_pairs(columns, path), PAIR, columns.problems)
    frame = with_ids(frame, PAIR, columns.problems)
    findings = columns.problems.findings()
    if strict:
        findings.stop_at_error()
    return History(ids(frame["query_id"]), ids(frame["doc_id"]), columns.problems.file), findings


def _pairs(columns: Columns, path: str | Path) -> pl.DataFrame:
    names = columns.names
    if not names:
        return pl.DataFrame(schema={LINE: pl.Int64, **dict.fromkeys(PAIR, pl.String)})
    by_place = dict(zip(PAIR, PLACES.get(min(len(names), max(PLACES)), ()), strict=False))
    found = columns_by_role(names, PAIR) if columns.named else by_place
    lacking = [column for column in PAIR if column not in found]
    if lacking:
        raise UnreadableInput(
            "{file} was expected to be a history, but no column is {lacking}. Seen: {seen}. "
            "Name the columns in a header, for example query_id,doc_id.",
            file=path,
            lacking=", ".join(lacking),
            seen=", ".join(names)
            if columns.named
            else say("{n:column|columns} without a header", n=len(names)),
        )
    return columns.frame.select(LINE, **{role: pl.col(name) for role, name in found.items()})


def attributes_of(cells: Mapping[str, object], doc: str, line: int, problems: Problems) -> dict[str, Any]:
    """Categories, group and popularity of a doc, as its row says."""
    said = {name: str(cells.get(name) or "").strip() for name in ATTRIBUTES}
    return {
        "categories": _categories(said["categories"]),
        "group": said["group"],
        "popularity": _popularity(said["popularity"], doc, line, problems),
    }


def _categories(text: str) -> tuple[str, ...]:
    """Several categories stand in a JSON list, or apart by semicolons or bars."""
    listed = _json(text) if text.startswith("[") else None
    parts = map(str, listed) if isinstance(listed, list) else re.split(r"[;|；]", text)
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _popularity(text: str, doc: str, line: int, problems: Problems) -> float | None:
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if 0 <= number < 1e300:
        return number
    _note(problems, line, doc, "popularity", text, say("a number from 0"))
    return None


def vectors_of(
    texts: Sequence[str], docs: Sequence[str], lines: Sequence[int], problems: Problems
) -> NDArray[np.float64] | None:
    """(n_docs, n_dimensions) from JSON lists; NaN where a doc has none, None where no doc has one.

    The first vector says how long the others are.
    """
    read: list[list[float] | None] = []
    width = 0
    for text, doc, line in zip(texts, docs, lines, strict=True):
        vector = _vector(text)
        width = width or len(vector or ())
        if text and (not vector or len(vector) != width):
            expected = say("a JSON list of {n} numbers", n=width or 2)
            _note(problems, line, doc, "vector", text, expected)
            vector = None
        read.append(vector or None)
    if not width:
        return None
    return np.array([vector or [math.nan] * width for vector in read], np.float64)


def _vector(text: str) -> list[float] | None:
    found = _json(text)
    plain = isinstance(found, list) and all(
        isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < 1e300 for x in found
    )
    return [float(x) for x in found] if plain else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _note(problems: Problems, line: int, doc: str, what: str, text: str, expected: Words) -> None:
    problems.add(BAD_ATTRIBUTE, line, what=what, text=text[:40], expected=expected, id=doc)
