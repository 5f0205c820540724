"""All ways to weigh several goals: exact shares against a closed form, grids and random weights."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.stats.intervals import paired_t
from rankproof.stats.weights import (
    POINTS,
    bounds,
    break_even,
    certainty,
    lattice,
    pareto,
    shares,
    switches,
    winning_share,
)

differences = st.lists(
    st.sampled_from([-0.4, -0.25, -0.1, -0.1, -0.003, 0.0, 0.002, 0.1, 0.1, 0.25, 0.7]),
    min_size=1,
    max_size=6,
)


@given(differences)
def test_the_shares_are_those_of_random_weights(d: list[float]) -> None:
    weights = np.random.default_rng(7).dirichlet(np.ones(len(d)), 20_000)
    seen = float((weights @ np.array(d) > 1e-15).mean())
    assert winning_share(d) == pytest.approx(seen, abs=5 * 0.5 / math.sqrt(20_000))


@given(differences)
def test_what_is_won_what_is_lost_and_what_is_the_same_make_all(d: list[float]) -> None:
    lost = winning_share([-one for one in d])
    assert winning_share(d) + lost == (0 if not any(d) else pytest.approx(1, abs=1e-12))
    assert 0 <= winning_share(d) <= 1
    assert winning_share(d) == pytest.approx(winning_share(sorted(d)), abs=1e-12)
    assert winning_share([1000 * one for one in d]) == pytest.approx(winning_share(d), abs=1e-9)


@given(st.lists(st.integers(-50, 50).filter(bool), min_size=2, max_size=6, unique=True))
def test_the_shares_are_those_of_the_closed_form(d: list[int]) -> None:
    # for differences that all differ: the sum over d_i > 0 of d_i^(k-1) / prod over j of (d_i - d_j)
    closed = sum(
        one ** (len(d) - 1) / math.prod(one - other for other in d if other != one) for one in d if one > 0
    )
    assert winning_share(d) == pytest.approx(closed, abs=1e-9)


@pytest.mark.parametrize("d", [[0.3, -0.1], [-0.2, 0.05], [0.1, 0.1], [0.0, -1.0], [0.0, 0.4], [0.0, 0.0]])
def test_two_goals_by_brute_force(d: list[float]) -> None:
    w = (np.arange(100_000) + 0.5) / 100_000
    won = w * d[0] + (1 - w) * d[1] > 0
    assert winning_share(d) == pytest.approx(won.mean(), abs=1e-5)
    even = break_even(*d)
    if even is None:
        assert won.all() or not won.any()
    else:
        assert even * d[0] + (1 - even) * d[1] == pytest.approx(0, abs=1e-15)
        assert 0 < even < 1
        assert winning_share(d) == pytest.approx(1 - even if d[0] > 0 else even)


@pytest.mark.parametrize(
    "d", [[0.3, -0.1, -0.1], [0.2, 0.1, -0.4], [0.0, 0.1, -0.1], [0.5, 0.0, 0.0], [-0.1, -0.2, 0.9]]
)
def test_three_goals_by_brute_force(d: list[float]) -> None:
    n = 1200
    i, j = np.meshgrid(np.arange(n), np.arange(n))
    inside = i + j < n
    w = (np.stack((i, j, n - 1 - i - j), axis=-1)[inside] + 1 / 3) / n
    assert winning_share(d) == pytest.approx((w @ np.array(d) > 0).mean(), abs=2e-3)


@given(st.integers(1, 9))
def test_the_lattice_is_even_inside_and_as_fine_as_it_may_be(k: int) -> None:
    points, step = lattice(k)
    assert points.shape[1] == k
    assert 1 <= len(points) <= POINTS
    assert (points > 0).all()
    np.testing.assert_allclose(points.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(points.mean(axis=0), 1 / k, atol=1e-12)
    assert len({tuple(row) for row in points.round(9).tolist()}) == len(points)
    if len(points) > 1:
        apart = np.abs(points[1:] - points[0]).max(axis=1).min()
        assert apart == pytest.approx(step)
    d = np.linspace(-1, 0.7, k) + 0.01
    assert (points @ d > 0).mean() == pytest.approx(winning_share(d), abs=2 * k * step)


@given(st.integers(1, 5), st.integers(2, 9), st.integers(0, 50))
def test_the_interval_is_that_of_the_weighed_differences(k: int, n: int, seed: int) -> None:
    drawn = np.random.default_rng(seed)
    d = drawn.normal(0.1, 0.3, (n, k)).round(3)
    points, step = lattice(k)
    lower, upper = bounds(d, points, 0.9)
    for place in drawn.choice(len(points), 20):
        exact = paired_t(d @ points[place], 0.9)
        if exact.reason != "zero_variance":
            assert (lower[place], upper[place]) == pytest.approx((exact.lower, exact.upper), abs=1e-9)
    found = certainty(d, 0.9)
    assert found.step == step
    assert (found.better, found.worse) == (np.mean(lower > 0), np.mean(upper < 0))
    assert found.better + found.worse + found.undecided == pytest.approx(1)


def test_too_few_queries_and_equal_differences_are_told() -> None:
    assert certainty(np.zeros((0, 2))).reason == "no_common_query"
    assert certainty(np.array([[0.1, 0.2]])).reason == "n_below_2"
    assert certainty(np.array([[0.1, 0.2]])).better is None
    alike = certainty(np.array([[0.1, 0.2]] * 4))
    assert (alike.better, alike.worse, alike.undecided) == (0, 0, 1)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=5), st.data())
def test_a_shift_of_weight_turns_the_sign_there_and_not_before(d: list[int], data: st.DataObject) -> None:
    drawn = st.lists(st.integers(1, 9), min_size=len(d), max_size=len(d))
    w = shares(data.draw(drawn))
    found = switches(w, d)
    total = float(w @ np.array(d))
    for a, b, moved in found:
        shift = np.zeros(len(d))
        shift[a], shift[b] = -1, 1
        assert (w + moved * shift) @ np.array(d) == pytest.approx(0, abs=1e-9)
        assert ((w + 0.5 * moved * shift) @ np.array(d)) * total > 0
        assert 0 < moved < w[a]
    assert [row[2] for row in found] == sorted(row[2] for row in found)
    listed = {(a, b) for a, b, _ in found}
    for a, b in itertools.permutations(range(len(d)), 2):
        if (a, b) not in listed and abs(total) > 1e-9:  # all of the weight turns nothing
            every = w.copy()
            every[b] += every[a]
            every[a] = 0
            assert (every @ np.array(d)) * total > -1e-9


def test_pareto() -> None:
    assert pareto([0.1, 0.0, 0.2]) == "better"
    assert pareto([0.0, -0.1]) == "worse"
    assert pareto([0.0, 1e-14]) == "same"
    assert pareto([0.1, -1e-9]) == "trade-off"


@pytest.mark.parametrize("weights", [[], [0.0, 1.0], [-1.0, 2.0], [math.nan, 1.0], [math.inf, 1.0], [[1.0]]])
def test_weights_that_cannot_be_are_an_error(weights: list[float]) -> None:
    with pytest.raises(UsageError, match="numbers above 0"):
        shares(weights)
