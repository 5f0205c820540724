"""Precision at levels of recall: interpolated, averaged over the levels, and at multiples of R."""

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.measures.settings import REL, Setting, one_of, positive, share_or_end
from rankproof.measures.spelling import Spelling
from rankproof.measures.turned import TWO_DIGITS
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.conventions import plain_number
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

ELEVEN = "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1"
LITTLE = 1e-9  # 0.1 * 30 is a little more than 3 in doubles, and 3 docs are meant


def levels_of(text: str) -> str:
    """Levels of recall with commas between them, each written as short as it can be."""
    return ",".join(plain_number(share_or_end(one)) for one in text.split(","))


def interpolated_precision(r: Rankings, *, cutoff: int | None, rel: int, recall: float, count: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """The best precision at any place from which on so much of the relevant docs has been found; 0 where it never is.

    >>> r = written("1 0 1 . 1", missed="1")
    >>> interpolated_precision(r, cutoff=None, rel=1, recall=0.5, count="ceil").value.round(4)
    array([0.6667])
    >>> # R = 4, and half of them are 2: the better of 2/3 and 3/5
    """
    needed = _needed(count, recall, r.n_relevant(rel))
    return Sum.each(r, _best_from(r, rel, needed), {"relevant docs needed": needed.astype(float)})


def average_interpolated_precision(
    r: Rankings, *, cutoff: int | None, rel: int, levels: str, count: str
) -> Sum:
    """Interpolated precision, averaged over levels of recall: the eleven from 0 to 1, unless others are given.

    >>> r = written("1 0 1", missed="")  # R = 2: from one doc on 1, from two docs on 2/3
    >>> average_interpolated_precision(r, cutoff=None, rel=1, levels="0,0.5,1", count="ceil").value.round(4)
    array([0.8889])
    >>> # (1 + 1 + 2/3) / 3
    """
    points = [float(level) for level in levels.split(",")]
    at = [interpolated_precision(r, cutoff=cutoff, rel=rel, recall=x, count=count).value for x in points]
    return Sum.each(r, sum(at, np.zeros(r.n_queries)) / len(points))


def precision_at_multiple(r: Rankings, *, cutoff: int | None, rel: int, times: float) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Precision at the rank `times` · R, where R is the number of relevant docs; a short list is divided by it, too.

    The rank is the whole part of times · R + 0.9; where that is 0, the value is.

    >>> precision_at_multiple(written("1 0 1", missed="1 1"), cutoff=None, rel=1, times=0.5).value  # rank 2: 1/2
    array([0.5])
    """
    rank = np.floor(times * r.n_relevant(rel) + 0.9)
    return Sum(r, (r.relevant(rel) & (r.rank <= rank[r.query])).astype(float), rank)


def _best_from(r: Rankings, rel: int, needed: Ints) -> Floats:
    """(n_queries,) the best precision at a relevant doc that is at least the `needed`-th; 0 without one."""
    hit = r.relevant(rel)
    found = r.running(hit)
    return r.peak(np.where(hit & (found >= needed[r.query]), found / r.rank, 0.0))


def _needed(count: str, recall: float, n: Floats) -> Ints:
    """(n_queries,) how many of `n` relevant docs a level of recall stands for."""
    exact = recall * n
    if count == "add09":
        docs = np.floor(exact + 0.9)
    elif count == "round":
        docs = np.floor(exact) + (exact - np.floor(exact) >= 0.5)
    else:
        docs = np.ceil(exact - LITTLE)
    return docs.astype(np.int64)


RECALL = Setting("recall", 0.1, "The level of recall, a number from 0 to 1.", share_or_end, always=True)
LEVELS = Setting("levels", ELEVEN, "The levels of recall, with commas between them.", levels_of)
COUNT = Setting(
    "count",
    "ceil",
    "How many docs a level of recall is: the fewest that reach it (ceil), the whole part of their number + 0.9 "
    "(add09), or their number rounded (round).",
    one_of("ceil", "add09", "round"),
)
TIMES = Setting("times", 1.0, "How many times the number of relevant docs.", positive, always=True)

MEASURES = (
    Measure(
        "IPrec",
        interpolated_precision,
        (RECALL, REL, COUNT),
        title="interpolated precision at a level of recall",
        formula="the highest precision at any place where at least recall · R relevant docs have been found",
        source="van Rijsbergen 1979; Manning et al. 2008",
        family="interpolated",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "iprec_at_recall_{recall}", turned={"recall": TWO_DIGITS}),
            Spelling("ir_measures", "IPrec@{recall}"),
        ),
    ),
    Measure(
        "IPrec11",
        average_interpolated_precision,
        (LEVELS, REL, COUNT),
        title="interpolated precision, averaged over eleven levels of recall",
        formula="the mean of IPrec over recall 0, 0.1, ..., 1",
        source="TREC 1992 to 1998",
        family="interpolated",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "11pt_avg"),
            Spelling("trec_eval", "11pt_avg_{levels}", whole=True),
        ),
    ),
    Measure(
        "RprecMult",
        precision_at_multiple,
        (TIMES, REL),
        title="precision at a multiple of R",
        formula="relevant docs in the first times · R places / (times · R)",
        source="trec_eval 9 (2008)",
        family="interpolated",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "Rprec_mult_{times}", turned={"times": TWO_DIGITS}),
            Spelling(
                "trec_eval", "Rprec_mult_avgjg_{times}", {"raters": "mean"}, turned={"times": TWO_DIGITS}
            ),
        ),
    ),
)
