"""Gates: rules written before the results, decided by the evidence. All must pass."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase

from rankproof.catalog import Catalog
from rankproof.errors import UnknownName, UsageError
from rankproof.stats.intervals import one_sided_t
from rankproof.stats.planning import needed
from rankproof.tables.comparisons import Comparison, Comparisons
from rankproof.tables.decisions import Decision, Gate, GateResult, Verdict
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, counted, say

MIN_QUERIES = 20  # with fewer, a mean and its interval decide nothing


@dataclass(frozen=True)
class Evidence:
    """All that a gate may look at, for one candidate."""

    measurements: Measurements
    comparisons: Comparisons
    findings: Findings
    candidate: str
    alpha: float

    def comparison(self, gate: Gate) -> Comparison:
        """The comparison that a gate speaks of; none at all is an error with the known names."""
        measure = gate.measure or self.measurements.measures[0]
        self.measurements.of(self.candidate, measure)
        found = self.comparisons.of(self.candidate, measure, gate.tag or "")
        if found is None:
            known = dict.fromkeys(row.tag for row in self.comparisons.rows if row.tag)
            raise UnknownName.of(say("tag"), gate.tag or measure, known, none=say("(no question has a tag)"))
        return found


# What a gate finds: its verdict, the number measured, the wanted one in words, and what would settle it.
Outcome = tuple[Verdict, float | None, str, Words | None]


@dataclass(frozen=True)
class GateKind:
    """One kind of gate: the sentence, the keys that it needs and may have, and how it decides."""

    name: str
    sentence: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    decide: Callable[[Gate, Evidence], Outcome]
    about_inputs: bool = False


def _bounds(gate: Gate, evidence: Evidence) -> tuple[Comparison, float | None, float | None]:
    found = evidence.comparison(gate)
    differences = [row.difference for row in found.queries if row.difference is not None]
    lower, upper = one_sided_t(differences, evidence.alpha)
    return found, lower, upper


def _by_interval(gate: Gate, evidence: Evidence, floor: float, ceiling: float | None = None) -> Outcome:
    """Accepted where the bounds lie wholly above `floor` (and below `ceiling`), rejected where outside."""
    found, lower, upper = _bounds(gate, evidence)
    wanted = f"> {floor:g}" if ceiling is None else f"{floor:g} .. {ceiling:g}"
    least = gate.min_queries or MIN_QUERIES
    if found.n < least or lower is None or upper is None:
        why = counted(
            found.n,
            "{n} query can be evaluated; at least {least} are needed for this gate.",
            "{n} queries can be evaluated; at least {least} are needed for this gate.",
            least=least,
        )
        return "inconclusive", found.difference, wanted, why
    if upper < floor or (ceiling is not None and lower > ceiling):
        return "rejected", found.difference, wanted, None
    if lower > floor and (ceiling is None or upper < ceiling):
        return "accepted", found.difference, wanted, None
    return "inconclusive", found.difference, wanted, _settled_by(found, abs(floor) or ceiling, evidence.alpha)


def _settled_by(found: Comparison, margin: float | None, alpha: float) -> Words:
    wide = margin or found.detectable
    if not wide or not found.deviation:
        return say("More queries would settle it.")
    about = needed(found.deviation, wide, alpha=alpha, sides=1)
    return say(
        "About {about} queries would decide a margin of {margin:g}; there are {n}.",
        about=about,
        margin=wide,
        n=found.n,
    )


def _superior(gate: Gate, evidence: Evidence) -> Outcome:
    return _by_interval(gate, evidence, gate.margin or 0.0)


def _non_inferior(gate: Gate, evidence: Evidence) -> Outcome:
    return _by_interval(gate, evidence, -_positive(gate))


def _equivalent(gate: Gate, evidence: Evidence) -> Outcome:
    return _by_interval(gate, evidence, -_positive(gate), _positive(gate))


def _positive(gate: Gate) -> float:
    if gate.margin is None or gate.margin <= 0:
        raise UsageError(
            "The gate {kind} needs a margin above 0, written down with who set it; there is no default.",
            kind=gate.kind,
        )
    return gate.margin


def _floor(gate: Gate, evidence: Evidence) -> Outcome:
    found = evidence.comparison(gate)
    wanted = f">= {gate.at_least:g}"
    if found.mean_candidate is None or gate.at_least is None:
        return "inconclusive", None, wanted, say("No query can be evaluated.")
    return _if(found.mean_candidate >= gate.at_least), found.mean_candidate, wanted, None


def _max_regressions(gate: Gate, evidence: Evidence) -> Outcome:
    found = evidence.comparison(gate)
    at_most = 0 if gate.at_most is None else gate.at_most
    worse = [row for row in found.worst if -(row.difference or 0.0) > (gate.beyond or 0.0)]
    if not found.n:
        return "inconclusive", None, f"<= {at_most:g}", say("No query can be evaluated.")
    return _if(len(worse) <= at_most), float(len(worse)), f"<= {at_most:g}", None


def _max_unjudged(gate: Gate, evidence: Evidence) -> Outcome:
    measure = gate.measure or evidence.measurements.measures[0]
    runs = (evidence.comparisons.baseline, evidence.candidate)
    shares = [evidence.measurements.mean(run, measure).judged for run in runs]
    known = [1 - share for share in shares if share is not None]
    wanted = f"<= {gate.at_most:g}"
    if not known:
        return "inconclusive", None, wanted, say("No displayed doc can be looked at.")
    return _if(max(known) <= (gate.at_most or 0.0) + 1e-12), max(known), wanted, None


def _no_expired(gate: Gate, evidence: Evidence) -> Outcome:  # noqa: ARG001
    expired = sum(row.count for row in evidence.findings if row.code == "stale-judgment")
    again = say("Judge the changed docs again.") if expired else None
    return _if(not expired), float(expired), "= 0", again


def _min_evaluable(gate: Gate, evidence: Evidence) -> Outcome:
    n = len(evidence.measurements.populations.evaluable)
    return _if(n >= (gate.at_least or 0)), float(n), f">= {gate.at_least:g}", None


def _composition(gate: Gate, evidence: Evidence) -> Outcome:
    tags = evidence.measurements.questions.by_tag
    sizes = [len(queries) for tag, queries in tags.items() if fnmatchcase(tag, gate.tag or "")]
    wanted = f">= {gate.at_least:g}"
    if not sizes:
        return "inconclusive", None, wanted, say("No question has a tag like {tag}.", tag=gate.tag)
    return _if(min(sizes) >= (gate.at_least or 0)), float(min(sizes)), wanted, None


def _if(passed: bool) -> Verdict:
    return "accepted" if passed else "rejected"


GATES: Catalog[GateKind] = Catalog(
    "kind of gate",
    (
        GateKind(
            "superior",
            "{candidate} is better than {baseline} in {measure} by more than {margin:g}{tagged}",
            (),
            ("measure", "margin", "tag", "min_queries"),
            _superior,
        ),
        GateKind(
            "non_inferior",
            "{candidate} is not worse than {baseline} in {measure} by more than {margin:g}{tagged}",
            ("margin",),
            ("measure", "tag", "min_queries"),
            _non_inferior,
        ),
        GateKind(
            "equivalent",
            "{candidate} and {baseline} differ in {measure} by less than {margin:g}{tagged}",
            ("margin",),
            ("measure", "tag", "min_queries"),
            _equivalent,
        ),
        GateKind(
            "floor",
            "{candidate} reaches at least {at_least:g} in {measure}{tagged}",
            ("at_least",),
            ("measure", "tag"),
            _floor,
        ),
        GateKind(
            "no_worse",
            "no query gets worse in {measure}{beyond}{tagged}",
            (),
            ("measure", "tag", "beyond"),
            _max_regressions,
        ),
        GateKind(
            "max_regressions",
            "the number of queries that get worse in {measure}{beyond} is at most {at_most:g}{tagged}",
            ("at_most",),
            ("measure", "tag", "beyond"),
            _max_regressions,
        ),
        GateKind(
            "max_unjudged",
            "at most {at_most:.0%} of the docs displayed within {measure} are unjudged, in either system",
            ("at_most",),
            ("measure",),
            _max_unjudged,
        ),
        GateKind("no_expired", "no judgment has expired", (), (), _no_expired, about_inputs=True),
        GateKind(
            "min_evaluable",
            "the number of queries that can be evaluated is at least {at_least:g}",
            ("at_least",),
            (),
            _min_evaluable,
            about_inputs=True,
        ),
        GateKind(
            "composition",
            "each tag like {tag} has at least {at_least:g} questions",
            ("tag", "at_least"),
            (),
            _composition,
            about_inputs=True,
        ),
    ),
    names=lambda row: (row.name,),
)

KEYS = tuple(field.name for field in fields(Gate))


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
            "All {total} gates passed, but the inputs bear {errors} error-level findings.",
            total=len(results),
            errors=errors,
        )
        return Decision("inconclusive", sentence, results)
    return Decision(
        "accepted", counted(len(results), "The only gate passed.", "All {n} gates passed."), results
    )
