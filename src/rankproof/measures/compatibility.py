"""Compatibility: how much a list is like the ideal one, where what stands on top counts most."""

from dataclasses import replace

import numpy as np

from rankproof.errors import UsageError
from rankproof.measures.measure import Measure
from rankproof.measures.reading_models import rank_or_inf
from rankproof.measures.settings import REL, P, Setting
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

DEEPEST = 1_000_000  # places down to which overlaps are added up one by one


def _depth(text: str) -> float | str:
    """A rank, inf, or the word lists."""
    depth = text if text == "lists" else rank_or_inf(text)
    if depth not in ("lists", np.inf) and float(depth) > DEEPEST:
        raise UsageError(
            'The depth "{seen}" is beyond {largest}, where the comparison of lists ends. Write inf for lists without end.',
            seen=text,
            largest=DEEPEST,
        )
    return depth


def _truth(text: str) -> bool:
    """True or False, in whatever case."""
    if text.lower() not in ("true", "false"):
        raise UsageError('"{seen}" is neither True nor False.', seen=text)
    return text.lower() == "true"


PERSISTENCE = replace(P, default=0.95, help="How deep the two lists are compared: what the next rank counts.")
NORMALIZE = Setting(
    "normalize",
    True,
    "Divide by what the ideal list has, which may be shorter than lists are compared.",
    _truth,
)
DEPTH = Setting(
    "depth",
    1000.0,
    "The rank down to which the lists are compared: a rank, inf, or as far as the longer of the two goes (lists).",
    _depth,
)


def compatibility(
    r: Rankings,
    *,
    cutoff: int | None,  # noqa: ARG001 - every measure takes a cutoff; this one has none
    rel: int,
    p: float,
    normalize: bool,
    depth: float | str,
) -> Sum:
    """The rank-biased overlap of a list and the ideal list that is most like it; the share of that of the ideal list.

    The ideal list has the relevant docs, best first; equal grades stand as they were displayed, and those that
    were not displayed come last. A doc is in both lists from the deeper of its two ranks on.

    >>> settings = {"rel": 1, "p": 0.5, "normalize": True, "depth": 2}
    >>> compatibility(written("1 2"), cutoff=None, **settings).value.round(6)
    array([0.333333])
    >>> # ideal: the 2 first. Overlap 0/1 and 2/2, weights 1 and 1/2: (1/2) / (1 + 1/2)
    """
    ends = np.maximum(r.n_retrieved, r.n_relevant(rel)) if depth == "lists" else np.full(r.n_queries, depth)
    ends = ends.astype(float)
    hit, place = r.relevant(rel), _ideal_rank(r)
    shared = hit * _from(np.maximum(r.rank, place), ends[r.query], p)
    pool = r.pool
    best = pool.total(pool.relevant(rel) * _from(pool.rank, ends[pool.query], p))
    over = best if normalize else (1 - p**ends) / (1 - p)
    return Sum(r, shared, over, {"ideal rank": place})


def _ideal_rank(r: Rankings) -> Ints:
    """(n_rows,) the rank of each hit in the ideal list: after all better docs, and after its like above it."""
    rank = np.zeros(len(r.rank), np.int64)
    for grade in np.unique(r.grade):
        better = r.pool.total(r.pool.grade > grade).astype(np.int64)
        alike = r.grade == grade
        rank[alike] = (better[r.query] + r.running(alike))[alike]
    return rank


def _from(rank: Ints, end: Floats, p: float) -> Floats:
    """(n_rows,) Σ p^(i - 1) / i from `rank` down to `end`."""
    endless = np.isinf(end)
    last = np.where(endless, 0, end).astype(np.int64)
    places = np.arange(1, max(rank.max(initial=0), last.max(initial=0)) + 1)
    upto = np.concatenate(([0.0], np.cumsum(p ** (places - 1.0) / places)))
    whole = np.where(endless, -np.log1p(-p) / p, upto[last])
    left: Floats = np.maximum(whole - upto[rank - 1], 0.0)
    return left


MEASURES = (
    Measure(
        "Compat",
        compatibility,
        (PERSISTENCE, REL, NORMALIZE, DEPTH),
        title="compatibility: rank-biased overlap with the ideal list",
        formula="Σ over ranks i: p^(i - 1) · share of the first i places that both lists have, over that of the ideal list",
        source="Clarke, Vtyurina and Smucker 2021",
        family="user model",
        cutoff="none",
        also=("Compatibility",),
    ),
)
