"""Looking up: the judged docs of a block of lists, found by their ids."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from rankproof.memory.run import Found, starts_of
from rankproof.memory.standing import Scored, by_counting, by_sorting
from rankproof.memory.ties import Tied, tied_by
from rankproof.tables.columns import Floats, Ids, Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.scores import scores_of


class Block(NamedTuple):
    """Some lists of a run; list i is about the query place[i] of the judgments."""

    judged: Judged
    place: Ints
    starts: Ints

    def docs(self) -> Iterable[list[str]]:
        """The judged docs of each query, one list at a time: many at once would make the collector of garbage look up."""
        edges = self.judged.offsets
        ranges = map(slice, edges[self.place].tolist(), edges[self.place + 1].tolist())
        return map(self.judged.docs.texts().__getitem__, ranges)

    @property
    def n_judged(self) -> Ints:
        """How many those are."""
        return self.judged.offsets[self.place + 1] - self.judged.offsets[self.place]


def in_lists(lists: Sequence[list[str]], place: Ints, sizes: Ints, judged: Judged) -> Found:
    """The judged docs of lists whose order is the one that counts."""
    _stop_unless_texts(lists)
    block = Block(judged, place, starts_of(sizes))
    of_list, row, position = _judged_among(lists, block)
    rank = position - block.starts[of_list] + 1
    return Found(of_list, row, rank, rank, np.ones(len(rank), np.int64))


def in_scores(
    run: str, lists: Sequence[dict[str, float]], place: Ints, sizes: Ints, judged: Judged, ordering: Ordering
) -> Found:
    """The judged docs of tables of scores, looked up on the side where there are fewer docs to look up."""
    _stop_unless_texts(lists)
    block = Block(judged, place, starts_of(sizes))
    score = scores_of(run, [judged.queries[at] for at in place.tolist()], lists)
    if block.n_judged.sum() > block.starts[-1]:
        of_list, row, position = _judged_among(lists, block)
        tied = _tied_at_positions(lists, row, position, block, ordering)
        return Found(
            of_list, row, *by_sorting(Scored(score, block.starts, ordering, tied), of_list, position)
        )
    of_list, row, own = _listed_among(lists, score, block)
    tied = _tied_by_id(lists, of_list, row, block, ordering)
    return Found(of_list, row, *by_counting(Scored(score, block.starts, ordering, tied), of_list, own, row))


def _stop_unless_texts(lists: Sequence[Iterable[Any]]) -> None:
    """The error of Ids.of for an id that is no text."""
    for ids in lists:
        try:
            "".join(ids)
        except TypeError:
            Ids.of(ids)
            raise


def _judged_among(lists: Sequence[Iterable[str]], block: Block) -> tuple[Ints, Ints, Ints]:
    """Each displayed doc looked up in the judgments of its query: the list, the row and the position of those there."""
    getters = map(attrgetter("get"), map(block.judged.rows_of.__getitem__, block.place.tolist()))
    rows = chain.from_iterable(map(map, getters, lists, repeat(repeat(-1))))
    row = np.fromiter(rows, np.int64, int(block.starts[-1]))
    position = np.flatnonzero(row >= 0)
    of_list = np.repeat(np.arange(len(lists)), np.diff(block.starts))[position]
    return of_list, row[position], position


def _listed_among(
    lists: Sequence[dict[str, float]], score: Floats, block: Block
) -> tuple[Ints, Ints, Floats]:
    """Each judged doc looked up in the table of its query: the list, the row and the score of those that are there."""
    n_judged = block.n_judged
    n = int(n_judged.sum())
    own = np.fromiter(
        chain.from_iterable(map(map, map(attrgetter("get"), lists), block.docs())), np.float64, n
    )
    hit = ~np.isnan(own)  # who is not there has None, which becomes NaN
    if np.isnan(score).any():
        has = map(attrgetter("__contains__"), lists)
        hit = np.fromiter(chain.from_iterable(map(map, has, block.docs())), bool, n)
    found = np.flatnonzero(hit)
    of_list = np.repeat(np.arange(len(lists)), n_judged)[found]
    shift = block.judged.offsets[block.place] - (np.cumsum(n_judged) - n_judged)
    return of_list, found + shift[of_list], own[found]


def _tied_at_positions(
    lists: Sequence[dict[str, float]], row: Ints, position: Ints, block: Block, ordering: Ordering
) -> Callable[[int], Tied]:
    """What decides between equal scores, where it is known at which position each judged doc stands."""
    row_at = np.full(block.starts[-1], -1)
    row_at[position] = row

    def tied(at: int) -> Tied:
        own = row_at[block.starts[at] : block.starts[at + 1]]
        return tied_by(ordering, block.judged.grade, lambda positions: own[positions], _ids_of(lists[at]))

    return tied


def _tied_by_id(
    lists: Sequence[dict[str, float]], of_list: Ints, row: Ints, block: Block, ordering: Ordering
) -> Callable[[int], Tied]:
    """The same where judged docs are known by their ids."""
    edges = np.searchsorted(of_list, np.arange(len(lists) + 1)).tolist()

    def tied(at: int) -> Tied:
        docs, ids = block.judged.docs.texts(), _ids_of(lists[at])
        rows = {docs[one]: one for one in row[edges[at] : edges[at + 1]].tolist()}

        def rows_at(positions: Ints) -> Ints:
            return np.array([rows.get(doc, -1) for doc in ids(positions)], np.int64)

        return tied_by(ordering, block.judged.grade, rows_at, ids)

    return tied


def _ids_of(scores: dict[str, float]) -> Callable[[Ints], list[str]]:
    """What gives the ids at some positions of a table of scores."""
    ids = list(scores)
    return lambda positions: [ids[position] for position in positions.tolist()]
