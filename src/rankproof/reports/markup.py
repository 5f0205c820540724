"""Text becomes markup: escaped, in both languages, and never able to turn its surroundings round."""

import re
import unicodedata
from string import Formatter

from markupsafe import Markup, escape

from rankproof.reports.document import Text
from rankproof.wording import LANGUAGES, Words, said, translate

# What HTML cannot carry: controls, halves of pairs, noncharacters.
_UNSENDABLE = re.compile("[\x00-\x08\x0b-\x0d\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Writing from right to left, and the marks that turn a line.
_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"})


def sendable(text: str) -> str:
    """`text` without what a page cannot carry; its own sign stands in the place."""
    return _UNSENDABLE.sub("\ufffd", text)


def plain(text: str) -> Markup:
    """`text` escaped; text that could turn the line round stands in a <bdi> of its own.

    >>> plain("a < b")
    Markup('a &lt; b')
    """
    sent = escape(sendable(text))
    return sent if text.isascii() or not _turns(text) else Markup("<bdi>{}</bdi>").format(sent)


def within(text: Text, language: str) -> Markup:
    """`text` in one language, its facts escaped and isolated one by one."""
    return Markup("").join(_pieces(text, language))


def both(text: Text) -> Markup:
    """`text` in every language that the page holds; once where they are the same, as are facts at its ends."""
    if isinstance(text, str):
        return plain(text)
    said = [_pieces(text, language) for language in LANGUAGES]
    shortest = min(map(len, said))
    start = next((i for i in range(shortest) if len({one[i] for one in said}) > 1), shortest)
    left = shortest - start
    end = next((i for i in range(left) if len({one[-1 - i] for one in said}) > 1), left)
    middles = [Markup("").join(one[start : len(one) - end]) for one in said]
    spans = (Markup("<span lang={}>{}</span>").format(*one) for one in zip(LANGUAGES, middles, strict=True))
    middle = Markup("").join(spans if any(middles) else ())
    return Markup("").join([*said[0][:start], middle, *said[0][len(said[0]) - end :]])


def differs(text: Text) -> bool:
    """Whether `text` reads differently in another language."""
    return isinstance(text, Words) and len({within(text, language) for language in LANGUAGES}) > 1


def clipped(text: str, most: int) -> str:
    """`text` with at most `most` characters, an ellipsis where more was there.

    >>> clipped("registration", 6)
    'regis…'
    """
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def width(text: str) -> int:
    """About how many digits wide `text` is set; an ideograph counts for two."""
    return sum(2 if ord(one) > 0x2E80 else 1 for one in text)


def css_string(text: str) -> Markup:
    """`text` as a CSS string: all but letters and digits as code points, so that nothing can end it.

    >>> css_string('a"<')
    Markup('"a\\\\22 \\\\3c "')
    """
    return Markup('"{}"').format(
        Markup("").join(Markup(one if one.isalnum() else f"\\{ord(one):x} ") for one in sendable(text))
    )


def _turns(text: str) -> bool:
    return any(unicodedata.bidirectional(one) in _TURNING for one in text)


def _pieces(text: Text, language: str) -> list[Markup]:
    """The parts of a sentence as they follow each other: its own words, and the facts between them."""
    if isinstance(text, str):
        return [plain(text)]
    if not text.facts or type(text) is not Words:  # a kind of Words may say itself in its own way
        return [plain(text.to(language))]
    pieces = []
    for literal, name, spec, conversion in Formatter().parse(translate(text.template, language)):
        pieces += [escape(literal)] if literal else []
        pieces += [_fact(name, spec or "", conversion, text, language)] if name is not None else []
    return pieces


def _fact(name: str, spec: str, conversion: str | None, text: Words, language: str) -> Markup:
    value, _ = Formatter().get_field(name, (), text.facts)
    if isinstance(value, Words):
        return within(value, language)
    if isinstance(value, (tuple, list)) and any(isinstance(one, Words) for one in value):
        parts = [within(one if isinstance(one, Words) else str(one), language) for one in value]
        return Markup(translate(", ", language)).join(parts)
    known = said(value, language)
    return plain(format(Formatter().convert_field(known, conversion) if conversion else known, spec))
