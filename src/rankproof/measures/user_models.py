"""Measures built on a model of how a person reads down the list."""

from functools import partial

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.measures.settings import REL, P, Setting, one_of
from rankproof.measures.spelling import Spelling, spellings
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


def rank_biased_precision(
    r: Rankings, *, cutoff: int | None, rel: int, p: float, gain: str = "binary"
) -> Sum:
    """What a reader gains a place, who goes on to the next place with chance `p`; relevant docs are worth 1.

    With gain=scaled a doc is worth its grade over the highest grade of its own query, whatever `rel` says; with
    gain=linear its grade, so that the value may be above 1.

    >>> rank_biased_precision(written("1 0 1"), cutoff=None, rel=1, p=0.8).value.round(3)  # 0.2 + 0.2 * 0.8^2
    array([0.328])
    >>> rank_biased_precision(written("1 4"), cutoff=None, rel=1, p=0.8, gain="scaled").value.round(3)
    array([0.21])
    >>> # 0.2 * 1/4 + 0.2 * 0.8 * 4/4
    """
    weight = r.placed(partial(persistent, p=p), cutoff)
    if gain == "binary":
        return Sum(r, weight * r.relevant(rel), 1.0, {"weight": weight})
    highest = r.pool.peak(r.pool.grade)[r.query] if gain == "scaled" else np.ones(len(r.grade))
    worth = ratio(r.grade.astype(float), highest)
    return Sum(r, weight * worth, 1.0, {"weight": weight, "gain": worth})


def rank_biased_residual(r: Rankings, *, cutoff: int | None, p: float, beyond: str) -> Sum:
    """How much rank-biased precision could still rise: what places are worth that hold no judged doc, to infinity.

    With beyond=unjudged, 0 for a list in which every doc is judged, though places after its end are worth
    something.

    >>> rank_biased_residual(written("1 . 0"), cutoff=None, p=0.8, beyond="all").value.round(3)
    array([0.672])
    >>> # 1 - 0.2 - 0.2 * 0.8^2
    """
    judged = r.total(r.placed(partial(persistent, p=p), cutoff))
    rest = np.maximum(1 - judged, 0.0)
    if beyond == "unjudged":
        rest = np.where(r.n_shown(cutoff) > r.total(r.top(cutoff)), rest, 0.0)
    return Sum.each(r, rest, {"weight of judged docs": judged})


def persistent(rank: Ints, p: float) -> Floats:
    """(n,) what a place is worth to a reader who goes on to the next one with chance `p`."""
    weight: Floats = (1 - p) * np.power(p, rank - 1.0)
    return weight


SCALED = Setting(
    "gain",
    "binary",
    "What a doc is worth: 1 from grade `rel` on (binary), or its grade over the highest grade of its own query "
    "(scaled), or its grade (linear: then the value may be above 1).",
    one_of("binary", "scaled", "linear"),
)
BEYOND = Setting(
    "beyond",
    "all",
    "Whether the places after the end of the list count for every query (all), or only where a displayed doc is "
    "not judged (unjudged).",
    one_of("all", "unjudged"),
)

MEASURES = (
    Measure(
        "RBP",
        rank_biased_precision,
        (P, REL, SCALED),
        title="rank-biased precision",
        formula="(1 - p) Σ over relevant docs: p^(rank - 1)",
        source="Moffat and Zobel 2008",
        family="user model",
        needs="worth",
        linear=True,
        spelt=(
            Spelling("trec_eval", "rbp", {"p": "0.9", "gain": "scaled"}),
            Spelling("trec_eval", "rbp_p={p}", {"gain": "scaled"}),
            *spellings("ir_measures", "RBP(p={p})[@{k}]"),
            *spellings("ranx", "rbp.{digits}", "rbp@{digits}", p="0.{digits}"),
        ),
    ),
    Measure(
        "RBPResidual",
        rank_biased_residual,
        (P, BEYOND),
        title="residual of rank-biased precision",
        formula="1 - (1 - p) Σ over judged docs: p^(rank - 1)",
        source="Moffat and Zobel 2008",
        family="user model",
        direction="down",
        needs="",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "rbp_resid", {"p": "0.9"}),
            Spelling("trec_eval", "rbp_resid_p={p}"),
        ),
    ),
)
