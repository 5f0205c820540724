"""What a block looks like to the page's templates: texts, classes, groups; pure, and no markup but the smallest."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from markupsafe import Markup

from rankproof.reports import figures, markup
from rankproof.reports.document import (
    Block,
    Cell,
    Movement,
    Queries,
    QueryBlock,
    Section,
    Table,
    Text,
    Tone,
    number_text,
)
from rankproof.wording import LANGUAGES, Words, say

MARKS: Mapping[Tone, str] = {"up": "▲", "down": "▼", "same": "=", "warn": "!", "good": "✓", "bad": "✗"}
STATES = {
    "worse": ("dn", say("worse")),
    "better": ("up", say("better")),
    "same": ("eq", say("same")),
    "undefined": ("na", say("not evaluable")),
}
TEXT = 160  # the longest text of a query in its line
LONG = 30  # a cell longer than this may wrap
CLASSES = {"up": "up", "down": "dn", "same": "eq", "warn": "wn", "good": "up", "bad": "dn", "": ""}


def shown(cell: Cell, *, note: bool = True) -> Markup:
    """What stands in a cell: a number or words, a mark where colour alone would speak, and the note."""
    value = cell.value
    text = markup.both(value) if isinstance(value, (str, Words)) else Markup(number_text(cell))
    if cell.tone and not (cell.signed and isinstance(value, (int, float))):
        text = Markup(f"{MARKS[cell.tone]} ") + text
    return text + (Markup(" <small>{}</small>").format(markup.both(cell.note)) if note and cell.note else "")


def tone(cell: Cell) -> Markup:
    """A cell's class with its attribute, or nothing."""
    return Markup(f" class={CLASSES[cell.tone]}") if cell.tone else Markup("")


def heads(table: Table) -> list[tuple[str, list[Markup]]]:
    """A table's heading row; one for each language where they differ."""
    titles = [column.title for column in table.columns]
    if not any(map(markup.differs, titles)):
        return [("", [markup.both(title) for title in titles])]
    return [(one, [markup.within(title, one) for title in titles]) for one in LANGUAGES]


def sides(tables: Sequence[Table]) -> list[str]:
    """The classes of tables under the same headings: which columns stand left, and which may wrap because what they hold is long."""
    table, *_ = tables
    left = [f"l{i}" for i, column in enumerate(table.columns, 1) if column.align == "left"]
    long = {i for one in tables for row in one.rows for i, c in enumerate(row, 1) if _length(c) > LONG}
    long |= {
        i
        for i, column in enumerate(table.columns, 1)
        if column.wide or markup.width(str(column.title)) > LONG
    }
    return left + [f"w{i}" for i in sorted(long)]


def arranged(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks in order; two narrow tables that follow each other stand side by side."""
    pending: list[Block] = []
    for block in blocks:
        narrow = isinstance(block, Table) and len(block.columns) <= 3
        if pending and not (narrow and len(pending) == 1 and isinstance(pending[0], Table)):
            yield pending
            pending = []
        pending.append(block)
        if not narrow:
            yield pending
            pending = []
    if pending:
        yield pending


def joined(blocks: Sequence[Block]) -> Iterator[Block | list[Table]]:
    """Blocks in order; tables that follow each other under the same headings as one list."""
    for same, group in groupby(blocks, lambda one: one.columns if isinstance(one, Table) else None):
        if same is None:
            yield from group
        else:
            yield [one for one in group if isinstance(one, Table)]


def filters(queries: Queries) -> list[tuple[str, Words, int]]:
    """The states that occur, with their class and how many queries have them; none where all are alike."""
    number = Counter[str](row.state for row in queries.rows)
    found = [(name, words, number[state]) for state, (name, words) in STATES.items() if number[state]]
    return found if len(found) > 1 else []


def remarks(row: QueryBlock, queries: Queries) -> list[Markup]:
    """A query's tags and what was noted at its two values, for the line that opens it."""
    both = ((queries.left, row.left), (queries.right, row.right))
    noted = [(name, cell.note) for name, cell in both if cell.note and cell.note != row.difference.note]
    tags = (Markup("<small>{}</small>").format(markup.plain(tag)) for tag in row.tags)
    one = Markup("<small class=wn>{}: {}</small>")
    return [*tags, *(one.format(markup.plain(name), markup.both(note)) for name, note in noted)]


def scales(table: Table) -> dict[int, tuple[float, float]]:
    """For each column with intervals the scale that they share."""
    spans: dict[int, list[float]] = {}
    for row in table.rows:
        for i, one in enumerate(row):
            if one.interval is not None:
                spans.setdefault(i, []).extend(one.interval)
    return {i: figures.scale_of(values) for i, values in spans.items()}


def kind(block: Block) -> str:
    """The name of the block's macro."""
    return type(block).__name__.lower()


def name_of(section: Section) -> Markup:
    """A section's title as its heading and its link say it."""
    return markup.both(section.title or say("Summary"))


def titled(block: Movement) -> bool:
    """Whether any doc of the two lists has a title."""
    return any(one.title for one in (*block.left_docs, *block.right_docs))


def id_width(queries: Queries) -> int:
    """How many digits wide the column of ids is: as the longest, within reason."""
    return max(7, min(18, 2 + max((markup.width(row.query_id) for row in queries.rows), default=0) + 1))


def spoken(text: Text) -> str:
    """`text` where no markup can stand: in each language that differs."""
    said = (text.to(one) if isinstance(text, Words) else text for one in LANGUAGES)
    return " / ".join(dict.fromkeys(map(markup.sendable, said)))


def _length(cell: Cell) -> int:
    texts = (str(one) for one in (cell.value, cell.note) if isinstance(one, (str, Words)))
    return sum(map(markup.width, texts))
