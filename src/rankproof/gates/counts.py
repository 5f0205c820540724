"""Gates decided by a count or a mean: floors, regressions, gaps in the judgments, the make of the set."""

from fnmatch import fnmatchcase

from rankproof.gates.gate import SHARE, Evidence, GateKind, Outcome
from rankproof.tables.decisions import Gate, Verdict
from rankproof.wording import say


def _floor(gate: Gate, evidence: Evidence) -> Outcome:
    among = evidence.among(gate)
    reached = evidence.measurements.mean(evidence.candidate, evidence.measure(gate), among).value
    wanted = f">= {gate.at_least:g}"
    if reached is None or gate.at_least is None:
        return "inconclusive", None, wanted, say("No query can be evaluated.")
    return _if(reached >= gate.at_least), reached, wanted, None


def _max_regressions(gate: Gate, evidence: Evidence) -> Outcome:
    found = evidence.comparison(gate)
    at_most = 0 if gate.at_most is None else gate.at_most
    worse = [row for row in found.worst if -(row.difference or 0.0) > (gate.beyond or 0.0)]
    if not found.n:
        return "inconclusive", None, f"<= {at_most:g}", say("No query can be evaluated.")
    return _if(len(worse) <= at_most), float(len(worse)), f"<= {at_most:g}", None


def _max_unjudged(gate: Gate, evidence: Evidence) -> Outcome:
    measure = evidence.measure(gate)
    runs = (evidence.comparisons.baseline, evidence.candidate)
    shares = [evidence.measurements.mean(run, measure).judged for run in runs]
    known = [1 - share for share in shares if share is not None]
    wanted = f"<= {gate.at_most:g}"
    if not known:
        return "inconclusive", None, wanted, say("No displayed doc can be looked at.")
    return _if(max(known) <= (gate.at_most or 0.0) + 1e-12), max(known), wanted, None


def _no_expired(gate: Gate, evidence: Evidence) -> Outcome:  # noqa: ARG001 - every gate is decided by (gate, evidence)
    expired = sum(row.count for row in evidence.findings if row.code == "stale-judgment")
    if expired:
        return "rejected", float(expired), "= 0", say("Judge the changed docs again.")
    if not evidence.n_versioned:
        why = say(
            "No judgment can be held against the version of its doc. Give doc_version in the judgments, and "
            "version in the documents."
        )
        return "inconclusive", None, "= 0", why
    return "accepted", 0.0, "= 0", None


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


GATES = (
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
        limits={"at_most": SHARE},
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
)
