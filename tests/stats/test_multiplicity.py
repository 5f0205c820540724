"""Holm's adjustment against recorded values, and its laws."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.stats.multiplicity import holm

close = pytest.approx
GOLDEN = Path(__file__).parents[1] / "golden" / "statistics" / "multiplicity_expected.json"
CASES = json.loads(GOLDEN.read_text("utf-8"))
families = st.lists(st.none() | st.floats(0, 1))


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "p" in case])
def test_recorded_values_are_reproduced(name: str) -> None:
    case = CASES[name]
    assert holm(case["p"]) == close(case["adjusted"]["holm"], abs=1e-9)


def test_an_undefined_p_leaves_the_family(edge_cases: dict[str, Any]) -> None:
    case = edge_cases["family_with_undefined_p"]
    assert holm(case["p"]) == case["expect"]["holm"]


def test_an_empty_family_stays_empty() -> None:
    assert holm([]) == []
    assert holm([None, None]) == [None, None]


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_an_error(bad: float) -> None:
    with pytest.raises(UsageError, match="expected 0 to 1"):
        holm([0.2, bad])


@given(families)
def test_adjusted_values_are_no_smaller_and_keep_their_order(family: list[float | None]) -> None:
    pairs = [(p, q) for p, q in zip(family, holm(family), strict=True) if p is not None and q is not None]
    assert all(p <= q <= 1 for p, q in pairs)
    assert [q for _, q in sorted(pairs)] == sorted(q for _, q in pairs)


@given(families, st.randoms())
def test_the_order_of_the_family_does_not_matter(family: list[float | None], at: Any) -> None:
    places = at.sample(range(len(family)), len(family))
    mixed = holm([family[place] for place in places])
    assert mixed == [holm(family)[place] for place in places]
