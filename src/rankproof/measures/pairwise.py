"""Measures over pairs of docs: how often the better one stands above the other."""

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.measures.settings import REL, Setting, one_of
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum

UNJUDGED = Setting(
    "unjudged",
    "nonrelevant",
    "A displayed doc without judgment counts as not relevant (nonrelevant), or does not count (left_out).",
    one_of("nonrelevant", "left_out"),
)


def accuracy(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """The chance that a relevant doc in the cutoff stands above one there that is not, judged or not.

    >>> accuracy(written("1 . 1 0"), cutoff=None, rel=1).value  # the first above both others, the second above one
    array([0.75])
    """
    hit = r.relevant(rel) & r.top(cutoff)
    found = r.total(hit)
    above = (r.rank - r.running(hit)).astype(np.float64)
    others = (r.n_shown(cutoff) - found)[r.query]
    return Sum(r, hit * (1 - ratio(above, others)), found, {"not relevant above": above})


def area(r: Rankings, *, cutoff: int | None, rel: int, unjudged: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """The chance that a displayed relevant doc scored above one that is not, where equal scores are half above.

    >>> area(written("1 . 1 0"), cutoff=None, rel=1, unjudged="left_out").value  # both above the one judged 0
    array([1.])
    """
    hit = r.relevant(rel)
    found = r.total(hit)
    if unjudged == "nonrelevant":
        above = r.tie_start - 1 - _above_ties(r, hit)
        tied = r.tie_size - _among_ties(r, hit)
        others = r.n_shown(None) - found
    else:
        above, tied, others = _above_ties(r, ~hit), _among_ties(r, ~hit), r.total(~hit)
    worse = ratio(above + tied / 2, others[r.query])
    return Sum(r, hit * (1 - worse), found, {"not relevant above": above, "not relevant, score equal": tied})


def _tie_groups(r: Rankings) -> Bools:
    """(n_rows,) True at the first hit of each group of equal scores."""
    first: Bools = r.position == 1
    first[1:] |= r.tie_start[1:] != r.tie_start[:-1]
    return first


def _above_ties(r: Rankings, count: Bools) -> Ints:
    """(n_rows,) how many of the marked hits stand above the group of equal scores of each hit."""
    rows = np.maximum.accumulate(np.where(_tie_groups(r), np.arange(len(count)), 0))
    above: Ints = (r.running(count) - count)[rows]
    return above


def _among_ties(r: Rankings, count: Bools) -> Floats:
    """(n_rows,) how many of the marked hits are in the group of equal scores of each hit."""
    group = np.cumsum(_tie_groups(r)) - 1
    counts: Floats = np.bincount(group, weights=count)[group]
    return counts


def pair_accuracy(r: Rankings, *, cutoff: int | None) -> Sum:
    """The share of the pairs of judged docs with different grades in which the better one stands higher.

    A judged doc that is not in the cutoff stands below every one that is; of two that are not there, none is higher.

    >>> pair_accuracy(written("1 2", missed="0"), cutoff=None).value.round(6)  # (1, 0) and (2, 0) of three pairs
    array([0.666667])
    """
    shown = r.top(cutoff)
    right, alike = np.zeros(len(shown)), np.zeros(r.n_queries)
    for grade in np.unique(r.pool.grade):
        of_grade = (r.grade == grade) & shown
        missed = r.pool.total(r.pool.grade < grade) - r.total((r.grade < grade) & shown)
        right[of_grade] = (r.running((r.grade > grade) & shown) + missed[r.query])[of_grade]
        alike += r.pool.total(r.pool.grade == grade) ** 2
    pairs = (r.pool.total(np.ones(len(r.pool.grade))) ** 2 - alike) / 2
    return Sum(r, right, pairs, {"pairs in the right order": right})


MEASURES = (
    Measure(
        "Accuracy",
        accuracy,
        (REL,),
        title="accuracy: relevant docs above others",
        formula="share of the pairs of a relevant doc and another one in the cutoff in which the relevant one is higher",
        source="ir_measures 0.4.3, 2025",
        family="pairwise",
        needs="kinds",
    ),
    Measure(
        "PairAccuracy",
        pair_accuracy,
        (),
        title="pair accuracy",
        formula="pairs of judged docs with different grades in the right order / all such pairs",
        source="Kendall 1938; CatBoost and TensorFlow Ranking",
        family="pairwise",
        needs="grades",
    ),
    Measure(
        "AUC",
        area,
        (REL, UNJUDGED),
        title="area under the ROC curve",
        formula="share of the pairs of a relevant displayed doc and another one in which the relevant one scored "
        "higher, equal scores being one half",
        source="Hanley and McNeil 1982",
        family="pairwise",
        needs="kinds",
        cutoff="none",
        linear=True,
        also=("ROC-AUC", "roc_auc"),
    ),
)
