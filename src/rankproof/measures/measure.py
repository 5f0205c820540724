"""What a measure is: facts, and a pure function from Rankings to a sum of terms."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from rankproof.errors import UnknownName, UsageError
from rankproof.measures.averaging import averaged
from rankproof.measures.dialects import settings_of
from rankproof.measures.gains import worth
from rankproof.measures.needs import NEEDS
from rankproof.measures.raters import defined_for_some, over_raters
from rankproof.measures.settings import BY_RATERS, Setting, in_name
from rankproof.measures.spelling import Spelling
from rankproof.tables.columns import Bools
from rankproof.tables.conventions import Conventions
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum
from rankproof.wording import say

LAST_RANK = 999_999_999  # of a cutoff; no list is longer

# The kinds of measures, in the order in which they are shown.
FAMILIES: Mapping[str, str] = {
    "graded": "How relevant each doc is, and how high it stands.",
    "binary": "Whether each doc is relevant, and how high it stands.",
    "set": "Which docs were displayed, in whatever order.",
    "interpolated": "Precision at chosen levels of recall.",
    "user model": "What a reader gains who goes down the list and stops somewhere.",
    "incomplete judgments": "What can be said where many docs are not judged, and how many are not.",
    "counts": "How many docs there are; added up over queries, not averaged.",
    "pairwise": "How many pairs of docs stand in the right order.",
    "diversity": "How many of the things that a query can mean are covered, and how early.",
    "preference": "How well the list agrees with judgments of one doc against another.",
    "beyond accuracy": "Whether lists are varied, new, surprising, and cover what there is.",
    "fairness": "Whether those who stand behind the docs get the attention that they should.",
    "combination": "Several measures in one number.",
    "text": "A text that shows the list, and no number.",
    "other": "What belongs to none of these.",
}


# Families in which every doc adds the more, the higher it stands.
RISING = ("graded", "binary", "set", "interpolated", "incomplete judgments")


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """A measure and its settings. Rows in the families' tuples are measures at their defaults.

    `range` is (lowest, highest) with None for "no bound". `needs` names what a query must have for the
    value to be defined (NEEDS), and `family` to which of FAMILIES it belongs. `mean` says how values of queries make one of the run: "arithmetic",
    "geometric", "total" for counts, or "run" where the value is of the whole run and no query has one.
    `sees` is what the function reads beside hits: "hits" for nothing, "lists" for every displayed line, "known"
    for what is known of docs and users beside the lines, "subtopics" for what docs cover, "preferences" for who
    preferred which doc to which (and no grades at all).
    `linear` is True where the value is a sum of what grades are worth times what places are worth (taken
    from `Rankings.placed`), so that its mean over tied orders is exact; the others are averaged over orders.
    `best_first` is True where no order beats the ideal one.
    """

    name: str
    function: Callable[..., Sum]
    settings: tuple[Setting, ...]
    title: str
    formula: str
    source: str
    family: str = "other"
    range: tuple[float | None, float | None] = (0.0, 1.0)
    needs: str = "relevant"
    cutoff: str = "optional"  # optional, required, none
    mean: str = "arithmetic"
    sees: str = "hits"
    linear: bool = False
    best_first: bool = True
    direction: str = "up"  # more of it is better: up; worse: down; neither: none
    also: tuple[str, ...] = ()
    spelt: tuple[Spelling, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    at: int | None = None
    aspect: str = ""  # the column of judgments that is measured, where there are several

    @property
    def total(self) -> bool:
        """True for counts, which are added up over queries where others are averaged."""
        return self.mean == "total"

    @cached_property
    def every_setting(self) -> tuple[Setting, ...]:
        """Its own settings, and those that every measure of hits has."""
        by_raters = self.sees == "hits" and self.mean in ("arithmetic", "geometric")
        return (*self.settings, *BY_RATERS) if by_raters else self.settings

    @cached_property
    def full_name(self) -> str:
        """The canonical name: Name(setting=value, ...)@cutoff, behind the aspect and a colon where it has one."""
        shown = [
            f"{s.name}={in_name(self.values[s.name])}"
            for s in self.every_setting
            if s.in_name and s.name in self.values and (s.always or self.values[s.name] != s.default)
        ]
        settings = f"({', '.join(shown)})" if shown else ""
        aspect = f"{self.aspect}:" if self.aspect else ""
        return f"{aspect}{self.name}{settings}{'' if self.at is None else f'@{self.at}'}"

    def __str__(self) -> str:
        return self.full_name

    def __repr__(self) -> str:
        return f"Measure({self.full_name!r})"

    def with_(self, at: int | None = None, **values: Any) -> "Measure":
        """This measure with a cutoff and settings; texts are read, wrong ones are errors."""
        if at is not None and self.cutoff == "none":
            raise UsageError("{name} has no cutoff; it looks at the whole list.", name=self.name)
        if at is not None and (not isinstance(at, int) or isinstance(at, bool) or not 1 <= at <= LAST_RANK):
            raise UsageError(
                "The cutoff of {name} is {cutoff}; it is a rank, a whole number from 1.",
                name=self.name,
                cutoff=at,
            )
        known = {s.name: s for s in self.every_setting if s.in_name}
        for name in values:
            if name not in known:
                kind = say("setting of {measure}", measure=self.name)
                raise UnknownName.of(kind, name, known, none=say("(none)"))
        read = {name: known[name].read(str(value)) for name, value in values.items()}
        return replace(self, at=self.at if at is None else at, values={**self.values, **read})

    def under(self, conventions: Conventions) -> "Measure":
        """This measure with what its name leaves open filled in by `conventions`."""
        if self.at is None and self.cutoff == "required":
            raise UsageError("{name} needs a cutoff: write {name}@10, for example.", name=self.name)
        own = settings_of(conventions.dialect, self.name, self.at)
        given = {
            s.name: getattr(conventions, s.convention) if s.convention else s.default
            for s in self.every_setting
            if s.name not in self.values
        }
        given |= {
            s.name: s.read(own[s.name]) for s in self.every_setting if s.name in given and s.name in own
        }
        ordered = {**given, **self.values}
        return replace(self, values={s.name: ordered[s.name] for s in self.every_setting})

    def of(self, rankings: Rankings) -> Sum:
        """The sum whose value is the measure of each query."""
        values = {s.name: self.values.get(s.name, s.default) for s in self.settings}
        measured = partial(self.function, cutoff=self.at, **values)
        if not self.linear and self.sees in ("hits", "subtopics"):
            measured = partial(averaged, measured, rises=self.rises)
        if self.sees != "subtopics" and rankings.subtopics is not None:
            rankings = replace(rankings, subtopics=None)
        if self._by_raters(rankings):
            least = max(self.range[0] or 0.0, 0.0)
            return over_raters(measured, self._met, rankings, str(self.values.get("empty")), least)
        return measured(rankings)

    @property
    def rises(self) -> bool:
        """True where a higher grade further up never lowers the value, so that the extreme orders hold all others.

        Pairs within a cutoff are other pairs in another order, and a reader who is moved by gains may stop
        earlier: nothing is said of them. A gain table may turn the order of grades over.
        """
        if not self.best_first or self.family not in RISING:
            return False
        gain = self.values.get("gain", "")
        if isinstance(gain, str):
            return True
        return bool((np.diff(worth(np.arange(max(map(int, gain)) + 2), gain)) >= 0).all())  # type: ignore[call-overload]  # a table, as it is no word

    def defined(self, rankings: Rankings) -> Bools:
        """(n_queries,) True where the value means something."""
        return defined_for_some(self._met, rankings) if self._by_raters(rankings) else self._met(rankings)

    def _met(self, rankings: Rankings) -> Bools:
        return NEEDS[self.needs].met(rankings, self.values, self.at)

    def _by_raters(self, rankings: Rankings) -> bool:
        return self.values.get("raters") == "mean" and rankings.raters is not None


def by_family(rows: Iterable[Measure]) -> tuple[Measure, ...]:
    """Rows in the order of FAMILIES; those of one family stay in theirs."""
    order = list(FAMILIES)
    return tuple(sorted(rows, key=lambda row: order.index(row.family) if row.family in order else len(order)))
