"""The edges of batches: nothing in them, ties where a selection is cut, many blocks, high grades, and wrong use."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batch.batches import EVERY
from batch.test_measuring import compare, some_batch
from rankproof import Conventions, UnknownName, UsageError, batch_means, conventions_of, measure_batch
from rankproof.batch import measuring
from rankproof.batch.libraries import Library
from rankproof.batch.sorting import FEW, order, smallest

SHORT = [measure for measure in EVERY if measure.at is not None and measure.at <= 3]


@given(
    seed=st.integers(0, 999),
    width=st.sampled_from((np.float32, np.float64)),
    depth=st.sampled_from((40, 47, 48, 200)),
    levels=st.integers(1, 300),
    k=st.integers(1, 12),
)
def test_a_selection_is_the_beginning_of_a_stable_sort(
    seed: int, width: type, depth: int, levels: int, k: int
) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, levels, (5, depth))
    fall = rows.astype(width)
    fall[rng.random(fall.shape) < 0.05] = np.inf
    library = Library.of(fall)
    np.testing.assert_array_equal(order(library, fall, k), np.argsort(fall, axis=1, kind="stable")[:, :k])
    np.testing.assert_array_equal(smallest(library, rows.copy(), k), np.sort(rows, axis=1)[:, :k])


@pytest.mark.parametrize("width", [np.float16, np.float32, np.float64])
def test_measures_of_the_top_alone(width: type) -> None:
    batch = some_batch(20, 3 * FEW + 5, width)
    compare("numpy", batch, SHORT, Conventions())


def test_blocks_are_put_together_again(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = some_batch(23, 17, np.float32)
    measures = ["nDCG@5", "AP", "RBP(p=0.8)", "Judged@3"]
    whole = measure_batch(batch.scores, batch.grades, measures, mask=batch.mask, missed=batch.missed)
    monkeypatch.setattr(measuring, "PLACES", 50)
    parts = measure_batch(batch.scores, batch.grades, measures, mask=batch.mask, missed=batch.missed)
    for name in measures:
        np.testing.assert_array_equal(whole[name], parts[name])


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (0, 0)])
def test_a_batch_without_docs_has_no_value(shape: tuple[int, int]) -> None:
    found = measure_batch(np.zeros(shape), np.zeros(shape, int), EVERY, top_grade=3)
    for values in found.values():
        assert values.shape == shape[:1]
        assert np.isnan(values).all()


def test_a_row_without_docs_counts_0_where_relevant_docs_are_known() -> None:
    mask, missed = np.zeros((1, 2), bool), np.array([[1, -1]])
    given_ = {"mask": mask, "missed": missed}
    assert measure_batch(np.zeros((1, 2)), np.zeros((1, 2), int), "AP", **given_)["AP"].tolist() == [0.0]
    left_out = Conventions(missing="exclude")
    found = measure_batch(np.zeros((1, 2)), np.zeros((1, 2), int), "AP", **given_, conventions=left_out)
    assert np.isnan(found["AP"]).all()


def test_arrays_of_numpy_need_nothing_more() -> None:
    code = """
import sys
sys.modules["array_api_compat"] = sys.modules["torch"] = None
from rankproof import MissingExtra, measure_batch
print(float(measure_batch([[0.9, 0.8]], [[0, 1]], "RR")["RR"][0]))
class Tensor:
    pass
try:
    measure_batch(Tensor(), [[0, 1]], "RR")
except MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    value, error = done.stdout.splitlines()
    assert value == "0.5"
    assert error.endswith("need array-api-compat, which is not installed: pip install 'rankproof[array]'")


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_high_grades(width: type) -> None:
    found = measure_batch(np.array([[0.2, 0.9, 0.9]], width), [[2**31 - 1, 0, 2]], ["nDCG@1", "CG@3", "RR"])
    assert found["nDCG@1"].tolist() == [0.0]
    assert found["CG@3"].tolist() == [2**31 + 1.0]
    assert found["RR"].tolist() == [0.5]


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int64, np.uint64, np.float32])
def test_grades_of_any_kind(kind: type) -> None:
    grades = np.array([[0, 1, 1], [1, 0, 0]]).astype(kind)
    found = measure_batch(np.array([[3.0, 2.0, 1.0]] * 2), grades, "AP")["AP"]
    np.testing.assert_allclose(found, [(1 / 2 + 2 / 3) / 2, 1.0])


