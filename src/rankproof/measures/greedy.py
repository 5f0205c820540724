"""The ideal list of docs with subtopics: place by place the doc that adds most to those above it.

Finding the best possible list is NP-hard (Carterette 2011). The greedy one gains, down to every place, at
least 1 - 1/e of what any list could (Nemhauser, Wolsey and Fisher 1978), so what is divided by it can
exceed 1 and never e / (e - 1) = 1.582. Of docs that add the same, the one with the greatest id comes first.
"""

from typing import NamedTuple

import numpy as np

from rankproof.tables.columns import Bools, Floats, Ints, offsets_of
from rankproof.tables.rankings import Rankings
from rankproof.tables.subtopics import Docs, Subtopics

MOST = float(np.e / (np.e - 1))  # of a value that is divided by that of the greedy list
DIGITS = 12  # sums of the same gains in another order differ beyond these


class Listed(NamedTuple):
    """A list of each query, and what its docs add (n_docs,)."""

    rankings: Rankings
    gain: Floats


def worth_of(seen: Ints, alpha: float) -> Floats:
    """(n,) what a subtopic is worth that `seen` docs above covered: (1 - alpha)^seen."""
    powers = np.power(1 - alpha, np.arange(int(seen.max(initial=0)) + 1, dtype=np.float64))
    return powers[seen]


def ideal_list(r: Rankings, s: Subtopics, alpha: float, rel: int, depth: int | None) -> Listed:
    """The greedy list of each query, down to `depth` or to the last doc that covers anything.

    Goes place by place through all queries at once: O(places x judged pairs of doc and subtopic), at most.
    """
    docs = s.best
    rows = np.flatnonzero(docs.grade >= rel)
    doc, subtopic = docs.doc[rows], docs.subtopic[rows]
    seen = np.zeros(int(s.offsets[-1]), np.int64)
    chosen: list[Ints] = []
    gains: list[Floats] = []
    while len(doc) and len(chosen) != depth:
        begins = _begins(doc)
        left, place = doc[begins], np.cumsum(begins) - 1
        gain = np.bincount(place, weights=worth_of(seen[subtopic], alpha)).astype(np.float64)
        best = _best_of_each(docs.query[left], gain)
        chosen.append(left[best])
        gains.append(gain[best])
        taken = best[place]
        seen[subtopic[taken]] += (
            1  # a doc has a row for each of its subtopics, and a query one doc: no repeats
        )
        doc, subtopic = doc[~taken], subtopic[~taken]
    return _lists(r, docs, rel, chosen, gains)


def _best_of_each(query: Ints, gain: Floats) -> Bools:
    """(n_docs,) True for the doc of each query that adds most; the first of several. Docs stand by query."""
    fall = np.round(gain, DIGITS)
    starts = np.flatnonzero(_begins(query))
    most = np.repeat(np.maximum.reduceat(fall, starts), np.diff(np.append(starts, len(query))))
    candidates = np.flatnonzero(fall == most)
    best = np.zeros(len(query), bool)
    best[candidates[_begins(query[candidates])]] = True
    return best


def _begins(column: Ints) -> Bools:
    """(n,) True where a value of a sorted column stands for the first time."""
    begins = np.ones(len(column), bool)
    begins[1:] = column[1:] != column[:-1]
    return begins


def _lists(r: Rankings, docs: Docs, rel: int, chosen: list[Ints], gains: list[Floats]) -> Listed:
    """The docs chosen place by place as a list of each query."""
    every = np.concatenate([np.empty(0, np.int64), *chosen])
    gain = np.concatenate([np.empty(0), *gains])
    order = np.argsort(docs.query[every], kind="stable")  # within a query in the order of the choice
    offsets = offsets_of(docs.query[every][order], r.n_queries)
    highest = np.zeros(len(docs.starts) - 1, np.int64)
    np.maximum.at(highest, docs.doc, np.where(docs.grade >= rel, docs.grade, 0))
    return Listed(r.listed(offsets, highest[every[order]]), gain[order])
