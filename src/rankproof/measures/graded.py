"""Measures that use how relevant a doc is: discounted gain and its kin."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rankproof.errors import UsageError
from rankproof.measures.gains import discounted, of_full_list, worth
from rankproof.measures.measure import Measure
from rankproof.measures.settings import BASE, DISCOUNT, GAIN, MAX_GRADE, REL, Setting, one_of
from rankproof.measures.spelling import Spelling, spellings
from rankproof.tables.conventions import GainTable
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

AGAINST = Setting(
    "against",
    "ideal",
    "Divide by the ideal list cut at the cutoff (ideal), by all of it (uncut), by so much of it as was "
    "displayed (length), or by a cutoff full of docs of the top grade, though there may not be so many (full).",
    one_of("ideal", "uncut", "length", "full"),
)


def dcg(
    r: Rankings, *, cutoff: int | None, gain: str | GainTable, discount: str = "log", base: float = 2.0
) -> Sum:
    """Gain of each doc times what its place is worth, 1 / log2(rank + 1) by default, added up.

    >>> dcg(written("1 3 0 2 0"), cutoff=3, gain="linear").value  # 1/log2(2) + 3/log2(3) + 0
    array([2.89278926])
    """
    gains, place = worth(r.grade, gain), r.placed(discounted(discount, base), cutoff)
    return Sum(r, gains * place, 1.0, {"gain": gains, "discount": place})


def ideal_dcg(
    r: Rankings, *, cutoff: int | None, gain: str | GainTable, discount: str = "log", base: float = 2.0
) -> Sum:
    """DCG of the best possible list.

    >>> ideal_dcg(written("1 3 0 2 0"), cutoff=3, gain="linear").value  # 3 + 2/log2(3) + 1/log2(4)
    array([4.76185951])
    """
    return dcg(best_list(r, gain, cutoff), cutoff=cutoff, gain=gain, discount=discount, base=base)


def ndcg(
    r: Rankings,
    *,
    cutoff: int | None,
    gain: str | GainTable,
    discount: str = "log",
    base: float = 2.0,
    against: str = "ideal",
) -> Sum:
    """DCG divided by the DCG of the best possible list: all judged docs, best first, cut at the cutoff.

    >>> ndcg(written("1 3 0 2 0"), cutoff=3, gain="linear").value.round(6)  # 2.892789 / 4.761860
    array([0.607492])
    >>> ndcg(written("1", missed="3"), cutoff=3, gain="linear", against="length").value.round(4)  # 1 / 3
    array([0.3333])
    """
    reached = dcg(r, cutoff=cutoff, gain=gain, discount=discount, base=base)
    if against == "full":
        return Sum(r, reached.terms, _full(r, cutoff, gain, discount, base), reached.factors)
    ideal = ideal_dcg(
        r, cutoff=None if against == "uncut" else cutoff, gain=gain, discount=discount, base=base
    )
    if against == "length":
        listed = ideal.rankings.rank <= r.n_retrieved[ideal.rankings.query]
        ideal = replace(ideal, terms=ideal.terms * listed)
    return Sum(r, reached.terms, ideal.value, reached.factors, ideal)


def _full(r: Rankings, cutoff: int | None, gain: str | GainTable, discount: str, base: float) -> float:
    """DCG of a cutoff full of docs of the top grade, whether there are so many or not."""
    if cutoff is None:
        raise UsageError("nDCG(against=full) needs a cutoff: write nDCG(against=full)@10, for example.")
    grades = np.array(
        [
            r.top_grade,
            *(grade for grade in (gain if isinstance(gain, Mapping) else ()) if grade <= r.top_grade),
        ]
    )
    top = worth(grades, gain).max()
    return float(top * of_full_list(discounted(discount, base), cutoff))


def cumulated_gain(r: Rankings, *, cutoff: int | None, gain: str | GainTable) -> Sum:
    """Gain of each doc in the cutoff, added up without a discount.

    >>> cumulated_gain(written("1 3 0 2"), cutoff=3, gain="linear").value  # 1 + 3 + 0
    array([4.])
    """
    gains = worth(r.grade, gain)
    return Sum(r, gains * r.within(cutoff), 1.0, {"gain": gains})


def best_list(r: Rankings, gain: str | GainTable, cutoff: int | None = None) -> Rankings:
    """The best possible list down to the cutoff; a gain table may value grades in another order than their own."""
    if isinstance(gain, str):
        return r.ideal if cutoff is None else r.ideal_top(cutoff)
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
        (GAIN, DISCOUNT, BASE, AGAINST),
        title="normalised discounted cumulative gain",
        formula="DCG / IDCG",
        source="Järvelin and Kekäläinen 2002; exp2: Burges et al. 2005",
        family="graded",
        needs="gain",
        linear=True,
        spelt=(
            Spelling("trec_eval", "ndcg"),
            Spelling("trec_eval", "ndcg_cut_{k}"),
            Spelling("trec_eval", "ndcg_{gain}", whole=True),
            *spellings("ir_measures", "nDCG[@{k}]", "nDCG(dcg=log2)[@{k}]"),
            *spellings("ir_measures", "nDCG(dcg=exp-log2)[@{k}]", gain="exp2"),
            *spellings("ir_measures", "nDCG(gains={{gain}})[@{k}]", whole=True),
            *spellings("ranx", "ndcg[@{k}]"),
            *spellings("ranx", "ndcg[@{k}]-l2", gain="1=0"),
            *spellings("ranx", "ndcg[@{k}]-l3", gain="1=0,2=0"),
            *spellings("ranx", "ndcg_burges[@{k}]", gain="exp2"),
            *spellings("BEIR", "NDCG@{k}"),
            *spellings("MTEB", "ndcg_at_{k}"),
            *spellings("Elasticsearch", "dcg(normalize=true)[@{k}]", gain="exp2"),
            *spellings("Quepid", "NDCG@{k}", gain="exp2"),
            *spellings("Spark", "ndcgAt({k})", gain="binary"),
            *spellings("recommenders", "ndcg_at_k@{k}", "ndcg_at_{k}", gain="binary"),
            *spellings("RecTools", "NDCG[(k={k})]", gain="binary", against="full"),
            *spellings("RePlay", "NDCG[@{k}]", gain="binary"),
            *spellings("scikit-learn", "ndcg_score[(k={k})]"),
            *spellings("torchmetrics", "RetrievalNormalizedDCG[(top_k={k})]"),
            Spelling("XGBoost", "ndcg", {"gain": "exp2", "k": "32"}),
            *spellings("XGBoost", "ndcg@{k}", gain="exp2"),
            *spellings("LightGBM", "ndcg@{k}", gain="exp2"),
            *spellings("CatBoost", "NDCG[:top={k}]", "NDCG:type=Base", "NDCG:top={k};type=Base"),
            *spellings("CatBoost", "NDCG:type=Exp", "NDCG:top={k};type=Exp", gain="exp2"),
            *spellings("CatBoost", "NDCG:top={k};denominator=Position", discount="zipf"),
            *spellings("Rax", "ndcg_metric[(topn={k})]", gain="exp2"),
            *spellings("TensorFlow Ranking", "ndcg[@{k}]", gain="exp2"),
        ),
    ),
    Measure(
        "DCG",
        dcg,
        (GAIN, DISCOUNT, BASE),
        title="discounted cumulative gain",
        formula="Σ gain / log2(rank + 1)",
        source="Järvelin and Kekäläinen 2002",
        family="graded",
        needs="gain",
        range=(0.0, None),
        linear=True,
        spelt=(
            Spelling("trec_eval", "dcg"),
            *spellings("ranx", "dcg[@{k}]"),
            *spellings("ranx", "dcg_burges[@{k}]", gain="exp2"),
            *spellings("Elasticsearch", "dcg[@{k}]", gain="exp2"),
            *spellings("Quepid", "DCG@{k}", gain="exp2"),
            *spellings("scikit-learn", "dcg_score[(k={k})]", "dcg_score(log_base={base})"),
            *spellings("CatBoost", "DCG[:top={k}]", "DCG:top={k};type=Base"),
            *spellings("CatBoost", "DCG:top={k};type=Exp", gain="exp2"),
            *spellings("Rax", "dcg_metric[(topn={k})]", gain="exp2"),
            *spellings("TensorFlow Ranking", "dcg[@{k}]", gain="exp2"),
        ),
    ),
    Measure(
        "IDCG",
        ideal_dcg,
        (GAIN, DISCOUNT, BASE),
        title="DCG of the best possible list",
        formula="Σ over the ideal list: gain / log2(rank + 1)",
        source="Järvelin and Kekäläinen 2002",
        family="graded",
        needs="gain",
        range=(0.0, None),
        linear=True,
        spelt=(Spelling("trec_eval", "ideal_dcg"),),
    ),
    Measure(
        "CG",
        cumulated_gain,
        (GAIN,),
        title="cumulated gain",
        formula="Σ gain of the docs in the cutoff",
        source="Järvelin and Kekäläinen 2002",
        family="graded",
        needs="gain",
        range=(0.0, None),
        linear=True,
        spelt=spellings("Quepid", "CG@{k}"),
    ),
    Measure(
        "ERR",
        expected_reciprocal_rank,
        (REL, MAX_GRADE),
        title="expected reciprocal rank",
        formula="Σ over ranks: (1/rank) · chance to stop here · chance to come so far",
        source="Chapelle et al. 2009",
        family="user model",
        spelt=(
            *spellings("ir_measures", "ERR@{k}"),
            *spellings("Elasticsearch", "expected_reciprocal_rank[@{k}]"),
            *spellings("Elasticsearch", "expected_reciprocal_rank(maximum_relevance={max_grade})[@{k}]"),
            *spellings("Quepid", "ERR@{k}", max_grade="3"),
            *spellings("CatBoost", "ERR[:top={k}]"),
        ),
    ),
)
