"""A report as one page to mail: no script, nothing from outside, both languages, light and dark, prints well."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from rankproof.reports import chips, figures, markup, views
from rankproof.reports.document import Document, Headline, Queries, Section, Table
from rankproof.wording import Words, say

if TYPE_CHECKING:
    from jinja2 import Environment

MOST = 500_000  # bytes that a page may have to be mailed
TITLES = (60, 24, 0)  # so long are the titles of docs, as long as the page allows

# What the templates may use, by name.
FILTERS: tuple[Callable[..., object], ...] = (
    markup.both,
    markup.plain,
    markup.clipped,
    chips.legend_text,
    views.kind,
    views.titled,
    views.id_width,
    views.spoken,
)
VERBS: tuple[Callable[..., object], ...] = (
    say,
    figures.plot,
    figures.lines,
    figures.bar,
    views.shown,
    views.tone,
    views.heads,
    views.sides,
    views.joined,
    views.arranged,
    views.filters,
    views.remarks,
    views.scales,
    views.name_of,
)


def render_html(document: Document) -> str:
    """The whole page as text: `document` in both languages, its own first.

    Where the page would be too big to mail, the titles of docs give way, if that helps.
    """
    pages = (_page(document, length) for length in TITLES)
    first = next(pages)
    return next((page for page in (first, *pages) if len(page.encode()) <= MOST), first)


def _page(document: Document, title_length: int) -> str:
    known = chips.chips_of(document)
    return (
        _environment()
        .get_template("page.html")
        .render(
            document=document,
            title=_title(document),
            title_length=title_length,
            sections=list(zip(_names(document.sections), document.sections, strict=True)),
            lead=next((b for s in document.sections for b in s.blocks if isinstance(b, Headline)), None),
            chips=known,
            style=Markup(_style()) + chips.rules(known) + _rules(document),
            anchors=_anchors(document),
            chip=lambda shown, top: Markup("<i class={}>{}</i>").format(
                known[one := chips.chip_of(shown, top)], one.number
            ),
        )
    )


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
    for verb in FILTERS:
        environment.filters[verb.__name__] = verb
    for verb in VERBS:
        environment.globals[verb.__name__] = verb
    environment.globals |= {
        "height": figures.HEIGHT,
        "text_length": views.TEXT,
        "MARKS": views.MARKS,
        "CLASSES": views.CLASSES,
        "STATES": views.STATES,
    }
    return environment


@cache
def _style() -> str:
    text = files("rankproof").joinpath("reports/page/style.css").read_text("utf-8")
    return re.sub(r"/\*.*?\*/\s*|\n\s+", "", text, flags=re.DOTALL)


def _rules(document: Document) -> Markup:
    """Rules that set a table's nth column left or let it wrap; as many as the widest table needs."""
    tables = (b for s in document.sections for b in chips.flat(s.blocks) if isinstance(b, Table))
    widest = max((len(table.columns) for table in tables), default=0)
    return Markup("").join(
        Markup(
            f".l{i}>*>*>:nth-child({i}){{text-align:left}}"
            f".w{i}>*>*>:nth-child({i}){{white-space:normal;min-width:var(--wrap);max-width:40rem}}"
        )
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
    """Where each query stands on the page; nothing where several lists show the same queries."""
    lists = [b for s in document.sections for b in s.blocks if isinstance(b, Queries)]
    rows = list(enumerate(lists[0].rows)) if len(lists) == 1 else []
    return {row.query_id: f"_{i}" for i, row in reversed(rows)}


def _title(document: Document) -> str:
    title = document.title
    text = title.to(document.language) if isinstance(title, Words) else title
    return markup.sendable(text) or "rankproof"
