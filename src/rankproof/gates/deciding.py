"""GATES; a plan's tables to gates, and gates to a decision."""

from collections.abc import Sequence

from rankproof.catalog import Catalog
from rankproof.errors import UnknownName, UsageError
from rankproof.gates import counts, intervals
from rankproof.gates.gate import Evidence, GateKind
from rankproof.tables.comparisons import Comparisons
from rankproof.tables.decisions import Decision, Gate, GateResult
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, say

GATES: Catalog[GateKind] = Catalog(
    "kind of gate", (*intervals.GATES, *counts.GATES), names=lambda row: (row.name,), member_type=GateKind
)


def read_gate(table: dict[str, object]) -> Gate:
    """A gate from its table in the plan; unknown kinds and keys are errors with the nearest known ones."""
    kind = GATES.find(str(table.get("kind", "")))
    allowed = ("kind", *kind.needs, *kind.may)
    for key, value in table.items():
        if key not in allowed:
            raise UnknownName.of(say("key of the gate {gate}", gate=kind.name), key, allowed)
        text = key in ("kind", "measure", "tag")
        if text != isinstance(value, str) or isinstance(value, bool):
            raise UsageError(
                "The gate {kind} has {key} = {value}; expected {expected}.",
                kind=kind.name,
                key=key,
                value=repr(value),
                expected=say("a text") if text else say("a number"),
            )
    for key in kind.needs:
        if key not in table:
            raise UsageError(
                "The gate {kind} needs the key {key}; there is no default.", kind=kind.name, key=key
            )
    return Gate(**table)  # type: ignore[arg-type]


def decide(
    gates: Sequence[Gate],
    measurements: Measurements,
    comparisons: Comparisons,
    findings: Findings,
    *,
    alpha: float = 0.05,
) -> Decision:
    """What the evidence says to every gate for every candidate, and the verdict of all together.

    One rejected gate rejects; else one inconclusive gate, no gate at all, or an error-level finding in the
    inputs makes the verdict inconclusive.
    """
    results: list[GateResult] = []
    for place, candidate in enumerate(comparisons.candidates):
        evidence = Evidence(measurements, comparisons, findings, candidate, alpha)
        for gate in gates:
            kind = GATES.find(gate.kind)
            if place and kind.about_inputs:
                continue
            verdict, measured, wanted, settles = kind.decide(gate, evidence)
            name = "" if kind.about_inputs else candidate
            results.append(
                GateResult(gate, name, _text(kind, gate, evidence), verdict, measured, wanted, settles)
            )
    return _together(results, findings)


def _text(kind: GateKind, gate: Gate, evidence: Evidence) -> Words:
    tagged = say(", among queries tagged {tag}", tag=gate.tag) if gate.tag else ""
    return Words(
        kind.sentence,
        {
            "candidate": evidence.candidate,
            "baseline": evidence.comparisons.baseline,
            "measure": gate.measure or evidence.measurements.measures[0],
            "margin": gate.margin or 0.0,
            "at_least": gate.at_least or 0,
            "at_most": gate.at_most or 0,
            "beyond": say(" by more than {much:g}", much=gate.beyond) if gate.beyond else "",
            "tag": gate.tag or "",
            "tagged": tagged,
        },
    )


def _together(results: Sequence[GateResult], findings: Findings) -> Decision:
    rejected = [r for r in results if r.verdict == "rejected"]
    open_ = [r for r in results if r.verdict == "inconclusive"]
    if rejected:
        sentence = say(
            "{n} of {total} gates failed, the first being: {gate}.",
            n=len(rejected),
            total=len(results),
            gate=rejected[0].text,
        )
        return Decision("rejected", sentence, results)
    if not results:
        return Decision("inconclusive", say("The plan has no gate, so nothing is decided."), results)
    if open_:
        sentence = say(
            "{n} of {total} gates cannot be decided, the first being: {gate}.",
            n=len(open_),
            total=len(results),
            gate=open_[0].text,
        )
        return Decision("inconclusive", sentence, results)
    errors = len(findings.errors)
    if errors:
        sentence = say(
            "Every gate passed ({total}), but the inputs bear {errors:error-level finding|error-level findings}.",
            total=len(results),
            errors=errors,
        )
        return Decision("inconclusive", sentence, results)
    return Decision("accepted", say("Every gate passed ({n}).", n=len(results)), results)
