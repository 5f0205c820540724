"""A batch has the values that evaluate gives for the same data, in every library and by every convention that it keeps."""

from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batch.batches import EVERY, Batch, batches, settled
from rankproof import (
    Conventions,
    Measure,
    measure_batch,
)
from rankproof.batch.libraries import Library

# On a processor tensors are read by numpy; "torch elsewhere" is what torch does with those that lie on a GPU.
LIBRARIES = ("numpy", "array_api_strict", "torch", "torch elsewhere", "jax.numpy")
CHOICES: tuple[dict[str, object], ...] = (
    {},
    {"ties": "file_last"},
    {"ties": "average"},
    {"score_width": 32},
    {"gain": "exp2"},
    {"gain": "1=3,2=1"},
    {"ideal": "shown"},
    {"ideal": "candidates"},
    {"pool": "shown"},
    {"rel": 2},
    {"rel": 0},
    {"unjudged": "condense"},
    {"missing": "exclude"},
    {"no_relevant": "zero"},
    {"no_relevant": "one", "missing": "exclude"},
    {"negative_grades": "zero"},
    {"negative_grades": "skip", "precision_divisor": "shown"},
)


def library(name: str) -> Any:
    """The library; a test without it is skipped by its name."""
    name = name.removesuffix(" elsewhere")
    pytest.importorskip(name.partition(".")[0], reason=f"{name} is not installed")
    if name.startswith("jax"):
        import_module("jax").config.update("jax_enable_x64", True)
    return import_module(name)


def put(xp: Any, array: np.ndarray | None) -> Any:
    """The array in that library."""
    if array is None:
        return None
    kind = getattr(xp, array.dtype.name)
    return xp.reshape(xp.asarray(array.ravel().tolist(), dtype=kind), array.shape)


def measured(
    xp: Any, batch: Batch, measures: Any, conventions: Conventions, top: int
) -> dict[str, np.ndarray]:
    """The values, as numpy has them, once they are known to be of that library."""
    values = measure_batch(
        put(xp, batch.scores),
        put(xp, batch.grades),
        measures,
        mask=put(xp, batch.mask),
        missed=put(xp, batch.missed),
        top_grade=top,
        conventions=conventions,
    )
    assert all(type(one) is type(put(xp, batch.scores)) for one in values.values())
    return {name: np.asarray(one) for name, one in values.items()}


def compare(name: str, batch: Batch, measures: Sequence[Measure], conventions: Conventions) -> None:
    """Every value is that of evaluate."""
    wanted = batch.evaluated(measures, conventions)
    elsewhere = patch.object(Library, "near", False) if name.endswith(" elsewhere") else nullcontext()
    with elsewhere:
        found = measured(library(name), batch, measures, conventions, wanted.top_grade)
    assert list(found) == list(wanted.measures)
    for measure, column in found.items():
        theirs = wanted.of("run", measure)[: len(column)]
        np.testing.assert_allclose(column, theirs, rtol=1e-12, atol=1e-12, equal_nan=True, err_msg=measure)


@pytest.mark.parametrize("name", LIBRARIES)
@given(
    batch=batches(),
    choices=st.sampled_from(CHOICES),
    asked=st.lists(st.sampled_from(EVERY), min_size=1, max_size=12, unique=True),
)
def test_values_are_those_of_evaluate(
    name: str, batch: Batch, choices: dict[str, object], asked: list[Measure]
) -> None:
    conventions = Conventions().but(**choices)
    measures = [measure for measure in asked if settled(measure, conventions)]
    if measures:
        compare(name, batch, measures, conventions)


def some_batch(n: int, depth: int, width: type, seed: int = 0) -> Batch:
    """Rows of random scores, one in four of them shared by several docs; one doc in eight is not judged."""
    rng = np.random.default_rng(seed)
    scores = np.where(
        rng.random((n, depth)) < 0.25, rng.integers(0, 4, (n, depth)), rng.normal(0, 3, (n, depth))
    )
    grades = np.where(rng.random((n, depth)) < 0.7, 0, rng.integers(0, 5, (n, depth)))
    grades[rng.random((n, depth)) < 0.125] = -1
    grades[:2] = np.minimum(grades[:2], 0)
    mask = np.arange(depth) < rng.integers(0, depth + 1, (n, 1))
    return Batch(scores.astype(width), grades, mask, rng.integers(-1, 4, (n, 3)))


@pytest.mark.parametrize("choices", CHOICES, ids=str)
@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_every_measure_by_every_convention(choices: dict[str, object], width: type) -> None:
    conventions = Conventions().but(**choices)
    measures = [measure for measure in EVERY if settled(measure, conventions)]
    compare("numpy", some_batch(12, 40, width), measures, conventions)


@pytest.mark.parametrize("name", LIBRARIES[1:])
@pytest.mark.parametrize("choices", [{}, {"ties": "average"}], ids=str)
def test_every_measure_in_every_library(name: str, choices: dict[str, object]) -> None:
    conventions = Conventions().but(**choices)
    measures = [measure for measure in EVERY if settled(measure, conventions)]
    compare(name, some_batch(12, 40, np.float32), measures, conventions)
