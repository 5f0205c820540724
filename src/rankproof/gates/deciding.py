"""GATES; a plan's tables to gates, and gates to a decision."""

from collections.abc import Mapping, Sequence

from rankproof.catalog import Catalog
from rankproof.errors import UnknownName, UsageError
from rankproof.gates import counts, intervals
from rankproof.gates.gate import FROM_0, Evidence, GateKind
from rankproof.measures.naming import parse_measure
from rankproof.tables.comparisons import Comparisons
from rankproof.tables.conventions import Conventions
from rankproof.tables.decisions import Decision, Gate, GateResult
from rankproof.tables.findings import Finding, Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, say

GATES: Catalog[GateKind] = Catalog(
    "kind of gate", (*intervals.GATES, *counts.GATES), names=lambda row: (row.name,), member_type=GateKind
)

TEXTS = ("measure", "tag")  # the keys that are no numbers
VOID = "candidate-sets-differ"  # the finding that makes a comparison void


def read_gate(
    table: Mapping[str, object], measures: Sequence[str] = (), conventions: Conventions | None = None
) -> Gate:
    """A gate from its table in the plan; its measure by the canonical name, one of `measures`.

    Unknown kinds, keys and measures are errors with the nearest known ones; numbers that cannot be are errors.
    """
    if "kind" not in table:
        raise UsageError("A gate needs the key {key}: {known}.", key="kind", known=", ".join(GATES.names()))
    name = table["kind"]
    if not isinstance(name, str):
        raise UsageError("A gate has kind = {value}; expected a text.", value=repr(name))
    kind = GATES.find(name)
    given = {key: _value(kind, key, value) for key, value in table.items() if key != "kind"}
    for key in kind.needs:
        if key not in given:
            raise UsageError(
                "The gate {kind} needs the key {key}; there is no default.", kind=kind.name, key=key
            )
    if "measure" in given:
        given["measure"] = _measure(kind, str(given["measure"]), measures, conventions or Conventions())
    return Gate(kind.name, **given)  # type: ignore[arg-type]  # each value was checked by its key above


def _value(kind: GateKind, key: str, value: object) -> str | float:
    """The value of one key: a text, or a number in its range."""
    allowed = ("kind", *kind.needs, *kind.may)
    if key not in allowed:
        raise UnknownName.of(say("key of the gate {gate}", gate=kind.name), key, allowed)
    if key in TEXTS:
        if isinstance(value, str) and value:
            return value
        expected = say("a text")
    else:
        limit = kind.limits.get(key, FROM_0)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and limit.holds(value):
            return int(value) if limit.whole else value
        expected = limit.expected
    raise UsageError(
        "The gate {kind} has {key} = {value}; expected {expected}.",
        kind=kind.name,
        key=key,
        value=repr(value),
        expected=expected,
    )


def _measure(kind: GateKind, text: str, measures: Sequence[str], conventions: Conventions) -> str:
    name = parse_measure(text).under(conventions).full_name
    if measures and name not in measures:
        raise UsageError(
            "The gate {kind} looks at {measure}, which the plan does not measure. It measures {known}; name one "
            "of them, or add {measure} to the measures.",
            kind=kind.name,
            measure=name,
            known=", ".join(measures),
        )
    return name


def decide(
    gates: Sequence[Gate],
    measurements: Measurements,
    comparisons: Comparisons,
    findings: Findings,
    *,
    alpha: float = 0.05,
    n_versioned: int = 0,
) -> Decision:
    """What the evidence says to every gate for every candidate, and the verdict of all together.

    Fixed candidates that differ make the verdict inconclusive. Else one rejected gate rejects; else one
    inconclusive gate, no gate at all, or an error-level finding in the inputs makes it inconclusive.
    `n_versioned` counts the judgments that can be held against the version of their doc.
    """
    results: list[GateResult] = []
    for place, candidate in enumerate(comparisons.candidates):
        evidence = Evidence(measurements, comparisons, findings, candidate, alpha, n_versioned)
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
            "measure": evidence.measure(gate),
            "margin": gate.margin or 0.0,
            "at_least": gate.at_least or 0,
            "at_most": gate.at_most or 0,
            "beyond": say(" by more than {much:g}", much=gate.beyond) if gate.beyond else "",
            "tag": gate.tag or "",
            "tagged": tagged,
        },
    )


def _together(results: Sequence[GateResult], findings: Findings) -> Decision:
    if void := [finding for finding in findings if finding.code == VOID]:
        return Decision("inconclusive", _void(void), results)
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


def _void(findings: Sequence[Finding]) -> Words:
    return say(
        "The comparison is void: the candidates are fixed, and for {n:query|queries} the systems displayed "
        "different docs, the first being {query}.",
        n=len(findings),
        query=findings[0].query_id,
    )
