"""What a report is made of: plain blocks of Words and numbers. Renderers know blocks, never results."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rankproof.wording import Words

Text = str | Words
Align = Literal["left", "right"]
# How a thing stands: for colour and mark, never by colour alone.
Tone = Literal["", "up", "down", "same", "warn", "good", "bad"]


@dataclass(frozen=True)
class Cell:
    """One cell of a table. A number is shown with its digits; None is shown as a dash with its reason.

    `query` is the query that the cell leads to, `interval` is drawn about the value, where a renderer can.
    """

    value: Text | float | int | None
    digits: int = 4
    tone: Tone = ""
    signed: bool = False
    note: Text = ""
    query: str = ""
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Column:
    """A column's heading and side."""

    title: Text
    align: Align = "left"
    wide: bool = False


@dataclass(frozen=True)
class Headline:
    """The verdict in one plain sentence."""

    sentence: Text
    tone: Tone = ""
    badge: Text = ""
    eyebrow: Text = ""


@dataclass(frozen=True)
class Count:
    """One count with the sentence it belongs to, and the ids behind it."""

    value: int
    label: Text
    tone: Tone = ""
    ids: Sequence[str] = ()


@dataclass(frozen=True)
class Counts:
    """Numbers that stand side by side."""

    sentence: Text
    rows: Sequence[Count]


@dataclass(frozen=True)
class Paragraph:
    """A sentence or two."""

    text: Text
    tone: Tone = ""


@dataclass(frozen=True)
class Table:
    """Rows under headings."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    caption: Text = ""


@dataclass(frozen=True)
class Dot:
    """One query in a dot plot."""

    label: str
    value: float
    note: Text = ""


@dataclass(frozen=True)
class Dots:
    """Per-query differences, sorted, with the interval of their mean."""

    dots: Sequence[Dot]
    lower: float | None
    upper: float | None
    title: Text
    measure: str


@dataclass(frozen=True)
class Shown:
    """One displayed doc in a movement view."""

    rank: int
    doc_id: str
    title: str
    grade: int | None
    meaning: Words | str
    note: str = ""
    tied: bool = False


@dataclass(frozen=True)
class Movement:
    """Two lists of one query side by side."""

    left: str
    right: str
    left_docs: Sequence[Shown]
    right_docs: Sequence[Shown]
    top_grade: int


@dataclass(frozen=True)
class QueryBlock:
    """One query: what was asked, the values, and blocks that open below."""

    query_id: str
    text: str
    tags: Sequence[str]
    left: Cell
    right: Cell
    difference: Cell
    state: Literal["worse", "better", "same", "undefined"]
    blocks: Sequence["Block"] = ()


@dataclass(frozen=True)
class Queries:
    """A list of queries to go through."""

    left: str
    right: str
    measure: str
    rows: Sequence[QueryBlock]
    omitted: int = 0


Block = Headline | Counts | Paragraph | Table | Dots | Movement | Queries


@dataclass(frozen=True)
class Section:
    """A titled part of a report."""

    name: str
    title: Text
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: Text
    sections: Sequence[Section] = field(default_factory=tuple)
    language: str = "en"


def without_empty(table: Table) -> Table:
    """The table without columns that have no text in any row."""
    kept = [i for i in range(len(table.columns)) if any(row[i].value != "" for row in table.rows)]
    rows = [[row[i] for i in kept] for row in table.rows]
    return Table([table.columns[i] for i in kept], rows, table.caption)


def cell(
    value: Text | float | int | None,
    *,
    digits: int = 4,
    tone: Tone = "",
    signed: bool = False,
    note: Text = "",
    query: str = "",
    interval: tuple[float, float] | None = None,
) -> Cell:
    """A cell, for short."""
    return Cell(value, digits, tone, signed, note, query, interval)


def number_text(one: Cell) -> str:
    """A cell's number as it is shown: four decimals unless said otherwise, a dash where there is none."""
    if one.value is None:
        return "—"
    if isinstance(one.value, int):
        return f"{one.value:+d}" if one.signed else f"{one.value:d}"
    if isinstance(one.value, float):
        return f"{one.value:+.{one.digits}f}" if one.signed else f"{one.value:.{one.digits}f}"
    return ""
