"""The stream of signs, and the sums under it, against plain adding."""

import numpy as np
import pytest

from rankproof.stats import signs
from rankproof.stats.signs import drawn_signs, drawn_sums, signed_sums

close = pytest.approx


def bits(blocks: range, seed: int, draws: int) -> np.ndarray:
    """(draws, 64 blocks) the signs, 0 or 1."""
    words = [drawn_signs(block, seed=seed, start=0, stop=draws) for block in blocks]
    return np.hstack([word[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1) for word in words])


def plain_sums(d: np.ndarray, seed: int, draws: int) -> np.ndarray:
    """The sums under the drawn signs, without tables: bit i of a block's word is query i's sign."""
    drawn = bits(range(-(-d.shape[1] // 64)), seed, draws)[:, : d.shape[1]]
    return np.asarray(d @ (2.0 * drawn.T - 1))


@pytest.mark.parametrize("n", [1, 8, 11, 54, 55, 56, 63, 64, 65, 200])
@pytest.mark.parametrize("n_pairs", [1, 2, 3, 4, 5, 9])
def test_tables_of_signed_sums_add_up_what_the_bits_say(n: int, n_pairs: int) -> None:
    d = np.random.default_rng(n).normal(size=(n_pairs, n))
    d[:, : n // 2] = 0  # whole groups that are skipped, but whose signs are used up
    d[0] = 0
    assert drawn_sums(d, seed=3, start=0, stop=50) == close(plain_sums(d, 3, 50), abs=1e-12)


def test_signed_sums_of_several_rows_are_those_of_each() -> None:
    values = np.random.default_rng(0).normal(size=(6, 3))
    assert signed_sums(values).shape == (64, 3)
    for place in range(3):
        assert signed_sums(values)[:, place].tolist() == signed_sums(values[:, place]).tolist()


def test_sums_depend_on_seed_query_and_draw_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    d = np.random.default_rng(5).normal(0.1, 1, size=(6, 130))
    found = drawn_sums(d, seed=2, start=0, stop=900).tolist()
    assert drawn_sums(d, seed=2, start=400, stop=900).tolist() == [row[400:] for row in found]
    assert [drawn_sums(row[None], seed=2, start=0, stop=900)[0].tolist() for row in d] == found
    monkeypatch.setattr(signs, "AT_ONCE", 77)
    monkeypatch.setattr(signs, "PAIRS", 5)
    assert drawn_sums(d, seed=2, start=0, stop=900).tolist() == found


def test_signs_are_even_and_unrelated() -> None:
    drawn = 2.0 * bits(range(3), 0, 40_000) - 1
    related = drawn.T @ drawn / len(drawn) - np.eye(192)
    assert np.abs(drawn.mean(axis=0)).max() < 5 / np.sqrt(40_000)
    assert np.abs(related).max() < 5.5 / np.sqrt(40_000)


def test_the_stream_of_signs_stays_what_it_was() -> None:
    def eights(block: int, **draws: int) -> list[list[int]]:
        return drawn_signs(block, **draws).astype("<u8").view(np.uint8).reshape(-1, 8).tolist()

    assert eights(0, seed=0, start=0, stop=2) == [
        [238, 118, 95, 205, 255, 90, 100, 241],
        [150, 85, 103, 1, 188, 120, 251, 80],
    ]
    assert eights(2, seed=2026, start=1000, stop=1001) == [[57, 100, 148, 88, 117, 102, 235, 221]]
