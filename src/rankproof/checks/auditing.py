"""CHECKS, and tables to findings: everything that is wrong or doubtful, before any number is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rankproof.catalog import Catalog
from rankproof.checks import (
    between_runs,
    coverage,
    judgments,
    known,
    matching,
    provenance,
    questions,
    ranks,
    runs,
    subtopics,
    ties,
)
from rankproof.checks.check import Check, Inputs
from rankproof.checks.results import RESULT_CHECKS
from rankproof.formats.problems import READING_KINDS
from rankproof.measures.measure import Measure
from rankproof.tables.attributes import Documents, Questions, Rubric
from rankproof.tables.conventions import Conventions
from rankproof.tables.findings import Finding, Findings, Kind
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

BUILT_IN: tuple[Check, ...] = (
    *judgments.CHECKS,
    *subtopics.CHECKS,
    *provenance.CHECKS,
    *questions.CHECKS,
    *runs.CHECKS,
    *ties.CHECKS,
    *ranks.CHECKS,
    *coverage.CHECKS,
    *matching.CHECKS,
    *known.CHECKS,
    *between_runs.CHECKS,
)

CHECKS: Catalog[Check] = Catalog(
    "check",
    BUILT_IN,
    names=lambda row: (row.kind.code,),
    member_type=Check,
    group="rankproof.checks",
)

# Every kind of finding that comes with the package: those of the readers, of the checks, and of the results.
KINDS: tuple[Kind, ...] = (
    *READING_KINDS,
    *(check.kind for check in BUILT_IN),
    *(c.kind for c in RESULT_CHECKS),
)

# Where this tool's rules hold, grades below 0 are the custom.
CUSTOM_OF_TREC_EVAL = "negative-grade"


def audit(
    judgments: Judgments,
    runs: Run | Sequence[Run] = (),
    *,
    questions: Questions | None = None,
    documents: Documents | None = None,
    rubric: Rubric | None = None,
    conventions: Conventions | None = None,
    fixed_candidates: bool = False,
    cutoff: int | None = None,
    measures: Sequence[Measure] = (),
    noticed: Iterable[Finding] = (),
) -> Findings:
    """What is wrong or doubtful in the inputs: first what the readers `noticed`, then what checks find.

    An error-level finding names its query, which is anomalous from then on; warnings and information are
    one finding for each run or file, with a count and the first example. Only where `questions`, `documents`
    or a `rubric` are given can a query, a doc or a grade be unknown. With `fixed_candidates` every run must
    have displayed the same docs. `cutoff` is the smallest cutoff asked for; the first 10 ranks are looked
    at where there is none. `measures` are those asked for, so that it can be told what range of values ties
    leave open. Nothing is mended and nothing raised; `Findings.worst_first` sorts.

    >>> from rankproof import Judgments, Run
    >>> judgments = Judgments.from_dict({"q1": {"a": 2, "b": 0}, "q2": {"c": 0}})
    >>> run = Run.from_dict("first", {"q1": ["b", "a", "b"], "q2": ["c"]})
    >>> found = audit(judgments, run)  # b stands twice for q1; nobody found a relevant doc for q2
    >>> [(row.code, row.severity, row.query_id, row.count) for row in found.worst_first]
    [('duplicate-doc', 'error', 'q1', 1), ('no-relevant', 'warning', '', 1)]
    >>> sorted(found.anomalous)
    ['q1']
    """
    inputs = Inputs(
        judgments,
        (runs,) if isinstance(runs, Run) else tuple(runs),
        questions or Questions(),
        documents or Documents(),
        rubric or Rubric(),
        conventions or Conventions(),
        fixed_candidates,
        cutoff,
        tuple(measures),
    )
    found = (finding for check in CHECKS for finding in check.find(check.kind, inputs))
    return Findings(
        tuple(_under(inputs.conventions, finding) for part in (noticed, found) for finding in part)
    )


def _under(conventions: Conventions, finding: Finding) -> Finding:
    """The finding as severe as it is under the dialect."""
    if finding.code == CUSTOM_OF_TREC_EVAL and conventions.dialect.startswith("trec_eval"):
        return replace(finding, severity_here="info")
    return finding
