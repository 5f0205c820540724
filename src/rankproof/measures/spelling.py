"""Spellings: how other tools write a measure, read and written by one template each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Spelling:
    """How `tool` writes a measure: "map_cut_{k}" has the cutoff, "rbp_{p}" a setting, in braces.

    `values` are the settings that the spelling implies. trec_eval has a dot before parameters on its
    command line and an underscore in its output; both are read. Several parameters with commas between
    them name several measures, unless the setting has commas itself (`whole`).
    """

    tool: str
    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What stands in braces."""
        return tuple(re.findall(r"\{(\w+)\}", self.text))

    @cached_property
    def _pattern(self) -> "re.Pattern[str]":
        parts = re.split(r"(\{\w+\})", self.text)
        pattern = "".join(_of_place(p) if p.startswith("{") else re.escape(p) for p in parts)
        if self.tool == "trec_eval":
            pattern = re.sub(r"_(?=\(\?P)", "[._]", pattern)
        return re.compile(pattern)

    def read(self, text: str) -> list[dict[str, str]]:
        """The settings of each measure that `text` names in this spelling ("k" is the cutoff); none if it does not."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return []
        given = match.groupdict()
        if self.whole or len(given) != 1:
            return [{**self.values, **given}]
        ((name, several),) = given.items()
        return [{**self.values, name: one} for one in several.split(",")]

    def written(self, settings: Mapping[str, object], at: int | None) -> str | None:
        """The measure with these settings in this spelling; None where it cannot say them.

        `settings` are those that have to be said: they differ from what the tool takes by itself.
        """
        if ("k" in self.places) != (at is not None):
            return None
        unsaid = {name: str(value) for name, value in settings.items() if name not in self.places}
        if unsaid != dict(self.values) or not {*self.places} <= {"k", *settings}:
            return None
        return self.text.format(k=at, **settings)


def _of_place(place: str) -> str:
    name = place[1:-1]
    return rf"(?P<{name}>\d+(?:,\d+)*)" if name == "k" else rf"(?P<{name}>[-+\d.,=e]+)"
