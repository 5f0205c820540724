"""One data set in the formats of four tools: the same counts, the same values, the same regressions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from rankproof import (
    Comparisons,
    Conventions,
    Judgments,
    Measurements,
    Questions,
    Run,
    audit,
    compare,
    conventions_of,
    evaluate,
    read_judgments,
    read_questions,
    read_run,
)

HERE = Path(__file__).parents[1] / "data" / "formats"
EXPECTED = json.loads((HERE / "expected_clean.json").read_text("utf-8"))
VALUES = {
    "nDCG@5": EXPECTED["ndcg_linear_at_5"],
    "nDCG(gain=exp2)@5": EXPECTED["ndcg_exp_at_5"],
    "RR": EXPECTED["rr"],
    "P@5": EXPECTED["p_at_5_div_k"],
}
RUNS = ("baseline", "candidate")


@dataclass(frozen=True)
class Sample:
    """One tool's files. `asked` gives the number of a query by what the files call it."""

    judgments: Judgments
    runs: tuple[Run, ...]
    questions: Questions
    noticed: tuple[str, ...]
    asked: dict[str, str] = field(default_factory=dict)

    def number(self, query: str) -> str:
        return self.asked.get(query, query)


@lru_cache
def sample(name: str) -> Sample:
    return {"trec": trec, "beir": beir, "msmarco": msmarco, "csv": spreadsheet}[name]()


def made(judgments: Path, questions: Path, runs: Iterator[Path]) -> Sample:
    judged, noticed = read_judgments(judgments)
    asked, more = read_questions(questions)
    noticed += more
    read = []
    for path in runs:
        run, more = read_run(path, name=path.stem.removeprefix("run_"))
        read.append(run)
        noticed += more
    return Sample(judged, tuple(read), asked, tuple(finding.code for finding in noticed.errors))


def of(folder: str, suffix: str) -> Iterator[Path]:
    return (HERE / folder / f"run_{run}{suffix}" for run in RUNS)


def trec() -> Sample:
    return made(HERE / "trec" / "qrels.txt", HERE / "trec" / "topics.tsv", of("trec", ".txt"))


def beir() -> Sample:
    """BEIR has no runs of its own: they are TREC's."""
    return made(HERE / "beir" / "qrels" / "test.tsv", HERE / "beir" / "queries.jsonl", of("trec", ".txt"))


def msmarco() -> Sample:
    """Docs are bare numbers here, and a run has ranks and no scores."""
    return made(HERE / "msmarco" / "qrels.tsv", HERE / "msmarco" / "queries.tsv", of("msmarco", ".tsv"))


def spreadsheet() -> Sample:
    """Queries go by their texts, and one without judgments stands in the same file."""
    judged, noticed = read_judgments(HERE / "quepid" / "case_ratings_import.csv")
    first = trec()
    texts = {row.query_id: row.text for row in first.questions.rows}
    runs = tuple(
        Run.from_dict(
            run.name,
            {
                texts[query]: [
                    doc for q, doc in zip(run.query.texts(), run.doc.texts(), strict=True) if q == query
                ]
                for query in run.query.names
            },
        )
        for run in first.runs
    )
    numbers = {text: query for query, text in texts.items()}
    return Sample(judged, runs, Questions(), tuple(finding.code for finding in noticed.errors), numbers)


every_sample = pytest.mark.parametrize("name", ["trec", "beir", "msmarco", "csv"])


@lru_cache
def measured(name: str) -> Measurements:
    found = sample(name)
    return evaluate(found.judgments, found.runs, list(VALUES), questions=found.questions)


@every_sample
def test_nothing_is_wrong_with_it(name: str) -> None:
    found = sample(name)
    assert found.noticed == ()
    assert not audit(found.judgments, found.runs, questions=found.questions).errors.rows


@every_sample
def test_counts(name: str) -> None:
    counts, parts = EXPECTED["counts"], measured(name).populations
    assert parts.asked == counts["queries"]
    assert len(parts.evaluable) == counts["evaluable"]
    assert all(set(run.states.values()) == {"ok"} for run in parts.runs.values())
    numbers = [sample(name).number(query) for query in (*parts.no_relevant, *parts.unjudged)]
    assert numbers == ["6", "7"]
    if name == "msmarco":  # its judgments name relevant docs only, so nobody can tell that 6 was judged
        assert (len(parts.no_relevant), len(parts.unjudged)) == (0, 2)
    else:
        assert (len(parts.no_relevant), len(parts.unjudged)) == (counts["no_relevant"], counts["not_judged"])
        assert len(parts.evaluable) + len(parts.no_relevant) == counts["judged"]


@every_sample
@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize("run", RUNS)
def test_values(name: str, measure: str, run: str) -> None:
    found, wanted = measured(name), VALUES[measure][run]
    values = dict(zip(map(sample(name).number, found.queries), found.of(run, measure).tolist(), strict=True))
    for query, value in wanted.items():
        if query != "mean_evaluable":
            assert values[query] == pytest.approx(value, abs=1e-9), query
    assert np.isnan(values["6"])
    assert np.isnan(values["7"])
    mean = found.mean(run, measure)
    assert (mean.n, mean.n_total) == (5, 7)
    assert mean.value == pytest.approx(np.mean([values[query] for query in "12345"]), abs=1e-12)
    if "mean_evaluable" in wanted:
        assert mean.value == pytest.approx(wanted["mean_evaluable"], abs=1e-9)


@lru_cache
def compared(name: str) -> Comparisons:
    return compare(measured(name), baseline="baseline")


@every_sample
def test_regressions(name: str) -> None:
    row = compared(name).of("candidate", "nDCG(gain=exp2)@5")
    assert row is not None
    worse = sorted(sample(name).number(one.query_id) for one in row.worst)
    better = sorted(sample(name).number(one.query_id) for one in row.best)
    assert worse == EXPECTED["regressions_ndcg_exp_at_5"]
    assert better == ["1", "4"]
    assert (row.n, row.wins, row.ties, row.losses) == (5, 2, 1, 2)
    assert sample(name).number(row.worst[0].query_id) == "3"
    assert row.difference == pytest.approx(-0.0175, abs=5e-5)


@pytest.mark.parametrize(
    ("conventions", "wanted"),
    [
        (Conventions(), (0.9354, 0.9179)),
        (conventions_of("trec_eval", missing="zero"), (0.7795, 0.7649)),
    ],
)
def test_the_mean_depends_on_what_it_is_divided_by(
    conventions: Conventions, wanted: tuple[float, float]
) -> None:
    found = sample("trec")
    values = evaluate(found.judgments, found.runs, "nDCG(gain=exp2)@5", conventions=conventions)
    means = [values.mean(run, values.measures[0]).value for run in RUNS]
    assert means == pytest.approx(wanted, abs=5e-5)


def test_the_same_ids_in_every_format() -> None:
    judgments = [sample(name).judgments for name in ("trec", "beir", "csv")]
    assert judgments[0].fingerprint == judgments[1].fingerprint
    docs = {f"kb-{int(doc):03}" for doc in sample("msmarco").judgments.doc.names}
    assert docs < set(judgments[0].doc.names) == set(judgments[2].doc.names)
