"""Parts: what one block of a run comes to - hits where its queries stand together, rows where they do not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rankproof.scanning.lines import (
    BAD_WHOLE,
    FEW_FIELDS,
    NEW_TAG,
    ODD_NUMBER,
    Codes,
    Counts,
    Engine,
    Hashes,
    Index,
    Layout,
    Lines,
    Looked,
    Rows,
    Tokens,
)
from rankproof.scanning.numbers import number_of
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.spans import Spans


class Odd(NamedTuple):
    """One odd thing: its kind, its line within the block, the text, the row's ids, how many fields there are."""

    kind: int
    line: int
    text: str
    query: str = ""
    doc: str = ""
    fields: int = 0
    value: float | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """What a block says beside its rows."""

    counts: Counts
    odd: Sequence[Odd]
    extra: dict[str, int]  # the queries that nobody asked, and how many rows each has


@dataclass(frozen=True, eq=False)
class HitPart(Part):
    """The hits of a block, list by list."""

    place: Codes = field(default_factory=lambda: np.empty(0, np.int32))
    n_retrieved: Codes = field(default_factory=lambda: np.empty(0, np.int32))
    n_hits: Codes = field(default_factory=lambda: np.empty(0, np.int32))
    n_repeats: int = 0
    hits: tuple[Codes, ...] = ()  # judgment, rank, tie_start, tie_size


@dataclass(frozen=True, eq=False)
class RowPart(Part):
    """The rows of asked queries: the place of each one's query, and what settling needs."""

    place: Codes = field(default_factory=lambda: np.empty(0, np.int32))
    judgment: Codes = field(default_factory=lambda: np.empty(0, np.int32))
    hash: Hashes = field(default_factory=lambda: np.empty(0, np.uint64))
    number: Floats = field(default_factory=lambda: np.empty(0))
    whole: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    docs: Spans = field(default_factory=lambda: Spans.of(()))


def hits_of(engine: Engine, tokens: Tokens, index: Index, ordering: Ordering) -> HitPart:
    """The hits of a block whose queries stand together."""
    lines = tokens.lines
    odd = drained(tokens)
    looked = engine.look_up(lines, index)
    docs = Spans(lines.block, lines.doc_at, lines.doc_length)
    rows = Rows(docs, looked.judgment, looked.hash, lines.number, lines.whole)
    found = engine.settle(rows, looked, index, ordering)
    asked = looked.place >= 0
    return HitPart(
        tokens.counts,
        odd,
        _extra(lines, looked),
        looked.place[asked],
        np.diff(looked.starts).astype(np.int32)[asked],
        found.n_hits[asked],
        int(found.n_repeats.sum()),
        tuple(column.copy() for column in found[:4]),
    )


def rows_of(engine: Engine, tokens: Tokens, index: Index, part: int, parts: int) -> RowPart:
    """The rows of a block that belong to one of `parts` equal parts of the asked queries."""
    lines = tokens.lines
    odd = drained(tokens)
    looked = engine.look_up(lines, index)
    place = np.repeat(looked.place, np.diff(looked.starts))
    wanted = place >= 0 if parts == 1 else (place >= 0) & (place % parts == part)
    at = np.flatnonzero(wanted)
    docs = Spans(lines.block, lines.doc_at[at], lines.doc_length[at])
    return RowPart(
        tokens.counts,
        odd,
        _extra(lines, looked),
        place[at],
        looked.judgment[at],
        looked.hash[at],
        lines.number[at],
        lines.whole[at],
        engine.packed(docs),
    )


def read(engine: Engine, block: bytes, layout: Layout) -> Tokens | None:
    """The rows of a block; None where too much of it is odd."""
    return engine.tokenise(block, len(block), layout)


def drained(tokens: Tokens) -> list[Odd]:
    """What was odd, with its texts; numbers that only Python reads are put into their rows."""
    lines, block = tokens.lines, tokens.lines.block
    found = []
    for kind, line, at, length, more in tokens.events.tolist():
        text = block[at : at + length].decode("utf-8", "replace")
        if kind == FEW_FIELDS:
            found.append(Odd(kind, line, " ".join(text.split()), fields=more))
        elif kind == NEW_TAG:
            found.append(Odd(kind, line, text))
        elif kind == BAD_WHOLE:
            found.append(Odd(kind, line, text, *_ids(lines, more)))
        elif kind == ODD_NUMBER:
            value = number_of(block[at : at + length])
            lines.number[more] = np.nan if value is None else value
            if value is None or not np.isfinite(value):
                found.append(Odd(kind, line, text, *_ids(lines, more), value=value))
    return found


def _ids(lines: Lines, row: int) -> tuple[str, str]:
    """Query and doc of a row."""
    spans = ((lines.query_at[row], lines.query_length[row]), (lines.doc_at[row], lines.doc_length[row]))
    query, doc = (lines.block[at : at + length].decode("utf-8", "replace") for at, length in spans)
    return query, doc


def _extra(lines: Lines, looked: Looked) -> dict[str, int]:
    """The queries that nobody asked, and how many rows each has here."""
    found: dict[str, int] = {}
    for place in np.flatnonzero(looked.place < 0).tolist():
        start, stop = int(looked.starts[place]), int(looked.starts[place + 1])
        at, length = int(lines.query_at[start]), int(lines.query_length[start])
        query = lines.block[at : at + length].decode("utf-8", "replace")
        found[query] = found.get(query, 0) + stop - start
    return found
