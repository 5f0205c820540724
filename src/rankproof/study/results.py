"""What a plan and its inputs come to: the verbs in order; nothing is computed here."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rankproof.checks.auditing import audit
from rankproof.checks.results import audit_results
from rankproof.comparison import compare
from rankproof.diagnosis import diagnose
from rankproof.evaluation import evaluate
from rankproof.gates.deciding import decide
from rankproof.reports.reporting import report
from rankproof.study.inputs import StudyInputs
from rankproof.study.plan import Plan
from rankproof.tables.comparisons import Comparisons
from rankproof.tables.decisions import Decision
from rankproof.tables.diagnoses import Diagnosis
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, say


@dataclass(frozen=True, eq=False)
class StudyResults:
    """A plan with its inputs, and what they come to. Each result is made once, when it is first asked for."""

    plan: Plan
    inputs: StudyInputs

    @cached_property
    def findings(self) -> Findings:
        """What the readers and the checks noticed."""
        given, plan = self.inputs, self.plan
        cutoffs = [m.at for m in plan.measures if m.at]
        return audit(
            given.judgments,
            given.runs,
            questions=given.questions,
            documents=given.documents,
            rubric=given.rubric,
            conventions=plan.conventions,
            fixed_candidates=plan.fixed,
            cutoff=min(cutoffs, default=None),
            measures=plan.measures,
            noticed=given.noticed + given.noticed_in_runs,
        )

    @cached_property
    def measurements(self) -> Measurements:
        """Every measure of every run."""
        found = evaluate(
            self.inputs.judgments,
            self.inputs.runs,
            self.plan.measures,
            conventions=self.plan.conventions,
            questions=self.inputs.questions,
            rubric=self.inputs.rubric,
            documents=self.inputs.documents,
            history=self.inputs.history,
            expected=self.inputs.expected,
        )
        return found.marked(self.findings.anomalous)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Every candidate against the baseline.

        Where fixed candidates differ, the audit has an error-level finding for each such query, and no
        decision is "inconclusive"; the record shows the numbers with it.
        """
        plan = self.plan
        primary = self.measurements.measures[: len(plan.primary)]
        return compare(
            self.measurements, baseline=plan.baseline, primary=primary, level=plan.level, seed=plan.seed
        )

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """What the conclusion hangs on."""
        return diagnose(self.measurements, self.comparisons)

    @cached_property
    def noticed(self) -> Findings:
        """What was noticed in the inputs, then in the results; a gate looks at the inputs alone."""
        return self.findings + audit_results(self.diagnosis)

    @cached_property
    def decision(self) -> Decision:
        """What the evidence says to the gates."""
        return decide(
            self.plan.gates,
            self.measurements,
            self.comparisons,
            self.findings,
            alpha=self.plan.alpha / self.plan.looks,
            n_versioned=self.n_versioned,
        )

    @cached_property
    def n_versioned(self) -> int:
        """How many judgments can be held against the version of their doc: those where both are known."""
        table, docs = self.inputs.judgments, self.inputs.documents.by_id
        rows = zip(table.doc.texts(), table.texts("doc_version"), table.counts & ~table.pooled, strict=True)
        return sum(bool(counts and then and doc in docs and docs[doc].version) for doc, then, counts in rows)

    def _reproduce(self) -> tuple[Words, ...]:
        plan = self.plan
        return (
            say(
                "Planned by {by} at {at}, alpha {alpha:g}, {looks:look|looks}; SHA-256 of the plan: {digest}.",
                by=plan.by or "—",
                at=plan.at or "—",
                alpha=plan.alpha,
                looks=plan.looks,
                digest=plan.sha256,
            ),
            say("rankproof verify FOLDER recomputes the record that this page belongs to."),
        )

    def report(
        self,
        format: str = "html",
        language: str | None = None,
        *,
        only: Sequence[str] = (),
        width: int = 100,
        color: bool = False,
    ) -> str:
        """The report on everything above: "html", "md", or "table" for a terminal of `width` columns."""
        return report(
            self.measurements,
            self.comparisons,
            findings=self.noticed,
            decision=self.decision,
            documents=self.inputs.documents,
            diagnosis=self.diagnosis,
            title=self.plan.name,
            primary=self.measurements.measures[: len(self.plan.primary)],
            format=format,
            language=language or self.plan.language,
            reproduce=self._reproduce(),
            only=only,
            width=width,
            color=color,
        )
