"""Measures for judgments with gaps, and the counts that show the gaps."""

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.measures.settings import DIVISOR, REL, Setting, one_of
from rankproof.measures.spelling import Spelling, spellings
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


def binary_preference(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """How seldom a doc judged not relevant stands above a relevant one; unjudged docs do not matter.

    >>> binary_preference(written("0 1 1 . 1"), cutoff=None, rel=1).value  # N = 1: each has it above
    array([0.])
    """
    hit = r.relevant(rel)
    n_relevant = r.n_relevant(rel)
    bound = np.minimum(n_relevant, r.n_nonrelevant(rel))[r.query]
    above = np.minimum(r.running(~hit), n_relevant[r.query])
    preferred = 1 - ratio(above, bound)
    return Sum(r, hit * preferred, n_relevant, {"not relevant above": above})


def judged(r: Rankings, *, cutoff: int | None, unanswered: str = "null") -> Sum:  # noqa: ARG001 - it says where the value is defined
    """The share of the displayed docs in the cutoff that somebody judged; a doc shown again counts as unjudged.

    >>> judged(written("1 . 0 ."), cutoff=3).value.round(4)  # 2/3
    array([0.6667])
    """
    return Sum(r, r.within(cutoff), r.n_shown(cutoff))


def n_retrieved(r: Rankings, *, cutoff: int | None) -> Sum:
    """How many docs were displayed.

    >>> n_retrieved(written("1 . 0 ."), cutoff=None).value  # judged or not
    array([4.])
    """
    # A doc counts whether judged or not; spread over the hits, the terms would not show what is counted.
    return Sum(r.one_row_each(), r.n_shown(cutoff))


def n_relevant(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """How many docs were judged relevant, displayed or not.

    >>> n_relevant(written("1 . 0", missed="1"), cutoff=None, rel=1).value  # 1 displayed + 1 missed
    array([2.])
    """
    return Sum(r.pool, r.pool.relevant(rel).astype(float))


def n_relevant_retrieved(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """How many relevant docs were displayed.

    >>> n_relevant_retrieved(written("1 . 0", missed="1"), cutoff=None, rel=1).value  # 1 + 0
    array([1.])
    """
    return Sum(r, r.relevant(rel) * r.within(cutoff))


def n_not_relevant_retrieved(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """How many displayed docs were judged not relevant.

    >>> n_not_relevant_retrieved(written("1 . 0 -"), cutoff=None, rel=1).value  # 1 with grade 0
    array([1.])
    """
    return Sum(r, ~r.relevant(rel) * r.within(cutoff))


def n_queries(r: Rankings, *, cutoff: int | None) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """1 for every query, so that their total says how many were counted.

    >>> n_queries(written("1 ."), cutoff=None).value  # 1, for there is 1
    array([1.])
    """
    return Sum(r.one_row_each(), np.ones(r.n_queries))


def unjudged(r: Rankings, *, cutoff: int | None, divisor: str) -> Sum:
    """The share of the cutoff that holds docs without a judgment; a short list is still divided by the cutoff.

    Pooled docs that were not judged count, and so does a doc shown again. 0 where nothing is displayed.

    >>> unjudged(written("1 . -"), cutoff=5, divisor="cutoff").value  # 2/5
    array([0.4])
    """
    shown = r.n_shown(cutoff)
    over = shown if cutoff is None or divisor == "shown" else np.full(r.n_queries, float(cutoff))
    judged = r.total(r.within(cutoff))
    return Sum.each(r, ratio(shown - judged, over), {"docs displayed": shown, "of them judged": judged})


OF_NOTHING = Setting(
    "unanswered",
    "null",
    "What a query without a list is worth: it has no value, as nothing has no share (null), or 0 (zero).",
    one_of("null", "zero"),
)

MEASURES = (
    Measure(
        "Bpref",
        binary_preference,
        (REL,),
        title="binary preference",
        formula="(1/R) Σ over relevant docs found: 1 - min(not relevant above, R) / min(N, R)",
        source="Buckley and Voorhees 2004, as corrected in trec_eval 8",
        family="incomplete judgments",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "bpref"),
            *spellings("ir_measures", "Bpref", "BPref"),
            *spellings("ranx", "bpref", "bpref-l{rel}"),
            *spellings("TensorFlow Ranking", "bpref"),
        ),
    ),
    Measure(
        "Judged",
        judged,
        (OF_NOTHING,),
        title="judged share",
        formula="judged docs in the cutoff / docs displayed in the cutoff",
        source="Xiong et al. 2021, as its complement, the hole rate",
        family="incomplete judgments",
        linear=True,
        needs="shown",
        best_first=False,
        spelt=spellings("ir_measures", "Judged@{k}"),
    ),
    Measure(
        "NumRet",
        n_retrieved,
        (),
        title="number of docs displayed",
        formula="docs displayed",
        source="Harman 1993, the result tables of the first TREC",
        family="counts",
        direction="none",
        linear=True,
        range=(0.0, None),
        needs="",
        mean="total",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "num_ret"),
            *spellings("ir_measures", "NumRet"),
        ),
    ),
    Measure(
        "NumRel",
        n_relevant,
        (REL,),
        title="number of relevant docs",
        formula="docs judged relevant",
        source="Harman 1993, the result tables of the first TREC",
        family="counts",
        direction="none",
        linear=True,
        range=(0.0, None),
        needs="",
        cutoff="none",
        mean="total",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "num_rel"),
            *spellings("ir_measures", "NumRel"),
        ),
    ),
    Measure(
        "NumRelRet",
        n_relevant_retrieved,
        (REL,),
        title="number of relevant docs displayed",
        formula="relevant docs displayed",
        source="Harman 1993, the result tables of the first TREC",
        family="counts",
        linear=True,
        range=(0.0, None),
        needs="",
        mean="total",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "num_rel_ret"),
            *spellings("ir_measures", "NumRelRet"),
            *spellings("ir_measures", "NumRet(rel={rel})"),
            *spellings("ranx", "hits[@{k}]", "hits[@{k}]-l{rel}"),
        ),
    ),
    Measure(
        "NumNonrelRet",
        n_not_relevant_retrieved,
        (REL,),
        title="number of docs displayed that were judged not relevant",
        formula="docs displayed and judged not relevant",
        source="trec_eval 8.1 (2006)",
        family="counts",
        direction="down",
        linear=True,
        range=(0.0, None),
        needs="",
        mean="total",
        best_first=False,
        spelt=(Spelling("trec_eval", "num_nonrel_judged_ret"),),
    ),
    Measure(
        "NumQ",
        n_queries,
        (),
        title="number of queries",
        formula="1 for every query",
        source="Harman 1993, the result tables of the first TREC",
        family="counts",
        direction="none",
        linear=True,
        range=(0.0, None),
        needs="",
        cutoff="none",
        mean="total",
        best_first=False,
        spelt=(Spelling("trec_eval", "num_q", final=True),),
    ),
    Measure(
        "Unjudged",
        unjudged,
        (DIVISOR,),
        title="unjudged share",
        formula="docs without a judgment in the cutoff / cutoff",
        source="trec_eval 10 (2023)",
        family="incomplete judgments",
        direction="down",
        linear=True,
        needs="",
        best_first=False,
        spelt=(Spelling("trec_eval", "unj_{k}"),),
    ),
)
