"""Runs of public collections, scanned by either engine, have the values that whole tables have."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rankproof import MEASURES, Judgments, conventions_of, evaluate, evaluate_files, read_judgments, read_run
from rankproof.scanning.engine import ENGINES, engine

SHARED = Path(__file__).parents[3] / "shared"
DATA = SHARED / "data"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
# Which conventions settle the order of lists differently.
DIALECTS = ("rankproof", "trec_eval-9")


def collections() -> Iterator[tuple[Path, list[Path]]]:
    """Judgments and runs of each collection that has both as TREC files."""
    for folder in sorted(DATA.glob("*")):
        judged = sorted(folder.glob("qrels*.txt.gz"))
        runs = sorted(folder.glob("run.*.txt.gz"))
        if judged and runs:
            yield judged[0], runs[:2]


CASES = list(collections())


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("judged", "runs"), CASES, ids=[case[0].parent.name for case in CASES])
def test_scanned_as_read(name: str, judged: Path, runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "native":
        pytest.importorskip("rankproof._scan", reason="the compiled engine is not built here")
    monkeypatch.setenv("RANKPROOF_ENGINE", name)
    engine.cache_clear()
    asked = [f"{row.name}@10" if row.cutoff != "none" else row.name for row in MEASURES if row.sees == "hits"]
    table, tables = read_judgments(judged)[0], [read_run(path)[0] for path in runs]
    assert isinstance(table, Judgments)
    for dialect in DIALECTS:
        by = conventions_of(dialect, missing="zero")
        expected = evaluate(table, tables, asked, conventions=by, keep=False)
        found = evaluate_files(judged, runs, asked, conventions=by).measurements
        np.testing.assert_array_equal(found.values, expected.values)
        np.testing.assert_array_equal(found.judged, expected.judged)
    engine.cache_clear()
