"""Lines put into their groups, few groups and many, beside a stable sort."""

import numpy as np
import pytest

from rankproof.scanning.engine import engine


@pytest.mark.parametrize("groups", [1, 2, 256, 257, 1_000, 6_980, 100_000])
@pytest.mark.parametrize("n", [0, 1, 300, 20_000])
def test_the_lines_of_each_group_stand_in_their_order(n: int, groups: int) -> None:
    pytest.importorskip("rankproof._scan", reason="the compiled engine is not in this installation")
    place = (np.random.default_rng(groups).random(n) ** 2 * groups).astype(np.int32)
    order, starts = engine("native").grouped(place, groups)
    assert np.array_equal(order, np.argsort(place, kind="stable"))
    assert np.array_equal(starts, np.searchsorted(np.sort(place), np.arange(groups + 1)))
