"""trec_eval's values on a small collection of our own, by the tool itself and by its formulas in plain loops."""

import math
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from golden import reference
from rankproof import conventions_of, evaluate, parse_measure, read_judgments, read_run

HERE = Path(__file__).parent / "trec_eval_small"
RUNS = ("first", "second")
CONFIGS: dict[str, dict[str, object]] = {"l1": {}, "l2": {"rel": 2}, "judged": {"unjudged": "condense"}}
TOTALS = ("num_ret", "num_rel", "num_rel_ret")
both = pytest.mark.parametrize(("run", "config"), [(run, config) for run in RUNS for config in CONFIGS])

Values = dict[str, dict[str, float]]  # query, then measure


def rows(name: str) -> list[list[str]]:
    return [line.split() for line in (HERE / name).read_text("utf-8").splitlines()]


@lru_cache
def judged() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for query, _, doc, grade in rows("qrels.txt"):
        found.setdefault(query, {})[doc] = int(grade)
    return found


@lru_cache
def recorded(run: str, config: str) -> Values:
    found: Values = {}
    for line in (HERE / f"expected.{run}.{config}.tsv").read_text("utf-8").splitlines():
        measure, query, value = line.split("\t")
        found.setdefault(query, {})[measure] = float(value)
    return found


def by_hand(run: str, config: str, *, narrow: bool = True) -> Values:
    lists: dict[str, list[tuple[str, float]]] = {}
    for query, _, doc, _, score, _ in rows(f"run.{run}.txt"):
        lists.setdefault(query, []).append((doc, float(score)))
    found: Values = {}
    for query, grades in judged().items():
        if query in lists:
            shown = [grades.get(doc) for doc in reference.ordered(lists[query], narrow=narrow)]
            shown = reference.only_judged(shown) if config == "judged" else shown
            known = [grade for grade in grades.values() if grade >= 0]
            found[query] = reference.values(shown, known, level=2 if config == "l2" else 1)
    return found


def ours(
    run: str, config: str, dialect: str = "trec_eval-9", **choices: object
) -> tuple[Values, dict[str, float]]:
    """Values by query, and the means."""
    conventions = conventions_of(dialect, **CONFIGS[config], **choices)
    spelt = next(iter(recorded(run, config).values()))
    measures = {name: parse_measure(name).under(conventions) for name in spelt}
    judgments, system = read_judgments(HERE / "qrels.txt")[0], read_run(HERE / f"run.{run}.txt")[0]
    found = evaluate(judgments, system, measures.values(), conventions=conventions)
    values: Values = {}
    means: dict[str, float] = {}
    for name, measure in measures.items():
        for query, value in zip(found.queries, found.of(run, measure.full_name).tolist(), strict=True):
            if not math.isnan(value):
                values.setdefault(query, {})[name] = value
        mean = found.mean(run, measure.full_name).value
        assert mean is not None
        means[name] = mean
    return values, means


def same(one: Values, other: Values) -> None:
    assert sorted(one) == sorted(other)
    for query, values in one.items():
        assert sorted(values) == sorted(other[query])
        for measure, value in values.items():
            assert value == pytest.approx(other[query][measure], rel=1e-11, abs=1e-12), (query, measure)


@both
def test_the_tool_itself(run: str, config: str) -> None:
    same(ours(run, config)[0], recorded(run, config))


@both
def test_its_formulas_in_plain_loops(run: str, config: str) -> None:
    same(by_hand(run, config), recorded(run, config))


@pytest.mark.parametrize("run", RUNS)
def test_double_precision(run: str) -> None:
    values, _ = ours(run, "l1", "trec_eval-10", missing="exclude")
    same(values, by_hand(run, "l1", narrow=False))
    tied = "q10" if run == "first" else "q5"
    narrow, _ = ours(run, "l1")
    assert values[tied] != narrow[tied]
    assert {q: v for q, v in values.items() if q != tied} == {q: v for q, v in narrow.items() if q != tied}


@both
def test_means_over_the_queries_that_the_run_has_and_over_all_of_them(run: str, config: str) -> None:
    values = recorded(run, config)
    _, means = ours(run, config)
    _, complete = ours(run, config, missing="zero")
    for measure in next(iter(values.values())):
        total = math.fsum(row[measure] for row in values.values())
        if measure in TOTALS:
            assert means[measure] == total
        else:
            assert means[measure] == pytest.approx(total / len(values), rel=1e-11)
            assert complete[measure] == pytest.approx(total / len(judged()), rel=1e-11)


def test_the_collection_has_what_its_readme_says() -> None:
    grades = judged()
    assert len(grades) == 12
    assert max(grades["q6"].values()) == 0
    assert min(grades["q7"].values()) > 0
    assert min(grades["q4"].values()) == -2
    assert len(grades["Q1"]) == 1
    shown = {run: {row[0] for row in rows(f"run.{run}.txt")} for run in RUNS}
    assert {run: set(grades) - found for run, found in shown.items()} == {"first": {"q5"}, "second": {"q3"}}
    assert all("q99" in found for found in shown.values())
    assert reference.single(0.12345678912) == reference.single(0.12345678911)
    assert np.float32(16777217) == np.float32(16777216)
