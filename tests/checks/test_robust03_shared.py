"""Eight runs of a real collection, audited at once."""

from pathlib import Path

import pytest

from rankproof.checks.auditing import audit
from rankproof.formats.reading import read_judgments, read_run

ROBUST = Path(__file__).parents[3] / "shared" / "data" / "robust03"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not ROBUST.exists(), reason="robust03: third-party data, not beside the project"),
]
TIED = {
    "InexpC2": 3292,
    "NLPR03vb10": 38,
    "UIUC03Rd1": 6262,
    "aplrob03a": 12704,
    "pircRBa1": 16222,
    "rutcor03100": 99967,
}


def test_ties_of_eight_runs() -> None:
    judgments, noticed = read_judgments(ROBUST / "qrels.txt.gz")
    runs = [read_run(path)[0] for path in sorted(ROBUST.glob("run.*.txt.gz"))]
    assert len(runs) == 8
    found = audit(judgments, runs, noticed=noticed)
    assert {row.run: row.count for row in found if row.code == "tied-scores"} == TIED
    assert len(found.errors) == 0
