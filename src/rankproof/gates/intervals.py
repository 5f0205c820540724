"""Gates decided by an interval: better, not worse, or the same within a margin."""

from rankproof.errors import UsageError
from rankproof.gates.gate import Evidence, GateKind, Outcome
from rankproof.stats.intervals import one_sided_t
from rankproof.stats.planning import needed
from rankproof.tables.comparisons import Comparison
from rankproof.tables.decisions import Gate
from rankproof.wording import Words, say

MIN_QUERIES = 20  # with fewer, a mean and its interval decide nothing


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


def _by_interval(gate: Gate, evidence: Evidence, floor: float, ceiling: float | None = None) -> Outcome:
    """Accepted where the bounds lie wholly above `floor` (and below `ceiling`), rejected where outside."""
    found, lower, upper = _bounds(gate, evidence)
    wanted = f"> {floor:g}" if ceiling is None else f"{floor:g} .. {ceiling:g}"
    least = gate.min_queries or MIN_QUERIES
    if found.n < least or lower is None or upper is None:
        why = say(
            "{n:query|queries} can be evaluated; at least {least} are needed for this gate.",
            n=found.n,
            least=least,
        )
        return "inconclusive", found.difference, wanted, why
    if upper < floor or (ceiling is not None and lower > ceiling):
        return "rejected", found.difference, wanted, None
    if lower > floor and (ceiling is None or upper < ceiling):
        return "accepted", found.difference, wanted, None
    return "inconclusive", found.difference, wanted, _settled_by(found, abs(floor) or ceiling, evidence.alpha)


def _bounds(gate: Gate, evidence: Evidence) -> tuple[Comparison, float | None, float | None]:
    found = evidence.comparison(gate)
    differences = [row.difference for row in found.queries if row.difference is not None]
    lower, upper = one_sided_t(differences, evidence.alpha)
    return found, lower, upper


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


GATES = (
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
)
