"""Queries as they may come: the same ones for the same seed, and the edges that random ones seldom meet."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, permutations, product
from random import Random

UNJUDGED, POOLED = -2, -1  # of a displayed doc, where a grade would stand
GRADES = (UNJUDGED, UNJUDGED, POOLED, 0, 0, 1, 1, 2, 3, 4, 37, 100)
LONGEST = 9
N_DOCS = 20  # how many docs there are, so that queries have some in common


@dataclass(frozen=True)
class Query:
    """One query: the grades of the docs in displayed order, and of those judged and not displayed.

    `tied` holds the sizes of the groups of equal scores, from the top; () where no two scores are equal.
    `docs` says which docs they are, those displayed first: what is known of a doc follows from its number
    (`rankproof.testing.known`). () is 0, 1, 2 ...
    """

    shown: tuple[int, ...]
    missed: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    docs: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The query as `written` takes it, with groups of equal scores in parentheses."""
        marks = {UNJUDGED: ".", POOLED: "-"}
        docs = [marks.get(grade, str(grade)) for grade in self.shown]
        parts = [" ".join(docs[place] for place in group) for group in self.groups()]
        listed = " ".join(f"({part})" if " " in part else part for part in parts)
        missed = f', missed="{" ".join(map(str, self.missed))}"' if self.missed else ""
        known = f", docs {' '.join(map(str, self.docs))}" if self.docs else ""
        return f'"{listed}"{missed}{known}'

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Which docs they are, those displayed first."""
        return self.docs or tuple(range(len(self.shown) + len(self.missed)))

    def groups(self) -> list[range]:
        """The places of each group of equal scores, from 0."""
        sizes = self.tied or (1,) * len(self.shown)
        return [range(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]

    def n_orders(self) -> int:
        """In how many orders the docs of equal scores could have stood."""
        return math.prod(math.factorial(size) for size in self.tied)

    def orders(self) -> Iterator["Query"]:
        """Each of these orders, as a list without equal scores."""
        for ways in product(*(permutations(group) for group in self.groups())):
            yield self.in_order([place for way in ways for place in way])

    def in_order(self, places: Sequence[int]) -> "Query":
        """The same docs displayed in another order, without equal scores."""
        docs = self.numbers
        shown = tuple(docs[place] for place in places)
        return Query(
            tuple(self.shown[place] for place in places), self.missed, (), shown + docs[len(places) :]
        )

    def smaller(self) -> Iterator["Query"]:
        """Queries that are a little simpler: a doc less, no equal scores, a lower grade."""
        if self.docs:
            yield replace(self, docs=())
        for place in range(len(self.shown)):
            sizes = [len(group) - (place in group) for group in self.groups()] if self.tied else []
            rest = tuple(size for size in sizes if size)
            yield Query(_without(self.shown, place), self.missed, rest, _without(self.docs, place))
        for place in range(len(self.missed)):
            docs = _without(self.docs, len(self.shown) + place)
            yield replace(self, missed=_without(self.missed, place), docs=docs)
        if self.tied:
            yield replace(self, tied=())
        for place, grade in enumerate(self.shown):
            for lower in (0, 1, 2, grade - 1):
                if 0 <= lower < grade:
                    yield replace(self, shown=(*self.shown[:place], lower, *self.shown[place + 1 :]))


def _without(grades: tuple[int, ...], place: int) -> tuple[int, ...]:
    return grades[:place] + grades[place + 1 :]


EDGES = (
    Query(()),  # neither judged nor displayed
    Query((), (1, 0)),
    Query((1,)),
    Query((0,)),
    Query((UNJUDGED,), (2,)),
    Query((POOLED,), (1, 0)),
    Query((0, 0, 0), (0,)),
    Query((2, 2, 2)),
    Query((100, 99, 0), (100,)),
    Query((0, 1, 0, 0, 0), tied=(5,)),
    Query((1, UNJUDGED, 2, 0), (1,), tied=(2, 2)),
    Query((3, 0, 1, UNJUDGED), tied=(1, 3)),
)


def queries(seed: int, n: int) -> tuple[Query, ...]:
    """The edges, then `n` queries that look random and are the same for the same seed."""
    dice = Random(seed)
    return (*EDGES, *(_query(dice) for _ in range(n)))


def _query(dice: Random) -> Query:
    shown = tuple(dice.choice(GRADES) for _ in range(dice.randint(0, LONGEST)))
    missed = tuple(dice.choice(GRADES[3:]) for _ in range(dice.randint(0, 3)))
    sizes: list[int] = []
    while sum(sizes) < len(shown):
        sizes.append(min(dice.choice((1, 1, 2, 3)), len(shown) - sum(sizes)))
    tied = tuple(sizes) if dice.random() < 0.5 else ()
    return Query(shown, missed, tied, tuple(dice.sample(range(N_DOCS), len(shown) + len(missed))))
