"""Measures of information foraging: a reader with a goal, and a rate of gain below which it is not worth going on."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from rankproof.measures.measure import Measure
from rankproof.measures.reading_models import Stretch, Way, patient, read, stepping
from rankproof.measures.settings import MAX_GRADE, Setting, positive
from rankproof.tables.columns import Floats
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

FURTHEST = 1000.0  # nobody looks beyond this rank
# The field has no common values, so that all of them stand in the name.
GOAL = (
    Setting("T", 2.0, "The gain that the reader wants, in docs of the highest grade.", positive, always=True),
    Setting("b1", 0.9, "At the goal T the reader goes on with chance b1 / (1 + b1).", positive, always=True),
    Setting("R1", 10.0, "How strictly the reader stops once T is gathered.", positive, always=True),
)
RATE = (
    Setting("A", 0.2, "The gain that the reader expects of every place.", positive, always=True),
    Setting("b2", 0.9, "At the rate A the reader goes on with chance 1 / (1 + b2).", positive, always=True),
    Setting("R2", 10.0, "How strictly the reader stops below the rate A.", positive, always=True),
)


def goal(r: Rankings, *, cutoff: int | None, max_grade: int | None, **told: float) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """What a reader gathers a place, who goes on with chance 1 - 1 / (1 + b1 · e^((T - gained) · R1)).

    >>> goal(written("1 1"), cutoff=None, max_grade=1, T=1.0, b1=1.0, R1=1e6).value
    array([1.])
    >>> # C(1) = 1/2 at the goal, and C(2) = 0 beyond it: (1 + 1/2) / (1 + 1/2)
    """
    return read(r, partial(_to_goal, told=told), max_grade, FURTHEST)


def rate(r: Rankings, *, cutoff: int | None, max_grade: int | None, **told: float) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """What a reader gathers a place, who goes on with chance 1 / (1 + b2 · e^((A - gained / i) · R2)).

    >>> rate(written("1 0 0"), cutoff=None, max_grade=1, A=0.5, b2=1.0, R2=1e6).value.round(6)
    array([0.4])
    >>> # C(1) = 1, for 1/1 is above A; C(2) = 1/2, for 1/2 is A; C(3) = 0: 1 / (1 + 1 + 1/2)
    """
    return read(r, partial(stepping, goes_on=partial(_at_rate, told=told)), max_grade, FURTHEST)


def goal_and_rate(r: Rankings, *, cutoff: int | None, max_grade: int | None, **told: float) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """What a reader gathers a place, who has both a goal and a rate: C is the product of the two chances.

    >>> told = {"T": 1.0, "b1": 1.0, "R1": 1e6, "A": 0.5, "b2": 1.0, "R2": 1e6}
    >>> goal_and_rate(written("1 0 0"), cutoff=None, max_grade=1, **told).value.round(6)
    array([0.615385])
    >>> # C(1) = 1/2 · 1 and C(2) = 1/2 · 1/2: 1 / (1 + 1/2 + 1/8), for C(3) = 0
    """
    return read(r, partial(stepping, goes_on=partial(_both, told=told)), max_grade, FURTHEST)


def _to_goal(s: Stretch, told: Mapping[str, float]) -> Way:
    return patient(s, _content(s.gained, told))


def _content(gained: Floats, told: Mapping[str, float]) -> Floats:
    """The chance to stop because of what has been gained."""
    return _odds((gained - told["T"]) * told["R1"] - np.log(told["b1"]))


def _at_rate(rank: Floats, gained: Floats, told: Mapping[str, float]) -> Floats:
    return _odds((gained / rank - told["A"]) * told["R2"] - np.log(told["b2"]))


def _both(rank: Floats, gained: Floats, told: Mapping[str, float]) -> Floats:
    return (1 - _content(gained, told)) * _at_rate(rank, gained, told)


def _odds(logarithm: Floats) -> Floats:
    """1 / (1 + e^-x), also where e^-x is more than a number can hold."""
    chance: Floats = np.exp(-np.logaddexp(0.0, -logarithm))
    return chance


MEASURES = (
    Measure(
        "IFTGoal",
        goal,
        (*GOAL, MAX_GRADE),
        title="information foraging, goal",
        formula="Σ W · gain, C = 1 - 1 / (1 + b1 · e^((T - gained) · R1))",
        source="Azzopardi, Thomas and Craswell 2018",
        family="user model",
        needs="gain",
        cutoff="none",
    ),
    Measure(
        "IFTRate",
        rate,
        (*RATE, MAX_GRADE),
        title="information foraging, rate",
        formula="Σ W · gain, C(i) = 1 / (1 + b2 · e^((A - gained / i) · R2))",
        source="Azzopardi, Thomas and Craswell 2018",
        family="user model",
        needs="gain",
        cutoff="none",
        best_first=False,  # a good doc further down keeps the rate up for longer
    ),
    Measure(
        "IFTGoalRate",
        goal_and_rate,
        (*GOAL, *RATE, MAX_GRADE),
        title="information foraging, goal and rate",
        formula="Σ W · gain, C(i) = the product of C(i) of IFTGoal and of IFTRate",
        source="Azzopardi, Thomas and Craswell 2018",
        family="user model",
        needs="gain",
        cutoff="none",
        best_first=False,  # a good doc further down keeps the rate up for longer
        also=("IFT",),
    ),
)
