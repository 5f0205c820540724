"""Measures built on a reader whom gains do not move: what a place is worth depends on its rank alone."""

from dataclasses import replace
from functools import partial

import numpy as np

from rankproof.measures.gains import discounted, of_full_list
from rankproof.measures.measure import Measure
from rankproof.measures.reading_models import (
    DEPTH,
    TARGET,
    hoping,
    patient,
    read_steadily,
    tiring_evenly,
)
from rankproof.measures.settings import DENOMINATOR, MAX_GRADE, REL, Setting, one_of, positive
from rankproof.measures.spelling import spellings
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

RATE = Setting(
    "rate", 0.1, "How much less a doc is worth one place further down: 1 / (1 + rate) of it.", positive
)
HALF_LIFE = Setting("halflife", 224.0, "The time after which half of the readers have left.", positive)
COST = Setting(
    "cost", 1.0, "The time that one doc takes, whatever it is, in the unit of `halflife`.", positive
)
ENOUGH = Setting(
    "L",
    1000.0,
    "The rank beyond which nobody looks; up to it each place is looked at a little less.",
    positive,
)
SHARED = replace(
    DENOMINATOR,
    default="none",
    help="Divide by nothing (none), by all relevant docs (all), by at most as many as fit in the cutoff (min_k), "
    "or by the sum of the best possible list (ideal).",
    read=one_of("none", "all", "min_k", "ideal"),
)


def insq(r: Rankings, *, cutoff: int | None, T: float, max_grade: int | None, depth: float) -> Sum:  # noqa: ARG001, N803 - every measure takes a cutoff; T is the field's name
    """What a reader gathers a place, who hopes for a gain of T and goes on with chance ((i + 2T - 1) / (i + 2T))^2.

    >>> insq(written("1 0 1"), cutoff=None, T=1.0, max_grade=None, depth=3).value.round(6)
    array([0.737705])
    >>> # ranks 1 to 3 are looked at with chances 1, (2/3)^2 and (2/4)^2: (1 + 1/4) / (1 + 4/9 + 1/4)
    """
    return read_steadily(r, partial(hoping, target=T, counting=False), max_grade, depth)


def scaled_dcg(r: Rankings, *, cutoff: int, max_grade: int | None) -> Sum:
    """DCG over that of a cutoff full of docs of the highest grade, whether there are so many or not.

    >>> scaled_dcg(written("2 0 1"), cutoff=3, max_grade=2).value.round(6)  # (1 + 1/2 / 2) / (1 + 1/log2(3) + 1/2)
    array([0.586598])
    """
    place = discounted("log", 2.0)
    top = max(r.top_grade if max_grade is None else max_grade, 1)
    gain, chance = np.minimum(r.grade, top) / top, r.placed(place, cutoff)
    over = of_full_list(place, cutoff)
    return Sum(r, gain * chance, over, {"gain": gain, "chance to be looked at": chance})


def net_present_value(
    r: Rankings,
    *,
    cutoff: int | None,  # noqa: ARG001 - every measure takes a cutoff; this one has none
    rate: float,
    max_grade: int | None,
    depth: float,
) -> Sum:
    """What a reader gathers a place, to whom a doc one place further down is worth 1 / (1 + rate) of it.

    >>> net_present_value(written("2 0 1"), cutoff=None, rate=1.0, max_grade=2, depth=float("inf")).value
    array([0.5625])
    >>> # (1 + 1/2 * 1/4) / (1 + 1/2 + 1/4 + ...)
    """
    return read_steadily(r, partial(patient, stops=rate / (1 + rate)), max_grade, depth)


def time_biased_gain(
    r: Rankings,
    *,
    cutoff: int | None,  # noqa: ARG001 - every measure takes a cutoff; this one has none
    halflife: float,
    cost: float,
    max_grade: int | None,
    depth: float,
) -> Sum:
    """What a reader gathers a place, of whom half have left after `halflife`; each doc takes the time `cost`.

    The calibrated form, in which the time depends on the length of each doc, needs the docs themselves.

    >>> time_biased_gain(
    ...     written("2 0 1"), cutoff=None, halflife=10.0, cost=10.0, max_grade=2, depth=float("inf")
    ... ).value  # (1 + 1/2 * 1/4) / (1 + 1/2 + 1/4 + ...)
    array([0.5625])
    """
    return read_steadily(r, partial(patient, stops=-np.expm1(-np.log(2) * cost / halflife)), max_grade, depth)


