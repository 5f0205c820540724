"""Every value that trec_eval 9.0.8 and 10.0-rc3 print for the measures we have, over public collections."""

import gzip
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.evaluation import evaluate
from rankproof.formats.reading import read_judgments, read_run
from rankproof.measures.dialects import conventions_of
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measure
from rankproof.tables.judgments import Judgments
from rankproof.tables.measurements import Measurements
from rankproof.tables.run import Run

SHARED = Path(__file__).parents[3] / "shared"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
CUTS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
NAMES = [
    "map", "ndcg", "recip_rank", "Rprec", "bpref", "num_ret", "num_rel", "num_rel_ret", "set_P", "set_recall",
    *(f"{name}_{k}" for name in ("P", "recall", "ndcg_cut", "map_cut") for k in CUTS),
    *(f"success_{k}" for k in (1, 5, 10)),
]  # fmt: skip  # a table, read row by row
SETS = ("robust03", "covid_round1", "web2013", "cacm", "lambdarank")
# The options of each recorded command, as conventions.
CONFIGS: Mapping[str, dict[str, object]] = {
    "q": {},
    "qc": {"missing": "zero"},
    "qcl2": {"missing": "zero", "rel": 2},
    "qcM100": {"missing": "zero", "depth": 100},
    "qJ": {"unjudged": "condense"},
}
BOTH_VERSIONS = ("q", "qc")
OF_MANY = ("rutcor03100", "InexpC2")  # robust03: two runs full of ties stand for eight

Printed = dict[str, dict[str, str]]


def cases() -> Iterator[tuple[str, str, str, str]]:
    """Collection, run, configuration and version; those of one run side by side, to be read once."""
    for name in SETS:
        for run in sorted((SHARED / "data" / name).glob("run.*.txt.gz")):
            stem = run.name.removeprefix("run.").removesuffix(".txt.gz")
            for config in CONFIGS:
                if config in BOTH_VERSIONS:
                    yield from ((name, stem, config, version) for version in ("trec_eval-9", "trec_eval-10"))
                elif (name != "robust03" or stem in OF_MANY) and (name, config) != ("cacm", "qcl2"):
                    yield name, stem, config, "trec_eval-9"  # no judgment of cacm reaches grade 2


@lru_cache(maxsize=1)
def judged(name: str) -> Judgments:
    qrels = "qrels.adhoc.txt.gz" if name == "web2013" else "qrels.txt.gz"
    return read_judgments(SHARED / "data" / name / qrels)[0]


@lru_cache(maxsize=1)
def system(name: str, run: str) -> Run:
    return read_run(SHARED / "data" / name / f"run.{run}.txt.gz")[0]


def printed(path: Path) -> Printed:
    """What the tool printed, by measure and query."""
    found: Printed = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            measure, query, value = line.rstrip("\n").split("\t")
            found.setdefault(measure, {})[query] = value
    return found


def expected(name: str, run: str, config: str, version: str) -> Printed:
    folder = SHARED / "golden" / "trec_eval" / name
    values = printed(folder / f"{run}.{config}.9.0.8.tsv.gz")
    delta = folder / f"{run}.{config}.10.0-rc3.delta.tsv.gz"
    if version == "trec_eval-10" and delta.exists():
        for measure, changed in printed(delta).items():
            values[measure] = values.get(measure, {}) | changed
    if config == "qcl2":
        del values["num_rel"]["all"]  # both versions count grades above 0 there, whatever -l says
    return values


@pytest.mark.parametrize(("name", "run", "config", "version"), list(cases()))
def test_every_printed_value_is_reproduced(name: str, run: str, config: str, version: str) -> None:
    conventions = conventions_of(version, **CONFIGS[config])
    measures = {spelling: parse_measure(spelling).under(conventions) for spelling in NAMES}
    try:
        found = evaluate(judged(name), system(name, run), measures.values(), conventions=conventions)
    except UsageError:
        # version 10 stops without -c where a judged query is missing, and left no values behind
        assert (version, config) == ("trec_eval-10", "q")
        return
    golden = expected(name, run, config, version)
    assert compared(found, measures, golden) > len(NAMES)


@pytest.mark.parametrize(("name", "run"), list(dict.fromkeys(case[:2] for case in cases())))
def test_gain_that_is_not_normalised(name: str, run: str) -> None:
    """Version 10 alone prints it."""
    conventions = conventions_of("trec_eval-10", missing="zero")
    measures = {spelling: parse_measure(spelling).under(conventions) for spelling in ("dcg", "ideal_dcg")}
    found = evaluate(judged(name), system(name, run), measures.values(), conventions=conventions)
    golden = printed(SHARED / "golden" / "trec_eval" / name / f"{run}.dcg10.10.0-rc3.full.tsv.gz")
    assert compared(found, measures, golden) > 2


def recorded() -> Iterator[tuple[str, str, int]]:
    """Collection, run and level of relevance of each file with twelve digits, recorded from pytrec_eval."""
    for path in sorted((SHARED / "golden" / "pytrec_eval").glob("*.tsv.gz")):
        name, run, level = path.name.removesuffix(".tsv.gz").split(".")
        yield name, run, int(level.removeprefix("l"))


@pytest.mark.parametrize(("name", "run", "level"), list(recorded()))
def test_twelve_digits_are_the_same(name: str, run: str, level: int) -> None:
    conventions = conventions_of("trec_eval-9", rel=level)
    measures = {spelling: parse_measure(spelling).under(conventions) for spelling in NAMES}
    found = evaluate(judged(name), system(name, run), measures.values(), conventions=conventions)
    golden = printed(SHARED / "golden" / "pytrec_eval" / f"{name}.{run}.l{level}.tsv.gz")
    for spelling, measure in measures.items():
        ours = dict(zip(found.queries, found.of(run, measure.full_name).tolist(), strict=True))
        theirs = {query: float(value) for query, value in golden[spelling].items() if query != "all"}
        assert theirs
        np.testing.assert_allclose(
            [ours[query] for query in theirs], list(theirs.values()), rtol=1e-11, atol=1e-12, err_msg=spelling
        )


def compared(found: Measurements, measures: Mapping[str, Measure], golden: Printed) -> int:
    """How many printed values were compared; raises where one is not ours."""
    n = 0
    for spelling, measure in measures.items():
        (run,) = found.runs
        ours = dict(zip(found.queries, found.of(run, measure.full_name).tolist(), strict=True))
        mean = found.mean(run, measure.full_name).value
        assert mean is not None
        for query, text in golden[spelling].items():
            half = 0 if "." not in text else 0.5 * 10 ** -len(text.split(".")[1])
            mine = mean if query == "all" else ours[query]
            assert not np.isnan(mine), (spelling, query)
            assert abs(mine - float(text)) <= half + 1e-9, (spelling, query, mine, text)
            n += 1
    return n
