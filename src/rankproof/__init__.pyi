"""Every public name and the module it lives in: read by type checkers, and by `__init__.py` when a name is used."""

# One line a module, so that `__init__.py` can read them without a parser.
# ruff: noqa: I001
# fmt: off
from rankproof.aspects import audit_aspects as audit_aspects, evaluate_aspects as evaluate_aspects
from rankproof.batch.measuring import BatchMean as BatchMean, batch_means as batch_means, measure_batch as measure_batch
from rankproof.checks.auditing import CHECKS as CHECKS, KINDS as KINDS, audit as audit
from rankproof.checks.check import Check as Check, Inputs as Inputs
from rankproof.checks.results import audit_results as audit_results
from rankproof.comparison import compare as compare
from rankproof.diagnosis import cutoff_profile as cutoff_profile, diagnose as diagnose
from rankproof.errors import MeasureFault as MeasureFault, MissingExtra as MissingExtra, NotComparable as NotComparable, NothingToEvaluate as NothingToEvaluate, RankproofError as RankproofError, StrictStop as StrictStop, UnknownName as UnknownName, UnreadableInput as UnreadableInput, UsageError as UsageError
from rankproof.evaluation import DEFAULT_MEASURES as DEFAULT_MEASURES, PREFERENCE_MEASURES as PREFERENCE_MEASURES, evaluate as evaluate
from rankproof.explanation import Explanation as Explanation, explain as explain
from rankproof.formats.aspects import read_aspects as read_aspects
from rankproof.formats.attributes import read_documents as read_documents, read_questions as read_questions, read_rubric as read_rubric
from rankproof.formats.format import Columns as Columns, Format as Format, columns_of as columns_of
from rankproof.formats.known import read_history as read_history
from rankproof.formats.noticing import Problems as Problems
from rankproof.formats.preferences import read_judged as read_judged, read_preferences as read_preferences
from rankproof.formats.reading import FORMATS as FORMATS, read_judgments as read_judgments, read_run as read_run
from rankproof.formats.sniffing import Given as Given, read_files as read_files
from rankproof.formats.spreads import read_spreads as read_spreads
from rankproof.formats.value_lines import can_line as can_line, json_lines as json_lines, tool_lines as tool_lines
from rankproof.formats.writing import trec_eval_lines as trec_eval_lines, write_rows as write_rows
from rankproof.gates.deciding import GATES as GATES
from rankproof.measures.combining import Combination as Combination, combination as combination
from rankproof.measures.dialect import Dialect as Dialect
from rankproof.measures.dialects import DIALECTS as DIALECTS, conventions_of as conventions_of
from rankproof.measures.gains import discounted as discounted, worth as worth
from rankproof.measures.measure import FAMILIES as FAMILIES, Measure as Measure
from rankproof.measures.naming import MEASURES as MEASURES, parse_measure as parse_measure, parse_measures as parse_measures, trec_eval_final as trec_eval_final, trec_eval_name as trec_eval_name
from rankproof.measures.needs import NEEDS as NEEDS, Need as Need
from rankproof.measures.selection import select_measures as select_measures, tools_with_measures as tools_with_measures
from rankproof.measures.settings import BASE as BASE, DENOMINATOR as DENOMINATOR, DISCOUNT as DISCOUNT, GAIN as GAIN, MAX_GRADE as MAX_GRADE, REL as REL, Setting as Setting
from rankproof.measures.spelling import Spelling as Spelling, spellings as spellings
from rankproof.measures.standardising import standardised as standardised
from rankproof.memory.coded import CodedRun as CodedRun
from rankproof.readings import explain_dialects as explain_dialects
from rankproof.reports.installation import installation_report as installation_report
from rankproof.reports.measure_reference import measure_rows as measure_rows, measures_named as measures_named, measures_report as measures_report
from rankproof.reports.readings import readings_report as readings_report
from rankproof.reports.references import dialects_report as dialects_report, findings_report as findings_report
from rankproof.reports.reporting import explanation_report as explanation_report, report as report
from rankproof.stats.planning import detectable as detectable, needed as needed
from rankproof.streaming import evaluate_files as evaluate_files
from rankproof.study.demo import demo as demo
from rankproof.study.studying import Accepted as Accepted, Study as Study
from rankproof.study.verifying import Verification as Verification, verify as verify
from rankproof.tables.attributes import Document as Document, Documents as Documents, Grade as Grade, Question as Question, Questions as Questions, Rubric as Rubric
from rankproof.tables.comparisons import Comparison as Comparison, Comparisons as Comparisons
from rankproof.tables.conventions import CONVENTIONS as CONVENTIONS, Conventions as Conventions
from rankproof.tables.decisions import Decision as Decision, Gate as Gate, GateResult as GateResult
from rankproof.tables.diagnoses import Diagnosis as Diagnosis
from rankproof.tables.examples import written as written
from rankproof.tables.findings import Finding as Finding, Findings as Findings, Kind as Kind
from rankproof.tables.judged import Judged as Judged
from rankproof.tables.judgments import Judgments as Judgments
from rankproof.tables.known import History as History
from rankproof.tables.measurements import Mean as Mean, Measurements as Measurements
from rankproof.tables.populations import Populations as Populations
from rankproof.tables.preferences import Preferences as Preferences
from rankproof.tables.rankings import Rankings as Rankings, ratio as ratio
from rankproof.tables.readings import Difference as Difference, Reading as Reading, Readings as Readings
from rankproof.tables.run import Run as Run
from rankproof.tables.spreads import Spread as Spread
from rankproof.tables.subtopics import Subtopics as Subtopics
from rankproof.tables.sums import Sum as Sum
from rankproof.tables.weights import Move as Move, Sensitivity as Sensitivity
from rankproof.testing.conformance import check_measure as check_measure
from rankproof.weighing import weight_sensitivity as weight_sensitivity
from rankproof.wording import LANGUAGES as LANGUAGES

__version__: str
