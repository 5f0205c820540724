"""Measures of novelty and diversity: a need has several sides, and a list should cover them early.

A doc covers a subtopic where its grade for it is `rel` or more; how much more does not matter. A subtopic
counts where some judged doc of the query covers it. Docs that nobody judged cover nothing.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from rankproof.measures.covered import Covered, subtopics_of
from rankproof.measures.gains import discounted, of_full_list
from rankproof.measures.greedy import MOST, ideal_list, worth_of
from rankproof.measures.measure import Measure
from rankproof.measures.settings import REL, Setting, share, share_or_end
from rankproof.measures.spelling import Spelling
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

ALPHA = Setting(
    "alpha",
    0.5,
    "How much less a subtopic is worth each time that a doc above covers it: (1 - alpha)^times.",
    share_or_end,
)
BETA = Setting("beta", 0.5, "The chance that a reader goes on to the next rank.", share)

Worth = Callable[[Ints], Floats]
LOG, ZIPF = discounted("log", 2.0), discounted("zipf", 2.0)


def alpha_dcg(r: Rankings, *, cutoff: int | None, alpha: float, rel: int) -> Sum:
    """Gain of each doc over log2(rank + 1), added up, over that of docs each of which covers every subtopic.

    A doc gains (1 - alpha)^n from a subtopic that n docs above it cover.

    >>> alpha_dcg(covering("ab a c"), cutoff=2, alpha=0.5, rel=1).value.round(6)
    array([0.586729])
    >>> # (2/log2(2) + 0.5/log2(3)) / (3 * (1/log2(2) + 0.5/log2(3))) = 2.315465 / 3.946395, 3 subtopics
    """
    return _over_all(r, LOG, cutoff, alpha, rel)


def alpha_ndcg(r: Rankings, *, cutoff: int | None, alpha: float, rel: int) -> Sum:
    """Gain of each doc over log2(rank + 1), added up, over that of the ideal list, which is made greedily.

    The greedy list need not be the best one, so a value can be a little above 1 (never above 1.582).

    >>> alpha_ndcg(covering("ab a c"), cutoff=2, alpha=0.5, rel=1).value.round(6)
    array([0.880094])
    >>> # (2/log2(2) + 0.5/log2(3)) / (2/log2(2) + 1/log2(3)) = 2.315465 / 2.630930: the ideal list is ab, c
    """
    return _over_ideal(r, LOG, cutoff, alpha, rel)


def err_ia(r: Rankings, *, cutoff: int | None, alpha: float, rel: int) -> Sum:
    """Gain of each doc over its rank, added up, over that of docs each of which covers every subtopic.

    It is expected reciprocal rank, averaged over subtopics of equal weight, for a reader who stops at a doc
    that covers the subtopic with chance alpha; the divisor makes a full list 1.

    >>> err_ia(covering("ab a c"), cutoff=2, alpha=0.5, rel=1).value.round(6)
    array([0.6])
    >>> # (2/1 + 0.5/2) / (3 * (1/1 + 0.5/2)) = 2.25 / 3.75
    """
    return _over_all(r, ZIPF, cutoff, alpha, rel)


def nerr_ia(r: Rankings, *, cutoff: int | None, alpha: float, rel: int) -> Sum:
    """Gain of each doc over its rank, added up, over that of the ideal list, which is made greedily.

    >>> nerr_ia(covering("ab a c"), cutoff=2, alpha=0.5, rel=1).value  # (2/1 + 0.5/2) / (2/1 + 1/2)
    array([0.9])
    """
    return _over_ideal(r, ZIPF, cutoff, alpha, rel)


def nrbp(r: Rankings, *, cutoff: int | None, alpha: float, beta: float, rel: int) -> Sum:
    """Gain of each doc times beta^(rank - 1), added up, over that of endless docs that cover every subtopic.

    >>> nrbp(covering("ab a c"), cutoff=None, alpha=0.5, beta=0.5, rel=1).value
    array([0.625])
    >>> # (2 + 0.5 * 0.5 + 1 * 0.25) / (3 / (1 - 0.5 * 0.5)) = 2.5 / 4
    """
    full = 1 / (1 - (1 - alpha) * beta)
    return _gained(r, partial(_patient, beta=beta), cutoff, alpha, rel, full)


def nnrbp(r: Rankings, *, cutoff: int | None, alpha: float, beta: float, rel: int) -> Sum:
    """Gain of each doc times beta^(rank - 1), added up, over that of the ideal list, which is made greedily.

    >>> nnrbp(covering("ab a c"), cutoff=None, alpha=0.5, beta=0.5, rel=1).value.round(6)
    array([0.952381])
    >>> # (2 + 0.5 * 0.5 + 1 * 0.25) / (2 + 1 * 0.5 + 0.5 * 0.25) = 2.5 / 2.625: the ideal list is ab, c, a
    """
    return _over_ideal(r, partial(_patient, beta=beta), cutoff, alpha, rel)


def _patient(rank: Ints, beta: float) -> Floats:
    worth: Floats = np.power(beta, rank - 1.0)
    return worth


def _gained(r: Rankings, worth: Worth, cutoff: int | None, alpha: float, rel: int, full: float) -> Sum:
    """What docs add, times what their places are worth; `full` is what one subtopic could give."""
    c = Covered.by(r, rel)
    gain, place = c.each(worth_of(c.before, alpha)), r.placed(worth, cutoff)
    over = c.n_subtopics * full
    factors = {"subtopics": c.count, "new subtopics": c.new, "gain": gain, "discount": place}
    return Sum(r, gain * place, over, factors)


def _over_all(r: Rankings, worth: Worth, cutoff: int | None, alpha: float, rel: int) -> Sum:
    """The sum over that of docs each of which covers every subtopic."""
    full = of_full_list(lambda rank: worth(rank) * worth_of(rank - 1, alpha), cutoff or 0)
    return _gained(r, worth, cutoff, alpha, rel, full)


def _over_ideal(r: Rankings, worth: Worth, cutoff: int | None, alpha: float, rel: int) -> Sum:
    """The sum over that of the greedy list."""
    reached = _gained(r, worth, cutoff, alpha, rel, 1.0)
    best = ideal_list(r, subtopics_of(r), alpha, rel, cutoff)
    ideal = Sum(best.rankings, best.gain * best.rankings.placed(worth, cutoff))
    return Sum(r, reached.terms, ideal.value, reached.factors, ideal)


MEASURES = (
    Measure(
        "alpha_DCG",
        alpha_dcg,
        (ALPHA, REL),
        title="discounted cumulative gain of novelty, against a full list",
        formula="Σ gain / log2(rank + 1), over the same sum for docs each of which covers every subtopic",
        source="Clarke et al. 2008; normalised as in Clarke et al. 2011",
        family="diversity",
        needs="subtopic",
        cutoff="required",
        sees="subtopics",
        best_first=False,
        also=("alpha-DCG",),
        spelt=(Spelling("ndeval", "alpha-DCG@{k}"),),
    ),
    Measure(
        "alpha_nDCG",
        alpha_ndcg,
        (ALPHA, REL),
        title="normalised discounted cumulative gain of novelty",
        formula="Σ gain / log2(rank + 1), over the same sum for the greedy ideal list",
        source="Clarke et al. 2008",
        family="diversity",
        range=(0.0, MOST),
        needs="subtopic",
        sees="subtopics",
        best_first=False,
        also=("alpha-nDCG",),
        spelt=(Spelling("ndeval", "alpha-nDCG@{k}"),),
    ),
    Measure(
        "ERR_IA",
        err_ia,
        (ALPHA, REL),
        title="intent-aware expected reciprocal rank, against a full list",
        formula="Σ gain / rank, over the same sum for docs each of which covers every subtopic",
        source="Chapelle et al. 2009 and 2011; normalised as in Clarke et al. 2011",
        family="diversity",
        needs="subtopic",
        cutoff="required",
        sees="subtopics",
        best_first=False,
        also=("ERR-IA",),
        spelt=(Spelling("ndeval", "ERR-IA@{k}"),),
    ),
    Measure(
        "nERR_IA",
        nerr_ia,
        (ALPHA, REL),
        title="normalised intent-aware expected reciprocal rank",
        formula="Σ gain / rank, over the same sum for the greedy ideal list",
        source="Chapelle et al. 2009 and 2011",
        family="diversity",
        range=(0.0, MOST),
        needs="subtopic",
        sees="subtopics",
        best_first=False,
        also=("nERR-IA",),
        spelt=(Spelling("ndeval", "nERR-IA@{k}"),),
    ),
    Measure(
        "NRBP",
        nrbp,
        (ALPHA, BETA, REL),
        title="novelty- and rank-biased precision",
        formula="(1 - (1 - alpha) beta) / number of subtopics * Σ gain * beta^(rank - 1)",
        source="Clarke, Kolla and Vechtomova 2009",
        family="diversity",
        needs="subtopic",
        cutoff="none",
        sees="subtopics",
        best_first=False,
        spelt=(Spelling("ndeval", "NRBP"),),
    ),
    Measure(
        "nNRBP",
        nnrbp,
        (ALPHA, BETA, REL),
        title="normalised novelty- and rank-biased precision",
        formula="Σ gain * beta^(rank - 1), over the same sum for the greedy ideal list",
        source="Clarke et al. 2011",
        family="diversity",
        range=(0.0, MOST),
        needs="subtopic",
        cutoff="none",
        sees="subtopics",
        best_first=False,
        spelt=(Spelling("ndeval", "nNRBP"),),
    ),
)
