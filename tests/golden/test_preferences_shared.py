"""Every value that trec_eval prints for preferences and for several groups of judges."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from golden.tallying import Tally, same
from rankproof import Judgments, Preferences, conventions_of, evaluate, parse_measure, read_judged, read_run

DATA = Path(__file__).parents[3] / "shared" / "data" / "trec_eval_test"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.exists(), reason="third-party data: not beside the project"),
]
# The expected output, the judgments and how they are read, the run, and how many values were printed.
FILES = (
    ("prefs", "prefs.test", None, "prefs.results.test", 14 * 25),
    ("prefs", "prefs.test", "preferences", "prefs.results.test", 14 * 25),
    ("qrels_prefs", "qrels.test", "grades-as-preferences", "results.test", 14 * 4),
    ("qrels_jg", "qrels.123", "raters", "results.test", 20 * 4),
)
FACTS_OF_THE_RUN = ("runid", "num_q")

Compared = tuple[str, str, str, float]


def compared(output: str, judgments: str, reading: str | None, run: str) -> Iterator[Compared]:
    """Each printed value beside ours: measure, query, what was printed, what we compute."""
    judged, _ = read_judged(DATA / f"{judgments}.gz", reading)
    assert isinstance(judged, Judgments if reading == "raters" else Preferences)
    conventions = conventions_of("trec_eval-10", missing="exclude")
    printed = _printed(output)
    measures = {
        name: parse_measure(name).under(conventions) for name in dict.fromkeys(n for n, _, _ in printed)
    }
    found = evaluate(judged, read_run(DATA / f"{run}.gz")[0], measures.values(), conventions=conventions)
    (system,) = found.runs
    for name, query, text in printed:
        measure = measures[name].full_name
        mean = found.mean(system, measure).value
        assert mean is not None
        value = mean if query == "all" else float(found.of(system, measure)[found.queries.index(query)])
        yield name, query, text, value


def _printed(output: str) -> list[tuple[str, str, str]]:
    with gzip.open(DATA / f"expected.out.test.{output}.gz", "rt", encoding="utf-8") as lines:
        rows = [line.split() for line in lines]
    return [(name, query, text) for name, query, text in rows if name not in FACTS_OF_THE_RUN]


@pytest.mark.parametrize(("output", "judgments", "reading", "run", "n"), FILES)
def test_every_printed_value_is_reproduced(
    output: str, judgments: str, reading: str | None, run: str, n: int
) -> None:
    rows = list(compared(output, judgments, reading, run))
    assert len(rows) == n
    assert [row for row in rows if not same(*row[2:])] == []


def tally() -> Iterator[Tally]:
    """The counts of each expected output."""
    if not DATA.exists():
        return
    for output, judgments, reading, run, _ in FILES:
        if reading is None:  # compared below as what it says it is
            continue
        rows = list(compared(output, judgments, reading, run))
        equal = sum(same(text, value) for _, _, text, value in rows)
        yield Tally(f"trec_eval -R {output}", len(rows), equal)
