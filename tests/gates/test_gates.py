"""Every kind of gate, on values written by hand: accepted, rejected, inconclusive; and what a plan may not say."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from rankproof.comparison import compare
from rankproof.errors import UnknownName, UsageError
from rankproof.gates.deciding import GATES, decide, read_gate
from rankproof.tables.attributes import Question, Questions
from rankproof.tables.conventions import Conventions
from rankproof.tables.decisions import Decision, GateResult
from rankproof.tables.findings import Finding, Findings, Kind
from rankproof.tables.measurements import Measurements
from rankproof.tables.populations import Populations, RunPopulation

N = 30
MEASURE = "nDCG@5"
HALVES = [0.01, -0.01] * (N // 2)  # a small spread around a mean
WIDE = [0.3, -0.3] * (N // 2)  # a large one


@dataclass(frozen=True)
class Case:
    """Candidate minus baseline for each query, and what the gate says to it."""

    gate: dict[str, object]
    verdict: str
    differences: Sequence[float] = field(default_factory=lambda: [0.0] * N)
    stale: int = 0
    versioned: int = 0
    unjudged: float = 0.0
    undefined: int = 0  # queries from the end without a value
    only_candidate: int = 0  # queries from the end where only the candidate has a value
    tags: str = "type:a"


def measurements(case: Case) -> Measurements:
    n = len(case.differences)
    base = np.full(n, 0.5)
    values = np.array([[base], [base + np.array(case.differences)]])
    values[:, :, n - case.undefined :] = np.nan
    if case.only_candidate:
        values[0, :, n - case.only_candidate :] = np.nan
    queries = tuple(f"q{i:02}" for i in range(n))
    asked = dict.fromkeys(queries[: n - case.undefined], "ok")
    runs = {name: RunPopulation(dict(asked), ()) for name in ("old", "new")}
    populations = Populations(tuple(asked), queries[n - case.undefined :], (), (), runs)
    judged = np.full(values.shape, 1 - case.unjudged)
    judged[:, :, n - case.undefined :] = np.nan
    tags = tuple(case.tags.split())
    return Measurements(
        queries,
        ("old", "new"),
        (MEASURE,),
        ("arithmetic",),
        values,
        np.where(np.isnan(values), 1, 0).astype(np.int8),
        judged,
        Conventions(),
        populations,
        questions=Questions(tuple(Question(query, tags=tags) for query in queries)),
    )


def decided(case: Case, *codes: str, alpha: float = 0.05) -> Decision:
    found = measurements(case)
    stale = [Finding(Kind("stale-judgment", "warning", "", "", ""))] * case.stale
    other = [Finding(Kind(code, "error", "", "", ""), query_id="q00") for code in codes]
    return decide(
        [read_gate(case.gate, [MEASURE])],
        found,
        compare(found),
        Findings((*stale, *other)),
        alpha=alpha,
        n_versioned=case.versioned,
    )


def result(case: Case) -> GateResult:
    (found,) = decided(case).gates
    return found


def shifted(by: float, spread: Sequence[float] = HALVES) -> list[float]:
    return [by + one for one in spread]


CASES = (
    Case({"kind": "superior"}, "accepted", shifted(0.1)),
    Case({"kind": "superior"}, "rejected", shifted(-0.1)),
    Case({"kind": "superior"}, "inconclusive", shifted(0.01, WIDE)),
    Case({"kind": "superior"}, "inconclusive", shifted(0.1)[:19]),
    Case({"kind": "superior", "min_queries": 10}, "accepted", shifted(0.1)[:19]),
    Case({"kind": "superior", "margin": 0.2}, "rejected", shifted(0.1)),
    Case({"kind": "superior"}, "inconclusive"),
    Case({"kind": "superior"}, "inconclusive", [0.1] * N),
    Case({"kind": "non_inferior", "margin": 0.02}, "accepted", shifted(0.0)),
    Case({"kind": "non_inferior", "margin": 0.02}, "accepted"),
    Case({"kind": "non_inferior", "margin": 0.02}, "rejected", shifted(-0.1)),
    Case({"kind": "non_inferior", "margin": 0.02}, "inconclusive", shifted(0.0, WIDE)),
    Case({"kind": "non_inferior", "margin": 0.02}, "inconclusive", [-0.1] * N),
    Case({"kind": "equivalent", "margin": 0.02}, "accepted", shifted(0.0)),
    Case({"kind": "equivalent", "margin": 0.02}, "rejected", shifted(0.1)),
    Case({"kind": "equivalent", "margin": 0.02}, "rejected", shifted(-0.1)),
    Case({"kind": "equivalent", "margin": 0.02}, "inconclusive", shifted(0.02)),
    Case({"kind": "floor", "at_least": 0.55}, "accepted", shifted(0.1)),
    Case({"kind": "floor", "at_least": 0.55}, "rejected", shifted(0.0)),
    Case({"kind": "floor", "at_least": 0.55, "tag": "type:a"}, "accepted", shifted(0.1)),
    # the report's mean is over all queries of the candidate, also where the baseline has no value
    Case({"kind": "floor", "at_least": 0.7}, "accepted", [0.0] * 10 + [0.4] * 20, only_candidate=20),
    Case({"kind": "no_worse"}, "accepted", shifted(0.1)),
    Case({"kind": "no_worse"}, "rejected", shifted(0.0)),
    Case({"kind": "no_worse", "beyond": 0.05}, "accepted", shifted(0.0)),
    Case({"kind": "max_regressions", "at_most": 15}, "accepted", shifted(0.0)),
    Case({"kind": "max_regressions", "at_most": 14}, "rejected", shifted(0.0)),
    Case({"kind": "max_unjudged", "at_most": 0.1}, "accepted", unjudged=0.1),
    Case({"kind": "max_unjudged", "at_most": 0.1}, "rejected", unjudged=0.2),
    Case({"kind": "no_expired"}, "accepted", versioned=5),
    Case({"kind": "no_expired"}, "rejected", versioned=5, stale=1),
    Case({"kind": "no_expired"}, "inconclusive"),
    Case({"kind": "min_evaluable", "at_least": 30}, "accepted"),
    Case({"kind": "min_evaluable", "at_least": 31}, "rejected"),
    Case({"kind": "min_evaluable", "at_least": 29}, "rejected", undefined=2),
    Case({"kind": "composition", "tag": "type:*", "at_least": 30}, "accepted"),
    Case({"kind": "composition", "tag": "type:*", "at_least": 31}, "rejected"),
    Case({"kind": "composition", "tag": "kind:*", "at_least": 1}, "inconclusive"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.gate['kind']} {case.verdict}")
def test_a_gate_by_hand(case: Case) -> None:
    found = result(case)
    assert found.verdict == case.verdict
    if case.verdict == "inconclusive":
        assert found.settles, "an open gate says what would settle it"
    assert decided(case).verdict == case.verdict
    for language in ("en", "zh"):
        assert "{" not in found.text.to(language) + (found.settles.to(language) if found.settles else "")


def nothing_known(kind: str) -> Case:
    """A gate among queries of which none has a value in both systems."""
    needs = {"margin": 0.1, "at_least": 0.0, "at_most": 0}
    gate = {"kind": kind, **{key: needs[key] for key in GATES.find(kind).needs}}
    return Case(gate, "inconclusive", undefined=N)


@pytest.mark.parametrize("kind", [kind.name for kind in GATES if "measure" in (*kind.needs, *kind.may)])
def test_a_gate_on_no_evidence_is_inconclusive(kind: str) -> None:
    case = nothing_known(kind)
    found = measurements(case)
    pair = compare(measurements(replace(case, undefined=0)))
    rows = tuple(
        replace(row, n=0, difference=None, mean_baseline=None, mean_candidate=None, queries=())
        for row in pair.rows
    )
    decision = decide([read_gate(case.gate)], found, replace(pair, rows=rows), Findings())
    assert decision.verdict == "inconclusive"


def test_every_kind_has_its_cases() -> None:
    by_kind: dict[str, set[str]] = {}
    for case in CASES:
        by_kind.setdefault(str(case.gate["kind"]), set()).add(case.verdict)
    assert by_kind.keys() == set(GATES.names())
    assert all({"accepted", "rejected"} <= verdicts for verdicts in by_kind.values())


def test_a_void_comparison_decides_nothing() -> None:
    for case in CASES:
        decision = decided(case, "candidate-sets-differ")
        assert decision.verdict == "inconclusive"
        assert "void" in decision.sentence.to("en")
        assert "q00" in decision.sentence.to("en")


def test_an_error_in_the_inputs_leaves_it_open() -> None:
    accepted = next(case for case in CASES if case.verdict == "accepted")
    assert decided(accepted, "duplicate-doc").verdict == "inconclusive"


@pytest.mark.parametrize("kind", [kind.name for kind in GATES if "tag" in kind.may])
def test_a_tag_of_no_question_names_the_nearest(kind: str) -> None:
    needs = {"margin": 0.1, "at_least": 0.1, "at_most": 1}
    gate = {"kind": kind, "tag": "type:", **{key: needs[key] for key in GATES.find(kind).needs}}
    with pytest.raises(UnknownName, match="type:a") as stop:
        result(Case(gate, ""))
    assert stop.value.exit_code == 2


def settles(gate: dict[str, object], differences: Sequence[float]) -> str:
    found = result(Case(gate, "inconclusive", differences))
    assert found.verdict == "inconclusive"
    assert found.settles is not None
    return found.settles.to("en")


def test_what_would_settle_it() -> None:
    superior: dict[str, object] = {"kind": "superior"}
    # deviation 0.3051, distance 0.05: ((1.645 + 0.842) x 0.3051 / 0.05)^2 + 1.645^2 / 2 = 231.6
    assert "About 232 queries" in settles(superior, shifted(0.05, WIDE))
    assert "there are 30" in settles(superior, shifted(0.05, WIDE))
    assert "near the margin" in settles(superior, WIDE)
    assert "near the margin" in settles({"kind": "equivalent", "margin": 0.02}, shifted(0.02))
    # deviation 0.1017, distance 0.06 - 0.04: ((1.645 + 1.282) x 0.1017 / 0.02)^2 + 1.353 = 222.8
    tenth = [0.1, -0.1] * (N // 2)
    assert "About 223 queries" in settles({"kind": "equivalent", "margin": 0.06}, shifted(0.04, tenth))
    # 28 would decide the margin alone; what counts is how far the mean is from it
    assert "About 641 queries" in settles({"kind": "non_inferior", "margin": 0.05}, shifted(-0.04, tenth))


def test_a_test_set_that_cannot_decide_a_margin_says_so() -> None:
    for kind in ("non_inferior", "equivalent"):
        told = settles({"kind": kind, "margin": 0.02}, WIDE)
        assert "cannot decide a margin of 0.02" in told
    assert "in 0% of all cases" in told
    assert "with about" in told


def test_gates_and_first_sentence_agree_on_constant_differences() -> None:
    for difference in (0.1, -0.1):
        case = Case({"kind": "superior"}, "", [difference] * N)
        (pair,) = compare(measurements(case)).overall()
        assert pair.verdict == "unclear"
        assert result(case).verdict == "inconclusive"
        assert f"{difference:+.4f}" in str(result(case).settles)


WRONG = (
    ({}, "kind"),
    ({"kind": 3}, "kind"),
    ({"kind": "no_wrose"}, "no_worse"),
    ({"kind": "floor"}, "at_least"),
    ({"kind": "floor", "at_leest": 1}, "at_least"),
    ({"kind": "floor", "at_least": -1}, "at_least"),
    ({"kind": "floor", "at_least": float("nan")}, "at_least"),
    ({"kind": "floor", "at_least": float("inf")}, "at_least"),
    ({"kind": "floor", "at_least": True}, "at_least"),
    ({"kind": "floor", "at_least": "1"}, "at_least"),
    ({"kind": "floor", "at_least": [1]}, "at_least"),
    ({"kind": "floor", "at_least": 10**400}, "at_least"),
    ({"kind": "floor", "at_least": 1, "measure": 3}, "measure"),
    ({"kind": "floor", "at_least": 1, "measure": "nDCG"}, "nDCG"),
    ({"kind": "floor", "at_least": 1, "measure": "AP"}, MEASURE),
    ({"kind": "floor", "at_least": 1, "tag": ""}, "tag"),
    ({"kind": "no_worse", "beyond": -0.1}, "beyond"),
    ({"kind": "max_regressions", "at_most": -1}, "at_most"),
    ({"kind": "max_unjudged", "at_most": 5}, "at_most"),
    ({"kind": "non_inferior", "margin": 0}, "margin"),
    ({"kind": "non_inferior", "margin": -0.1}, "margin"),
    ({"kind": "equivalent", "margin": 0.0}, "margin"),
    ({"kind": "superior", "margin": -0.1}, "margin"),
    ({"kind": "superior", "min_queries": 1}, "min_queries"),
    ({"kind": "superior", "min_queries": 2.5}, "min_queries"),
    ({"kind": "min_evaluable", "at_least": -1}, "at_least"),
    ({"kind": "composition", "tag": "x", "at_least": -1}, "at_least"),
)


@pytest.mark.parametrize(("table", "named"), WRONG, ids=str)
def test_a_gate_that_cannot_be(table: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        read_gate(table, [MEASURE])


def test_a_measure_is_read_as_everywhere_else() -> None:
    assert read_gate({"kind": "no_worse", "measure": "ndcg@5"}, [MEASURE]).measure == MEASURE
    assert read_gate({"kind": "no_worse", "measure": "ndcg_cut_5"}, [MEASURE]).measure == MEASURE
    exponential = Conventions(gain="exp2")
    name = "nDCG(gain=exp2)@5"
    assert read_gate({"kind": "no_worse", "measure": "nDCG@5"}, [name], exponential).measure == name


def test_a_count_over_all_queries_is_no_measure_of_a_query() -> None:
    case = Case({"kind": "no_worse"}, "", shifted(0.1))
    found = measurements(case)
    pair = replace(compare(found), rows=())
    with pytest.raises(UsageError, match="no number for each query"):
        decide([read_gate(case.gate)], replace(found, means_are=("total",)), pair, Findings())


@pytest.mark.parametrize("measure", ["RBPResidual(p=0.8)", "Unjudged@3", "0.5*nDCG + 0.5*Unjudged@3"])
@pytest.mark.parametrize("kind", ["superior", "no_worse"])
def test_more_of_what_is_not_better_is_not_asked_for(kind: str, measure: str) -> None:
    from rankproof import Judgments, Run, compare, evaluate
    from rankproof.gates.gate import Evidence
    from rankproof.tables.decisions import Gate

    judgments = Judgments.from_dict({q: {"a": 1, "b": 0} for q in "qrs"})
    runs = [
        Run.from_dict(name, dict.fromkeys("qrs", docs)) for name, docs in (("A", ["a"]), ("B", ["x", "b"]))
    ]
    found = evaluate(judgments, runs, measure)
    evidence = Evidence(found, compare(found), Findings(), "B", 0.05)
    with pytest.raises(UsageError, match="more of it is not better"):
        evidence.comparison(Gate(kind, measure=measure))
    assert evidence.comparison(Gate("equivalent", measure=measure)).measure == found.measures[0]
