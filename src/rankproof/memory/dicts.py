"""Dicts: judged docs are looked up in lists of docs and tables of scores, and all others are only counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

import numpy as np

from rankproof.memory.run import Found, best_first, blocks
from rankproof.memory.standing import Tied, Wanted, standing
from rankproof.memory.ties import tied_by
from rankproof.tables.columns import Floats, Ids, Ints
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.run import Run, State, stop_unless_lists
from rankproof.tables.scores import scores_of

Shown = Sequence[str] | Mapping[str, float]
_PLAIN = (dict,)


@dataclass(frozen=True, eq=False)
class DictRun:
    """A run as {query: [doc, ...]}, in the displayed order, or {query: {doc: score}}."""

    name: str
    lists: Mapping[str, Shown]
    _hits: dict[Ordering, Hits] = field(default_factory=dict)

    def table(self) -> Run:
        """The run as a table of all its docs."""
        return Run.from_dict(self.name, self.lists)

    def hits(self, judged: Judged, ordering: Ordering) -> Hits:
        """The judged docs, with their ranks.

        Lists of queries that nobody asked are only counted. Raises what Run.from_dict raises.
        """
        known = self._hits.get(ordering)
        if known is None or known.judged is not judged:
            known = self._hits[ordering] = self._looked_up(judged, ordering)
        return known

    def _looked_up(self, judged: Judged, ordering: Ordering) -> Hits:
        scored = stop_unless_lists(self.name, self.lists)
        _stop_unless_texts(self.lists)
        every = list(map(self.lists.get, judged.queries))
        asked = [at for at, one in enumerate(every) if one is not None and len(one)]
        lists = [_plain(every[at], scored) for at in asked]
        place = np.array(asked, np.int64)
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        look = _in_scores if scored else _in_lists
        parts = [
            look(self.name, lists[part], sizes[part], place[part], judged, ordering) for part in blocks(sizes)
        ]
        counts = [
            np.bincount(one.of_list, minlength=part.stop - part.start)
            for one, part in zip(parts, blocks(sizes), strict=True)
        ]
        offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts) if counts else [])), dtype=np.int64)
        columns = [
            np.concatenate(column) if parts else np.empty(0, np.int64)
            for column in zip(*(part[1:] for part in parts), strict=True)
        ] or [np.empty(0, np.int64)] * 4
        extra, states = self._beside(judged, every)
        return Hits(self.name, judged, ordering, place, sizes, offsets, *columns, extra, states)

    def _beside(self, judged: Judged, every: list[Shown | None]) -> tuple[dict[str, int], dict[str, State]]:
        """The queries that nobody asked with the lengths of their lists, and the queries without a list."""
        extra: dict[str, int] = {}
        if len(self.lists) > len(every) - every.count(None):
            extra = {q: len(one) for q, one in self.lists.items() if q not in judged.place and len(one)}
        empty = sorted(query for query, one in self.lists.items() if not len(one))
        return extra, dict.fromkeys(empty, "empty")


def _plain(shown: Any, scored: bool) -> Any:
    """The same docs as a dict or a list, where they are in something else."""
    if scored:
        return shown if type(shown) is dict else dict(shown)
    return shown if type(shown) is list else list(shown)


def _stop_unless_texts(ids: Iterable[Any]) -> None:
    """The error of Ids.of for an id that is no text."""
    try:
        "".join(ids)
    except TypeError:
        Ids.of(ids)
        raise


def _in_scores(
    run: str, lists: list[dict[str, float]], sizes: Ints, place: Ints, judged: Judged, ordering: Ordering
) -> Found:
    """The judged docs of a block of tables of scores, looked up where there are fewer docs to look up."""
    queries = [judged.queries[at] for at in place.tolist()]
    for one in lists:
        _stop_unless_texts(one)
    score = scores_of(run, queries, lists)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    n_judged = judged.offsets[place + 1] - judged.offsets[place]
    if n_judged.sum() > starts[-1]:
        of_list, row, position = _judged_among(lists, starts, place, judged)
        wanted = Wanted(of_list, score[position], row, position)
    else:
        wanted = _listed_among(lists, score, n_judged, place, judged)

    def tied(at: int) -> Tied:
        first, docs = int(judged.offsets[place[at]]), judged.docs_of[place[at]]
        rows = dict(zip(docs, range(first, first + len(docs)), strict=True))
        ids = list(lists[at])

        def texts(positions: Ints) -> list[str]:
            return [ids[position] for position in positions.tolist()]

        def rows_at(positions: Ints) -> Ints:
            return np.array([rows.get(doc, -1) for doc in texts(positions)], np.int64)

        return tied_by(ordering, judged.grade, rows_at, texts)

    stands = standing(score, starts, wanted, ordering, tied)
    return best_first(Found(wanted.of_list, wanted.name, *stands), starts)


def _listed_among(
    lists: list[dict[str, float]], score: Floats, n_judged: Ints, place: Ints, judged: Judged
) -> Wanted:
    """Each judged doc looked up in the table of its query: those that are there, by their rows in the judgments."""
    docs = [judged.docs_of[at] for at in place.tolist()]
    n = int(n_judged.sum())
    own = np.fromiter(chain.from_iterable(map(map, map(attrgetter("get"), lists), docs)), np.float64, n)
    hit = ~np.isnan(own)  # who is not there has None, which becomes NaN
    if np.isnan(score).any():
        has = map(attrgetter("__contains__"), lists)
        hit = np.fromiter(chain.from_iterable(map(map, has, docs)), bool, n)
    found = np.flatnonzero(hit)
    of_list = np.repeat(np.arange(len(docs)), n_judged)[found]
    before = np.cumsum(n_judged) - n_judged
    return Wanted(of_list, own[found], found + (judged.offsets[place] - before)[of_list])


def _judged_among(
    lists: Sequence[Iterable[str]], starts: Ints, place: Ints, judged: Judged
) -> tuple[Ints, Ints, Ints]:
    """Each displayed doc looked up in the judgments of its query: the list, the row and the position of those there."""
    getters = [judged.rows_of[at].get for at in place.tolist()]
    rows = chain.from_iterable(map(map, getters, lists, repeat(repeat(-1))))
    row = np.fromiter(rows, np.int64, int(starts[-1]))
    position = np.flatnonzero(row >= 0)
    of_list = np.repeat(np.arange(len(lists)), np.diff(starts))[position]
    return of_list, row[position], position


def _in_lists(
    run: str, lists: list[list[str]], sizes: Ints, place: Ints, judged: Judged, ordering: Ordering
) -> Found:
    """The judged docs of a block of lists, whose order is the one that counts."""
    for one in lists:
        _stop_unless_texts(one)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    of_list, row, position = _judged_among(lists, starts, place, judged)
    rank = position - starts[of_list] + 1
    return best_first(Found(of_list, row, rank, rank, np.ones(len(rank), np.int64)), starts)
