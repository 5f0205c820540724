"""Every value of diversity that pyndeval gave for the TREC 2013 Web track, by ten digits."""

import gzip
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from golden.tallying import Tally
from rankproof import Conventions, Measurements, evaluate, parse_measure, read_judgments, read_run

SHARED = Path(__file__).parents[3] / "shared"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
# pyndeval breaks ties of equal scores by doc id, ascending: with any other order of them values differ.
PYNDEVAL = Conventions(order="score", ties="doc_id_asc", missing="zero", no_relevant="zero")


@lru_cache(maxsize=1)
def recorded() -> dict[tuple[str, str], str]:
    """What pyndeval gave, by measure and topic."""
    path = SHARED / "golden" / "ir_measures" / "web2013" / "cedr-bm25.diversity.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    return {(measure, topic): value for measure, _, topic, value in rows}


@lru_cache(maxsize=2)
def ours(conventions: Conventions) -> Measurements:
    data = SHARED / "data" / "web2013"
    judgments, _ = read_judgments(data / "qrels.diversity.txt.gz", subtopics=True)
    run, _ = read_run(data / "run.cedr-bm25.txt.gz")
    return evaluate(judgments, run, sorted({measure for measure, _ in recorded()}), conventions=conventions)


def value(found: Measurements, measure: str, topic: str) -> float:
    (run,) = found.runs
    name = parse_measure(measure).full_name
    if topic == "all":
        mean = found.mean(run, name).value
        assert mean is not None
        return mean
    return float(found.of(run, name)[found.queries.index(topic)])


def compared() -> Iterator[tuple[str, str, bool]]:
    """Measure, topic, and whether our value is the recorded one, to ten significant digits."""
    found = ours(PYNDEVAL)
    for (measure, topic), text in recorded().items():
        mine = value(found, measure, topic)
        yield measure, topic, f"{mine:.10g}" == f"{float(text):.10g}" or abs(mine - float(text)) < 1e-9


def test_every_recorded_value_is_reproduced() -> None:
    rows = list(compared())
    assert [row for row in rows if not row[2]] == []
    assert len(rows) == 15 * 51


def test_the_c_program_goes_by_the_displayed_order() -> None:
    """ndeval.c gives 0.381642 where pyndeval gives 0.381600: it sorts by the rank column."""
    assert f"{value(ours(Conventions()), 'ERR_IA@20', 'all'):.6f}" == "0.381642"
    assert f"{value(ours(PYNDEVAL), 'ERR_IA@20', 'all'):.6f}" == "0.381600"


def tally() -> Iterator[Tally]:
    """How many values were compared and how many are ours."""
    if SHARED.exists():
        rows = list(compared())
        yield Tally("pyndeval: diversity, web2013", len(rows), sum(same for _, _, same in rows))
