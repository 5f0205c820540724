"""The sign-flip test against recorded values, against plain counting, and its laws."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankproof.errors import UnknownName, UsageError
from rankproof.stats import significance
from rankproof.stats.significance import SignFlip, sign_flip, sign_flips

close = pytest.approx
# sevenths and the like: their sums tie in exact arithmetic, but not in rounded decimals or floats
wholes = st.lists(st.integers(-9, 9), min_size=2, max_size=10)
parts = st.sampled_from([1, 3, 7, 10, 2100])
alternatives = st.sampled_from(["two-sided", "greater"])


def counted(numbers: list[int], alternative: str) -> float:
    """p by trying every sign pattern in whole numbers."""
    seen = sum(numbers)
    signs = product((1, -1), repeat=len(numbers))
    sums = [sum(sign * k for sign, k in zip(row, numbers, strict=True)) for row in signs]
    far = [abs(s) >= abs(seen) if alternative == "two-sided" else s >= seen for s in sums]
    return sum(far) / len(far)


def convolved(numbers: list[int], alternative: str) -> float:
    """p from the distribution of the signed sum, one number after another."""
    reach = sum(abs(k) for k in numbers)
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1
    for k in numbers:
        chance = (np.roll(chance, k) + np.roll(chance, -k)) / 2
    sums, seen = np.arange(-reach, reach + 1), sum(numbers)
    return float(chance[np.abs(sums) >= abs(seen) if alternative == "two-sided" else sums >= seen].sum())


def test_recorded_p_values_are_reproduced(pair: Any) -> None:
    expected = pair.expected["sign_flip_exact"]
    for p, d, alternative in (
        (expected["p_two_sided"], pair.differences, "two-sided"),
        (expected["p_greater"], pair.differences, "greater"),
        (expected["p_less"], -pair.differences, "greater"),
    ):
        found = sign_flip(d, alternative=alternative)
        assert found.n_nonzero == expected["n_nonzero"]
        assert found.exact == (found.n_nonzero <= 36)
        assert found.p == close(p, abs=1e-9 if found.exact else 5 * found.error)
        assert (found.error == 0) == found.exact


def test_recorded_p_values_for_margins_are_reproduced(pair: Any) -> None:
    for margin, expected in pair.expected["non_inferiority"].items():
        found = sign_flip(pair.differences + float(margin), alternative="greater")
        within = 1e-9 if found.exact else 5 * found.error
        assert found.p == close(expected["p_sign_flip_shifted"], abs=within)


def test_the_floor_is_the_smallest_p_that_could_come_out(pair: Any) -> None:
    found = sign_flip(pair.differences)
    recorded = pair.expected["sign_flip_exact"]["smallest_attainable_two_sided"]
    assert found.floor == (close(recorded, rel=1e-12) if found.exact else 1 / 100_001)


@pytest.mark.parametrize("name", ["all_zero", "constant_gain", "one_query", "five_wins", "one_nonzero"])
def test_edges_are_as_specified(name: str, edge_cases: dict[str, Any]) -> None:
    case = edge_cases[name]
    found, expected = sign_flip(case["differences"]), case["expect"]
    assert found.p == expected["p_sign_flip"]
    assert found.exact
    assert found.floor == expected.get("smallest_attainable_p", found.floor)
    assert found.n_nonzero == expected.get("n_nonzero", found.n_nonzero)
    assert found.reason == ("" if found.p is not None else expected["reason"])


def test_no_query_has_no_p() -> None:
    assert sign_flip([]) == SignFlip(None, None, True, 0.0, 0, "no_common_query")
    assert sign_flip([0.0]) == SignFlip(None, None, True, 0.0, 0, "n_below_2")


def test_what_floating_point_left_over_is_no_difference(edge_cases: dict[str, Any]) -> None:
    case = edge_cases["float_noise_is_a_tie"]
    assert sign_flip(np.subtract(case["candidate"], case["baseline"])).n_nonzero == 0


def test_bad_use_is_an_error() -> None:
    with pytest.raises(UsageError, match="Difference 2 of 3 is nan"):
        sign_flip([0.1, np.nan, 0.2])
    with pytest.raises(UnknownName, match="two-sided"):
        sign_flip([0.1, 0.2], alternative="two_sided")
    with pytest.raises(UsageError, match="at least one draw"):
        sign_flip([0.1, 0.2], draws=0)
    with pytest.raises(UsageError, match="seed of 0 or more"):
        sign_flip([0.1, 0.2], seed=-1)


@example([3, -1, -2, 1], 2100, "two-sided")  # rounded, 3 is not 1 + 2; the sums must tie all the same
@given(wholes, parts, alternatives)
def test_exact_p_is_what_plain_counting_gives(numbers: list[int], part: int, alternative: str) -> None:
    found = sign_flip([k / part for k in numbers], alternative=alternative)
    assert found.p == counted(numbers, alternative)


@pytest.mark.parametrize("m", [20, 21, 35, 36])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_exact_p_of_many_is_what_the_distribution_gives(m: int, alternative: str) -> None:
    numbers = np.random.default_rng(m).integers(-7, 10, size=m).tolist()
    numbers = [k or 1 for k in numbers]
    found = sign_flip([k / 9 for k in numbers], alternative=alternative)
    assert (found.exact, found.n_nonzero) == (True, m)
    assert found.p == close(convolved(numbers, alternative), abs=1e-12)


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.lists(st.integers(-9, 12).filter(bool), min_size=37, max_size=150), parts, alternatives)
def test_drawn_p_is_near_the_exact_one(numbers: list[int], part: int, alternative: str) -> None:
    found = sign_flip([k / part for k in numbers], draws=20_000, alternative=alternative)
    assert not found.exact
    assert found.p == close(convolved(numbers, alternative), abs=5 * found.error)


def test_drawing_and_trying_all_agree(pair: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = sign_flip(pair.differences)
    monkeypatch.setattr(significance, "EXACT_UP_TO", -1)
    drawn = sign_flip(pair.differences, seed=11)
    assert drawn.p == close(exact.p, abs=5 * np.hypot(drawn.error, exact.error))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=60), st.integers(0, 2**70))
def test_p_is_above_0_and_swapping_the_systems_keeps_it(numbers: list[int], seed: int) -> None:
    d = np.array(numbers) / 49
    found = sign_flip(d, seed=seed, draws=999)
    assert found == sign_flip(-d, seed=seed, draws=999)
    assert found.p is not None
    assert found.floor is not None
    assert 0 < found.floor <= found.p <= 1


@given(wholes, parts, alternatives, st.randoms())
def test_the_order_of_queries_does_not_matter(
    numbers: list[int], part: int, alternative: str, at: Any
) -> None:
    d = [k / part for k in numbers]
    mixed = at.sample(d, len(d))
    assert sign_flip(d, alternative=alternative) == sign_flip(mixed, alternative=alternative)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=30))
def test_both_one_sided_tests_cover_everything(numbers: list[int]) -> None:
    d = np.array(numbers) / 49
    one, other = sign_flip(d, alternative="greater").p, sign_flip(-d, alternative="greater").p
    assert one is not None
    assert other is not None
    assert one + other >= 1
    assert sign_flip(d).p == close(min(1.0, 2 * min(one, other)))


def test_bad_pairs_are_an_error() -> None:
    with pytest.raises(UsageError, match="The rows have 2, 3 differences; expected the same queries"):
        sign_flips([[0.1, 0.2], [0.1, 0.2, 0.3]])
    assert sign_flips([]) == []


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 40), st.sampled_from([2, 30, 60, 150]), alternatives, st.integers(0, 99))
def test_many_pairs_find_bit_for_bit_what_each_finds_alone(
    n_pairs: int, n: int, alternative: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    pairs = np.where(rng.random((n_pairs, n)) < rng.random((n_pairs, 1)), 0, rng.normal(0.1, 1, (n_pairs, n)))
    found = sign_flips(list(pairs), seed=seed, draws=999, alternative=alternative)
    assert found == [sign_flip(d, seed=seed, draws=999, alternative=alternative) for d in pairs]


def test_p_does_not_depend_on_how_the_draws_and_pairs_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(np.random.default_rng(5).normal(0.1, 1, size=(7, 130)))
    found = sign_flips(pairs, seed=2, draws=5000)
    monkeypatch.setattr(significance, "CHUNK", 777)
    monkeypatch.setattr(significance, "PAIRS", 3)
    assert sign_flips(pairs, seed=2, draws=5000) == found
    assert sign_flips([np.append(d, [0.0] * 70) for d in pairs], seed=2, draws=5000) == found
    assert sign_flips(pairs, seed=3, draws=5000) != found
