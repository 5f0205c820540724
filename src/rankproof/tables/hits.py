"""Hits: what most measures need of a run - its judged docs with their ranks, and how long its lists are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankproof.tables.columns import Ints
from rankproof.tables.conventions import Conventions
from rankproof.tables.judged import Judged
from rankproof.tables.run import State


@dataclass(frozen=True)
class Ordering:
    """What settles the order of a list: the part of the conventions that hits can no longer tell."""

    order: str = "displayed"
    ties: str = "file"
    score_width: int = 64
    negative_grades: str = "pooled"  # what decides between docs of equal scores where grades do

    @classmethod
    def of(cls, conventions: Conventions) -> "Ordering":
        """The ordering that some conventions ask for."""
        by_grade = conventions.ties in ("optimistic", "pessimistic")
        # Averaged docs stand in no order: any will do.
        ties = "file" if conventions.ties == "average" else conventions.ties
        below = conventions.negative_grades if by_grade else "pooled"
        return cls(conventions.order, ties, conventions.score_width, below)


@dataclass(frozen=True, eq=False, repr=False)
class Hits:
    """The judged docs that a run displayed; list i is about the query place[i] and has the hits offsets[i]:offsets[i+1].

    place         (n_lists,) the place of each list's query in `judged.queries`, each at most once
    n_retrieved   (n_lists,) how many docs the list has
    judgment      (n_hits,) the row in `judged` of each hit; -1 - row for a doc that stands higher already
    rank          (n_hits,) its place in the list, from 1
    tie_start, tie_size   (n_hits,) where its group of equal scores begins, and how many docs are in it
    extra         the queries that nobody asked, with the lengths of their lists
    states        queries without a list, and why
    n_repeats     how many lines name a doc that their list has already, where that was counted
    """

    name: str
    judged: Judged
    ordering: Ordering
    place: Ints
    n_retrieved: Ints
    offsets: Ints
    judgment: Ints
    rank: Ints
    tie_start: Ints
    tie_size: Ints
    extra: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, State] = field(default_factory=dict)
    source: str = ""
    tags: tuple[str, ...] = ()
    n_repeats: int = 0

    def __repr__(self) -> str:
        return f"Hits({self.name!r}, {len(self.rank)} hits, {len(self.place) + len(self.extra)} queries)"

    @cached_property
    def listed(self) -> frozenset[str]:
        """The queries that have a list."""
        return frozenset([*(self.judged.queries[place] for place in self.place.tolist()), *self.extra])

    def appearing(self) -> Sequence[str]:
        """The queries that have a list or a state: the asked ones, then the others."""
        every = self.judged.queries
        if np.array_equal(self.place, np.arange(len(every))):
            asked: Sequence[str] = every
        else:
            asked = [every[place] for place in self.place.tolist()]
        if not self.extra and not self.states:
            return asked
        return list(dict.fromkeys([*asked, *self.extra, *self.states]))

    def state(self, query: str) -> State:
        """How the run stands with `query`."""
        if query in self.states:
            return self.states[query]
        return "ok" if query in self.listed else "missing"
