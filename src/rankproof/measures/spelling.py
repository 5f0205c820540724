"""Spellings: how other tools write a measure, read and written by one template each."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rankproof.tables.conventions import plain_number


@dataclass(frozen=True)
class Turned:
    """A setting that a tool writes in its own way: `written` makes its text of our value, `read` ours of its."""

    written: Callable[[float], str]
    read: Callable[[float], float]


def _two_digits(value: float) -> str:
    return f"{value:.2f}"


def _same(value: float) -> float:
    return value


def _square(value: float) -> str:
    return f"{value * value:.12g}"  # the root of a number of few digits, squared, is that number again


def _root(value: float) -> float:
    return math.sqrt(max(value, 0.0))


TWO_DIGITS = Turned(_two_digits, _same)
SQUARED = Turned(_square, _root)


@dataclass(frozen=True)
class Spelling:
    """How `tool` writes a measure: "map_cut_{k}" has the cutoff, "rbp_{p}" a setting, in braces.

    `values` are the settings that the spelling implies ("k" is the cutoff), `turned` those that it writes in
    another way than we do. trec_eval has a dot before parameters on its command line and an underscore in its
    output; both are read. Several parameters with commas between them name several measures, unless the
    setting has commas itself (`whole`). `final` is True where the tool prints the mean and no query.
    """

    tool: str
    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False
    turned: Mapping[str, Turned] = field(default_factory=dict)
    final: bool = False

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What stands in braces."""
        return tuple(re.findall(r"\{(\w+)\}", self.text))

    @cached_property
    def _pattern(self) -> "re.Pattern[str]":
        parts = re.split(r"(\{\w+\})", self.text)
        pattern = "".join(_of_place(p) if p.startswith("{") else re.escape(p) for p in parts)
        if self.tool == "trec_eval":
            pattern = re.sub(r"_(?=(?:p=)?\(\?P)", "[._]", pattern)
        return re.compile(pattern)

    def read(self, text: str) -> list[dict[str, str]]:
        """The settings of each measure that `text` names in this spelling ("k" is the cutoff); none if it does not."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return []
        given = match.groupdict()
        if self.whole or len(given) != 1:
            return [{**self.values, **{name: self._ours(name, one) for name, one in given.items()}}]
        ((name, several),) = given.items()
        return [{**self.values, name: self._ours(name, one)} for one in several.split(",")]

    def written(
        self, settings: Mapping[str, object], at: int | None, every: Mapping[str, object]
    ) -> str | None:
        """The measure with these settings in this spelling; None where it cannot say them.

        `settings` are those that have to be said: they differ from what the tool takes by itself; `every`
        holds all of them.
        """
        implied = dict(self.values)
        told = implied.pop("k", None)  # the cutoff that the spelling has without saying it
        if (told != str(at)) if told else (("k" in self.places) != (at is not None)):
            return None
        unsaid = {name: str(value) for name, value in settings.items() if name not in self.places}
        if unsaid != implied or not {*self.places} <= {"k", *every}:
            return None
        text = self.text.format(
            k=at, **{name: self._theirs(name, every[name]) for name in self.places if name != "k"}
        )
        return text if self._pattern.fullmatch(text) else None

    def _ours(self, name: str, text: str) -> str:
        try:
            return plain_number(self.turned[name].read(float(text))) if name in self.turned else text
        except ValueError:
            return text  # no number: whoever reads the setting says so

    def _theirs(self, name: str, value: object) -> str:
        if name in self.turned:
            return self.turned[name].written(float(str(value)))
        return plain_number(value) if isinstance(value, float) else str(value)


def _of_place(place: str) -> str:
    name = place[1:-1]
    return rf"(?P<{name}>\d+(?:,\d+)*)" if name == "k" else rf"(?P<{name}>[-+\d.,=e]+)"
