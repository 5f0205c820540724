"""A report as one page to mail: no script, nothing from outside, both languages, light and dark, prints well."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from rankproof.reports import chips, figures, markup
from rankproof.reports.document import (
    Block,
    Cell,
    Document,
    Headline,
    Queries,
    QueryBlock,
    Section,
    Table,
    Text,
    Tone,
    number_text,
)
from rankproof.wording import LANGUAGES, Words, say

if TYPE_CHECKING:
    from jinja2 import Environment

MARKS: Mapping[Tone, str] = {"up": "▲", "down": "▼", "same": "=", "warn": "!", "good": "✓", "bad": "✗"}
STATES = {
    "worse": ("dn", say("worse")),
    "better": ("up", say("better")),
    "same": ("eq", say("same")),
    "undefined": ("na", say("not evaluable")),
}
# The longest text of a query in its line, and the longest title of a doc.
TEXT, TITLE = 160, 90
_CLASSES = {"up": "up", "down": "dn", "same": "eq", "warn": "wn", "good": "up", "bad": "dn", "": ""}


def render_html(document: Document) -> str:
    """The whole page as text: `document` in both languages, its own first."""
    known = chips.chips_of(document)
    page = _environment().get_template("page.html")
    return page.render(
        document=document,
        title=_in_one(document.title, document.language),
        sections=list(zip(_names(document.sections), document.sections, strict=True)),
        lead=next((b for s in document.sections for b in s.blocks if isinstance(b, Headline)), None),
        chips=known,
        style=Markup(_style()) + chips.rules(known) + _sides(document),
        anchors=_anchors(document),
        chip=lambda shown, top: Markup("<i class={}>{}</i>").format(
            known[one := chips.chip_of(shown, top)], one.number
        ),
    )


def shown(cell: Cell, *, note: bool = True) -> Markup:
    """What stands in a cell: a number or words, a mark where colour alone would speak, and the note."""
    value = cell.value
    text = markup.both(value) if isinstance(value, (str, Words)) else Markup(number_text(cell))
    if cell.tone and not (cell.signed and isinstance(value, (int, float))):
        text = Markup(f"{MARKS[cell.tone]} ") + text
    return text + (Markup(" <small>{}</small>").format(markup.both(cell.note)) if note and cell.note else "")


def tone(cell: Cell) -> Markup:
    """A cell's class with its attribute, or nothing."""
    return Markup(f" class={_CLASSES[cell.tone]}") if cell.tone else Markup("")


def heads(table: Table) -> list[tuple[str, list[Markup]]]:
    """A table's heading row; one for each language where they differ."""
    titles = [column.title for column in table.columns]
    if not any(map(markup.differs, titles)):
        return [("", [markup.both(title) for title in titles])]
    return [(one, [markup.within(title, one) for title in titles]) for one in LANGUAGES]


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


def filters(queries: Queries) -> list[tuple[str, Words, int]]:
    """The states that occur, with their class and how many queries have them; none where all are alike."""
    number = Counter(row.state for row in queries.rows)
    found = [(name, words, number[state]) for state, (name, words) in STATES.items() if number[state]]
    return found if len(found) > 1 else []


def remarks(row: QueryBlock, queries: Queries) -> list[Markup]:
    """A query's tags and what was noted at its two values, for the line that opens it."""
    sides = ((queries.left, row.left), (queries.right, row.right))
    noted = [(name, cell.note) for name, cell in sides if cell.note and cell.note != row.difference.note]
    notes = [Markup("{}: {}").format(markup.plain(name), markup.both(note)) for name, note in noted]
    return [*map(markup.plain, row.tags), *notes]


def scales(table: Table) -> dict[int, tuple[float, float]]:
    """For each column with intervals the scale that they share."""
    spans: dict[int, list[float]] = {}
    for row in table.rows:
        for i, one in enumerate(row):
            if one.interval is not None:
                spans.setdefault(i, []).extend(one.interval)
    return {i: figures.scale_of(values) for i, values in spans.items()}


def id_width(queries: Queries) -> int:
    """How many digits wide the column of ids is: as the longest, within reason."""
    return max(5, min(16, max((markup.width(row.query_id) for row in queries.rows), default=0) + 1))


def spoken(text: Text) -> str:
    """`text` where no markup can stand: in each language that differs."""
    said = (text.to(one) if isinstance(text, Words) else text for one in LANGUAGES)
    return " / ".join(dict.fromkeys(said))


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # only when a page is made

    environment = Environment(
        loader=PackageLoader("rankproof", "reports/page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "both": markup.both,
        "plain": markup.plain,
        "clip": markup.clipped,
        "kind": lambda block: type(block).__name__.lower(),
        "titled": lambda block: any(one.title for one in (*block.left_docs, *block.right_docs)),
        "id_width": id_width,
        "spoken": spoken,
        "legend_text": chips.legend_text,
    }
    for verb in (
        shown,
        tone,
        heads,
        arranged,
        filters,
        remarks,
        scales,
        figures.plot,
        figures.lines,
        figures.bar,
    ):
        environment.globals[verb.__name__] = verb
    environment.globals |= {
        "height": figures.HEIGHT,
        "text_length": TEXT,
        "title_length": TITLE,
        "say": say,
        "MARKS": MARKS,
        "CLASSES": _CLASSES,
        "STATES": STATES,
    }
    return environment


@cache
def _style() -> str:
    text = files("rankproof").joinpath("reports/page/style.css").read_text("utf-8")
    return re.sub(r"/\*.*?\*/\s*|\n\s+", "", text, flags=re.DOTALL)


def _sides(document: Document) -> Markup:
    """Rules that set the nth column of a table left; as many as the widest table needs."""
    tables = (b for s in document.sections for b in chips.flat(s.blocks) if isinstance(b, Table))
    widest = max((len(table.columns) for table in tables), default=0)
    return Markup("").join(
        Markup(f".l{i}>*>*>:nth-child({i}){{text-align:left;white-space:normal}}")
        for i in range(1, widest + 1)
    )


def _names(sections: Sequence[Section]) -> list[str]:
    """An id for each section: its name where that can be one, else a number."""
    names: list[str] = []
    for i, section in enumerate(sections):
        good = re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", section.name) and section.name not in names
        names.append(section.name if good else f"part_{i + 1}")
    return names


def _anchors(document: Document) -> dict[str, str]:
    """Where each query of the first list stands on the page."""
    lists = (b for s in document.sections for b in s.blocks if isinstance(b, Queries))
    first = next(lists, None)
    rows = list(enumerate(first.rows)) if first else []
    return {row.query_id: f"_{i}" for i, row in reversed(rows)}


def _in_one(text: Text, language: str) -> str:
    return text.to(language) if isinstance(text, Words) else text
