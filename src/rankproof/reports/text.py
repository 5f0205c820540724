"""Documents as Markdown and on the terminal."""

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
from rankproof.wording import Words, say

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 400  # columns of a terminal table that longer words no longer widen
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
    for mark in "\\`*_[]<>|#~":
        plain = plain.replace(mark, f"\\{mark}")
    return plain.replace("&", "&amp;")


def visible(text: str) -> str:
    """Text without control characters, each shown as its picture, so that nothing drives a terminal."""
    return "".join(_picture(c) if (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" else c for c in text)


def _picture(control: str) -> str:
    return chr(0x2400 + ord(control)) if control < " " else "\u2421"


def on_terminal(document: Document, *, width: int = 100, color: bool = False) -> str:
    """The document as text for a terminal of `width` columns."""
    from rich.console import Console

    stream = StringIO()
    print_document(document, Console(file=stream, width=width, force_terminal=color, no_color=not color))
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def print_document(document: Document, console: "Console") -> None:
    """The document on a terminal."""
    language = document.language
    title = in_language(document.title, language)
    if title:
        console.print(f"\n{visible(title)}", style="bold", markup=False, highlight=False)
    for section in document.sections:
        if section.blocks and in_language(section.title, language):
            console.print(f"\n{in_language(section.title, language)}", style="bold underline", markup=False)
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


def _print_table(block: Table, language: str, console: "Console") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    caption = visible(in_language(block.caption, language))
    titles = [visible(in_language(column.title, language)) for column in block.columns]
    table = RichTable(
        box=SIMPLE_HEAD,
        show_edge=False,
        show_header=any(titles),
        title=RichText(caption) if caption else None,
        title_justify="left",
        title_style="italic",
        header_style="bold",
    )
    for column, title in zip(block.columns, titles, strict=True):
        table.add_column(RichText(title), justify=column.align, overflow="fold")
    for row in block.rows:
        texts = [(visible(cell_text(one, language)), one.tone) for one in row]
        table.add_row(
            *(RichText(f"{_MARKS[tone]} {text}".strip(), style=_STYLES[tone]) for text, tone in texts)
        )
    # lines break between words only; a table that needs more than the terminal has is wider than it
    least = table.__rich_measure__(console, console.options.update(max_width=WIDEST)).minimum
    table.width = least if least > console.width else None
    console.print(table, crop=False)
    console.print()
