"""Measures built on a model of how a person reads down the list."""

from functools import partial

import numpy as np

from rankproof.measures.measure import REL, Measure, P
from rankproof.measures.spelling import spellings
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum


def rank_biased_precision(r: Rankings, *, cutoff: int | None, rel: int, p: float) -> Sum:
    """What a reader gains a place, who goes on to the next place with chance `p`; relevant docs are worth 1.

    >>> rank_biased_precision(written("1 0 1"), cutoff=None, rel=1, p=0.8).value.round(3)  # 0.2 + 0.2 * 0.8^2
    array([0.328])
    """
    weight = r.placed(partial(_persistent, p=p), cutoff)
    return Sum(r, weight * r.relevant(rel), 1.0, {"weight": weight})


def _persistent(rank: Ints, p: float) -> Floats:
    weight: Floats = (1 - p) * np.power(p, rank - 1.0)
    return weight


MEASURES = (
    Measure(
        "RBP",
        rank_biased_precision,
        (P, REL),
        title="rank-biased precision",
        formula="(1 - p) Σ over relevant docs: p^(rank - 1)",
        source="Moffat and Zobel 2008",
        family="user model",
        linear=True,
        spelt=(
            *spellings("ir_measures", "RBP(p={p})[@{k}]"),
            *spellings("ranx", "rbp.{digits}", "rbp@{digits}", p="0.{digits}"),
        ),
    ),
)
