"""Kin of average precision and of binary preference: for geometric means, for sampled judgments, smoothed."""

import numpy as np

from rankproof.measures.binary import average_precision
from rankproof.measures.incomplete import binary_preference
from rankproof.measures.measure import Measure
from rankproof.measures.sets import UNANSWERED, without_list
from rankproof.measures.settings import REL
from rankproof.measures.spelling import Spelling
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

LEAST = 1e-5  # a geometric mean of a 0 would be 0, whatever the other queries say
EPSILON = 1e-5  # of inferred average precision


def ap_for_geometric_mean(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Average precision, at least 0.00001, so that it has a geometric mean.

    >>> ap_for_geometric_mean(written("0 0", missed="1"), cutoff=None, rel=1).value  # the larger of 0 and 0.00001
    array([1.e-05])
    """
    value = average_precision(r, cutoff=None, rel=rel, denominator="all").value
    return Sum.each(r, np.maximum(value, LEAST), {"average precision": value})


def bpref_for_geometric_mean(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Binary preference, at least 0.00001, so that it has a geometric mean.

    >>> bpref_for_geometric_mean(written("0 1"), cutoff=None, rel=1).value  # the larger of 0 and 0.00001
    array([1.e-05])
    """
    value = binary_preference(r, cutoff=None, rel=rel).value
    return Sum.each(r, np.maximum(value, LEAST), {"binary preference": value})


def inferred_average_precision(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Average precision as a random sample of the pool lets expect it.

    At each relevant doc at rank k: 1/k, and for the k - 1 docs above it the share that was in the pool times
    the share of relevant ones among those that were judged. Docs that were never in the pool are not relevant;
    those in the pool and not judged (grades below 0) are as often relevant as the judged ones.

    >>> inferred_average_precision(written("1 - . 0 1"), cutoff=None, rel=1).value.round(4)
    array([0.75])
    >>> # (1 + (1 + 3 · 1/2) / 5) / 2: above the second one of two judged docs is relevant, 3 of 4 were in the pool
    """
    hit = r.relevant(rel)
    judged = r.position - 1
    relevant = r.running(hit) - 1
    precision = (relevant + EPSILON) / (judged + 2 * EPSILON)
    expected = (1 + (judged + r.pooled_above) * precision) / r.rank
    return Sum(r, hit * np.where(hit, expected, 0.0), r.n_relevant(rel), {"expected precision": expected})


def yet_another_average_precision(r: Rankings, *, cutoff: int | None, rel: int, unanswered: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """The logarithm of the odds of average precision, smoothed by 1: ln((1 + S) / (1 + R - S)).

    S is precision at each relevant doc found, added up. From -ln(1 + R) where none is found to ln(1 + R).

    >>> yet_another_average_precision(written("1 0 1"), cutoff=None, rel=1, unanswered="formula").value.round(4)
    array([0.6931])
    >>> # S = 1 + 2/3, R = 2: ln((8/3) / (4/3))
    """
    at = average_precision(r, cutoff=None, rel=rel, denominator="all")
    value = np.log((1 + at.added) / np.maximum(1 + r.n_relevant(rel) - at.added, 1.0))
    return Sum.each(r, without_list(r, value, unanswered), {"precision added up": at.added})


MEASURES = (
    Measure(
        "GMAP",
        ap_for_geometric_mean,
        (REL,),
        title="average precision for a geometric mean",
        formula="max(AP, 0.00001); the geometric mean over queries",
        source="Robertson 2006",
        family="binary",
        range=(LEAST, 1.0),
        cutoff="none",
        mean="geometric",
        also=("gm_ap",),
        spelt=(Spelling("trec_eval", "gm_map", final=True),),
    ),
    Measure(
        "GBpref",
        bpref_for_geometric_mean,
        (REL,),
        title="binary preference for a geometric mean",
        formula="max(Bpref, 0.00001); the geometric mean over queries",
        source="trec_eval 8.1 (2006)",
        family="incomplete judgments",
        range=(LEAST, 1.0),
        cutoff="none",
        mean="geometric",
        spelt=(Spelling("trec_eval", "gm_bpref", final=True),),
    ),
    Measure(
        "InfAP",
        inferred_average_precision,
        (REL,),
        title="inferred average precision",
        formula="(1/R) Σ over relevant docs found: the precision to expect at its rank",
        source="Yilmaz and Aslam 2006",
        family="incomplete judgments",
        cutoff="none",
        spelt=(Spelling("trec_eval", "infAP"),),
    ),
    Measure(
        "Yaap",
        yet_another_average_precision,
        (REL, UNANSWERED),
        title="yet another average precision",
        formula="ln((1 + S) / (1 + R - S)), S = Σ over relevant docs found: precision at its rank",
        source="Robertson 2012",
        family="binary",
        range=(None, None),
        cutoff="none",
        spelt=(Spelling("trec_eval", "yaap"),),
    ),
)
