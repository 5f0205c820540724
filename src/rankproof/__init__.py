"""Find out, with proof, which system ranks better.

Everything is a table; a stage turns one table into the next. Names are loaded when they are first used,
so that `import rankproof` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankproof.checks.auditing import CHECKS, KINDS, audit
    from rankproof.comparison import compare
    from rankproof.errors import (
        MissingExtra,
        NotComparable,
        NothingToEvaluate,
        RankproofError,
        StrictStop,
        UnknownName,
        UnreadableInput,
        UsageError,
    )
    from rankproof.evaluation import DEFAULT_MEASURES, evaluate
    from rankproof.explanation import Explanation, explain
    from rankproof.formats.attributes import read_documents, read_questions, read_rubric
    from rankproof.formats.reading import FORMATS, read_judgments, read_run
    from rankproof.formats.sniffing import Given, read_files
    from rankproof.formats.writing import trec_eval_lines, write_rows
    from rankproof.gates import GATES
    from rankproof.measures.dialects import DIALECTS, conventions_of
    from rankproof.measures.measure import Measure
    from rankproof.measures.naming import MEASURES, parse_measure, parse_measures, trec_eval_name
    from rankproof.reports.references import dialects_report, findings_report, measures_report
    from rankproof.reports.reporting import explanation_report, report
    from rankproof.study.demo import demo
    from rankproof.study.record import Verification, verify
    from rankproof.study.studying import Accepted, Study
    from rankproof.tables.attributes import Document, Documents, Grade, Question, Questions, Rubric
    from rankproof.tables.comparisons import Comparison, Comparisons
    from rankproof.tables.conventions import CONVENTIONS, Conventions
    from rankproof.tables.decisions import Decision, Gate, GateResult
    from rankproof.tables.findings import Finding, Findings
    from rankproof.tables.judgments import Judgments
    from rankproof.tables.measurements import Mean, Measurements
    from rankproof.tables.populations import Populations
    from rankproof.tables.rankings import Rankings
    from rankproof.tables.run import Run
    from rankproof.tables.sums import Sum

__version__ = "0.1.0"

# Every public name, under the module that it lives in.
_HOMES = {
    "checks.auditing": ("CHECKS", "KINDS", "audit"),
    "comparison": ("compare",),
    "errors": (
        "MissingExtra",
        "NotComparable",
        "NothingToEvaluate",
        "RankproofError",
        "StrictStop",
        "UnknownName",
        "UnreadableInput",
        "UsageError",
    ),
    "evaluation": ("DEFAULT_MEASURES", "evaluate"),
    "explanation": ("Explanation", "explain"),
    "formats.attributes": ("read_documents", "read_questions", "read_rubric"),
    "formats.reading": ("FORMATS", "read_judgments", "read_run"),
    "formats.sniffing": ("Given", "read_files"),
    "formats.writing": ("trec_eval_lines", "write_rows"),
    "gates": ("GATES",),
    "measures.dialects": ("DIALECTS", "conventions_of"),
    "measures.measure": ("Measure",),
    "measures.naming": ("MEASURES", "parse_measure", "parse_measures", "trec_eval_name"),
    "reports.references": ("dialects_report", "findings_report", "measures_report"),
    "reports.reporting": ("explanation_report", "report"),
    "study.demo": ("demo",),
    "study.record": ("Verification", "verify"),
    "study.studying": ("Accepted", "Study"),
    "tables.attributes": ("Document", "Documents", "Grade", "Question", "Questions", "Rubric"),
    "tables.comparisons": ("Comparison", "Comparisons"),
    "tables.conventions": ("CONVENTIONS", "Conventions"),
    "tables.decisions": ("Decision", "Gate", "GateResult"),
    "tables.findings": ("Finding", "Findings"),
    "tables.judgments": ("Judgments",),
    "tables.measurements": ("Mean", "Measurements"),
    "tables.populations": ("Populations",),
    "tables.rankings": ("Rankings",),
    "tables.run": ("Run",),
    "tables.sums": ("Sum",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'rankproof' has no attribute {name!r}")
    found = getattr(import_module(f"rankproof.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
