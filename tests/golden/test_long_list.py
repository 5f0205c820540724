"""What tools say of a list of 50 docs, by the names that they use themselves: a tool may cut a list without saying so."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from golden.tallying import Tally
from rankproof import DIALECTS, MEASURES, Judgments, Measure, Run, evaluate

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "long_list.json").read_text("utf-8"))
# The tool of the spellings, and its dialect.
TOOLS = {
    "scikit-learn-1.9.1": ("scikit-learn", "sklearn"),
    "torchmetrics-1.9.0": ("torchmetrics", "torchmetrics"),
    "xgboost-3.2.0": ("XGBoost", "xgboost"),
    "lightgbm-4.7.0": ("LightGBM", "lightgbm"),
    "catboost-1.2.10": ("CatBoost", "catboost"),
}
DIGITS = 1e-6  # six were recorded, the last of torchmetrics in single precision


@dataclass(frozen=True)
class Compared:
    """One recorded value beside ours; `name` is the name that the tool uses."""

    tool: str
    name: str
    measure: Measure
    recorded: float
    ours: float

    @property
    def same(self) -> bool:
        """Six digits, but for the last."""
        return abs(self.ours - self.recorded) <= 1.5 * DIGITS


def meant(tool: str, name: str) -> Measure:
    """The measure that a name means in one tool, by the one spelling of that tool that reads it."""
    ((row, said),) = [
        (row, said)
        for row in MEASURES
        for spelling in row.spelt
        if spelling.tool == tool
        for said in spelling.read(name)
    ]
    at = said.pop("k", None)
    return row.with_(None if at is None else int(at), **said)


def compared(tool: str) -> Iterator[Compared]:
    """Every recorded value of a tool beside ours, in its dialect."""
    words, dialect = TOOLS[tool]
    docs, scores, *grades = zip(*RECORDED["rows"], strict=True)
    run = Run.of("run", ["q"] * len(docs), docs, score=scores)
    for kind, each in zip(RECORDED["columns"][2:], grades, strict=True):
        judgments = Judgments.from_dict({"q": dict(zip(docs, each, strict=True))})
        for name, value in RECORDED["values"][tool][kind].items():
            measure = meant(words, name)
            chosen = DIALECTS.find(dialect).conventions
            found = evaluate(judgments, run, measure, conventions=chosen)
            yield Compared(tool, name, measure, value, float(found.values.item()))


@pytest.mark.parametrize("tool", TOOLS)
def test_a_name_of_a_tool_is_the_measure_with_its_value(tool: str) -> None:
    rows = list(compared(tool))
    assert len(rows) >= 4
    assert [row for row in rows if not row.same] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_a_dialect_has_what_its_tool_was_asked_for(tool: str) -> None:
    row = DIALECTS.find(TOOLS[tool][1])
    assert [one.name for one in compared(tool) if not row.has(one.measure.name, one.measure.at)] == []


@pytest.mark.parametrize("name", ["nDCG", "AP", "P"])
def test_what_a_tool_cannot_be_asked_for_its_dialect_does_not_have(name: str) -> None:
    """XGBoost has no name for the whole list: ndcg has the cutoff 32, and is another number here."""
    xgboost = DIALECTS.find("xgboost")
    assert xgboost.has(name, 32)
    assert not xgboost.has(name, None)


def test_every_tool_that_was_recorded_is_asked() -> None:
    assert set(RECORDED["values"]) == set(TOOLS)


def tally() -> Iterator[Tally]:
    """The counts of each tool."""
    for tool in TOOLS:
        rows = list(compared(tool))
        yield Tally(f"a long list, {tool}", len(rows), sum(row.same for row in rows))
