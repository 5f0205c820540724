"""Ties: what decides between docs of equal scores."""

from collections.abc import Callable

import numpy as np

from rankproof.memory.standing import Tied
from rankproof.tables.columns import Ints
from rankproof.tables.displayed import POOLED
from rankproof.tables.hits import Ordering
from rankproof.tables.judgments import NO_GRADE


def tied_by(
    ordering: Ordering,
    grade: Ints,
    rows: Callable[[Ints], Ints],
    texts: Callable[[Ints], list[str]],
    name: Callable[[Ints], Ints] | None = None,
) -> Tied:
    """What decides in one list; `rows` gives the row of the judgments at some positions (below 0 without one), `texts` the ids.

    Docs go by the name `name`, by their rows where there is none.
    """

    def key(positions: Ints) -> Ints:
        if ordering.ties == "file":
            return positions
        if ordering.ties == "file_last":
            return -positions
        if ordering.ties in ("doc_id_asc", "doc_id_desc"):
            place = _places(texts(positions))
            return place if ordering.ties == "doc_id_asc" else -place
        judged = rows(positions)
        worth = np.where(judged >= 0, grade[judged] if len(grade) else NO_GRADE, NO_GRADE)
        worthless = {"zero": 0, "skip": NO_GRADE}.get(ordering.negative_grades, POOLED)
        worth = np.where((worth < 0) & (judged >= 0), worthless, worth)
        return -worth if ordering.ties == "optimistic" else worth

    return Tied(name or rows, key)


def _places(texts: list[str]) -> Ints:
    """(n,) the place of each text among all, sorted."""
    place = {text: at for at, text in enumerate(sorted(set(texts)))}
    return np.fromiter(map(place.__getitem__, texts), np.int64, len(texts))
