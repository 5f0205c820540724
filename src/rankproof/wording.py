"""Sentences kept apart from their numbers, so that each can be said in English or Chinese.

English is the key; `locale/zh.po` is the one catalogue for terminal, report and web.
Numbers, ids and names of fields never change with the language.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import index
from typing import SupportsIndex

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Words:
    """A sentence with places, and what goes into them (values may be Words themselves)."""

    template: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def to(self, language: str) -> str:
        """The sentence in `language` ("en" or "zh"); English where a translation is missing."""
        facts = {key: said(value, language) for key, value in self.facts.items()}
        return translate(self.template, language).format(**facts) if facts else self.plain(language)

    def plain(self, language: str) -> str:
        """The template itself, for sentences without places (braces stay as they are)."""
        return translate(self.template, language)

    def __str__(self) -> str:
        return self.to("en")


def say(template: str, /, **facts: object) -> Words:
    """`template` with `facts` for its places. The call by which translators find a sentence."""
    return Words(template, facts)


# What a system says of files that it does not give; other sentences of it stay in its own words.
SYSTEM = (
    "Broken pipe",
    "File name too long",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Permission denied",
    "Read-only file system",
    "standard input is closed",
)


def reason_of(error: Exception) -> Words:
    """Why the system did not do something, in its own sentence.

    >>> reason_of(FileNotFoundError(2, "No such file or directory")).to("en")
    'No such file or directory'
    """
    return Words(str(getattr(error, "strerror", None) or error))


class Counted(int):
    """A whole number that a place such as {n:query|queries} writes with its word: "1 query", "2 queries"."""

    def __format__(self, form: str) -> str:
        one, bar, many = form.partition("|")
        return f"{int(self)} {one if self == 1 else many}" if bar else int(self).__format__(form)


def said(value: object, language: str) -> object:
    """`value` in `language` where it is Words, else `value` itself; whole numbers know their word."""
    if isinstance(value, Words):
        return value.to(language)
    if isinstance(value, (tuple, list)) and any(isinstance(one, Words) for one in value):
        return translate(", ", language).join(str(said(one, language)) for one in value)
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return Counted(index(value))  # numpy's whole numbers, too
    return value


def translate(template: str, language: str) -> str:
    """The template in `language`; itself where the catalogue has nothing."""
    return template if language == "en" else _catalogue(language).get(template, template)


@cache
def _catalogue(language: str) -> dict[str, str]:
    # only when another language is spoken
    from importlib.resources import files

    from babel.messages.pofile import read_po

    with files("rankproof").joinpath(f"locale/{language}.po").open("rb") as stream:
        entries = read_po(stream, locale=language)
    return {str(entry.id): str(entry.string) for entry in entries if entry.id and entry.string}


# Marks that turn the direction of writing or break a line without being seen.
_UNSEEN = frozenset("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def visible(text: str) -> str:
    """Text whose control characters are shown as pictures, so that nothing drives a terminal."""
    return "".join(_picture(c) if _hidden(c) else c for c in text)


def _hidden(c: str) -> bool:
    return (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" or c in _UNSEEN


def _picture(c: str) -> str:
    if c < " ":
        return chr(0x2400 + ord(c))
    return "\u2421" if c <= "\x9f" else f"<U+{ord(c):04X}>"


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """ "zh" where the environment's locale is Chinese, else "en"."""
    for variable in ("RANKPROOF_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            return "zh" if environment[variable].lower().startswith("zh") else "en"
    return "en"
