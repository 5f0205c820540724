"""Measures that ask only whether a doc is relevant: precision and recall, and what is made of them."""

import numpy as np

from rankproof.measures.measure import CAPPED, DENOMINATOR, DIVISOR, REL, STEP, Measure
from rankproof.measures.spelling import Spelling
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


def recall(r: Rankings, *, cutoff: int | None, rel: int, denominator: str = "all") -> Sum:
    """The share of the relevant docs, or of those that fit in the cutoff, among the first `cutoff` places.

    >>> recall(written("1 . 1", missed="1 1"), cutoff=3, rel=1).value  # 2/4
    array([0.5])
    >>> recall(written("1 . 1", missed="1 1"), cutoff=3, rel=1, denominator="min_k").value.round(4)  # 2/3
    array([0.6667])
    """
    return Sum(r, r.relevant(rel) * r.within(cutoff), _capped(r, cutoff, rel, denominator))


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
        ),
    ),
    Measure(
        "R",
        recall,
        (REL, CAPPED),
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
