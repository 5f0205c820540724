"""Grade chips: every grade with its word and colour, written once for the page and pointed to by each doc.

A page shows thousands of graded docs; the words stand in the style, in every language, and the number in the doc.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from rankproof.reports.document import Block, Document, Movement, Queries, Shown, Text
from rankproof.reports.figures import shade
from rankproof.reports.markup import css_string, plain, width
from rankproof.wording import LANGUAGES, Words, say

_NOTES = {"unjudged": say("unjudged"), "pooled": say("pooled, unjudged"), "repeat": say("repeat")}
WORD = 40


@dataclass(frozen=True)
class Chip:
    """A grade as it is shown: its number, its word in each language, its step on the colour scale."""

    number: str
    words: tuple[str, ...]
    step: str


def chip_of(shown: Shown, top: int) -> Chip:
    """The chip of one displayed doc; a dashed one where nobody graded it."""
    if shown.grade is None:
        return Chip("?", _said(_NOTES.get(shown.note or "unjudged", shown.note)), "u")
    note = _said(_NOTES.get(shown.note, shown.note))
    words = (" · ".join(filter(None, pair)) for pair in zip(_said(shown.meaning), note, strict=True))
    return Chip(str(shown.grade), tuple(words), str(shade(shown.grade, top)))


def chips_of(document: Document) -> Mapping[Chip, str]:
    """Every chip of the document with its class, best grade first, the unjudged last."""
    chips = {chip_of(one, movement.top_grade) for movement in movements(document) for one in _docs(movement)}
    ordered = sorted(
        chips, key=lambda chip: (chip.step == "u", -_value(chip), chip.number, chip.step, chip.words)
    )
    return {chip: f"a{i}" for i, chip in enumerate(ordered)}


def rules(chips: Mapping[Chip, str]) -> Markup:
    """The style of the chips: colours from the scale, and the words in each language."""
    widest = max((width(f"{chip.number} {word}") for chip in chips for word in chip.words), default=0)
    room = Markup(":root{{--chip:{}ch}}\n").format(widest + 1)
    return room + Markup("\n").join(_rule(chip, name) for chip, name in chips.items())


def legend_text(chip: Chip) -> Markup:
    """A chip's number and word as text of the page, in each language."""
    number = chip.number if chip.step != "u" else ""
    if len(set(chip.words)) == 1:
        return plain(f"{number} {chip.words[0]}".strip())
    spans = (
        Markup("<span lang={}>{}</span>").format(one, plain(word))
        for one, word in zip(LANGUAGES, chip.words, strict=True)
    )
    return Markup(f"{number} ") + Markup("").join(spans)


def movements(document: Document) -> Iterator[Movement]:
    """Every movement view of the document, at whatever depth."""
    return (
        block
        for section in document.sections
        for block in flat(section.blocks)
        if isinstance(block, Movement)
    )


def flat(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks and the blocks within them, in order."""
    for block in blocks:
        yield block
        if isinstance(block, Queries):
            for row in block.rows:
                yield from flat(row.blocks)


def _docs(movement: Movement) -> Iterator[Shown]:
    yield from movement.left_docs
    yield from movement.right_docs


def _said(text: Text) -> tuple[str, ...]:
    return tuple(text.to(one)[:WORD] if isinstance(text, Words) else text[:WORD] for one in LANGUAGES)


def _value(chip: Chip) -> int:
    return int(chip.number) if chip.step != "u" else -1


def _rule(chip: Chip, name: str) -> Markup:
    colour = Markup(".{}{{background:var(--g{});color:var(--t{})}}").format(name, chip.step, chip.step)
    if chip.step == "u":
        colour += Markup(".{}{{border:1px dashed}}").format(name)
    words = [css_string(f" {word}") if word else css_string("") for word in chip.words]
    first, second = (Markup("content:{}").format(word) for word in words)
    return colour + Markup(".{0}:after{{{1}}}html:has(#_zh:checked) .{0}:after{{{2}}}").format(
        name, first, second
    )
