"""Checks of results: what a conclusion hangs on that is no fault of the inputs, found once there are numbers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rankproof.tables.diagnoses import LEAST, SATURATED, Ceiling, Diagnosis, Turn
from rankproof.tables.findings import Finding, Findings, Kind
from rankproof.wording import Words, say


@dataclass(frozen=True)
class ResultCheck:
    """One check of results. `find` yields findings of `kind`; an example of what it finds stands in `example`."""

    kind: Kind
    find: Callable[[Kind, Diagnosis], Iterator[Finding]]
    example: str


SIGN_CHANGES = Kind(
    "sign-changes-with-cutoff",
    "warning",
    "{run} against {baseline}: the sign of the mean difference in {measure} changes with the cutoff "
    "{count:time|times}: {turns}.",
    "Which of the two is better then depends on how far down a reader looks.",
    "Choose the cutoff that readers see before looking at numbers, and show the others beside it.",
)
SATURATED_MEASURE = Kind(
    "saturated-measure",
    "warning",
    "{measure} cannot get better in {count} of {n} queries of {runs}: no order of the judged docs has a higher "
    "value.{finer}",
    "Where most queries are at the ceiling, two systems look alike because the yardstick ends, not because they "
    "are alike.",
    "Look at finer yardsticks (a steeper discount, the gain exp2, another cutoff), or ask harder questions.",
)


def find_sign_changes(kind: Kind, diagnosis: Diagnosis) -> Iterator[Finding]:
    """Candidates that win at one cutoff and lose at the next."""
    for candidate in dict.fromkeys(turn.after.candidate for turn in diagnosis.turns):
        turns = [turn for turn in diagnosis.turns if turn.after.candidate == candidate]
        facts = {
            "baseline": diagnosis.baseline,
            "measure": diagnosis.measure,
            "turns": tuple(_between(turn) for turn in turns),
        }
        yield Finding(kind, facts, run=candidate, count=len(turns))


def _between(turn: Turn) -> Words:
    before, after = turn.before, turn.after
    return say(
        "from {before:+.4f} at {first} to {after:+.4f} at {second}",
        before=before.difference,
        first=_cutoff(before.cutoff),
        after=after.difference,
        second=_cutoff(after.cutoff),
    )


def _cutoff(cutoff: int | None) -> Words | int:
    return say("the end of the lists") if cutoff is None else cutoff


def find_saturated(kind: Kind, diagnosis: Diagnosis) -> Iterator[Finding]:
    """Candidate and baseline at the ceiling in most queries; single runs where nothing was compared."""
    for ceiling in diagnosis.saturated:
        facts = {
            "measure": diagnosis.measure,
            "n": ceiling.n,
            "runs": ", ".join(ceiling.runs),
            "finer": _told_apart(diagnosis, ceiling),
        }
        yield Finding(kind, facts, run=ceiling.runs[0], count=ceiling.reached)


def _told_apart(diagnosis: Diagnosis, ceiling: Ceiling) -> Words | str:
    """How many ties each finer yardstick breaks, as a sentence of its own."""
    rows = [row for row in diagnosis.finer if row.candidate == ceiling.runs[0]]
    if not rows or not diagnosis.baseline:
        return ""
    told = tuple(say("{n} by {measure}", n=row.told_apart, measure=row.measure) for row in rows)
    return say(" Of {tied:tie|ties} finer yardsticks break {told}.", tied=rows[0].tied, told=told)


RESULT_CHECKS = (
    ResultCheck(SIGN_CHANGES, find_sign_changes, "nDCG is +0.02 at 3 and -0.01 at 10."),
    ResultCheck(
        SATURATED_MEASURE,
        find_saturated,
        f"Both systems have the best possible value in more than {SATURATED:.0%} of at least {LEAST} queries.",
    ),
)


def audit_results(diagnosis: Diagnosis) -> Findings:
    """What is doubtful about a conclusion, found in what `diagnose` tells.

    >>> audit_results(Diagnosis("nDCG@10", ceilings=(Ceiling(("old",), 10, 9),))).rows[0].code
    'saturated-measure'
    """
    return Findings(
        tuple(finding for check in RESULT_CHECKS for finding in check.find(check.kind, diagnosis))
    )
