"""The stream of resamples, and the means under it, against plain counting and plain adding."""

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.stats import resampling
from rankproof.stats.resampling import has_few, means_of_few, resampled_counts, resampled_means

close = pytest.approx


def plain_counts(n: int, seed: int, resamples: int) -> np.ndarray:
    """The counts, one resample and one draw after another, in whole numbers."""
    words_each = -(-n // 2)
    stream = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    words = [int(word) for word in stream.random_raw(resamples * words_each)]
    counts = np.zeros((resamples, n))
    for b in range(resamples):
        own = words[b * words_each : (b + 1) * words_each]
        halves = [half for word in own for half in (word % 2**32, word // 2**32)][:n]
        for half in halves:
            counts[b, half * n // 2**32] += 1
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 50, 51, 4097, 9001])
def test_counts_are_those_of_plain_drawing(n: int) -> None:
    assert resampled_counts(n, seed=3, start=0, stop=7).tolist() == plain_counts(n, 3, 7).tolist()


@pytest.mark.parametrize("n", [7, 300, 9001])
def test_a_resample_depends_on_seed_and_place_alone(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = resampled_counts(n, seed=2, start=0, stop=30).tolist()
    assert resampled_counts(n, seed=2, start=11, stop=30).tolist() == found[11:]
    monkeypatch.setattr(resampling, "BINS", 100)
    assert resampled_counts(n, seed=2, start=0, stop=30).tolist() == found
    assert resampled_counts(n, seed=3, start=0, stop=30).tolist() != found


def test_the_stream_of_resamples_stays_what_it_was() -> None:
    assert resampled_counts(6, seed=0, start=0, stop=3).tolist() == [
        [1.0, 0.0, 1.0, 1.0, 0.0, 3.0],
        [1.0, 0.0, 1.0, 0.0, 3.0, 1.0],
        [3.0, 1.0, 0.0, 0.0, 0.0, 2.0],
    ]


@pytest.mark.parametrize("n", [2, 37, 500])
def test_means_are_counts_times_values(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(n).normal(size=(5, n))
    found = resampled_means(rows, seed=4, resamples=300)
    assert found == close(rows @ plain_counts(n, 4, 300).T / n, abs=1e-12)
    for row, means in zip(rows, found, strict=True):
        assert resampled_means(row[None], seed=4, resamples=300)[0].tolist() == means.tolist()
    monkeypatch.setattr(resampling, "AT_ONCE", 1000)
    assert resampled_means(rows, seed=4, resamples=300).tolist() == found.tolist()
    assert resampled_means(rows, seed=4, resamples=120).tolist() == found[:, :120].tolist()


def test_every_query_is_drawn_alike() -> None:
    n, resamples = 40, 20_000
    counts = resampled_counts(n, seed=0, start=0, stop=resamples)
    assert (counts.sum(axis=1) == n).all()
    assert np.abs(counts.mean(axis=0) - 1).max() < 5 * np.sqrt((1 - 1 / n) / resamples)
    # multinomial: the variance of a count is 1 - 1/n, the covariance of two -1/n
    spread = np.cov(counts.T)
    assert np.abs(spread - (np.eye(n) - 1 / n)).max() < 8 / np.sqrt(resamples)


def test_few_values_have_the_same_spread_drawn_by_value_or_by_query() -> None:
    values = 1 / np.random.default_rng(1).integers(1, 6, size=400)
    by_value = means_of_few(values, seed=5, resamples=20_000)
    by_query = resampled_means(values[None], seed=5, resamples=20_000)[0]
    within = 5 * values.std() / np.sqrt(400 * 20_000)
    for means in (by_value, by_query):
        assert means.mean() == close(values.mean(), abs=within)
        assert means.std() == close(values.std() / 20, rel=5 / np.sqrt(2 * 20_000))
    for share in (0.025, 0.25, 0.75, 0.975):
        assert np.quantile(by_value, share) == close(
            np.quantile(by_query, share), abs=values.std() / 20 * 0.1
        )


def test_few_values_do_not_depend_on_how_resamples_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    values = 1 / np.random.default_rng(1).integers(1, 6, size=400)
    found = means_of_few(values, seed=5, resamples=999).tolist()
    monkeypatch.setattr(resampling, "AT_ONCE", 100)
    assert means_of_few(values, seed=5, resamples=999).tolist() == found
    assert means_of_few(values, seed=6, resamples=999).tolist() != found
    assert means_of_few(-values, seed=5, resamples=999).tolist() == [-mean for mean in found]


def test_few_are_a_sixteenth() -> None:
    assert has_few(np.arange(160) % 10 / 10)
    assert not has_few(np.arange(160) % 11 / 10)


def test_bad_use_is_an_error() -> None:
    for work in (resampled_means, means_of_few):
        with pytest.raises(UsageError, match="at least one resample"):
            work(np.ones((1, 4)), resamples=0)
        with pytest.raises(UsageError, match="seed of 0 or more"):
            work(np.ones((1, 4)), seed=-1)
