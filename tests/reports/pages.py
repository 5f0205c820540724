"""Documents to make pages of, and a reader that knows which end tags HTML lets a page leave out."""

import random
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Literal

from rankproof.reports.document import (
    Block,
    Column,
    Count,
    Counts,
    Document,
    Dot,
    Dots,
    Headline,
    Movement,
    Paragraph,
    Queries,
    QueryBlock,
    Section,
    Shown,
    Table,
    cell,
)
from rankproof.wording import say

VOID = {"meta", "input", "br"}
# What a start tag ends without saying so.
ENDS = {
    "li": {"li"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "tr": {"td", "th", "tr"},
    "tbody": {"td", "th", "tr", "thead", "tbody"},
}
OPTIONAL = {"li", "td", "th", "tr", "thead", "tbody"}
State = Literal["worse", "better", "same", "undefined"]
MEANINGS = (say("none"), say("related"), say("partial"), say("exact"))


class Page(HTMLParser):
    """A page read: what is open, every tag with its attributes, every text with where it stands."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while self.open and self.open[-1] in ENDS.get(tag, ()):
            self.open.pop()
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.open.extend([] if tag in VOID else [tag])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        assert self.open.pop() == tag, f"</{tag}> ends nothing"

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    @property
    def text(self) -> str:
        """Everything that is read."""
        return "".join(text for tag, text in self.texts if tag != "style")

    @property
    def style(self) -> str:
        """The whole style."""
        return "".join(text for tag, text in self.texts if tag == "style")

    def all(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [attrs[name] for _, attrs in self.tags if name in attrs]


def sum_table(run: str, docs: list[Shown]) -> Table:
    """A sum term by term, with made-up numbers of the usual length."""
    titles = ("grade", "gain", "discount", "contribution", "running sum", "ideal grade", "ideal running sum")
    rows = [
        [cell(one.rank), cell(one.doc_id), cell(one.grade), *(cell(1.0 / one.rank) for _ in titles[1:])]
        for one in docs
    ]
    columns = [Column("#", "right"), Column(say("doc")), *(Column(say(title), "right") for title in titles)]
    return Table(columns, rows, say("{run}: nDCG@10 = {value}", run=run, value="0.7884"))


def shown(ids: list[str], title: str = "Refunds after a postponement") -> list[Shown]:
    """A list of docs with every kind of grade."""
    return [
        Shown(i + 1, doc, title, None, "", "unjudged")
        if i % 7 == 6
        else Shown(i + 1, doc, title, i % 4, MEANINGS[i % 4], tied=i == 3)
        for i, doc in enumerate(ids)
    ]


def query(place: int, rng: random.Random, text: str = "What is the refund deadline?") -> QueryBlock:
    """One query of two systems at depth 10, with both lists and both sums."""
    ids = [f"kb-{n:03d}" for n in rng.sample(range(400), 13)]
    left, right = shown(rng.sample(ids, 10)), shown(rng.sample(ids, 10))
    difference = place % 3 / 10 - 0.1
    blocks: list[Block] = [
        Movement("甲", "乙", left, right, 3),
        sum_table("甲", left),
        sum_table("乙", right),
    ]
    states: tuple[State, ...] = ("worse", "same", "better")
    return QueryBlock(
        f"q{place:03d}",
        text,
        ("direct",),
        cell(0.7),
        cell(0.6),
        cell(difference, signed=True),
        states[place % 3],
        blocks,
    )


def document(queries: int = 3, language: str = "en", text: str = "plain") -> Document:
    """A report with every kind of block; `text` stands wherever a text from outside can stand."""
    rng = random.Random(0)
    rows = [query(place, rng) for place in range(queries)]
    odd = [Shown(1, text, text, 2, text), Shown(2, text + "b", "", None, "", text, tied=True)]
    named = cell(None, note=say("no relevant document"))
    rows.append(
        QueryBlock(
            text, text, (text,), named, named, named, "undefined", [Movement(text, text, odd, odd[:1], 2)]
        )
    )
    rows.append(QueryBlock("bare", "", (), cell(0.5), cell(0.5, note=text), cell(0.0, signed=True), "same"))
    measured = [
        cell(text),
        cell(0.1069, signed=True, tone="up", interval=(-0.045, 0.258)),
        cell(text, tone="bad"),
    ]
    return Document(
        text,
        [
            Section(
                "verdict", "", [Headline(text, "bad", say("rejected"), text), Paragraph(say("{x}", x=text))]
            ),
            Section("counts", say("Counts"), list(_counts(text))),
            Section(
                "measures",
                text,
                [
                    Table(
                        [Column(text), Column(say("difference"), "right"), Column(text)],
                        [measured],
                        text,
                    ),
                    Dots(
                        [Dot(row.query_id, place / 10 - 0.1, text) for place, row in enumerate(rows)],
                        -0.1,
                        0.2,
                        text,
                        text,
                    ),
                ],
            ),
            Section("queries", say("Queries"), [Queries(text, "乙", "nDCG@10", rows, omitted=7)]),
        ],
        language,
    )


def _counts(text: str) -> Iterator[Block]:
    yield Counts(text, [Count(20, say("asked")), Count(2, text, "warn", (text, "q001"))])
    yield Paragraph(text, "warn")
