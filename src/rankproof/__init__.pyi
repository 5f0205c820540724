"""Every public name and the module it lives in: read by type checkers, and by `__init__.py` when a name is used."""

# One line a module, so that `__init__.py` can read them without a parser.
# ruff: noqa: I001
# fmt: off
from rankproof.checks.auditing import CHECKS as CHECKS, KINDS as KINDS, audit as audit
from rankproof.checks.check import Check as Check, Inputs as Inputs
from rankproof.comparison import compare as compare
from rankproof.errors import NotComparable as NotComparable, NothingToEvaluate as NothingToEvaluate, RankproofError as RankproofError, StrictStop as StrictStop, UnknownName as UnknownName, UnreadableInput as UnreadableInput, UsageError as UsageError
from rankproof.evaluation import DEFAULT_MEASURES as DEFAULT_MEASURES, evaluate as evaluate
from rankproof.explanation import Explanation as Explanation, explain as explain
from rankproof.formats.attributes import read_documents as read_documents, read_questions as read_questions, read_rubric as read_rubric
from rankproof.formats.format import Columns as Columns, Format as Format, Problems as Problems, columns_of as columns_of
from rankproof.formats.reading import FORMATS as FORMATS, read_judgments as read_judgments, read_run as read_run
from rankproof.formats.sniffing import Given as Given, read_files as read_files
from rankproof.formats.writing import trec_eval_lines as trec_eval_lines, write_rows as write_rows
from rankproof.gates.deciding import GATES as GATES
from rankproof.measures.dialect import Dialect as Dialect
from rankproof.measures.dialects import DIALECTS as DIALECTS, conventions_of as conventions_of
from rankproof.measures.measure import Measure as Measure, Setting as Setting
from rankproof.measures.naming import MEASURES as MEASURES, parse_measure as parse_measure, parse_measures as parse_measures, trec_eval_name as trec_eval_name
from rankproof.readings import explain_dialects as explain_dialects
from rankproof.reports.readings import readings_report as readings_report
from rankproof.reports.references import dialects_report as dialects_report, findings_report as findings_report, measures_report as measures_report
from rankproof.reports.reporting import explanation_report as explanation_report, report as report
from rankproof.stats.planning import detectable as detectable, needed as needed
from rankproof.study.demo import demo as demo
from rankproof.study.studying import Accepted as Accepted, Study as Study
from rankproof.study.verifying import Verification as Verification, verify as verify
from rankproof.tables.attributes import Document as Document, Documents as Documents, Grade as Grade, Question as Question, Questions as Questions, Rubric as Rubric
from rankproof.tables.comparisons import Comparison as Comparison, Comparisons as Comparisons
from rankproof.tables.conventions import CONVENTIONS as CONVENTIONS, Conventions as Conventions
from rankproof.tables.decisions import Decision as Decision, Gate as Gate, GateResult as GateResult
from rankproof.tables.findings import Finding as Finding, Findings as Findings, Kind as Kind
from rankproof.tables.judgments import Judgments as Judgments
from rankproof.tables.measurements import Mean as Mean, Measurements as Measurements
from rankproof.tables.populations import Populations as Populations
from rankproof.tables.rankings import Rankings as Rankings
from rankproof.tables.readings import Difference as Difference, Reading as Reading, Readings as Readings
from rankproof.tables.run import Run as Run
from rankproof.tables.sums import Sum as Sum
from rankproof.wording import LANGUAGES as LANGUAGES

__version__: str
