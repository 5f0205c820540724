"""Measures that ask only whether a doc is relevant: precision and recall, and what is made of them."""

import numpy as np

from rankproof.measures.measure import DENOMINATOR, DIVISOR, REL, Measure
from rankproof.measures.spelling import Spelling
from rankproof.tables.columns import Bools
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


def r_precision(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Precision at the rank that equals the number of relevant docs.

    >>> r_precision(written("1 0 1", missed=""), cutoff=None, rel=1).value  # R = 2: one of two
    array([0.5])
    """
    n = r.n_relevant(rel)
    return Sum(r, (r.relevant(rel) & (r.rank <= n[r.query])).astype(float), n)


def reciprocal_rank(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """1 / rank of the first relevant doc; 0 where none stands in the cutoff.

    >>> reciprocal_rank(written("0 . 1 1"), cutoff=None, rel=1).value.round(4)  # 1/3
    array([0.3333])
    """
    return Sum(r, _first(r, cutoff, rel) / r.rank)


def success(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """1 where at least one relevant doc stands in the cutoff, else 0.

    >>> success(written("0 1"), cutoff=1, rel=1).value
    array([0.])
    """
    return Sum(r, _first(r, cutoff, rel).astype(float))


def _first(r: Rankings, cutoff: int | None, rel: int) -> Bools:
    """(n_rows,) True at the first relevant doc of each query, if it stands in the cutoff."""
    hit = r.relevant(rel)
    first: Bools = hit & (r.running(hit) == 1) & r.top(cutoff)
    return first


def average_precision(r: Rankings, *, cutoff: int | None, rel: int, denominator: str) -> Sum:
    """Precision at each relevant doc found, added up, over all the relevant docs there are.

    >>> average_precision(written("1 0 1 . 1"), cutoff=None, rel=1, denominator="all").value.round(6)
    array([0.755556])
    >>> # (1/1 + 2/3 + 3/5) / 3
    """
    hit = r.relevant(rel) & r.top(cutoff)
    at = r.running(hit) / r.rank
    over = r.n_relevant(rel)
    if denominator == "min_k" and cutoff is not None:
        over = np.minimum(over, cutoff)
    return Sum(r, hit * at, over, {"precision": at})


MEASURES = (
    Measure(
        "AP",
        average_precision,
        (REL, DENOMINATOR),
        title="average precision",
        formula="(1/R) Σ over relevant docs found: precision at its rank",
        source="Buckley and Voorhees 2005",
        family="binary",
        also=("MAP", "average_precision"),
        spelt=(
            Spelling("trec_eval", "map"),
            Spelling("trec_eval", "map_cut_{k}"),
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
        spelt=(Spelling("trec_eval", "recip_rank"),),
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
        also=("Precision",),
        spelt=(
            Spelling("trec_eval", "set_P"),
            Spelling("trec_eval", "P_{k}"),
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
        also=("Recall",),
        spelt=(
            Spelling("trec_eval", "set_recall"),
            Spelling("trec_eval", "recall_{k}"),
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
        also=("r-precision", "r_precision"),
        spelt=(Spelling("trec_eval", "Rprec"),),
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
        spelt=(Spelling("trec_eval", "success_{k}"),),
    ),
)
