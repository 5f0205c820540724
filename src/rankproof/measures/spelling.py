"""Spellings: how other tools write a measure, read and written by one template each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rankproof.measures.turned import Turned
from rankproof.tables.conventions import plain_number

# The tools whose names are known, in the order in which they are shown, by what they are made for.
TOOLS: Mapping[str, tuple[str, ...]] = {
    "retrieval": (
        "trec_eval",
        "ir_measures",
        "ranx",
        "MS MARCO",
        "BEIR",
        "MTEB",
        "Elasticsearch",
        "Quepid",
    ),
    "recommendation": ("Spark", "recommenders", "RecTools", "RePlay"),
    "learning": (
        "scikit-learn",
        "torchmetrics",
        "XGBoost",
        "LightGBM",
        "CatBoost",
        "Rax",
        "TensorFlow Ranking",
    ),
}

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Spelling:
    """How `tool` writes a measure: "map_cut_{k}" has the cutoff, "rbp_{p}" a setting, in braces.

    `values` are the settings that the spelling implies ("k" is the cutoff); they may be made of a place, as
    "0.{digits}" is of "rbp.{digits}". `turned` are those that the tool writes in another way than we do.
    trec_eval has a dot before parameters on its command line and an underscore in its output; both are read.
    Several parameters with commas between them name several measures, unless the setting has commas itself
    (`whole`). `final` is True where the tool prints the mean and no query.
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
        return tuple(_PLACE.findall(self.text))

    @cached_property
    def _pattern(self) -> "re.Pattern[str]":
        parts = re.split(r"(\{\w+\})", self.text)
        pattern = "".join(_of_place(p) if _PLACE.fullmatch(p) else re.escape(p) for p in parts)
        if self.tool == "trec_eval":
            pattern = re.sub(r"_(?=(?:p=)?\(\?P)", "[._]", pattern)
        return re.compile(pattern)

    def read(self, text: str) -> list[dict[str, str]]:
        """The settings of each measure that `text` names in this spelling ("k" is the cutoff); none if it does not."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return []
        given = {name: value.replace(":", "=") for name, value in match.groupdict().items()}
        if self.whole or len(given) != 1:
            return [self._settings(given)]
        ((name, several),) = given.items()
        return [self._settings({name: one}) for one in several.split(",")]

    def _settings(self, given: Mapping[str, str]) -> dict[str, str]:
        """What was given in the places and what the spelling implies."""
        implied = {name: _filled(value, given) for name, value in self.values.items()}
        used = {place for value in self.values.values() for place in _PLACE.findall(value)}
        return implied | {name: self._ours(name, value) for name, value in given.items() if name not in used}

    def example(self, given: Mapping[str, object]) -> str:
        """The spelling with values in its places."""
        return _filled(self.text, given)

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
        known = {name: str(value) for name, value in every.items()}
        says = unsaid.items() <= implied.items() <= known.items()
        if not says or not {*self.places} <= {"k", *every}:
            return None
        text = self.example(
            {"k": at, **{name: self._theirs(name, every[name]) for name in self.places if name != "k"}}
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


def spellings(tool: str, *texts: str, whole: bool = False, **values: str) -> tuple[Spelling, ...]:
    """The spellings of one tool that imply `values`; what stands in brackets may be there or not.

    >>> [one.text for one in spellings("ranx", "map[@{k}]")]
    ['map', 'map@{k}']
    """
    found = []
    for text in texts:
        bare, full = re.sub(r"\[[^]]*\]", "", text), re.sub(r"[\[\]]", "", text)
        found += [Spelling(tool, one, values, whole) for one in dict.fromkeys((bare, full))]
    return tuple(found)


def tools_of(rows: tuple[Spelling, ...]) -> dict[str, list[Spelling]]:
    """The spellings by tool, in the order of TOOLS; tools that do not stand there come last."""
    known = [tool for tools in TOOLS.values() for tool in tools]
    names = dict.fromkeys((*known, *(one.tool for one in rows)))
    by_tool = {name: [one for one in rows if one.tool == name] for name in names}
    return {name: found for name, found in by_tool.items() if found}


def shown(rows: Sequence[Spelling]) -> list[str]:
    """Spellings as they are shown: a cutoff that may be left out in brackets, then what a spelling implies.

    >>> shown(spellings("XGBoost", "ndcg[@{k}]", gain="exp2"))
    ['ndcg[@{k}] (gain=exp2)']
    """
    found = []
    for one in rows:
        implied = (
            f" ({', '.join(f'{name}={value}' for name, value in one.values.items())})" if one.values else ""
        )
        texts = {other.text for other in rows if other.values == one.values}
        if f"{one.text}@{{k}}" in texts:
            found.append(f"{one.text}[@{{k}}]{implied}")
        elif one.text.removesuffix("@{k}") not in texts - {one.text}:
            found.append(f"{one.text}{implied}")
    return found


def _filled(text: str, given: Mapping[str, object]) -> str:
    """A text with values in its places; a place without one stays."""
    return _PLACE.sub(lambda place: str(given.get(place[1], place[0])), text)


def _of_place(place: str) -> str:
    name = place[1:-1]
    if name in ("k", "digits"):
        return rf"(?P<{name}>\d+(?:,\d+)*)"
    return rf"(?P<{name}>[-+\d.,=:e]+)"
