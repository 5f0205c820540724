"""Two dozen tiny inputs, and what every version of trec_eval says of each, right or wrong."""

import gzip
import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from golden.recorded import Held, excuses
from rankproof import Conventions, Judgments, RankproofError, Run, conventions_of, evaluate, parse_measure

SHARED = Path(__file__).parents[3] / "shared"
FILE = SHARED / "golden" / "worked_cases.json.gz"
SAMPLED = SHARED / "golden" / "statistics" / "infap_expected.json"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
TOOLS = {
    "trec_eval-9.0.8": conventions_of("trec_eval-9"),
    "trec_eval-9.0.8 -c": conventions_of("trec_eval-9", missing="zero"),
    "trec_eval-10.0-rc3": conventions_of("trec_eval-10"),
    "trec_eval-10.0-rc3 -c": conventions_of("trec_eval-10", missing="zero"),
    "pytrec_eval-terrier-0.5.11": conventions_of("trec_eval-9"),
}
SPELT = {"RBP": "rbp_p=0.8"}


@lru_cache
def worked() -> dict[str, dict[str, Any]]:
    return json.loads(gzip.decompress(FILE.read_bytes())) if FILE.exists() else {}


def ours(case: dict[str, Any], key: str, conventions: Conventions) -> float | None:
    """Our value of one recorded key, "measure|query"; None where we stop."""
    rows = case["run"]
    run = Run.of(
        "run", [q for q, _, _ in rows], [d for _, d, _ in rows], score=[float(s) for _, _, s in rows]
    )
    spelt, query = key.split("|")
    measure = parse_measure(SPELT.get(spelt, spelt)).under(conventions)
    try:
        found = evaluate(Judgments.from_dict(case["qrels"]), run, measure, conventions=conventions)
    except RankproofError:
        return None
    if query == "all":
        return found.mean("run", measure.full_name).value
    return float(found.of("run", measure.full_name)[found.queries.index(query)])


def compared(tool: str, name: str) -> Held:
    """Every value that a tool gives for one input, beside ours; where it stopped there is none."""
    found = Held()
    for key, values in worked()[name]["values"].items():
        told = values.get(tool)
        if not isinstance(told, (int, float)):
            continue
        value = ours(worked()[name], key, TOOLS[tool])
        measure, query = key.split("|")
        if tool.startswith("pytrec") and measure == "gm_map" and query != "all" and value:
            value = math.log(value)
        if value is not None and abs(value - told) <= 0.5e-4 + 1e-9:
            found.equal += 1
        elif reason := next((e.reason for e in excuses() if e.covers(tool, name, measure, query)), ""):
            found.excused[reason] += 1
        else:
            found.different.append(f"{key}: {told}, ours {value}")
    return found


@pytest.mark.parametrize("name", sorted(worked()))
@pytest.mark.parametrize("tool", TOOLS)
def test_what_it_says(tool: str, name: str) -> None:
    found = compared(tool, name)
    assert found.different == []
    assert bool(found.excused) == (tool == "trec_eval-10.0-rc3" and name == "missing_run_q")


def test_a_sample_of_the_pool() -> None:
    case = json.loads(SAMPLED.read_text("utf-8"))
    run = Run.from_dict("run", case["run"])
    names = {"map": "AP", "bpref": "Bpref", "infAP": "InfAP"}
    found = evaluate(Judgments.from_dict(case["qrels"]), run, names.values())
    for query, values in case["expected"].items():
        for spelt, value in values.items():
            assert found.of("run", names[spelt])[found.queries.index(query)] == pytest.approx(
                value, abs=1e-12
            )
