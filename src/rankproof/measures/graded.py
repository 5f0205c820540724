"""Measures that use how relevant a doc is: discounted gain and its kin."""

from dataclasses import replace

import numpy as np

from rankproof.measures.measure import GAIN, MAX_GRADE, REL, Measure, worth
from rankproof.tables.conventions import GainTable
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum


def dcg(r: Rankings, *, cutoff: int | None, gain: str | GainTable) -> Sum:
    """Gain of each doc, discounted by 1 / log2(rank + 1), added up.

    >>> dcg(written("1 3 0 2 0"), cutoff=3, gain="linear").value  # 1/log2(2) + 3/log2(3) + 0
    array([2.89278926])
    """
    gains, discount = worth(r.grade, gain), 1 / np.log2(r.rank + 1)
    return Sum(r, gains * discount * r.top(cutoff), 1.0, {"gain": gains, "discount": discount})


def ideal_dcg(r: Rankings, *, cutoff: int | None, gain: str | GainTable) -> Sum:
    """DCG of the best possible list.

    >>> ideal_dcg(written("1 3 0 2 0"), cutoff=3, gain="linear").value  # 3 + 2/log2(3) + 1/log2(4)
    array([4.76185951])
    """
    return dcg(_best(r, gain), cutoff=cutoff, gain=gain)


def ndcg(r: Rankings, *, cutoff: int | None, gain: str | GainTable) -> Sum:
    """DCG divided by the DCG of the best possible list: all judged docs, best first, cut at the cutoff.

    >>> ndcg(written("1 3 0 2 0"), cutoff=3, gain="linear").value.round(6)  # 2.892789 / 4.761860
    array([0.607492])
    """
    reached = dcg(r, cutoff=cutoff, gain=gain)
    ideal = ideal_dcg(r, cutoff=cutoff, gain=gain)
    return Sum(r, reached.terms, ideal.value, reached.factors, ideal)


def _best(r: Rankings, gain: str | GainTable) -> Rankings:
    """The best possible list; a gain table may value grades in another order than their own."""
    if isinstance(gain, str):
        return r.ideal
    order = np.lexsort((-worth(r.ideal.grade, gain), r.ideal.query))
    return replace(r.ideal, grade=r.ideal.grade[order])


def expected_reciprocal_rank(r: Rankings, *, cutoff: int | None, rel: int, max_grade: int | None) -> Sum:
    """The expected 1 / rank at which a reader stops, who stops at grade g with chance (2^g - 1) / 2^max.

    >>> expected_reciprocal_rank(written("2 0 1"), cutoff=None, rel=1, max_grade=2).value  # 3/4 + 1/4 * 1/4 * 1/3
    array([0.77083333])
    """
    top = r.top_grade if max_grade is None else max_grade
    counted = np.where(r.relevant(max(rel, 1)), r.grade, 0)
    above = np.minimum(counted - top, 1)  # a grade above the scale stops everybody
    stops = np.minimum(np.exp2(above) - np.exp2(-top), 1.0)
    reaches = r.running_product(1 - stops)
    return Sum(
        r,
        stops * reaches / r.rank * r.top(cutoff),
        1.0,
        {"chance to stop": stops, "chance to reach": reaches},
    )


MEASURES = (
    Measure(
        "nDCG",
        ndcg,
        (GAIN,),
        title="normalised discounted cumulative gain",
        formula="DCG / IDCG",
        source="Järvelin and Kekäläinen 2002; exp2: Burges et al. 2005",
        needs="gain",
        also=("NDCG",),
        trec_eval="ndcg",
        trec_eval_cut="ndcg_cut",
        elsewhere={"ranx": "ndcg (linear), ndcg_burges (exp2)", "scikit-learn": "ndcg_score"},
    ),
    Measure(
        "DCG",
        dcg,
        (GAIN,),
        title="discounted cumulative gain",
        formula="Σ gain / log2(rank + 1)",
        source="Järvelin and Kekäläinen 2002",
        needs="gain",
        range=(0.0, None),
        trec_eval="dcg",
    ),
    Measure(
        "IDCG",
        ideal_dcg,
        (GAIN,),
        title="DCG of the best possible list",
        formula="Σ over the ideal list: gain / log2(rank + 1)",
        source="Järvelin and Kekäläinen 2002",
        needs="gain",
        range=(0.0, None),
        trec_eval="ideal_dcg",
    ),
    Measure(
        "ERR",
        expected_reciprocal_rank,
        (REL, MAX_GRADE),
        title="expected reciprocal rank",
        formula="Σ over ranks: (1/rank) · chance to stop here · chance to come so far",
        source="Chapelle et al. 2009",
    ),
)