def test_nothing_that_was_given_is_changed() -> None:
    batch = some_batch(6, 9, np.float32)
    before = [np.copy(one) for one in (batch.scores, batch.grades, batch.mask, batch.missed)]
    for one in (batch.scores, batch.grades, batch.mask, batch.missed):
        one.setflags(write=False)
    measure_batch(batch.scores, batch.grades, EVERY, mask=batch.mask, missed=batch.missed, top_grade=4)
    for one, other in zip((batch.scores, batch.grades, batch.mask, batch.missed), before, strict=True):
        np.testing.assert_array_equal(one, other)


def test_means_say_over_how_many_rows() -> None:
    values = measure_batch([[0.9, 0.8], [0.7, 0.6]], [[0, 0], [0, 0]], "RR")
    (mean,) = batch_means(values).values()
    assert mean == (None, 0, 2)


def test_a_dialect_makes_its_exceptions() -> None:
    conventions = conventions_of("torchmetrics")
    scores, grades = [[0.5, 0.5, 0.1], [0.3, 0.2, 0.1]], [[1, 0, 1], [0, 0, 0]]
    found = measure_batch(scores, grades, ["nDCG", "AP@1", "RR"], conventions=conventions)
    assert list(found) == ["nDCG", "AP(denominator=found)@1", "RR"]
    # nDCG averages over the two of equal score: (1/2 + 1/(2 log2 3) + 1/2) / (1 + 1/log2 3)
    place = 1 / np.log2(3)
    np.testing.assert_allclose(found["nDCG"], [((1 + place) / 2 + 0.5) / (1 + place), 0.0])
    assert found["AP(denominator=found)@1"].tolist() == [1.0, 0.0]
    assert found["RR"].tolist() == [1.0, 0.0]


ONE: dict[str, Any] = {"scores": [[0.5, 0.4]], "grades": [[1, 0]], "measures": "RR"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"measures": "Bpref"}, "Bpref cannot be had of a padded batch. These can: nDCG, DCG"),
        ({"measures": "P(raters=mean)@2"}, "cannot be had of a padded batch"),
        ({"measures": "clicks:P@2"}, "cannot be had of a padded batch"),
        ({"measures": "0.5*RR + 0.5*P@2"}, "cannot be had of a padded batch"),
        ({"measures": []}, "No measure was asked for"),
        ({"measures": "ERR"}, "top_grade=3"),
        ({"measures": "nDCG(against=full)@2"}, "top_grade=3"),
        ({"measures": "nDCG(gain=exp2)", "grades": [[2000, 0]]}, "too high for the gain exp2"),
        ({"scores": [[1, 2]]}, "expected fractions"),
        ({"scores": [0.5, 0.4]}, r"shape \(2,\)"),
        ({"grades": [[1, 0, 0]]}, "the shape of the scores"),
        ({"grades": [[1, 0.5]]}, "holds fractions"),
        ({"grades": [[1, float("nan")]]}, "holds fractions"),
        ({"grades": [[1, 2**31]]}, "beyond 2147483647"),
        ({"mask": [[1, 0]]}, "True where there is a doc"),
        ({"mask": [[True]]}, "the shape of the scores"),
        ({"missed": [1, 0]}, "one row for each of 1"),
        (
            {"conventions": Conventions(ties="optimistic")},
            "ties=optimistic; it keeps file, file_last, average",
        ),
        ({"conventions": Conventions(ties="average")}, "RR is not linear"),
        ({"conventions": Conventions(depth=3)}, "depth=3"),
        ({"scores": "0.5"}, "a str"),
    ],
    ids=str,
)
def test_wrong_use_says_what_to_do(change: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        measure_batch(**{**ONE, **change})


def test_a_name_that_no_measure_has_is_unknown() -> None:
    with pytest.raises(UnknownName):
        measure_batch(**{**ONE, "measures": "nDCGG@3"})


def test_a_score_that_is_no_number_orders_nothing() -> None:
    scores, grades = np.array([[np.nan, 0.5], [0.2, 0.1]]), np.array([[1, 0], [0, 1]])
    with pytest.raises(UsageError, match="hold NaN"):
        measure_batch(scores, grades, "RR")
    there = np.array([[False, True], [True, True]])
    assert measure_batch(scores, grades, "RR", mask=there)["RR"][1] == 0.5
