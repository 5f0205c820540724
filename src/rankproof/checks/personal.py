"""What looks like personal data in a text, and how to show it without telling it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rankproof.wording import Words, say

HIDDEN = "***"


@dataclass(frozen=True, eq=False)
class Sort:
    """One sort of personal data: its name, what it looks like, and a test for what only looks so."""

    name: Words
    looks: re.Pattern[str]
    holds: Callable[[str], bool] = lambda _: True

    def within(self, text: str) -> list[str]:
        """The parts of a text that are of this sort."""
        return [match.group() for match in self.looks.finditer(text) if self.holds(match.group())]

    def shown(self, text: str) -> str:
        """The first such part with nearly all of it hidden."""
        return next((_hidden(part) for part in self.within(text)), "")


def plausible_identity(number: str) -> bool:
    """False where a number as long as a Chinese identity number has another check character (GB 11643-1999)."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    if len(number) != len(weights) + 1:
        return True
    total = sum(weight * int(digit) for weight, digit in zip(weights, number[:-1], strict=True))
    return "10X98765432"[total % 11] == number[-1].upper()


# Chinese words stand beside a number without a blank: only Latin letters and digits make it longer.
EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
IDENTITY = r"""
    (?<![0-9A-Za-z]) [1-9]\d{5} (?:19|20)\d\d (?:0[1-9]|1[0-2]) (?:0[1-9]|[12]\d|3[01]) \d{3}[\dXx] (?![0-9A-Za-z])
    | (?<![\d-]) (?!000|666|9)\d{3} - (?!00)\d\d - (?!0000)\d{4} (?![\d-])  # social security, United States
    | (?<![0-9A-Za-z]) [A-Z]{1,2}\d{6}\([\dA]\)  # Hong Kong
"""
PHONE = r"""
    (?<!\d) (?:\+?86[- ]?)? 1[3-9]\d (?:[- ]?\d{4}){2} (?!\d)  # Chinese mobile
    | (?<!\d) \(?0\d{2,3}\)? [- ] \d{7,8} (?!\d)  # Chinese fixed line
    | (?<![0-9A-Za-z]) \+ (?:[ .()-]{0,2}\d){8,15} (?!\d)  # with a country code
    | (?<!\d) (?:\(\d{3}\)[ ]? | \d{3}[-.]) \d{3} [-.] \d{4} (?!\d)  # North America
"""
SORTS = (
    Sort(say("e-mail address"), re.compile(EMAIL, re.ASCII)),
    Sort(say("identity number"), re.compile(IDENTITY, re.VERBOSE), plausible_identity),
    Sort(say("phone number"), re.compile(PHONE, re.VERBOSE)),
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
