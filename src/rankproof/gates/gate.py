"""What a kind of gate is: a sentence, its keys, and how it decides."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rankproof.errors import UnknownName, UsageError
from rankproof.measures.directions import direction_of
from rankproof.tables.comparisons import Comparison, Comparisons
from rankproof.tables.decisions import Gate, Verdict
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, say

WANT_MORE = ("superior", "non_inferior", "no_worse", "max_regressions")  # kinds that take more for better


@dataclass(frozen=True)
class Evidence:
    """All that a gate may look at, for one candidate."""

    measurements: Measurements
    comparisons: Comparisons
    findings: Findings
    candidate: str
    alpha: float
    n_versioned: int = 0  # judgments that can be held against the version of their doc

    def measure(self, gate: Gate) -> str:
        """The measure that a gate speaks of: its own, or the first one."""
        return gate.measure or self.measurements.measures[0]

    def among(self, gate: Gate) -> Sequence[str] | None:
        """The queries that a gate speaks of, None for all; a tag of no question is an error."""
        by_tag = self.measurements.questions.by_tag
        if gate.tag and gate.tag not in by_tag:
            none = say("(no question has a tag)")
            raise UnknownName.of(say("question with the tag"), gate.tag, by_tag, none=none)
        return by_tag[gate.tag] if gate.tag else None

    def comparison(self, gate: Gate) -> Comparison:
        """The comparison that a gate speaks of; a count of all queries together has none."""
        measure = self.measure(gate)
        self.measurements.of(self.candidate, measure)
        self.among(gate)
        if gate.kind in WANT_MORE and direction_of(measure) != "up":
            raise UsageError(
                "The gate {kind} wants more of {measure}, and more of it is not better. Name a measure that is better "
                "the higher it is, or use the gate equivalent or floor.",
                kind=gate.kind,
                measure=measure,
            )
        found = self.comparisons.of(self.candidate, measure, gate.tag or "")
        if found is None:
            raise UsageError(
                "The gate {kind} cannot look at {measure}, which has no number for each query to compare; expected a measure that "
                "has a value for each query.",
                kind=gate.kind,
                measure=measure,
            )
        return found


# What a gate finds: its verdict, the number measured, the wanted one in words, and what would settle it.
Outcome = tuple[Verdict, float | None, str, Words | None]


@dataclass(frozen=True)
class Limit:
    """What a number of a gate can be: finite, and in this range."""

    expected: Words
    lowest: float = 0.0
    highest: float = sys.float_info.max
    whole: bool = False

    def holds(self, value: float) -> bool:
        """True for a number in the range."""
        return self.lowest <= value <= self.highest and not (self.whole and value % 1)


FROM_0 = Limit(say("a number from 0"))
ABOVE_0 = Limit(say("a number above 0"), lowest=sys.float_info.min)
SHARE = Limit(say("a number from 0 to 1"), highest=1.0)
FROM_2 = Limit(say("a whole number from 2"), lowest=2.0, whole=True)


@dataclass(frozen=True)
class GateKind:
    """One kind of gate: the sentence, the keys that it needs and may have, and how it decides.

    `limits` says what its numbers can be; a number without a limit is a number from 0.
    """

    name: str
    sentence: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    decide: Callable[[Gate, Evidence], Outcome]
    about_inputs: bool = False
    limits: Mapping[str, Limit] = field(default_factory=dict)
