"""Measures beyond accuracy against what recommender tools say of the lists in beyond/."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from golden.tallying import Tally, same
from rankproof import evaluate, read_documents, read_history, read_judgments, read_run

HERE = Path(__file__).parent / "beyond"
TOOLS = ("rectools", "replay", "recommenders", "recmetrics")
RUNS = ("fresh", "mixed", "short")


class Told(NamedTuple):
    """What a tool's number is here: scale · measure@k + shift, with the documents or only the history known."""

    measure: str
    scale: float = 1.0
    shift: float = 0.0
    documents: bool = True
    digits: int = 10  # that the tool does not round away


SAME = {
    ("rectools", "MIUF"): Told("Novelty"),
    ("rectools", "AvgRecPopularity"): Told("AvgPopularity"),
    ("rectools", "AvgRecPopularity(normalize)"): Told("AvgPopularity(scale=share)"),
    ("rectools", "ILD"): Told("ILD(distance=hamming)"),
    ("rectools", "Serendipity"): Told("Serendipity"),
    ("rectools", "SufficientReco(deep)"): Told("Filled"),
    ("rectools", "Intersection"): Told("Unexpectedness(expected=run)", -1, 1),
    ("rectools", "CatalogCoverage"): Told("Coverage"),
    ("replay", "CategoricalDiversity"): Told("CategoryDiversity"),
    ("replay", "Novelty"): Told("KnownShare", -1, 1),
    ("replay", "Surprisal"): Told("Novelty(unit=most, over=cutoff)"),
    ("replay", "Unexpectedness"): Told("Unexpectedness(expected=run, over=cutoff)"),
    ("replay", "Coverage"): Told("Coverage", documents=False),
    ("recommenders", "novelty"): Told("Novelty(share=interactions)"),
    ("recommenders", "distributional_coverage"): Told("ExposureEntropy"),
    ("recommenders", "catalog_coverage"): Told("Coverage", documents=False),
    ("recommenders", "user_diversity"): Told("ILD"),
    ("recmetrics", "novelty"): Told("Novelty"),
    ("recmetrics", "personalization"): Told("Personalisation"),
    ("recmetrics", "prediction_coverage"): Told("Coverage", 100, digits=2),
    ("recmetrics", "intra_list_similarity"): Told("ILD", -1, 1),
}
NO_PAIR = "0 for a list of one doc, of which no distance can be"


@cache
def measured(measure: str, documents: bool) -> dict[tuple[str, str | None], float | None]:
    """The values by run and user, and of the run with the user None."""
    judgments, _ = read_judgments(HERE / "relevant.csv")
    history, _ = read_history(HERE / "history.csv")
    known, _ = read_documents(HERE / "items.jsonl")
    expected, _ = read_run(HERE / "base.csv")
    runs = [read_run(HERE / f"{name}.csv")[0] for name in RUNS]
    given = {"documents": known} if documents else {}
    found = evaluate(judgments, runs, measure, history=history, expected=expected, **given)
    return {(str(row["run"]), row["query_id"]): row["value"] for row in found.rows()}


def outcomes(tool: str) -> Iterator[tuple[str, bool | None]]:
    """Each recorded value with whether ours is the same; None for one that is excused."""
    for name, run, k, user, value in json.loads((HERE / f"values.{tool}.json").read_text("utf-8"))["values"]:
        told = SAME[tool, name]
        ours = measured(f"{told.measure}@{k}", told.documents)[run, user]
        where = f"{tool} {name}@{k} {run} {user}: {value}, here {ours}"
        if ours is None and name == "ILD" and value == 0:
            yield where, None
        else:
            yield where, ours is not None and same(f"{value:.{told.digits}f}", told.scale * ours + told.shift)


@pytest.mark.parametrize("tool", TOOLS)
def test_values_are_those_of_other_tools(tool: str) -> None:
    found = list(outcomes(tool))
    assert len(found) > 30
    assert [where for where, equal in found if equal is False] == []


def test_only_lists_without_a_pair_are_excused() -> None:
    excused = [where for tool in TOOLS for where, equal in outcomes(tool) if equal is None]
    assert excused
    assert all(where.startswith("rectools ILD@") and ": 0.0, here None" in where for where in excused)


def tally() -> Iterator[Tally]:
    """How many values of each tool were compared."""
    for tool in TOOLS:
        version = json.loads((HERE / f"values.{tool}.json").read_text("utf-8"))["version"]
        equal = [one for _, one in outcomes(tool)]
        n = sum(one is not None for one in equal)
        excused = {NO_PAIR: equal.count(None)} if None in equal else {}
        yield Tally(f"{tool} {version}, made-up lists", n, equal.count(True), excused)
