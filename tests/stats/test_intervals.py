"""Intervals against recorded values and at their edges."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.stats.intervals import Interval, d_z, one_sided_t, paired_t

close = pytest.approx
differences = st.lists(st.integers(-1000, 1000).map(lambda k: k / 997), min_size=2, max_size=40)


def test_recorded_intervals_are_reproduced(pair: Any) -> None:
    for level, bounds in pair.expected["t_ci"].items():
        found = paired_t(pair.differences, float(level))
        assert [found.lower, found.upper] == close(bounds, abs=1e-9)
        assert (found.level, found.method, found.reason) == (float(level), "paired-t", "")


def test_recorded_one_sided_bounds_are_reproduced(pair: Any) -> None:
    lower, upper = one_sided_t(pair.differences, 0.05)
    expected = {margin["lower_bound_95_one_sided"] for margin in pair.expected["non_inferiority"].values()}
    assert lower == close(expected.pop(), abs=1e-9)
    assert [lower, upper] == close(pair.expected["t_ci"]["0.9"], abs=1e-9)


def test_recorded_effect_sizes_are_reproduced(pair: Any) -> None:
    assert d_z(pair.differences) == close(pair.expected["effect_size"]["d_z"], abs=1e-9)


def test_no_difference_at_all_is_a_degenerate_interval(edge_cases: dict[str, Any]) -> None:
    case = edge_cases["all_zero"]
    found = paired_t(case["differences"])
    assert [found.lower, found.upper] == case["expect"]["t_ci"]
    assert found.reason == case["expect"]["reason"]
    assert d_z(case["differences"]) is case["expect"]["d_z"] is None
    assert one_sided_t(case["differences"], 0.05) == (0.0, 0.0)


def test_the_same_difference_everywhere_has_no_interval(edge_cases: dict[str, Any]) -> None:
    constant = edge_cases["constant_gain"]["differences"]
    assert paired_t(constant) == Interval(0.95, None, None, reason="zero_variance")
    assert d_z(constant) is None
    assert one_sided_t(constant, 0.05) == (0.1, 0.1)


@pytest.mark.parametrize(
    ("few", "reason"), [([], "no_common_query"), ([0.2], "n_below_2"), ([0.0], "n_below_2")]
)
def test_fewer_than_two_queries_have_no_interval(few: list[float], reason: str) -> None:
    assert paired_t(few) == Interval(0.95, None, None, reason=reason)
    assert one_sided_t(few, 0.05) == (None, None)
    assert d_z(few) is None


def test_what_floating_point_left_over_is_no_difference(edge_cases: dict[str, Any]) -> None:
    case = edge_cases["float_noise_is_a_tie"]
    noise = np.subtract(case["candidate"], case["baseline"])
    assert paired_t(noise) == Interval(0.95, 0.0, 0.0, reason="zero_variance")


@pytest.mark.parametrize("bad", [[0.1, np.nan, 0.2], [0.1, np.inf], [[0.1, 0.2]]])
def test_what_is_no_column_of_finite_numbers_is_an_error(bad: Any) -> None:
    with pytest.raises(UsageError, match="expected"):
        paired_t(bad)


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_level_outside_0_and_1_is_an_error(level: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        paired_t([0.1, 0.2], level)
    with pytest.raises(UsageError, match="between 0 and 1"):
        one_sided_t([0.1, 0.2], level)


@given(differences)
def test_swapping_the_systems_mirrors_everything(d: list[float]) -> None:
    one, other = paired_t(d), paired_t([-value for value in d])
    assert one.reason == other.reason
    assert mirrored(one.lower, one.upper) == (other.lower, other.upper)
    lower, upper = one_sided_t(d, 0.05)
    assert mirrored(lower, upper) == one_sided_t([-value for value in d], 0.05)


def mirrored(lower: float | None, upper: float | None) -> tuple[float | None, float | None]:
    return (None, None) if lower is None or upper is None else (-upper, -lower)


@given(differences)
def test_a_higher_level_is_never_narrower(d: list[float]) -> None:
    narrow, wide = paired_t(d, 0.9), paired_t(d, 0.99)
    if narrow.lower is not None and narrow.upper is not None:
        assert wide.lower is not None
        assert wide.upper is not None
        assert wide.lower <= narrow.lower <= np.mean(d) <= narrow.upper <= wide.upper
