"""Parts: what one block of a run comes to - hits where its queries stand together, rows where they do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from rankproof.scanning.lines import (
    BAD_WHOLE,
    FEW_FIELDS,
    NEW_TAG,
    ODD_NUMBER,
    RANKED,
    SCORED,
    Brief,
    Codes,
    Counts,
    Engine,
    Hashes,
    Index,
    Lines,
    Looked,
    Rows,
    Settled,
    Tokens,
    TooBrief,
)
from rankproof.scanning.numbers import number_of
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.spans import Spans

Part = TypeVar("Part")


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
class HitPart:
    """The hits of some lists, each of another query."""

    place: Codes
    n_retrieved: Codes
    n_hits: Codes
    n_repeats: int
    hits: tuple[Codes, Codes, Codes, Codes]  # judgment, rank, tie_start, tie_size

    @classmethod
    def of(cls, found: Settled, place: Codes, sizes: Ints) -> "HitPart":
        """What was settled, without the lists that nobody asked for."""
        asked = place >= 0
        judgment, rank, tie_start, tie_size = (column.copy() for column in found[:4])
        return cls(
            place[asked],
            sizes.astype(np.int32)[asked],
            found.n_hits[asked],
            int(found.n_repeats.sum()),
            (judgment, rank, tie_start, tie_size),
        )


@dataclass(frozen=True, eq=False)
class RowPart:
    """Rows of asked queries: the place of each one's query, and what settling needs."""

    place: Codes
    rows: Rows | Brief


@dataclass(frozen=True, eq=False)
class Block(Generic[Part]):
    """A block read: what its rows came to, what was counted and odd, and the queries that nobody asked."""

    part: Part
    counts: Counts
    odd: Sequence[Odd]
    extra: dict[str, int]  # how many rows each has


def hits_of(engine: Engine, tokens: Tokens, index: Index, ordering: Ordering) -> Block[HitPart]:
    """The hits of a block whose queries stand together."""
    lines, odd = tokens.lines, drained(tokens)
    looked = engine.look_up(lines, index)
    docs = Spans(lines.block, lines.doc_at, lines.doc_length)
    rows = Rows(docs, looked.judgment, looked.hash, lines.number, lines.whole)
    found = engine.settle(rows, looked, index, ordering)
    part = HitPart.of(found, looked.place, np.diff(looked.starts))
    return Block(part, tokens.counts, odd, _extra(lines, looked))


class Wanted(NamedTuple):
    """Which rows are held, those of one of some equal parts of the asked queries, and whether in brief."""

    part: int
    parts: int
    by_rank: bool
    brief: bool

    def among(self, place: Codes) -> Any:
        """Which of the rows of these queries."""
        asked = place >= 0
        wanted = asked if self.parts == 1 else asked & (place % self.parts == self.part)
        return slice(None) if wanted.all() else np.flatnonzero(wanted)


def rows_of(engine: Engine, tokens: Tokens, index: Index, wanted: Wanted) -> Block[RowPart]:
    """The rows of a block. TooBrief where a rank is unreadable, or larger than fits."""
    lines, odd = tokens.lines, drained(tokens)
    looked = engine.look_up(lines, index)
    apart = len(looked.place) == len(looked.judgment)  # every row a list of its own, as in shuffled files
    place = looked.place if apart else np.repeat(looked.place, np.diff(looked.starts))
    at = wanted.among(place)
    judgment, hashes = looked.judgment[at], looked.hash[at]
    rows: Rows | Brief
    if wanted.by_rank and wanted.brief:
        rows = ranked(judgment, hashes, lines.whole[at])
    else:
        docs = engine.packed(Spans(lines.block, lines.doc_at[at], lines.doc_length[at]))
        if wanted.by_rank:
            whole = lines.whole[at].copy()
            rows = Rows(docs, judgment.copy(), hashes.copy(), lines.number[at].copy(), whole)
        else:
            rows = scored(judgment, hashes, lines.number[at], docs)
    return Block(RowPart(place[at].copy(), rows), tokens.counts, odd, _extra(lines, looked))


def ranked(judgment: Codes, hashes: Hashes, whole: Ints) -> Brief:
    """Rows in brief, ordered by rank; TooBrief where a rank does not fit, as UNREADABLE does not."""
    if len(whole) and (whole.min() < -(2**31) or whole.max() >= 2**31):
        raise TooBrief
    rows = np.empty(len(whole), RANKED)
    rows["hash"], rows["whole"], rows["judgment"] = hashes, whole, judgment
    return Brief(rows)


def scored(judgment: Codes, hashes: Hashes, number: Floats, docs: Spans) -> Brief:
    """Rows in brief, ordered by score; their docs are behind each other."""
    n = len(judgment)
    text = np.frombuffer(docs.view, np.uint8)
    rows = np.empty(n + 1, SCORED)
    rows["hash"][:n], rows["number"][:n], rows["judgment"][:n] = hashes, number, judgment
    rows["at"][:n], rows["at"][n] = docs.at, len(text)
    return Brief(rows, text)


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
            value = number_of(bytes(block[at : at + length]))
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
        query = bytes(lines.block[at : at + length]).decode("utf-8", "replace")
        found[query] = found.get(query, 0) + stop - start
    return found
