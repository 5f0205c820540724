"""Measures of what was displayed as a set, whatever its order: F, unranked average precision, relative precision, utility."""

import numpy as np

from rankproof.errors import UsageError
from rankproof.measures.measure import Measure
from rankproof.measures.settings import DIVISOR, REL, Setting, one_of, positive, whole
from rankproof.measures.spelling import Spelling
from rankproof.measures.turned import SQUARED
from rankproof.tables.columns import Floats
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


def f_measure(r: Rankings, *, cutoff: int | None, rel: int, divisor: str, beta: float) -> Sum:
    """The weighted harmonic mean of precision and recall; recall weighs `beta` times as much.

    (1 + beta²) P R / (beta² P + R). Without a cutoff of the whole list, with one of its first places.

    >>> f_measure(written("1 . 1", missed="1 1"), cutoff=None, rel=1, divisor="cutoff", beta=1.0).value.round(4)
    array([0.5714])
    >>> # P = 2/3, R = 2/4: 2 · 2/3 · 1/2 / (2/3 + 1/2) = 4/7
    """
    shown = r.n_shown(cutoff)
    size = shown if cutoff is None or divisor == "shown" else np.full(r.n_queries, float(cutoff))
    square = beta * beta
    return Sum(r, (1 + square) * r.relevant(rel) * r.within(cutoff), square * r.n_relevant(rel) + size)


def set_average_precision(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Average precision as if every relevant doc that was found stood at the precision of the whole list.

    >>> set_average_precision(written("1 . 1", missed="1 1"), cutoff=None, rel=1).value.round(4)  # 2/3 · 2/4
    array([0.3333])
    """
    hit = r.relevant(rel)
    precision = ratio(r.total(hit), r.n_shown(None))[r.query]
    return Sum(r, hit * precision, r.n_relevant(rel), {"precision": precision})


def relative_precision(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """Precision over the best precision that was possible: relevant docs found over min(cutoff, relevant docs).

    Without a cutoff, min(docs displayed, relevant docs).

    >>> relative_precision(written("1 . 1", missed="1"), cutoff=2, rel=1).value  # 1 / min(2, 3)
    array([0.5])
    """
    places = r.n_shown(None) if cutoff is None else np.full(r.n_queries, float(cutoff))
    return Sum(r, r.relevant(rel) * r.within(cutoff), np.minimum(places, r.n_relevant(rel)))


def utility(
    r: Rankings,
    *,
    cutoff: int | None,  # noqa: ARG001 - every measure takes a cutoff; this one has none
    a: float,
    b: float,
    c: float,
    d: float,
    rel: int,
    docs: int | None,
    unanswered: str,
) -> Sum:
    """What a list is worth where each doc has a price: a relevant and shown, b shown only, c relevant only, d neither.

    A doc without judgment is not relevant. `d` asks for `docs`, the size of the collection.

    >>> price = {"a": 1.0, "b": -1.0, "c": 0.0, "d": 0.0, "docs": None, "unanswered": "formula"}
    >>> utility(written("1 0 .", missed="1"), cutoff=None, rel=1, **price).value  # 1 · 1 - 1 · 2
    array([-1.])
    """
    if d and docs is None:
        raise UsageError(
            "Utility with d={d} counts the docs that are neither relevant nor displayed, and needs the size of "
            "the collection: write Utility(d={d}, docs=1000000), for example.",
            d=d,
        )
    found, shown, relevant = r.total(r.relevant(rel)), r.n_shown(None), r.n_relevant(rel)
    neither = (docs or 0) + found - shown - relevant
    value = a * found + b * (shown - found) + c * (relevant - found) + d * neither
    parts = {
        "relevant and displayed": found,
        "only displayed": shown - found,
        "only relevant": relevant - found,
    }
    return Sum.each(r, without_list(r, value, unanswered), parts)


def without_list(r: Rankings, value: Floats, unanswered: str) -> Floats:
    """(n_queries,) `value`, and 0 for queries without a list where unanswered=zero."""
    return np.where(r.n_retrieved == 0, 0.0, value) if unanswered == "zero" else value


def number(text: str) -> float:
    """Any number."""
    try:
        found = float(text)
    except ValueError:
        found = float("inf")
    if not -1e9 < found < 1e9:
        raise UsageError('"{seen}" is not a number between -1e9 and 1e9.', seen=text)
    return found


BETA = Setting("beta", 1.0, "How many times as much recall weighs as precision.", positive)
UNANSWERED = Setting(
    "unanswered",
    "formula",
    "What a query without a list is worth: what the formula says of an empty list (formula), or 0 (zero).",
    one_of("formula", "zero"),
)

MEASURES = (
    Measure(
        "SetF",
        f_measure,
        (BETA, REL, DIVISOR),
        title="F: precision and recall in one",
        formula="(1 + beta²) · P · R / (beta² · P + R)",
        source="van Rijsbergen 1979",
        family="set",
        linear=True,
        also=("F", "F1"),
        spelt=(
            Spelling("trec_eval", "set_F"),
            Spelling("trec_eval", "set_F_{beta}", turned={"beta": SQUARED}),
        ),
    ),
    Measure(
        "SetAP",
        set_average_precision,
        (REL,),
        title="average precision of a set",
        formula="P · R of the whole list",
        source="trec_eval 8.1 (2006), as exact_unranked_avg_prec",
        family="set",
        cutoff="none",
        linear=True,
        spelt=(Spelling("trec_eval", "set_map"),),
    ),
    Measure(
        "RelP",
        relative_precision,
        (REL,),
        title="relative precision",
        formula="relevant docs in the cutoff / min(cutoff, all relevant docs)",
        source="trec_eval 8.1 (2006); Thakur et al. 2021, as capped recall",
        family="set",
        linear=True,
        also=("SetRelP",),
        spelt=(
            Spelling("trec_eval", "set_relative_P"),
            Spelling("trec_eval", "relative_P_{k}"),
            Spelling("BEIR", "R_cap@{k}"),
        ),
    ),
    Measure(
        "Utility",
        utility,
        (
            Setting("a", 1.0, "What a relevant doc that was displayed is worth.", number),
            Setting("b", -1.0, "What a displayed doc that is not relevant is worth.", number),
            Setting("c", 0.0, "What a relevant doc that was not displayed is worth.", number),
            Setting("d", 0.0, "What any other doc of the collection is worth.", number),
            REL,
            Setting("docs", None, "How many docs the collection has; `d` needs it.", whole),
            UNANSWERED,
        ),
        title="utility of a set",
        formula="a · relevant shown + b · others shown + c · relevant missed + d · others missed",
        source="TREC 1997 filtering track",
        family="set",
        range=(None, None),
        needs="",
        cutoff="none",
        linear=True,
        best_first=False,
        spelt=(
            Spelling("trec_eval", "utility"),
            Spelling("trec_eval", "utility_{a},{b},{c},{d}", whole=True),
        ),
    ),
)
