"""Gates decided by an interval: better, not worse, or the same within a margin."""

from rankproof.gates.gate import ABOVE_0, FROM_0, FROM_2, Evidence, GateKind, Outcome
from rankproof.stats.intervals import one_sided_t
from rankproof.stats.planning import needed, power_at
from rankproof.tables.comparisons import Comparison
from rankproof.tables.decisions import Gate
from rankproof.wording import Words, say

MIN_QUERIES = 20  # with fewer, a mean and its interval decide nothing
POWER = 0.8  # the chance to decide that a plan asks for
MANY = 1_000_000  # queries that nobody judges: the difference lies near the margin


def _superior(gate: Gate, evidence: Evidence) -> Outcome:
    return _by_interval(gate, evidence, gate.margin or 0.0)


def _non_inferior(gate: Gate, evidence: Evidence) -> Outcome:
    return _by_interval(gate, evidence, -(gate.margin or 0.0))


def _equivalent(gate: Gate, evidence: Evidence) -> Outcome:
    margin = gate.margin or 0.0
    return _by_interval(gate, evidence, -margin, margin)


def _by_interval(gate: Gate, evidence: Evidence, floor: float, ceiling: float | None = None) -> Outcome:
    """Accepted where the bounds lie wholly above `floor` (and below `ceiling`), rejected where outside."""
    found, lower, upper = _bounds(gate, evidence)
    wanted = f"> {floor:g}" if ceiling is None else f"{floor:g} .. {ceiling:g}"
    why = _too_little(found, gate.min_queries or MIN_QUERIES)
    if why or found.difference is None or lower is None or upper is None:
        return "inconclusive", found.difference, wanted, why
    if upper < floor or (ceiling is not None and lower > ceiling):
        return "rejected", found.difference, wanted, None
    if lower > floor and (ceiling is None or upper < ceiling):
        return "accepted", found.difference, wanted, None
    bounds = (floor,) if ceiling is None else (floor, ceiling)
    settles = _settled_by(found, found.difference, bounds, evidence.alpha)
    return "inconclusive", found.difference, wanted, settles


def _too_little(found: Comparison, least: int) -> Words | None:
    """Why no interval decides anything here, as the report's first sentence has it; None where one does."""
    if found.n < least or found.difference is None:
        return say(
            "{n:query|queries} can be evaluated; at least {least} are needed for this gate.",
            n=found.n,
            least=least,
        )
    if found.interval.reason and found.interval.lower is None:
        return say(
            "Every query differs by {difference:+.4f}: without any spread there is no interval to decide by.",
            difference=found.difference,
        )
    return None


def _bounds(gate: Gate, evidence: Evidence) -> tuple[Comparison, float | None, float | None]:
    found = evidence.comparison(gate)
    differences = [row.difference for row in found.queries if row.difference is not None]
    lower, upper = one_sided_t(differences, evidence.alpha)
    return found, lower, upper


def _settled_by(found: Comparison, difference: float, bounds: tuple[float, ...], alpha: float) -> Words:
    """What would decide: more queries, as many as the differences seen so far ask for."""
    deviation, margin, sides = found.deviation or 0.0, abs(bounds[0]), len(bounds)
    if bounds[0] < 0 and (cannot := _cannot(found, deviation, margin, sides, alpha)):
        return cannot
    about = _about(deviation, min(abs(difference - bound) for bound in bounds), sides, alpha)
    if about is None or about <= found.n:
        return say("The mean difference lies near the margin; more queries may not settle it.")
    return say(
        "About {about} queries would decide a margin of {margin:g} if the mean difference stays at "
        "{difference:+.4f}; there are {n}.",
        about=about,
        margin=margin,
        difference=difference,
        n=found.n,
    )


def _cannot(found: Comparison, deviation: float, margin: float, sides: int, alpha: float) -> Words | None:
    """That this test set cannot decide: where even equal systems would pass in less than half of all cases."""
    one = power_at(deviation, found.n, margin, alpha=alpha, sides=1)
    power = 1.0 if one is None else max(1 - sides * (1 - one), 0.0)
    if power >= 0.5:
        return None
    about = _about(deviation, margin, sides, alpha)
    facts = {"margin": margin, "power": power, "n": found.n}
    if about is None:
        return say(
            "This test set cannot decide a margin of {margin:g}: with {n:query|queries}, two systems that are "
            "equally good would pass in {power:.0%} of all cases.",
            **facts,
        )
    return say(
        "This test set cannot decide a margin of {margin:g}: with {n:query|queries}, two systems that are "
        "equally good would pass in {power:.0%} of all cases, and with about {about} in {wanted:.0%}.",
        about=about,
        wanted=POWER,
        **facts,
    )


def _about(deviation: float, distance: float, sides: int, alpha: float) -> int | None:
    """The queries with which a bound stays on its side of a margin `distance` away; None where nobody has so many.

    Of two margins both must hold, so that each may fail in half of the cases only.
    """
    if distance <= 0 or (deviation / distance) ** 2 > MANY:
        return None
    return needed(deviation, distance, alpha=alpha, power=1 - (1 - POWER) / sides, sides=1)


GATES = (
    GateKind(
        "superior",
        "{candidate} is better than {baseline} in {measure} by more than {margin:g}{tagged}, judged by the bound of the difference",
        (),
        ("measure", "margin", "tag", "min_queries"),
        _superior,
        limits={"margin": FROM_0, "min_queries": FROM_2},
    ),
    GateKind(
        "non_inferior",
        "{candidate} is not worse than {baseline} in {measure} by more than {margin:g}{tagged}, judged by the bound of the difference",
        ("margin",),
        ("measure", "tag", "min_queries"),
        _non_inferior,
        limits={"margin": ABOVE_0, "min_queries": FROM_2},
    ),
    GateKind(
        "equivalent",
        "{candidate} and {baseline} differ in {measure} by less than {margin:g}{tagged}",
        ("margin",),
        ("measure", "tag", "min_queries"),
        _equivalent,
        limits={"margin": ABOVE_0, "min_queries": FROM_2},
    ),
)
