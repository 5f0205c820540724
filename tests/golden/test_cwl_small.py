"""What cwl_eval says of models of a reader, on a few lists of our own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golden.tallying import Tally
from rankproof import Conventions, Judgments, Run, parse_measure
from rankproof.alignment import align
from rankproof.tables.sums import Sum

HERE = Path(__file__).parent / "cwl_small"
LISTS: dict[str, dict[str, Any]] = json.loads((HERE / "lists.json").read_text("utf-8"))
EXPECTED: dict[str, dict[str, list[str]]] = json.loads((HERE / "expected.json").read_text("utf-8"))
CASES = [(name, measure) for name, values in EXPECTED.items() for measure in values]


def ours(name: str, measure: str) -> Sum:
    shown = [f"d{rank}" for rank in range(1, LISTS[name]["shown"] + 1)]
    grades = {f"d{rank}": grade for rank, grade in LISTS[name]["grades"].items()} | {"not shown": 4}
    laid = align(Judgments.from_dict({"q": grades}), Run.from_dict("run", {"q": shown}), Conventions())
    return parse_measure(measure).under(Conventions()).of(laid.rankings)


def different(name: str, measure: str) -> list[tuple[float, str]]:
    """Our gain for each place looked at, and our number of places, where they are not what was recorded."""
    found = ours(name, measure)
    pairs = zip((found.value[0], found.divisor[0]), EXPECTED[name][measure], strict=True)
    return [(mine, text) for mine, text in pairs if mine != pytest.approx(float(text), rel=1e-11, abs=1e-13)]


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_what_a_reader_gathers_and_how_far_readers_come(name: str, measure: str) -> None:
    assert not different(name, measure)


def tally() -> Iterator[Tally]:
    """Both numbers of every list and measure."""
    wrong = sum(len(different(name, measure)) for name, measure in CASES)
    yield Tally("cwl_eval 1.0.12, lists of our own", 2 * len(CASES), 2 * len(CASES) - wrong)
