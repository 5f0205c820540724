"""The percentile interval against recorded values, against scipy, and its laws."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from rankproof.errors import UsageError
from rankproof.stats.bootstrap import METHOD, percentile_interval, percentile_intervals
from rankproof.stats.intervals import Interval, paired_t
from rankproof.stats.resampling import resampled_means

close = pytest.approx


def sample(n: int, seed: int, few: bool = False) -> np.ndarray:
    """Differences of no particular shape; of few distinct values where asked."""
    draw = np.random.default_rng(seed)
    return np.round(draw.integers(-1, 3, n) / 3 if few else draw.gamma(2, 0.1, n) - 0.15, 12)


def bounds(found: Interval) -> list[float]:
    assert found.lower is not None
    assert found.upper is not None
    return [found.lower, found.upper]


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_recorded_quantiles_of_all_resamples_are_reproduced(enumerated: Any, level: float) -> None:
    quantiles = enumerated.expected["exact_bootstrap_of_mean"]["quantiles_lower_inverse_cdf"]
    recorded = [quantiles[f"{p:.3f}".rstrip("0")] for p in ((1 - level) / 2, (1 + level) / 2)]
    found = percentile_interval(enumerated.differences, level, seed=1, resamples=200_000)
    assert bounds(found) == close(recorded, abs=1e-9)
    assert (found.level, found.method, found.reason) == (level, METHOD, "")


def test_recorded_spread_of_all_resamples_is_reproduced(enumerated: Any) -> None:
    expected = enumerated.expected["exact_bootstrap_of_mean"]
    means = resampled_means(enumerated.differences[None], seed=2, resamples=50_000)[0]
    deviation = expected["bootstrap_se"]
    assert means.mean() == close(expected["bootstrap_mean"], abs=5 * deviation / np.sqrt(50_000))
    assert means.std() == close(deviation, rel=5 / np.sqrt(2 * 50_000))


@pytest.mark.parametrize("few", [False, True])
def test_it_is_what_scipy_finds_but_for_chance(few: bool) -> None:
    values = sample(300, 3, few)
    peer = scipy_stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(0)
    )
    found = percentile_interval(values, resamples=20_000)
    within = 0.1 * values.std() / np.sqrt(300)  # a bound of 20,000 resamples has an error of 0.02 of that
    assert bounds(found) == close(list(peer.confidence_interval), abs=within)


@pytest.mark.parametrize("few", [False, True])
def test_with_many_queries_it_is_the_t_interval(few: bool) -> None:
    values = sample(4000, 4, few)
    within = 0.1 * values.std() / np.sqrt(4000)
    assert bounds(percentile_interval(values)) == close(bounds(paired_t(values)), abs=within)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 9), st.integers(2, 90), st.integers(0, 99))
def test_many_rows_find_bit_for_bit_what_each_finds_alone(n_rows: int, n: int, seed: int) -> None:
    rows = [sample(n, place, few=place % 2 == 1) for place in range(n_rows)]
    rows.append(np.zeros(n))
    found = percentile_intervals(rows, seed=seed, resamples=500)
    assert found == [percentile_interval(row, seed=seed, resamples=500) for row in rows]


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 99),
    st.booleans(),
    st.floats(-3, 3),
    st.floats(0.1, 3) | st.floats(-3, -0.1),
    st.sampled_from([2, 30, 120]),
)
def test_it_moves_and_stretches_with_the_values(
    seed: int, few: bool, shift: float, factor: float, n: int
) -> None:
    values = sample(n, seed, few)
    assume(len(set(values.tolist())) > 1)
    plain = bounds(percentile_interval(values, resamples=400))
    moved = bounds(percentile_interval(shift + factor * values, resamples=400))
    assert moved == close(sorted(shift + factor * bound for bound in plain), abs=1e-10)


def test_it_depends_on_the_seed_and_lies_around_the_mean() -> None:
    values = sample(60, 8)
    found = percentile_interval(values, seed=1)
    assert found == percentile_interval(values, seed=1)
    assert found != percentile_interval(values, seed=2)
    lower, upper = bounds(found)
    assert lower < values.mean() < upper
    narrow, wide = bounds(percentile_interval(values, 0.8)), bounds(percentile_interval(values, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_the_bounds_are_the_means_that_are_counted_off() -> None:
    values = sample(30, 9)
    means = np.sort(resampled_means(values[None], seed=5, resamples=199)[0]).tolist()
    found = percentile_interval(values, 0.9, seed=5, resamples=199)  # 200 x 0.05: the tenth of either side
    assert bounds(found) == [means[9], means[-10]]
    ends = percentile_interval(values, 0.95, seed=5, resamples=39)
    assert bounds(ends) == [f(resampled_means(values[None], seed=5, resamples=39)) for f in (np.min, np.max)]


def test_edges_are_those_of_the_t_interval(edge_cases: dict[str, Any]) -> None:
    for name in ("all_zero", "constant_gain", "one_query"):
        values = edge_cases[name]["differences"]
        peer, found = paired_t(values), percentile_interval(values)
        assert found == Interval(0.95, peer.lower, peer.upper, METHOD, edge_cases[name]["expect"]["reason"])
    assert percentile_interval([]) == Interval(0.95, None, None, METHOD, "no_common_query")
    assert percentile_intervals([]) == []


def test_bad_use_is_an_error() -> None:
    with pytest.raises(UsageError, match="The rows have 2, 3 differences"):
        percentile_intervals([[0.1, 0.2], [0.1, 0.2, 0.3]])
    with pytest.raises(UsageError, match="38 resamples are too few for a level of"):
        percentile_interval([0.1, 0.2], resamples=38)
    with pytest.raises(UsageError, match="at least one resample"):
        percentile_interval([0.1, 0.2], resamples=0)
    with pytest.raises(UsageError, match="level is 1"):
        percentile_interval([0.1, 0.2], 1)
    with pytest.raises(UsageError, match="Difference 2 of 2 is nan"):
        percentile_interval([0.1, np.nan])