def u_measure(r: Rankings, *, cutoff: int | None, L: float, max_grade: int | None, depth: float) -> Sum:  # noqa: ARG001, N803 - every measure takes a cutoff; L is the field's name
    """What a reader gathers a place, who looks at rank i with chance 1 - (i - 1) / L; every doc is equally long.

    >>> u_measure(written("2 0 1"), cutoff=None, L=4.0, max_grade=2, depth=1000).value
    array([0.5])
    >>> # (1 + 1/2 * 2/4) / (4 + 3 + 2 + 1) * 4
    """
    return read_steadily(r, partial(tiring_evenly, enough=L), max_grade, depth)


def hit_ranks(r: Rankings, *, cutoff: int | None, rel: int, denominator: str) -> Sum:
    """1 / rank of every relevant doc found, added up.

    >>> hit_ranks(written("1 0 . 1", missed="1"), cutoff=None, rel=1, denominator="all").value.round(6)
    array([0.416667])
    >>> # (1/1 + 1/4) / 3
    """
    place = discounted("zipf", 2.0)
    terms = r.relevant(rel) * r.placed(place, cutoff)
    if denominator == "none":
        return Sum(r, terms)
    if denominator == "ideal":
        best = hit_ranks(r.ideal, cutoff=cutoff, rel=rel, denominator="none")
        return Sum(r, terms, best.value, ideal=best)
    over = r.n_relevant(rel)
    return Sum(r, terms, np.minimum(over, cutoff) if denominator == "min_k" and cutoff is not None else over)


MEASURES = (
    Measure(
        "INSQ",
        insq,
        (TARGET, MAX_GRADE, DEPTH),
        title="INSQ",
        formula="Σ W · gain, C(i) = ((i + 2T - 1) / (i + 2T))²",
        source="Moffat, Scholer and Thomas 2012",
        family="user model",
        needs="gain",
        cutoff="none",
        linear=True,
        spelt=spellings("ir_measures", "INSQ(max_rel={max_grade})", "INSQ(T={T},max_rel={max_grade})"),
    ),
    Measure(
        "SDCG",
        scaled_dcg,
        (MAX_GRADE,),
        title="scaled discounted cumulative gain",
        formula="Σ gain / log2(rank + 1), over the sum for a cutoff full of docs of the highest grade",
        source="Moffat et al. 2017; Järvelin and Kekäläinen 2002",
        family="user model",
        needs="gain",
        cutoff="required",
        linear=True,
        spelt=spellings("ir_measures", "SDCG(max_rel={max_grade})@{k}"),
    ),
    Measure(
        "NPV",
        net_present_value,
        (RATE, MAX_GRADE, DEPTH),
        title="net present value",
        formula="Σ W · gain, C(i) = 1 / (1 + rate)",
        source="Azzopardi, Thomas and Moffat 2019",
        family="user model",
        needs="gain",
        cutoff="none",
        linear=True,
    ),
    Measure(
        "TBG",
        time_biased_gain,
        (HALF_LIFE, COST, MAX_GRADE, DEPTH),
        title="time-biased gain, every doc taking equally long",
        formula="Σ W · gain, C(i) = 2^(-cost / halflife)",
        source="Smucker and Clarke 2012; Azzopardi, Thomas and Moffat 2019",
        family="user model",
        needs="gain",
        cutoff="none",
        linear=True,
    ),
    Measure(
        "UMeasure",
        u_measure,
        (ENOUGH, MAX_GRADE, DEPTH),
        title="U-measure, every doc being equally long",
        formula="Σ W · gain, V(i) = max(0, 1 - (i - 1) / L)",
        source="Sakai and Dou 2013; Azzopardi, Thomas and Moffat 2019",
        family="user model",
        needs="gain",
        cutoff="none",
        linear=True,
        also=("U-measure",),
    ),
    Measure(
        "ARHR",
        hit_ranks,
        (REL, SHARED),
        title="reciprocal hit ranks",
        formula="Σ over relevant docs found: 1 / rank",
        source="Deshpande and Karypis 2004",
        family="binary",
        range=(0.0, None),
        linear=True,
        also=("average_reciprocal_hit_rank",),
    ),
)
