"""What looks like personal data in a text, and how to show it without telling it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rankproof.wording import Words, say

HIDDEN = "***"


@dataclass(frozen=True, eq=False)
class Sort:
    """One sort of personal data: its name, what it looks like, and a test that a random number fails."""

    name: Words
    looks: re.Pattern[str]
    holds: Callable[[str], bool] = lambda _: True

    def within(self, text: str) -> list[str]:
        """The parts of a text that are of this sort."""
        return [match.group() for match in self.looks.finditer(text) if self.holds(match.group())]

    def shown(self, text: str) -> str:
        """The first such part with nearly all of it hidden."""
        return next((_hidden(part) for part in self.within(text)), "")


def chinese_identity(number: str) -> bool:
    """True where the last character is the check character of a Chinese identity number (GB 11643-1999)."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(weight * int(digit) for weight, digit in zip(weights, number, strict=False))
    return "10X98765432"[total % 11] == number[-1].upper()


SORTS = (
    Sort(say("e-mail address"), re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    Sort(
        say("identity number"),
        re.compile(
            r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)"
        ),
        chinese_identity,
    ),
    # United States social security, Hong Kong identity card
    Sort(
        say("identity number"), re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
    ),
    Sort(say("identity number"), re.compile(r"(?<![A-Za-z\d])[A-Z]{1,2}\d{6}\([\dA]\)")),
    # Chinese mobile and fixed lines, numbers with a country code, North America
    Sort(say("phone number"), re.compile(r"(?<!\d)(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?!\d)")),
    Sort(say("phone number"), re.compile(r"(?<!\d)\(?0\d{2,3}\)?[- ]\d{7,8}(?!\d)")),
    Sort(say("phone number"), re.compile(r"(?<!\w)\+(?:[ .()-]{0,2}\d){8,15}(?!\d)")),
    Sort(say("phone number"), re.compile(r"(?<!\d)(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?!\d)")),
)


def sorts_in(text: str) -> list[Sort]:
    """The sorts of personal data that a text seems to hold."""
    return [sort for sort in SORTS if sort.within(text)]


def masked(text: str) -> str:
    """The text with every such part hidden."""
    for sort in SORTS:
        for part in sort.within(text):
            text = text.replace(part, _hidden(part))
    return text


def _hidden(part: str) -> str:
    return part[:2] + HIDDEN
