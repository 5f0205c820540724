"""What a kind of gate is: a sentence, its keys, and how it decides."""

from collections.abc import Callable
from dataclasses import dataclass

from rankproof.errors import UnknownName
from rankproof.tables.comparisons import Comparison, Comparisons
from rankproof.tables.decisions import Gate, Verdict
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, say


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
