"""Readers: how far a person reads down the list, and what a list is worth to such a person.

A reader looks at rank 1, and goes on from rank i to the next with chance C(i). From that alone follow
(Moffat, Bailey, Scholer, Thomas 2017)

    V(i) = C(1) · ... · C(i - 1)   the chance that rank i is looked at
    Σ V(i)                         how many places are looked at, on average: the expected depth, and the
                                   expected cost where every doc costs 1
    W(i) = V(i) / Σ V              the share of the reader's looking that rank i gets
    Σ V(i) · gain(i)               what the reader gathers in all: the expected total gain
    Σ W(i) · gain(i)               what the reader gathers for each place looked at: the value of a measure

Only judged docs that were displayed, the hits, have a gain. So a list is a few hits with stretches of
places between them on which nothing is gathered, and a reader is one function, which says for such
stretches how likely they are read to their end, and how many of their places are looked at. Where C has
a closed form over a stretch, lists may be as long as they like.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError
from rankproof.measures.settings import Setting, positive
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

ALL_BUT_SURE = 1 - 1e-16  # a chance that still has a logarithm on its other side
NOBODY = 1e-20  # a reader who comes so far with this chance does not come


class Stretch(NamedTuple):
    """Stretches of a list: from a place that is looked at, `steps` places further down.

    rank    (n,) the place
    gain    (n,) what its doc is worth, from 0 to 1; nothing between it and the last place is worth anything
    gained  (n,) what has been gathered so far, that doc included
    steps   (n,) how many places further down the stretch ends; 0 where it has no more place
    """

    rank: Floats
    gain: Floats
    gained: Floats
    steps: Floats


class Way(NamedTuple):
    """How stretches are read.

    come    (n,) the chance that their last place is looked at: C(rank) · ... · C(rank + steps - 1)
    looked  (n,) how many of their places are looked at, the first not counted
    """

    come: Floats
    looked: Floats


Reader = Callable[[Stretch], Way]


def read(r: Rankings, reader: Reader, max_grade: int | None, end: float) -> Sum:
    """What `reader` gathers for each place looked at; a doc of grade `max_grade` is worth 1, and nobody looks beyond `end`."""
    grade, top = _graded(r, max_grade)
    seen = r.rank <= end
    gain, gained = grade / top, r.running(grade * seen) / top
    first, rank, following = _parted(r, float(end))
    start = reader(_from_the_top(first))
    between = reader(Stretch(rank, gain, gained, following - rank))
    chance = start.come[r.query] * r.running_product(between.come) * seen
    places = 1 + start.looked + r.total(chance * between.looked)
    return Sum(r, gain * chance, places, {"gain": gain, "chance to be looked at": chance})


def _parted(r: Rankings, end: float) -> tuple[Floats, Floats, Floats]:
    """(n_queries,) the rank of the first hit; (n_rows,) the ranks of each hit and of the next; `end` where there is none."""
    rank = np.minimum(r.rank, end)
    filled = np.diff(r.offsets) > 0
    first = np.full(r.n_queries, end)
    first[filled] = rank[r.offsets[:-1][filled]]
    following = np.append(rank, end)[1:]
    following[r.offsets[1:][filled] - 1] = end
    return first, rank, following


def read_steadily(r: Rankings, reader: Reader, max_grade: int | None, end: float) -> Sum:
    """The same for a reader whom gains do not move: what a place is worth depends on its rank alone."""
    grade, top = _graded(r, max_grade)

    def looked_at(rank: Ints) -> Floats:
        return np.where(rank <= end, reader(_from_the_top(rank)).come, 0.0)

    gain, chance = grade / top, r.placed(looked_at)
    (looked,) = reader(_from_the_top(np.array([end]))).looked
    return Sum(r, gain * chance, 1 + float(looked), {"gain": gain, "chance to be looked at": chance})


def _graded(r: Rankings, max_grade: int | None) -> tuple[Ints, int]:
    """(n_rows,) the grade of each hit, at most the top one, and the top one."""
    top = max(r.top_grade if max_grade is None else max_grade, 1)
    return np.minimum(r.grade, top), top


def _from_the_top(rank: NDArray[Any]) -> Stretch:
    """From rank 1 to each of `rank`, with nothing gathered."""
    nothing = np.zeros(len(rank))
    return Stretch(nothing + 1, nothing, nothing, rank.astype(np.float64) - 1)


def rank_or_inf(text: str) -> float:
    """A rank, or inf."""
    if text == "inf":
        return np.inf
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise UsageError('"{seen}" is neither a rank, a whole number from 1, nor inf.', seen=text[:40])
    return float(text)


TARGET = Setting("T", 1.0, "The gain that the reader hopes for, in docs of the highest grade.", positive)
DEPTH = Setting(
    "depth", 1000.0, "The reader never looks beyond this rank; inf for a list without end.", rank_or_inf
)


def patient(s: Stretch, stops: Floats | float) -> Way:
    """C = 1 - `stops`: goes on with the same chance at every place of a stretch.

    >>> patient(stretch(steps=2), 0.2).looked.round(6)  # 0.8 + 0.8^2
    array([1.44])
    """
    stops = np.broadcast_to(stops, s.steps.shape)
    endless = stops == 0
    steps = np.where(endless, 0.0, s.steps)
    gone = -np.expm1(
        steps * np.log1p(-np.minimum(stops, ALL_BUT_SURE))
    )  # 1 - C^steps, also where C is near 1
    looked = np.where(endless, s.steps, (1 - stops) * gone / np.where(endless, 1.0, stops))
    return Way(np.power(1 - stops, s.steps), looked)


def hoping(s: Stretch, target: float, counting: bool) -> Way:
    """C(i) = ((i + 2T - 1) / (i + 2T))^2: hopes for a gain of T, and is the more patient the further it got.

    `counting` takes off what has been gained: C(i) = ((i + 2T - gained - 1) / (i + 2T - gained))^2.

    >>> patience = hoping(stretch(steps=2), 1.0, False)  # rank 1: (2/3)^2 and then (2/3 * 3/4)^2
    >>> patience.come, patience.looked.round(6)
    (array([0.25]), array([0.694444]))
    """
    from scipy.special import polygamma  # type: ignore[import-untyped]  # has no types; here, as it takes long to load

    at = s.rank + 2 * target - (s.gained if counting else 0.0)
    return Way(
        ((at - 1) / (at - 1 + s.steps)) ** 2, (at - 1) ** 2 * (polygamma(1, at) - polygamma(1, at + s.steps))
    )


def thorough(s: Stretch) -> Way:
    """C = 1: goes on to the end.

    >>> thorough(stretch(steps=2)).looked
    array([2.])
    """
    return Way(np.ones(len(s.rank)), s.steps)


def tiring(s: Stretch) -> Way:
    """C(i) = i / (i + 1): comes to rank i with chance 1 / i.

    >>> tiring(stretch(steps=2)).looked.round(6)  # 1/2 + 1/3
    array([0.833333])
    """
    from scipy.special import digamma

    past = digamma(s.rank + s.steps + 1) - digamma(s.rank + 1)
    return Way(s.rank / (s.rank + s.steps), s.rank * past)


def tiring_evenly(s: Stretch, enough: float) -> Way:
    """V(i) = 1 - (i - 1) / `enough`: each place is looked at a little less, and none beyond rank `enough`.

    >>> tiring_evenly(stretch(steps=3), 4.0).looked  # 3/4 + 2/4 + 1/4
    array([1.5])
    """
    left = np.maximum(enough - s.rank + 1, 0.0)  # V(rank) · enough
    steps = np.minimum(s.steps, np.floor(left))
    whole = np.where(left > 0, left, 1.0)
    come = np.where(s.steps > 0, np.maximum(left - s.steps, 0.0) / whole, 1.0)
    return Way(come, steps - steps * (steps + 1) / 2 / whole)


def satisfied(s: Stretch, reader: Reader) -> Way:
    """C(i) = (1 - gain) · C(i) of another reader: what is found satisfies with the chance that it is worth.

    >>> satisfied(stretch(gain=0.5, steps=2), thorough).looked  # (1 - 0.5) + (1 - 0.5)
    array([1.])
    """
    way, left = reader(s), np.where(s.steps > 0, 1 - s.gain, 1.0)
    return Way(left * way.come, left * way.looked)


def sated(s: Stretch, target: float) -> Way:
    """C = 1 until a gain of `target` has been gathered, then 0.

    >>> sated(stretch(gain=1, gained=1, steps=2), 1.0).looked
    array([0.])
    """
    hungry = (s.gained < target).astype(float)
    return Way(np.where(s.steps > 0, hungry, 1.0), hungry * s.steps)


def stepping(s: Stretch, goes_on: Callable[[Floats, Floats], Floats]) -> Way:
    """C = `goes_on(rank, gained)`, for which no closed form is known: step by step, while anybody is there.

    >>> stepping(stretch(steps=2), lambda rank, gained: rank / (rank + 1)).looked.round(6)  # 1/2 + 1/2 * 2/3
    array([0.833333])
    """
    come, looked = np.ones(len(s.rank)), np.zeros(len(s.rank))
    rows, step = np.flatnonzero(s.steps > 0), 0
    while len(rows):
        come[rows] *= goes_on(s.rank[rows] + step, s.gained[rows])
        looked[rows] += come[rows]
        step += 1
        rows = rows[(s.steps[rows] > step) & (come[rows] > NOBODY)]
    return Way(come, looked)


def stretch(rank: float = 1, gain: float = 0, gained: float = 0, steps: float = 1) -> Stretch:
    """One stretch written down for an example."""
    return Stretch(*(np.array([part], float) for part in (rank, gain, gained, steps)))
