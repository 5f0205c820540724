"""Measures built on a reader whom gains move: what has been found decides how far the list is read."""

from dataclasses import replace
from functools import partial

from rankproof.errors import UsageError
from rankproof.measures.measure import Measure
from rankproof.measures.reading_models import (
    DEPTH,
    TARGET,
    hoping,
    patient,
    read,
    sated,
    satisfied,
    thorough,
    tiring,
)
from rankproof.measures.settings import MAX_GRADE, P, positive
from rankproof.measures.spelling import spellings
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum


def above_half(text: str) -> float:
    """A number above 1/2."""
    number = positive(text)
    if number <= 0.5:
        raise UsageError('"{seen}" is not a number above 0.5.', seen=text)
    return number


HOPE = replace(TARGET, read=above_half)
PATIENCE = replace(P, default=0.9)


def inst(r: Rankings, *, cutoff: int | None, T: float, max_grade: int | None, depth: float) -> Sum:  # noqa: ARG001, N803 - every measure takes a cutoff; T is the field's name
    """What a reader gathers a place, who hopes for a gain of T and stops the sooner the more of it is found.

    >>> inst(written("1 0 1"), cutoff=None, T=1.0, max_grade=None, depth=3).value.round(6)
    array([0.816327])
    >>> # rank 1 is worth 1, so C(1) = (1/2)^2 and C(2) = (2/3)^2: (1 + 1/9) / (1 + 1/4 + 1/9)
    """
    return read(r, partial(hoping, target=T, counting=True), max_grade, depth)


def bejewelled(r: Rankings, *, cutoff: int, T: float, max_grade: int | None) -> Sum:  # noqa: N803 - T is the field's name
    """What a reader gathers a place, who reads until a gain of T is found or `cutoff` docs are read.

    >>> bejewelled(written("0 2 . 1 2"), cutoff=10, T=1.5, max_grade=2).value  # 1 + 1/2 in four places
    array([0.375])
    """
    return read(r, partial(sated, target=T), max_grade, cutoff)


def nearly_err_8(r: Rankings, *, cutoff: int, max_grade: int | None) -> Sum:
    """What a reader gathers a place, who goes on with chance 1 - gain, down to the cutoff.

    >>> nearly_err_8(written("1 . 2"), cutoff=3, max_grade=2).value  # (1/2 + 1/2 * 1) / (1 + 1/2 + 1/2)
    array([0.5])
    """
    return read(r, partial(satisfied, reader=thorough), max_grade, cutoff)


def nearly_err_9(r: Rankings, *, cutoff: int, max_grade: int | None) -> Sum:
    """What a reader gathers a place, who goes on with chance (1 - gain) · i / (i + 1), down to the cutoff.

    >>> nearly_err_9(written("1 . 2"), cutoff=3, max_grade=2).value.round(6)
    array([0.470588])
    >>> # looked at with chances 1, 1/2 * 1/2 and 1/4 * 2/3: (1/2 + 1/6) / (1 + 1/4 + 1/6)
    """
    return read(r, partial(satisfied, reader=tiring), max_grade, cutoff)


def nearly_err_10(r: Rankings, *, cutoff: int | None, p: float, max_grade: int | None, depth: float) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """What a reader gathers a place, who goes on with chance (1 - gain) · p.

    >>> nearly_err_10(written("1 . 2"), cutoff=None, p=0.5, max_grade=2, depth=3).value.round(6)
    array([0.454545])
    >>> # looked at with chances 1, 1/2 * 1/2 and 1/4 * 1/2: (1/2 + 1/8) / (1 + 1/4 + 1/8)
    """
    return read(r, partial(satisfied, reader=partial(patient, stops=1 - p)), max_grade, depth)


def nearly_err_11(r: Rankings, *, cutoff: int | None, T: float, max_grade: int | None, depth: float) -> Sum:  # noqa: ARG001, N803 - every measure takes a cutoff; T is the field's name
    """What a reader gathers a place, who goes on with chance (1 - gain) · ((i + 2T - 1) / (i + 2T))^2.

    >>> nearly_err_11(written("1 . 2"), cutoff=None, T=1.0, max_grade=2, depth=3).value.round(6)
    array([0.463918])
    >>> # looked at with chances 1, 1/2 * (2/3)^2 and 1/2 * (2/4)^2: (1/2 + 1/8) / (1 + 2/9 + 1/8)
    """
    reader = partial(hoping, target=T, counting=False)
    return read(r, partial(satisfied, reader=reader), max_grade, depth)


MEASURES = (
    Measure(
        "INST",
        inst,
        (HOPE, MAX_GRADE, DEPTH),
        title="INST",
        formula="Σ W · gain, C(i) = ((i + 2T - gained - 1) / (i + 2T - gained))²",
        source="Moffat, Bailey, Scholer and Thomas 2015",
        family="user model",
        needs="gain",
        cutoff="none",
        spelt=spellings("ir_measures", "INST(max_rel={max_grade})", "INST(T={T},max_rel={max_grade})"),
    ),
    Measure(
        "BPM",
        bejewelled,
        (TARGET, MAX_GRADE),
        title="bejewelled player model",
        formula="Σ W · gain, C(i) = 1 until the gain T is found, then 0",
        source="Zhang et al. 2017, the static form",
        family="user model",
        needs="gain",
        cutoff="required",
        spelt=spellings("ir_measures", "BPM(max_rel={max_grade})@{k}", "BPM(T={T},max_rel={max_grade})@{k}"),
    ),
    Measure(
        "NERR8",
        nearly_err_8,
        (MAX_GRADE,),
        title="nearly expected reciprocal rank, without discount",
        formula="Σ W · gain, C(i) = 1 - gain",
        source="Azzopardi, Mackenzie and Moffat 2021, equation 8",
        family="user model",
        needs="gain",
        cutoff="required",
        spelt=spellings("ir_measures", "NERR8(max_rel={max_grade})@{k}"),
    ),
    Measure(
        "NERR9",
        nearly_err_9,
        (MAX_GRADE,),
        title="nearly expected reciprocal rank, discounted by rank",
        formula="Σ W · gain, C(i) = (1 - gain) · i / (i + 1)",
        source="Azzopardi, Mackenzie and Moffat 2021, equation 9",
        family="user model",
        needs="gain",
        cutoff="required",
        spelt=spellings("ir_measures", "NERR9(max_rel={max_grade})@{k}"),
    ),
    Measure(
        "NERR10",
        nearly_err_10,
        (PATIENCE, MAX_GRADE, DEPTH),
        title="nearly expected reciprocal rank, of a patient reader",
        formula="Σ W · gain, C(i) = (1 - gain) · p",
        source="Azzopardi, Mackenzie and Moffat 2021, equation 10",
        family="user model",
        needs="gain",
        cutoff="none",
        spelt=spellings("ir_measures", "NERR10(max_rel={max_grade})", "NERR10(p={p},max_rel={max_grade})"),
    ),
    Measure(
        "NERR11",
        nearly_err_11,
        (TARGET, MAX_GRADE, DEPTH),
        title="nearly expected reciprocal rank, of a hopeful reader",
        formula="Σ W · gain, C(i) = (1 - gain) · ((i + 2T - 1) / (i + 2T))²",
        source="Azzopardi, Mackenzie and Moffat 2021, equation 11",
        family="user model",
        needs="gain",
        cutoff="none",
        spelt=spellings("ir_measures", "NERR11(max_rel={max_grade})", "NERR11(T={T},max_rel={max_grade})"),
    ),
)
