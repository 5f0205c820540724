"""What a report is about: the results, and what is known of the things in them."""

from dataclasses import dataclass, field
from functools import cached_property

from rankproof.tables.attributes import Documents
from rankproof.tables.comparisons import Comparison, Comparisons
from rankproof.tables.decisions import Decision
from rankproof.tables.diagnoses import Diagnosis
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words


@dataclass(frozen=True, eq=False)
class Results:
    """Everything that a section may show. What was not made is None."""

    measurements: Measurements
    comparisons: Comparisons | None = None
    findings: Findings = field(default_factory=Findings)
    decision: Decision | None = None
    documents: Documents = field(default_factory=Documents)
    title: str = ""
    primary: tuple[str, ...] = ()
    reproduce: tuple[str | Words, ...] = ()
    diagnosis: Diagnosis = field(default_factory=Diagnosis)
    listed: int = 1000  # so many queries are shown, those that changed most first
    opened: int = 100  # so many of them, over all candidates, with their lists and sums
    depth: int = 10  # so many docs of each list

    @cached_property
    def main(self) -> str:
        """The measure that the report is about."""
        return self.primary[0] if self.primary else self.measurements.measures[0]

    @cached_property
    def pairs(self) -> list[Comparison]:
        """The comparison of each candidate under the main measure, over all queries; the highest mean first."""
        if self.comparisons is None:
            return []
        found = (self.comparisons.of(c, self.main) for c in self.comparisons.candidates)
        known = [row for row in found if row is not None]
        return sorted(
            known, key=lambda row: -(row.mean_candidate if row.mean_candidate is not None else -1.0)
        )
