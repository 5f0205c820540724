"""trec_eval's values on a small collection of our own, by the tool itself and by its formulas in plain loops."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from golden import reference, reference_levels
from golden.recorded import excuses
from golden.tallying import Tally
from rankproof import conventions_of, evaluate, parse_measure, read_judgments, read_run

HERE = Path(__file__).parent / "trec_eval_small"
RUNS = ("first", "second")
CONFIGS: dict[str, dict[str, object]] = {"l1": {}, "l2": {"rel": 2}, "judged": {"unjudged": "condense"}}
TOTALS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "num_q")
LOGARITHMS = ("gm_map", "gm_bpref")  # of a query; the mean is that of the values again
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
    """What the tool gave; 0 where it is excused for a 0 / 0."""
    found: Values = {}
    for line in (HERE / f"expected.{run}.{config}.tsv").read_text("utf-8").splitlines():
        measure, query, value = line.split("\t")
        no_value = value == "nan" and excused(config, measure, query)
        found.setdefault(query, {})[measure] = 0.0 if no_value else float(value)
    return found


def excused(config: str, measure: str, query: str) -> str:
    """Why a value is not ours on purpose; nothing where it has to be."""
    return next((one.reason for one in excuses() if one.covers("pytrec_eval", config, measure, query)), "")


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
            level = 2 if config == "l2" else 1
            found[query] = reference.values(shown, known, level)
            found[query] |= reference_levels.values(shown, known, level, rounded=not narrow)
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
                values.setdefault(query, {})[name] = math.log(value) if name in LOGARITHMS else value
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
    for query in values.keys() - {tied}:
        changed = {name for name, value in values[query].items() if value != narrow[query][name]}
        assert all(name == "11pt_avg" or name.startswith("iprec_at_recall") for name in changed)


@both
def test_means_over_the_queries_that_the_run_has_and_over_all_of_them(run: str, config: str) -> None:
    values = recorded(run, config)
    _, means = ours(run, config)
    _, complete = ours(run, config, missing="zero")
    for measure in next(iter(values.values())):
        total = math.fsum(row[measure] for row in values.values())
        if measure in TOTALS:
            assert means[measure] == total
        elif measure in LOGARITHMS:
            assert means[measure] == pytest.approx(math.exp(total / len(values)), rel=1e-11)
            total += (len(judged()) - len(values)) * math.log(1e-5)
            assert complete[measure] == pytest.approx(math.exp(total / len(judged())), rel=1e-11)
        else:
            assert means[measure] == pytest.approx(total / len(values), rel=1e-11)
            assert complete[measure] == pytest.approx(total / len(judged()), rel=1e-11)


def tally() -> Iterator[Tally]:
    """The counts of the recorded files."""
    compared, equal, reasons = 0, 0, Counter[str]()
    for run in RUNS:
        for config in CONFIGS:
            values = ours(run, config)[0]
            for measure, query, text in rows(f"expected.{run}.{config}.tsv"):
                if text == "nan" and (reason := excused(config, measure, query)):
                    reasons[reason] += 1
                    continue
                compared += 1
                equal += math.isclose(values[query][measure], float(text), rel_tol=1e-11, abs_tol=1e-12)
    yield Tally("pytrec_eval-terrier 0.5.11, our own small collection", compared, equal, dict(reasons))


def test_what_is_excused_is_no_value() -> None:
    listed = [row for run in RUNS for config in CONFIGS for row in rows(f"expected.{run}.{config}.tsv")]
    assert sum(text == "nan" for _, _, text in listed) == 2


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
