"""A study: what its plan and inputs come to. The verbs in order; nothing is computed here."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rankproof.checks.auditing import audit
from rankproof.comparison import compare
from rankproof.evaluation import evaluate
from rankproof.gates import decide
from rankproof.measures.naming import parse_measures
from rankproof.reports.reporting import report
from rankproof.study.inputs import StudyInputs, read_inputs
from rankproof.study.plan import Plan, read_plan
from rankproof.tables.comparisons import Comparisons
from rankproof.tables.decisions import Decision
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements


@dataclass(frozen=True, eq=False)
class Study:
    """A plan with its inputs. Each result is made once, when it is first asked for."""

    plan: Plan
    inputs: StudyInputs
    folder: Path = Path()

    @classmethod
    def read(cls, path: str | Path) -> "Study":
        """The study in a study.toml, or in a folder that has one; unreadable files are errors."""
        path = Path(path)
        path = path / "study.toml" if path.is_dir() else path
        plan = read_plan(path)
        return cls(plan, read_inputs(plan, path.parent), path.parent)

    @cached_property
    def findings(self) -> Findings:
        """What the readers and the checks noticed."""
        given, plan = self.inputs, self.plan
        cutoffs = [m.at for m in parse_measures((*plan.primary, *plan.secondary)) if m.at]
        return audit(
            given.judgments,
            given.runs,
            questions=given.questions,
            documents=given.documents,
            rubric=given.rubric,
            conventions=plan.conventions,
            fixed_candidates=plan.fixed,
            cutoff=min(cutoffs, default=None),
            noticed=given.noticed + given.noticed_in_runs,
        )

    @cached_property
    def measurements(self) -> Measurements:
        """Every measure of every run."""
        found = evaluate(
            self.inputs.judgments,
            self.inputs.runs,
            (*self.plan.primary, *self.plan.secondary),
            conventions=self.plan.conventions,
            questions=self.inputs.questions,
            rubric=self.inputs.rubric,
        )
        return found.marked(self.findings.anomalous)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Every candidate against the baseline."""
        plan = self.plan
        primary = self.measurements.measures[: len(plan.primary)]
        return compare(
            self.measurements, baseline=plan.baseline, primary=primary, level=plan.level, seed=plan.seed
        )

    @cached_property
    def decision(self) -> Decision:
        """What the evidence says to the gates."""
        return decide(
            self.plan.gates,
            self.measurements,
            self.comparisons,
            self.findings,
            alpha=self.plan.alpha / self.plan.looks,
        )

    def report(self, format: str = "html", language: str | None = None) -> str:
        """The report on everything above."""
        return report(
            self.measurements,
            self.comparisons,
            findings=self.findings,
            decision=self.decision,
            documents=self.inputs.documents,
            title=self.plan.name,
            primary=self.measurements.measures[: len(self.plan.primary)],
            format=format,
            language=language or self.plan.language,
        )

    def accept(
        self, folder: str | Path | None = None, *, progress: Callable[[str], None] = lambda _: None
    ) -> "Accepted":
        """Decide by the gates and write the acceptance record; `folder` is "acceptance" beside the plan.

        Returns the decision and where the record is. The record is written whole, then put in place.
        """
        from rankproof.study.record import write_record

        progress(self.plan.name)
        place = Path(folder) if folder is not None else self.folder / "acceptance"
        write_record(self, place)
        return Accepted(self.decision, place)


@dataclass(frozen=True)
class Accepted:
    """What `accept` came to: the decision, and the record's folder."""

    decision: Decision
    record: Path
