"""A model of a reader is its chance to go on: how stretches and lists are read follows from that, place by place."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.measures.foraging import _at_rate, _both, _to_goal
from rankproof.measures.reading_models import (
    Reader,
    hoping,
    patient,
    read,
    read_steadily,
    sated,
    satisfied,
    stepping,
    stretch,
    thorough,
    tiring,
    tiring_evenly,
)
from rankproof.tables.examples import written
from rankproof.tables.rankings import Rankings

TOLD = {"T": 1.5, "b1": 0.9, "R1": 3.0, "A": 0.2, "b2": 0.9, "R2": 4.0}
STEADY: dict[str, Reader] = {
    "patient": partial(patient, stops=0.2),
    "nearly endlessly patient": partial(patient, stops=1e-12),
    "endlessly patient": partial(patient, stops=0.0),
    "hoping": partial(hoping, target=1.5, counting=False),
    "tiring": tiring,
    "tiring evenly": partial(tiring_evenly, enough=6.5),
    "thorough": thorough,
}
MOVED: dict[str, Reader] = {
    "counting": partial(hoping, target=0.75, counting=True),
    "sated": partial(sated, target=1.25),
    "foraging for a goal": partial(_to_goal, told=TOLD),
    "foraging at a rate": partial(stepping, goes_on=partial(_at_rate, told=TOLD)),
    "foraging for both": partial(stepping, goes_on=partial(_both, told=TOLD)),
} | {f"satisfied, {name}": partial(satisfied, reader=reader) for name, reader in STEADY.items()}
READERS = STEADY | MOVED


def goes_on(reader: Reader, rank: int, gain: float, gained: float) -> float:
    """C(rank)."""
    return float(reader(stretch(rank, gain, gained, 1)).come[0])


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(("rank", "gain", "gained"), [(1, 0, 0), (1, 1, 1), (4, 0.5, 1.25), (9, 0.25, 4)])
def test_a_stretch_is_read_place_by_place(name: str, rank: int, gain: float, gained: float) -> None:
    reader = READERS[name]
    come, looked = 1.0, 0.0
    for steps in range(12):
        way = reader(stretch(rank, gain, gained, steps))
        np.testing.assert_allclose([way.come[0], way.looked[0]], [come, looked], rtol=1e-12, atol=1e-15)
        come *= goes_on(reader, rank + steps, gain if steps == 0 else 0.0, gained)
        looked += come


def place_by_place(r: Rankings, reader: Reader, top: int, end: int) -> tuple[float, float]:
    """The gain for each place looked at, and the number of places, by the definition."""
    grades = dict(zip(r.rank.tolist(), r.grade.tolist(), strict=True))
    chance, gathered, places, gained = 1.0, 0.0, 0.0, 0.0
    for rank in range(1, end + 1):
        gain = min(grades.get(rank, 0), top) / top
        gained += gain
        gathered += chance * gain
        places += chance
        chance *= goes_on(reader, rank, gain, gained)
    return gathered / places, places


lists = st.lists(st.sampled_from("..01234"), max_size=14).map(" ".join)


@pytest.mark.parametrize("name", READERS)
@given(shown=lists, end=st.integers(1, 20))
def test_a_list_is_read_place_by_place(name: str, shown: str, end: int) -> None:
    rankings = written(shown)
    found = read(rankings, READERS[name], 4, end)
    wanted = place_by_place(rankings, READERS[name], 4, end)
    np.testing.assert_allclose([found.value[0], found.divisor[0]], wanted, rtol=1e-12)


@pytest.mark.parametrize("name", STEADY)
@given(shown=lists, end=st.integers(1, 20))
def test_a_reader_whom_gains_do_not_move_is_read_either_way(name: str, shown: str, end: int) -> None:
    rankings = written(shown)
    one, other = read(rankings, STEADY[name], 4, end), read_steadily(rankings, STEADY[name], 4, end)
    np.testing.assert_allclose([*one.value, *one.divisor], [*other.value, *other.divisor], rtol=1e-12)


ENDLESS = ("patient", "hoping", "counting", "satisfied, patient", "satisfied, hoping")


@pytest.mark.parametrize("name", ENDLESS)
def test_a_list_without_end_is_the_limit_of_long_ones(name: str) -> None:
    rankings = written(". 2 0 . 3 1")
    endless = read(rankings, READERS[name], 4, np.inf).value[0]
    assert read(rankings, READERS[name], 4, 10**9).value[0] == pytest.approx(endless, rel=1e-8)
    assert read(rankings, READERS[name], 4, 6).value[0] > endless
