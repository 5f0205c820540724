"""Measures that ask only whether a doc is relevant: precision and recall, and what is made of them."""

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.measures.settings import DENOMINATOR, DIVISOR, REL, STEP
from rankproof.measures.spelling import Spelling, spellings
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum


def precision(r: Rankings, *, cutoff: int | None, rel: int, divisor: str) -> Sum:
    """The share of relevant docs among the first `cutoff` places; a short list is still divided by the cutoff.

    >>> precision(written("1 . 1"), cutoff=5, rel=1, divisor="cutoff").value  # 2/5
    array([0.4])
    """
    shown = r.n_shown(cutoff)
    over = shown if cutoff is None or divisor == "shown" else np.full(r.n_queries, float(cutoff))
    return Sum(r, r.relevant(rel) * r.within(cutoff), over)


def recall(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """The share of the relevant docs that stand among the first `cutoff` places.

    >>> recall(written("1 . 1", missed="1 1"), cutoff=3, rel=1).value  # 2/4
    array([0.5])
    """
    return Sum(r, r.relevant(rel) * r.within(cutoff), r.n_relevant(rel))


def _capped(r: Rankings, cutoff: int | None, rel: int, denominator: str) -> Floats:
    """(n_queries,) how many docs are relevant; with min_k at most as many as fit in the cutoff."""
    n = r.n_relevant(rel)
    return np.minimum(n, cutoff) if denominator == "min_k" and cutoff is not None else n


def r_precision(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Precision at the rank that equals the number of relevant docs.

    >>> r_precision(written("1 0 1", missed=""), cutoff=None, rel=1).value  # R = 2: one of two
    array([0.5])
    """
    n = r.n_relevant(rel)
    return Sum(r, r.relevant(rel) * r.within(n), n)


def reciprocal_rank(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """1 / rank of the first relevant doc; 0 where none stands in the cutoff.

    >>> reciprocal_rank(written("0 . 1 1"), cutoff=None, rel=1).value.round(4)  # 1/3
    array([0.3333])
    """
    return Sum(r, _first(r, cutoff, rel) / r.rank)


def success(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """1 where at least one relevant doc stands in the cutoff, else 0.

    >>> success(written("0 1"), cutoff=1, rel=1).value  # the first relevant doc stands at 2
    array([0.])
    """
    return Sum(r, _first(r, cutoff, rel).astype(float))


def _first(r: Rankings, cutoff: int | None, rel: int) -> Bools:
    """(n_rows,) True at the first relevant doc of each query, if it stands in the cutoff."""
    hit = r.relevant(rel)
    first: Bools = hit & (r.running(hit) == 1) & r.top(cutoff)
    return first


def average_precision(
    r: Rankings, *, cutoff: int | None, rel: int, denominator: str, step: str = "doc"
) -> Sum:
    """Precision at each relevant doc found, added up, over all the relevant docs there are.

    >>> average_precision(written("1 0 1 . 1"), cutoff=None, rel=1, denominator="all").value.round(6)
    array([0.755556])
    >>> # (1/1 + 2/3 + 3/5) / 3
    """
    hit = r.relevant(rel) & r.top(cutoff)
    at = _at_score(r, hit) if step == "score" else r.running(hit) / r.rank
    if denominator == "found":
        over = r.total(hit)
    elif denominator == "k" and cutoff is not None:
        over = np.full(r.n_queries, float(cutoff))
    else:
        over = _capped(r, cutoff, rel, denominator)
    return Sum(r, hit * at, over, {"precision": at})


def _at_score(r: Rankings, hit: Bools) -> Floats:
    """(n_rows,) precision at the end of the group of equal scores that a hit belongs to."""
    group = np.stack((r.query, r.tie_start))
    last = np.append((group[:, 1:] != group[:, :-1]).any(axis=0), True)[: len(hit)]
    end = np.flatnonzero(last)[np.cumsum(np.append(0, last[:-1]))[: len(hit)]]
    found: Floats = r.running(hit)[end] / (r.tie_start + r.tie_size - 1)
    return found


MEASURES = (
    Measure(
        "AP",
        average_precision,
        (REL, DENOMINATOR, STEP),
        title="average precision",
        formula="(1/R) Σ over relevant docs found: precision at its rank",
        source="Buckley and Voorhees 2005",
        family="binary",
        also=("MAP", "average_precision"),
        spelt=(
            Spelling("trec_eval", "map"),
            Spelling("trec_eval", "map_cut_{k}"),
            *spellings("ir_measures", "AP[@{k}]", "MAP[@{k}]"),
            *spellings("ranx", "map[@{k}]", "map[@{k}]-l{rel}"),
            *spellings("BEIR", "MAP@{k}"),
            *spellings("MTEB", "map_at_{k}"),
            *spellings("Quepid", "AP@{k}"),
            *spellings("Spark", "meanAveragePrecision"),
            *spellings("Spark", "meanAveragePrecisionAt({k})", denominator="min_k"),
            *spellings("recommenders", "map"),
            *spellings("recommenders", "map_at_k@{k}", "map_at_{k}", denominator="min_k"),
            *spellings("RecTools", "MAP[(k={k})]"),
            *spellings("RePlay", "MAP[@{k}]", denominator="min_k"),
            *spellings("scikit-learn", "average_precision_score"),
            *spellings("torchmetrics", "RetrievalMAP[(top_k={k})]"),
            Spelling("XGBoost", "map", {"denominator": "min_k", "k": "32"}),
            *spellings("XGBoost", "map@{k}", denominator="min_k"),
            *spellings("LightGBM", "map@{k}", "mean_average_precision@{k}", denominator="min_k"),
            *spellings("LightGBM", "mean_average_precision"),
            *spellings("CatBoost", "MAP"),
            *spellings("CatBoost", "MAP:top={k}", denominator="min_k"),
            *spellings("Rax", "ap_metric[(topn={k})]"),
            *spellings("TensorFlow Ranking", "map[@{k}]"),
            Spelling("trec_eval", "map_avgjg", {"raters": "mean"}),
        ),
    ),
    Measure(
        "RR",
        reciprocal_rank,
        (REL,),
        title="reciprocal rank",
        formula="1 / rank of the first relevant doc",
        source="Kantor and Voorhees 2000",
        family="binary",
        also=("MRR", "reciprocal_rank"),
        spelt=(
            Spelling("trec_eval", "recip_rank"),
            *spellings("ir_measures", "RR[@{k}]", "MRR[@{k}]"),
            *spellings("ranx", "mrr[@{k}]", "mrr[@{k}]-l{rel}"),
            *spellings("MS MARCO", "MRR@{k}"),
            *spellings("BEIR", "MRR@{k}"),
            *spellings("MTEB", "mrr_at_{k}"),
            *spellings("Elasticsearch", "mean_reciprocal_rank[@{k}]"),
            *spellings("RecTools", "MRR[(k={k})]"),
            *spellings("RePlay", "MRR[@{k}]"),
            *spellings("torchmetrics", "RetrievalMRR[(top_k={k})]"),
            *spellings("CatBoost", "MRR[:top={k}]"),
            *spellings("Rax", "mrr_metric[(topn={k})]"),
            *spellings("TensorFlow Ranking", "mrr[@{k}]"),
        ),
    ),
    Measure(
        "P",
        precision,
        (REL, DIVISOR),
        title="precision",
        formula="relevant docs in the cutoff / cutoff",
        source="van Rijsbergen 1979",
        family="binary",
        linear=True,
        also=("Precision", "SetP"),
        spelt=(
            Spelling("trec_eval", "set_P"),
            Spelling("trec_eval", "P_{k}"),
            *spellings("ir_measures", "P@{k}", "Precision@{k}"),
            *spellings("ranx", "precision[@{k}]", "precision[@{k}]-l{rel}"),
            *spellings("BEIR", "P@{k}"),
            *spellings("MTEB", "precision_at_{k}"),
            *spellings("Elasticsearch", "precision[@{k}]"),
            *spellings("Quepid", "P@{k}"),
            *spellings("Spark", "precisionAt({k})"),
            *spellings("recommenders", "precision_at_k@{k}", "precision_at_{k}"),
            *spellings("RecTools", "Precision[(k={k})]"),
            *spellings("RePlay", "Precision[@{k}]"),
            *spellings("torchmetrics", "RetrievalPrecision[(top_k={k})]"),
            Spelling("XGBoost", "pre", {"k": "32"}),
            Spelling("XGBoost", "pre@{k}"),
            *spellings("CatBoost", "PrecisionAt:top={k}"),
            *spellings("Rax", "precision_metric[(topn={k})]"),
            *spellings("TensorFlow Ranking", "precision[@{k}]"),
            Spelling("trec_eval", "P_avgjg_{k}", {"raters": "mean"}),
        ),
    ),
    Measure(
        "R",
        recall,
        (REL,),
        title="recall",
        formula="relevant docs in the cutoff / all relevant docs",
        source="van Rijsbergen 1979",
        family="binary",
        linear=True,
        also=("Recall", "SetR"),
        spelt=(
            Spelling("trec_eval", "set_recall"),
            Spelling("trec_eval", "recall_{k}"),
            *spellings("ir_measures", "R@{k}", "Recall@{k}"),
            *spellings("ranx", "recall[@{k}]", "recall[@{k}]-l{rel}"),
            *spellings("BEIR", "Recall@{k}"),
            *spellings("MTEB", "recall_at_{k}"),
            *spellings("Elasticsearch", "recall[@{k}]"),
            *spellings("Spark", "recallAt({k})"),
            *spellings("recommenders", "recall_at_k@{k}", "recall_at_{k}"),
            *spellings("RecTools", "Recall[(k={k})]"),
            *spellings("RePlay", "Recall[@{k}]"),
            *spellings("torchmetrics", "RetrievalRecall[(top_k={k})]"),
            *spellings("CatBoost", "RecallAt:top={k}"),
            *spellings("Rax", "recall_metric[(topn={k})]"),
            *spellings("TensorFlow Ranking", "recall[@{k}]"),
        ),
    ),
    Measure(
        "Rprec",
        r_precision,
        (REL,),
        title="R-precision",
        formula="relevant docs in the first R places / R, where R is the number of relevant docs",
        source="Buckley and Voorhees 2005",
        family="binary",
        cutoff="none",
        linear=True,
        also=("r-precision", "r_precision"),
        spelt=(
            Spelling("trec_eval", "Rprec"),
            *spellings("ir_measures", "Rprec", "RPrec"),
            *spellings("ranx", "r-precision", "r-precision-l{rel}"),
            *spellings("recommenders", "r_precision_at_k"),
            *spellings("torchmetrics", "RetrievalRPrecision"),
            *spellings("Rax", "r_precision_metric"),
        ),
    ),
    Measure(
        "Success",
        success,
        (REL,),
        title="success (hit rate)",
        formula="1 if a relevant doc stands in the cutoff, else 0",
        source="TREC 2004 Web track",
        family="binary",
        also=("HitRate", "hit_rate"),
        spelt=(
            Spelling("trec_eval", "success_{k}"),
            *spellings("ir_measures", "Success@{k}"),
            *spellings("ranx", "hit_rate[@{k}]", "hit_rate[@{k}]-l{rel}"),
            *spellings("MTEB", "hit_rate_at_{k}"),
            *spellings("RecTools", "HitRate[(k={k})]"),
            *spellings("RePlay", "HitRate[@{k}]"),
            *spellings("torchmetrics", "RetrievalHitRate[(top_k={k})]"),
        ),
    ),
)
