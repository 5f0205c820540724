"""Every value that trec_eval 9.0.8 and 10.0-rc3 print for the measures we have, over public collections."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rankproof.errors import RankproofError
from rankproof.evaluation import evaluate
from rankproof.formats.reading import read_judgments, read_run
from rankproof.measures.dialects import conventions_of
from rankproof.measures.naming import parse_measure

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
]  # fmt: skip
SETS = ("robust03", "covid_round1", "web2013", "cacm", "lambdarank")


def cases() -> Iterator[tuple[str, str, str]]:
    for name in SETS:
        for run in sorted((SHARED / "data" / name).glob("run.*.txt.gz")):
            for config in ("q", "qc"):
                yield name, run.name.removeprefix("run.").removesuffix(".txt.gz"), config


def printed(path: Path) -> dict[tuple[str, str], str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return {(measure, query): value for measure, query, value in rows}


def expected(name: str, run: str, config: str, version: str) -> dict[tuple[str, str], str]:
    folder = SHARED / "golden" / "trec_eval" / name
    values = printed(folder / f"{run}.{config}.9.0.8.tsv.gz")
    delta = folder / f"{run}.{config}.10.0-rc3.delta.tsv.gz"
    if version == "trec_eval-10" and delta.exists():
        values |= printed(delta)
    return values


@pytest.mark.parametrize("version", ["trec_eval-9", "trec_eval-10"])
@pytest.mark.parametrize(("name", "run", "config"), list(cases()))
def test_every_printed_value_is_reproduced(name: str, run: str, config: str, version: str) -> None:
    data = SHARED / "data" / name
    qrels = data / ("qrels.adhoc.txt.gz" if name == "web2013" else "qrels.txt.gz")
    judgments, _ = read_judgments(qrels)
    system, _ = read_run(data / f"run.{run}.txt.gz")
    choices = {"missing": "zero"} if config == "qc" else {}
    parsed = {spelling: parse_measure(spelling) for spelling in NAMES}
    try:
        found = evaluate(
            judgments, system, list(parsed.values()), conventions=conventions_of(version, **choices)
        )
    except RankproofError:
        # version 10 stops without -c where a judged query is missing, and left no values behind
        assert version == "trec_eval-10" and config == "q"
        return
    golden = expected(name, run, config, version)
    compared = 0
    for spelling, measure in parsed.items():
        column = found.of(system.name, measure.full_name)
        ours = dict(zip(found.queries, column, strict=True)) | {
            "all": found.mean(system.name, measure.full_name).value
        }
        wanted = {query: value for (m, query), value in golden.items() if m == spelling}
        assert wanted, spelling
        for query, text in wanted.items():
            half = 0 if "." not in text else 0.5 * 10 ** -len(text.split(".")[1])
            mine = ours[query]
            assert mine is not None
            assert not np.isnan(mine), (spelling, query)
            assert abs(mine - float(text)) <= half + 1e-9, (spelling, query, mine, text)
            compared += 1
    assert compared > len(NAMES)
