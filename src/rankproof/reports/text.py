"""Documents as Markdown and on the terminal."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

from rankproof.reports.document import (
    Block,
    Cell,
    Counts,
    Document,
    Dots,
    Headline,
    Movement,
    Paragraph,
    Queries,
    Table,
    Text,
    number_text,
)
from rankproof.wording import Words, say, visible

if TYPE_CHECKING:
    from rich.console import Console

BETWEEN = 3  # columns of a terminal between two columns of a table
WIDEST = 40  # a longer word (an address, say) is folded
_MARKS = {"up": "▲", "down": "▼", "same": "=", "warn": "!", "bad": "✗", "good": "✓", "": ""}
_STYLES = {
    "up": "cyan",
    "down": "red",
    "same": "dim",
    "warn": "yellow",
    "bad": "bold red",
    "good": "bold green",
    "": "",
}


def in_language(text: Text, language: str) -> str:
    """A text in one language."""
    return text.to(language) if isinstance(text, Words) else text


def cell_text(one: Cell, language: str) -> str:
    """A cell in one language, with its note after it."""
    shown = in_language(one.value, language) if isinstance(one.value, (str, Words)) else number_text(one)
    note = in_language(one.note, language)
    return f"{shown} ({note})" if note else shown


def markdown(document: Document) -> str:
    """The document as GitHub-flavoured Markdown."""
    language = document.language
    parts = [f"# {_escaped(in_language(document.title, language))}"]
    for section in document.sections:
        blocks = [text for block in section.blocks for text in _markdown(block, language)]
        if blocks:
            title = in_language(section.title, language)
            parts += [f"## {_escaped(title)}", *blocks] if title else blocks
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, language: str) -> Iterator[str]:
    if isinstance(block, Headline):
        badge = in_language(block.badge, language)
        sentence = _escaped(in_language(block.sentence, language))
        yield f"**{badge}** — {sentence}" if badge else f"**{sentence}**"
    elif isinstance(block, Paragraph):
        yield _escaped(in_language(block.text, language))
    elif isinstance(block, Counts):
        yield _escaped(in_language(block.sentence, language))
    elif isinstance(block, Table):
        yield from _markdown_table(block, language)
    elif isinstance(block, Queries):
        yield from _markdown_table(_overview(block), language)


def _markdown_table(table: Table, language: str) -> Iterator[str]:
    if table.caption:
        yield f"*{_escaped(in_language(table.caption, language))}*"
    heads = [_escaped(in_language(column.title, language)) for column in table.columns]
    sides = ["---:" if column.align == "right" else "---" for column in table.columns]
    rows = [[_escaped(cell_text(one, language)) for one in row] for row in table.rows]
    yield "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, sides, *rows))


def _overview(block: Queries) -> Table:
    """The queries of a block without what opens below them."""
    from rankproof.reports.document import Column, cell

    heads = [
        Column(say("query")),
        Column(say("text")),
        *(Column(t, "right") for t in (block.left, block.right)),
    ]
    return Table(
        [*heads, Column(say("difference"), "right")],
        [[cell(q.query_id), cell(q.text), q.left, q.right, q.difference] for q in block.rows],
        say("{measure}, query by query", measure=block.measure),
    )


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    plain = " ".join(visible(text).split())
    for mark in "\\`*_[]<>|#~$":
        plain = plain.replace(mark, f"\\{mark}")
    plain = re.sub(r"^(\d*)([-+.)])(?= )", r"\1\\\2", plain)  # no list begins here
    plain = re.sub(
        r"(?i)(?<=www)\.|(?<=http):|(?<=https):", lambda found: f"\\{found[0]}", plain
    )  # nor a link
    return plain.replace("&", "&amp;")


def on_terminal(document: Document, *, width: int = 100, color: bool = False) -> str:
    """The document as text for a terminal of `width` columns."""
    from rich.console import Console

    stream = StringIO()
    print_document(document, Console(file=stream, width=width, force_terminal=color, no_color=not color))
    lines = "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n") + "\n"


def print_document(document: Document, console: "Console") -> None:
    """The document on a terminal."""
    language = document.language
    title = in_language(document.title, language)
    if title:
        console.print(f"\n{visible(title)}", style="bold", markup=False, highlight=False)
    for section in document.sections:
        heading = in_language(section.title, language)
        console.print()
        if section.blocks and heading:
            console.print(heading, style="bold underline", markup=False)
        for block in section.blocks:
            _print(block, language, console)


def _print(block: Block, language: str, console: "Console") -> None:
    if isinstance(block, Headline):
        badge = in_language(block.badge, language)
        text = f"{badge} — " if badge else ""
        text += in_language(block.sentence, language)
        console.print(visible(text), style=_STYLES[block.tone] or "bold", markup=False, highlight=False)
    elif isinstance(block, (Paragraph, Counts)):
        text = in_language(block.text if isinstance(block, Paragraph) else block.sentence, language)
        console.print(visible(text), markup=False, highlight=False)
    elif isinstance(block, Table):
        _print_table(block, language, console)
    elif isinstance(block, Queries):
        _print_table(_overview(block), language, console)
    elif isinstance(block, (Dots, Movement)):
        pass  # pictures; their numbers stand in the tables beside them


def _unbroken(word: str) -> int:
    """How many columns a word needs on one line; Chinese breaks between any two characters."""
    from rich.cells import cell_len

    return min(cell_len(word), WIDEST if word.isascii() else 8)


def _print_table(block: Table, language: str, console: "Console") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    if block.caption:
        console.print(
            visible(in_language(block.caption, language)), style="italic", markup=False, highlight=False
        )
    titles = [visible(in_language(column.title, language)) for column in block.columns]
    rows = [[(visible(cell_text(one, language)), one.tone) for one in row] for row in block.rows]
    marked = [[(f"{_MARKS[tone]} {text}".strip(), _STYLES[tone]) for text, tone in row] for row in rows]
    table = RichTable(box=SIMPLE_HEAD, show_edge=False, show_header=any(titles), header_style="bold")
    needed = 0
    for place, column in enumerate(block.columns):
        # lines break between words only; a table that needs more than the terminal has is wider than it
        words = (
            word for text in (titles[place], *(row[place][0] for row in marked)) for word in text.split()
        )
        least = max(map(_unbroken, words), default=1)
        needed += least + BETWEEN
        table.add_column(RichText(titles[place]), justify=column.align, overflow="fold", min_width=least)
    for cells in marked:
        table.add_row(*(RichText(text, style=style) for text, style in cells))
    table.width = needed if needed > console.width else None
    console.print(table, crop=False)
    console.print()
