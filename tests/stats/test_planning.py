"""Planning against recorded values, and its laws."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.stats.distributions import beyond, t_quantile
from rankproof.stats.planning import detectable, needed, power_at

close = pytest.approx
GOLDEN = Path(__file__).parents[1] / "golden" / "statistics" / "planning_expected.tsv"
SIDES = {"two-sided": 2, "larger": 1}


def rows() -> Iterator[dict[str, float]]:
    with GOLDEN.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            sides = SIDES[row.pop("alternative")]
            yield {name: float(value) for name, value in row.items()} | {"sides": sides}


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: f"{row['sides']}-{row['sd_diff']}-{row['n']}")
def test_recorded_values_are_reproduced(row: dict[str, float]) -> None:
    s, n, alpha, sides = row["sd_diff"], int(row["n"]), row["alpha"], int(row["sides"])
    power = power_at(s, n, row["diff"], alpha=alpha, sides=sides)
    smallest = detectable(s, n, alpha=alpha, power=row["target_power"], sides=sides)
    enough = needed(s, row["diff"], alpha=alpha, power=row["target_power"], sides=sides)
    assert power == close(row["power_at_n"], abs=1e-9)
    assert smallest == close(row["min_detectable_diff_at_n"], abs=1e-9)
    assert enough == row["n_needed"]


def test_nothing_can_be_planned_from_one_query_or_without_spread() -> None:
    assert detectable(0.2, 1) is None
    assert detectable(0.0, 50) is None
    assert power_at(0.2, 1, 0.1) is None
    assert power_at(0.0, 50, 0.1) is None
    assert needed(0.0, 0.1) == 2


@pytest.mark.parametrize("sides", [1, 2])
def test_few_queries_and_small_alphas_stay_in_order(sides: int) -> None:
    found = [detectable(1.0, 2, alpha=alpha, sides=sides) for alpha in (0.2, 0.05, 0.01)]
    assert None not in found
    assert found == sorted(found, key=lambda value: value or 0)
    one, two = detectable(1.0, 2, sides=1), detectable(1.0, 2, sides=2)
    assert one is not None
    assert two is not None
    assert one < two


@pytest.mark.parametrize("df", [1, 2, 9, 200, 10**6])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-4])
def test_without_a_difference_power_is_alpha(df: int, alpha: float) -> None:
    for sides in (1, 2):
        critical = t_quantile(1 - alpha / sides, df)
        assert beyond(critical, df, 0.0, sides=sides) == close(alpha, abs=1e-11)


def test_many_queries_are_as_good_as_a_known_spread() -> None:
    normal = 0.5 * math.erfc((1.959963984540054 - 2.5) / math.sqrt(2))
    assert beyond(1.959963984540054, 10**9, 2.5, sides=1) == close(normal, abs=1e-8)
    assert needed(1.0, 1e-6, sides=1) == close(
        (1.6448536269514722 + 0.8416212335729143) ** 2 * 1e12, rel=1e-6
    )


@settings(deadline=None, max_examples=30)
@given(st.floats(0.02, 1), st.floats(0.05, 1), st.sampled_from([0.01, 0.05]), st.sampled_from([1, 2]))
def test_queries_needed_are_just_enough(s: float, difference: float, alpha: float, sides: int) -> None:
    n = needed(s, difference, alpha=alpha, sides=sides)
    smallest = detectable(s, n, alpha=alpha, sides=sides)
    assert smallest is not None
    assert smallest <= difference * (1 + 1e-9)
    if n > 2:
        power = power_at(s, n - 1, difference, alpha=alpha, sides=sides)
        assert power is not None
        assert power < 0.8


@settings(deadline=None)
@given(st.floats(0.01, 1), st.integers(2, 10_000), st.floats(1, 100))
def test_what_is_detectable_grows_with_the_spread(s: float, n: int, factor: float) -> None:
    one, other = detectable(s, n), detectable(s * factor, n)
    assert one is not None
    assert other == close(one * factor)


@pytest.mark.parametrize(
    "settings", [{"alpha": 0}, {"power": 1}, {"sides": 3}, {"power": 0.04}, {"alpha": float("nan")}]
)
def test_settings_that_cannot_be_are_errors(settings: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="expected"):
        detectable(0.2, 50, **settings)
    with pytest.raises(UsageError, match="expected"):
        needed(0.2, 0.1, **settings)


@pytest.mark.parametrize("bad", [-0.1, float("nan"), float("inf")])
def test_a_spread_that_cannot_be_is_an_error(bad: float) -> None:
    with pytest.raises(UsageError, match="deviation"):
        detectable(bad, 50)


@pytest.mark.parametrize("bad", [0, -0.1, float("nan")])
def test_a_difference_of_no_size_is_an_error(bad: float) -> None:
    with pytest.raises(UsageError, match="above 0"):
        needed(0.2, bad)
