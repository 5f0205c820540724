"""Ties: what decides between docs of equal scores."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rankproof.tables.columns import Ints
from rankproof.tables.displayed import POOLED
from rankproof.tables.hits import Ordering
from rankproof.tables.judgments import NO_GRADE


class Tied(NamedTuple):
    """The docs of one list at some positions: their rows in the judgments, and what decides between equal scores.

    rows   below 0 where nobody judged the doc
    key    the least first; equal ones stand in the order of their positions
    """

    rows: Callable[[Ints], Ints]
    key: Callable[[Ints], Ints]


def tied_by(
    ordering: Ordering, grade: Ints, rows: Callable[[Ints], Ints], texts: Callable[[Ints], list[str]]
) -> Tied:
    """What decides in one list; `texts` gives the ids at some positions, `grade` is that of each judgment."""

    def key(positions: Ints) -> Ints:
        if ordering.ties == "file":
            return positions
        if ordering.ties == "file_last":
            return -positions
        if ordering.ties in ("doc_id_asc", "doc_id_desc"):
            place = _places(texts(positions))
            return place if ordering.ties == "doc_id_asc" else -place
        worth = np.full(len(positions), NO_GRADE)
        judged = rows(positions)
        own = grade[judged[judged >= 0]]
        worthless = {"zero": 0, "skip": NO_GRADE}.get(ordering.negative_grades, POOLED)
        worth[judged >= 0] = np.where(own < 0, worthless, own)
        return -worth if ordering.ties == "optimistic" else worth

    return Tied(rows, key)


def _places(texts: list[str]) -> Ints:
    """(n,) the place of each text among all, sorted."""
    place = {text: at for at, text in enumerate(sorted(set(texts)))}
    return np.fromiter(map(place.__getitem__, texts), np.int64, len(texts))
