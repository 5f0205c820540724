"""What other tools say of the worked inputs: every finite value, each tool's in its own dialect."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from golden.excused_worked import EXCUSES, Excuse, excused
from golden.tallying import Tally
from rankproof import (
    DIALECTS,
    Conventions,
    Judgments,
    Measure,
    Run,
    UsageError,
    conventions_of,
    evaluate,
    parse_measure,
)

CASES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "worked_cases.json").read_text("utf-8")
)


@dataclass(frozen=True)
class Tool:
    """Whose values were recorded: the dialect, how many digits were kept, and what was chosen otherwise.

    `spelt` says what a recorded name is where it is not the name of the same measure; `otherwise` which
    choices hold for one measure or one input alone.
    """

    dialect: str
    digits: int = 6
    choices: Mapping[str, object] = field(default_factory=dict)
    spelt: Mapping[str, str] = field(default_factory=dict)
    otherwise: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def conventions(self, case: str, name: str) -> Conventions:
        """The conventions of one recorded value."""
        more = {**self.otherwise.get(case, {}), **self.otherwise.get(name, {})}
        return conventions_of(self.dialect, **{**self.choices, **more})

    def measure(self, name: str, conventions: Conventions) -> Measure:
        """The measure that a recorded name means."""
        return parse_measure(self.spelt.get(name, SPELT.get(name, name))).under(conventions)


SPELT = {"nDCGexp@5": "nDCG(gain=exp2)@5", "RBP": "RBP(p=0.8)", "Compat": "Compat(p=0.95)"}
ZERO = {"missing": "zero"}
TOOLS = {
    "trec_eval-9.0.8": Tool("trec_eval-9", 4),
    "trec_eval-9.0.8 -c": Tool("trec_eval-9", 4, ZERO),
    # what it had printed before it stopped
    "trec_eval-10.0-rc3": Tool("trec_eval-10", 4, otherwise={"missing_run_q": {"missing": "exclude"}}),
    "trec_eval-10.0-rc3 -c": Tool("trec_eval-10", 4, ZERO),
    "pytrec_eval-terrier-0.5.11": Tool("trec_eval-9"),
    "ir_measures-0.4.3": Tool("ir_measures", 5),
    # asked through ir_measures, which gives 0 to queries without results
    "irm:pytrec_eval": Tool("trec_eval-9", 6, ZERO),
    "irm:gdeval": Tool("gdeval", 5, ZERO),
    "irm:cwl_eval": Tool("cwl_eval"),
    "irm:trectools": Tool("trectools", 6, {**ZERO, "ties": "file"}),
    "irm:msmarco": Tool("msmarco"),
    "ranx-0.3.21": Tool("ranx"),
    "ranx-0.3.21 make_comparable": Tool("ranx", 6, {**ZERO, "extra": "exclude"}),
    "pyspark-4.3.0 RankingMetrics": Tool("spark_mllib"),
    "recommenders-1.2.1": Tool(
        "recommenders",
        spelt={
            "map@3nomin": "AP(denominator=all)@3",
            "ndcg_cut_3": "nDCG(gain=linear)@3",
            "ndcgbin_3": "nDCG@3",
        },
    ),
    "rectools-0.19.0": Tool(
        "rectools",
        spelt={
            "map@3divk": "AP(denominator=k)@3",
            "ndcgach_3": "nDCG(against=ideal)@3",
            "Rprec5": "RelP@5",
        },
    ),
    "replay-rec-0.22.0": Tool("replay"),
    "beir-2.2.0": Tool(
        "beir",
        5,
        spelt={"rcap_3": "RelP@3"},
        otherwise={"rcap_3": {"ties": "file", "score_width": 64, "missing": "zero"}},
    ),
    "mteb-2.26.24": Tool("mteb", 5),
    "evidently-0.7.23": Tool("evidently"),
    "haystack-3.4.1": Tool("haystack"),
    "xgboost-3.2.0": Tool("xgboost", spelt={"ndcg": "nDCG@32", "map": "AP@32"}),
    "lightgbm-4.7.0": Tool("lightgbm"),
    "catboost-1.2.10": Tool("catboost"),
    "torchmetrics-1.9.0": Tool(
        "torchmetrics",
        spelt={"P_5adaptive": "P@5"},
        otherwise={"P_5adaptive": {"precision_divisor": "shown"}},
    ),
}
KNOWN = {name: tool for name, tool in TOOLS.items() if tool.dialect in DIALECTS}


@cache
def inputs(case: str) -> tuple[Judgments, Run]:
    """The judgments and the run of a worked input."""
    queries, docs, scores = zip(*CASES[case]["run"], strict=True)
    run = Run.of("run", queries, docs, score=[float(score) for score in scores])
    return Judgments.from_dict(CASES[case]["qrels"]), run


@dataclass(frozen=True)
class Compared:
    """One recorded value beside ours; `measure` is the recorded name, `query` is "all" for the mean."""

    tool: str
    case: str
    measure: str
    query: str
    recorded: float
    ours: float | None

    @property
    def same(self) -> bool:
        """Half a unit of the last digit, at most."""
        half = 0.5 * 10.0 ** -TOOLS[self.tool].digits + 1e-9
        return self.ours is not None and abs(self.ours - self.recorded) <= half

    @property
    def excuse(self) -> Excuse | None:
        """Why it is not ours, where that is on purpose."""
        return None if self.same else excused(self.tool, self.case, self.measure)


def finite(tool: str, case: str) -> Iterator[tuple[str, str, float]]:
    """Measure, query and value of everything that the tool answered with a number."""
    for key, values in CASES[case]["values"].items():
        if isinstance(values.get(tool), (int, float)):
            yield (*key.split("|"), float(values[tool]))


@cache
def compared(tool: str, case: str) -> tuple[Compared, ...]:
    """Every finite value of a tool for an input, beside ours."""
    rows = []
    for name, query, value in finite(tool, case):
        chosen = TOOLS[tool].conventions(case, name)
        measure = TOOLS[tool].measure(name, chosen)
        found = evaluate(*inputs(case), measure, conventions=chosen)
        column = found.of("run", measure.full_name)
        ours = (
            found.mean("run", measure.full_name).value
            if query == "all"
            else float(column[found.queries.index(query)])
        )
        rows.append(Compared(tool, case, name, query, value, ours))
    return tuple(rows)


@pytest.mark.parametrize("tool", KNOWN)
@pytest.mark.parametrize("case", CASES)
def test_every_value_is_ours_in_the_dialect_of_the_tool(tool: str, case: str) -> None:
    assert [row for row in compared(tool, case) if not row.same and row.excuse is None] == []


def test_every_tool_that_was_recorded_is_asked_and_each_was_answered() -> None:
    assert {tool for case in CASES.values() for values in case["values"].values() for tool in values} == set(
        TOOLS
    )
    for tool in KNOWN:
        assert sum(len(compared(tool, case)) for case in CASES) > 25, tool


def test_an_excuse_is_needed() -> None:
    rows = [row for tool in KNOWN for case in CASES for row in compared(tool, case)]
    used = {(row.excuse, row.measure) for row in rows if row.excuse}
    assert used == {(excuse, measure) for excuse in EXCUSES for measure in excuse.measures}


@pytest.mark.parametrize(
    "excuse", [one for one in EXCUSES if one.tied], ids=lambda one: f"{one.tool} {one.case}"
)
def test_an_order_that_nobody_can_tell_is_an_order(excuse: Excuse) -> None:
    for row in compared(excuse.tool, excuse.case):
        if row.excuse == excuse:
            chosen = TOOLS[row.tool].conventions(row.case, row.measure)
            measure = TOOLS[row.tool].measure(row.measure, chosen)
            edges = []
            for ties in ("pessimistic", "optimistic"):
                found = evaluate(*inputs(row.case), measure, conventions=chosen.but(order="score", ties=ties))
                name = found.measures[0]
                one = found.mean("run", name).value
                edges.append(
                    one if row.query == "all" else found.of("run", name)[found.queries.index(row.query)]
                )
            assert min(edges) - 1e-6 <= row.recorded <= max(edges) + 1e-6, row


def test_where_a_tool_stopped_its_dialect_stops() -> None:
    stopped = {
        ("trec_eval-10.0-rc3", "missing_run_q"),
        ("ranx-0.3.21", "missing_run_q"),
        ("ranx-0.3.21", "extra_run_q"),
    }
    for tool, case in stopped:
        assert any(key.startswith("ERR|") and tool in values for key, values in CASES[case]["values"].items())
        with pytest.raises(UsageError, match="error was asked"):
            evaluate(*inputs(case), "AP", conventions=conventions_of(TOOLS[tool].dialect))


def test_a_dialect_says_that_it_was_run_where_values_of_its_tool_were_compared() -> None:
    named = {tool.dialect for tool in KNOWN.values()} | {
        "sklearn",
        "sklearn_ignore_ties",
    }  # beside this module
    assert {row.name for row in DIALECTS if row.status == "run"} == named


def tally() -> Iterator[Tally]:
    """The counts of each tool."""
    for tool in KNOWN:
        rows = [row for case in CASES for row in compared(tool, case)]
        kept = [row for row in rows if row.excuse is None]
        reasons = [row.excuse.why for row in rows if row.excuse is not None]
        yield Tally(
            f"worked inputs, {tool}",
            len(kept),
            sum(row.same for row in kept),
            {why: reasons.count(why) for why in dict.fromkeys(reasons)},
        )


@pytest.mark.shared
def test_the_inputs_beside_the_project_say_nothing_else() -> None:
    path = Path(__file__).resolve().parents[3] / "shared" / "golden" / "worked_cases.json.gz"
    if not path.exists():
        pytest.skip("the data beside the project is absent")
    beside = json.loads(gzip.decompress(path.read_bytes()))
    n = 0
    for case, given in beside.items():
        for key, values in given["values"].items():
            for tool, value in values.items():
                assert CASES[case]["values"][key][tool] == value, (case, key, tool)
                n += 1
    assert n > 1000
