"""Queries as they may come: the same ones for the same seed, and the edges that random ones seldom meet."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, permutations, product
from random import Random

import numpy as np

from rankproof.alignment import align
from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments
from rankproof.tables.rankings import Rankings
from rankproof.tables.run import Run

UNJUDGED, POOLED = -2, -1  # of a displayed doc, where a grade would stand
GRADES = (UNJUDGED, UNJUDGED, POOLED, 0, 0, 1, 1, 2, 3, 4, 37, 100)
LONGEST = 9
SCORES = Conventions(order="score", ties="average")


@dataclass(frozen=True)
class Query:
    """One query: the grades of the docs in displayed order, and of those judged and not displayed.

    `tied` holds the sizes of the groups of equal scores, from the top; () where no two scores are equal.
    """

    shown: tuple[int, ...]
    missed: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The query as `written` takes it, with groups of equal scores in parentheses."""
        marks = {UNJUDGED: ".", POOLED: "-"}
        docs = [marks.get(grade, str(grade)) for grade in self.shown]
        parts = [" ".join(docs[place] for place in group) for group in self.groups()]
        listed = " ".join(f"({part})" if " " in part else part for part in parts)
        missed = f', missed="{" ".join(map(str, self.missed))}"' if self.missed else ""
        return f'"{listed}"{missed}'

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
            places = [place for way in ways for place in way]
            yield Query(tuple(self.shown[place] for place in places), self.missed)

    def smaller(self) -> Iterator["Query"]:
        """Queries that are a little simpler: a doc less, no equal scores, a lower grade."""
        for place in range(len(self.shown)):
            sizes = [len(group) - (place in group) for group in self.groups()] if self.tied else []
            yield Query(_without(self.shown, place), self.missed, tuple(size for size in sizes if size))
        for place in range(len(self.missed)):
            yield replace(self, missed=_without(self.missed, place))
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
    return Query(shown, missed, tuple(sizes) if dice.random() < 0.5 else ())


def lay(
    asked: Sequence[Query],
    conventions: Conventions | None = None,
    *,
    named: Callable[[str], str] = str,
    shuffle: int | None = None,
) -> Rankings:
    """The queries as measures see them, in their order. `named` renames the docs; `shuffle` mixes the rows.

    The columns cannot be written into.
    """
    # a copy each time, so that what one measure has made it work out is not there for the next
    return replace(_laid(tuple(asked), conventions or Conventions(), named, shuffle))


@lru_cache(maxsize=64)
def _laid(
    asked: tuple[Query, ...], conventions: Conventions, named: Callable[[str], str], shuffle: int | None
) -> Rankings:
    judged: list[tuple[str, str, int]] = []
    shown: list[tuple[str, str, int, float]] = []
    for q, query in enumerate(asked):
        ids = [named(f"q{q}-d{doc:06}") for doc in range(len(query.shown) + len(query.missed))]
        grades = zip(ids, (*query.shown, *query.missed), strict=True)
        judged += [(f"q{q}", doc, grade) for doc, grade in grades if grade != UNJUDGED]
        shown += [(f"q{q}", ids[at], at + 1, -float(group[0])) for group in query.groups() for at in group]
    if shuffle is not None:
        Random(shuffle).shuffle(judged)
        Random(shuffle).shuffle(shown)
    judgments = Judgments.of(
        [query for query, _, _ in judged],
        [doc for _, doc, _ in judged],
        [max(grade, 0) for _, _, grade in judged],
        pooled=[grade == POOLED for _, _, grade in judged],
    )
    run = Run.of(
        "run",
        [query for query, _, _, _ in shown],
        [doc for _, doc, _, _ in shown],
        rank=None if conventions.order == "score" else [rank for _, _, rank, _ in shown],
        score=[score for _, _, _, score in shown],
    )
    places = [f"q{q}" for q in range(len(asked))]
    rankings = align(judgments, run, conventions, places, candidates=[run]).rankings
    for column in vars(rankings).values():
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
    return rankings
