"""Recorded pairs of systems: our own, and one of TREC-8 where it lies beside the project."""

import csv
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests" / "golden" / "statistics"
SHARED = ROOT.parent / "shared" / "golden" / "statistics"
TREC8 = "trec8_run125_vs_run126_ap"
RECORDED = json.loads((OWN / "paired_expected.json").read_text("utf-8"))
NAMES = list(RECORDED)
ENUMERATED = [name for name, told in RECORDED.items() if "exact_bootstrap_of_mean" in told]


class Pair(NamedTuple):
    """The differences of two systems, and what other tools say of them."""

    differences: NDArray[np.float64]
    expected: dict[str, Any]


def load(folder: Path, stem: str, name: str) -> Pair:
    with (folder / f"{stem}_inputs.tsv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["dataset"] == name]
    differences = [float(row["candidate"]) - float(row["baseline"]) for row in rows]
    expected = json.loads((folder / f"{stem}_expected.json").read_text("utf-8"))[name]
    return Pair(np.array(differences), expected)


@pytest.fixture(
    params=[
        *NAMES,
        pytest.param(
            TREC8,
            marks=[
                pytest.mark.shared,
                pytest.mark.skipif(not SHARED.exists(), reason="third-party TREC-8: not beside the project"),
            ],
        ),
    ]
)
def pair(request: pytest.FixtureRequest) -> Pair:
    name: str = request.param
    return load(SHARED, "trec8_pair", name) if name == TREC8 else load(OWN, "paired", name)


@pytest.fixture(params=ENUMERATED)
def enumerated(request: pytest.FixtureRequest) -> Pair:
    """A pair so small that all its resamples were enumerated."""
    return load(OWN, "paired", request.param)


@pytest.fixture(scope="session")
def edge_cases() -> dict[str, dict[str, Any]]:
    cases = json.loads((OWN / "edge_cases_policy.json").read_text("utf-8"))["cases"]
    return {case["id"]: case for case in cases}
