"""evaluate, compare and explain: from files to numbers."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.options import emit, format_for, terminal
from rankproof.cli.progress import steps
from rankproof.cli.speaking import command, language, tr
from rankproof.cli.trec_eval import trec_eval_output

EVALUATE_FORMATS = ("table", "json", "jsonl", "csv", "parquet", "md", "html", "trec_eval")
COMPARE_FORMATS = ("table", "json", "md", "html")


@dataclass(frozen=True)
class Asked:
    """What the files hold and what was measured."""

    measurements: "rankproof.Measurements"
    findings: "rankproof.Findings"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"
    tags: dict[str, str]  # of the runs whose files name the system

    def diagnosed(
        self, compared: "rankproof.Comparisons | None" = None
    ) -> "tuple[rankproof.Findings, rankproof.Diagnosis]":
        """What was noticed in the inputs and then in the results, and what the conclusion hangs on."""
        diagnosis = rankproof.diagnose(self.measurements, compared)
        return self.findings + rankproof.audit_results(diagnosis), diagnosis


@dataclass(frozen=True)
class Given:
    """What the files hold, audited, and what is to be measured by which conventions."""

    judgments: Any
    runs: "list[rankproof.Run]"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"
    rubric: "rankproof.Rubric"
    beside: dict[str, Any]  # what only some measures look at
    findings: "rankproof.Findings"
    measures: "tuple[rankproof.Measure, ...]"
    conventions: "rankproof.Conventions"
    evaluate: Callable[..., "rankproof.Measurements"]  # of one aspect or of several


def measured(
    judgments: str, runs: tuple[str, ...], values: dict[str, Any], *, keep: bool, output: Path | None = None
) -> Asked:
    """Read, audit and measure, as the options ask."""
    with steps(2 * len(runs) + 2) as step:
        read = given(judgments, runs, values, output=output, step=step)
        found = read.evaluate(
            read.judgments,
            read.runs,
            read.measures,
            conventions=read.conventions,
            questions=read.questions,
            rubric=read.rubric,
            documents=read.documents,
            **read.beside,
            fixed_candidates=values.get("candidates") == "fixed",
            keep=keep,
            progress=step,
        )
    tags = {run.name: run.tags[-1] for run in read.runs if run.tags}
    marked = found.marked(read.findings.anomalous)
    return Asked(marked, read.findings, read.questions, read.documents, tags)


def given(
    judgments: str,
    runs: tuple[str, ...],
    values: dict[str, Any],
    *,
    output: Path | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Given:
    """Read and audit, as the options ask."""
    conventions = options.chosen(values)
    files = [values[name] for name in ("questions", "documents", "rubric", "history", "expected")]
    options.apart(output, judgments, *runs, *files)
    step(judgments)
    judged, findings, audit, evaluate = _judged(judgments, values)
    preferred = isinstance(judged, rankproof.Preferences)
    usual = rankproof.PREFERENCE_MEASURES if preferred else rankproof.DEFAULT_MEASURES
    wanted = rankproof.parse_measures(values["measures"] or usual, conventions.dialect)
    questions, documents, rubric, more = _attributes(values)
    findings += more
    beside, more = _beside(values)
    findings += more
    read = []
    for path in runs:
        step(path)
        run, more = rankproof.read_run(path)
        read.append(run)
        findings += more
    read = _told_apart(read, runs)
    step(tr("audit"))
    cutoffs = [measure.at for measure in wanted if measure.at]
    findings = audit(
        judged.judgments if preferred else judged,
        read,
        questions=questions,
        documents=documents,
        rubric=rubric,
        conventions=conventions,
        fixed_candidates=values.get("candidates") == "fixed",
        cutoff=min(cutoffs, default=None),
        measures=wanted,
        noticed=findings,
    )
    if values["strict"]:
        findings.stop_at_error()
    return Given(judged, read, questions, documents, rubric, beside, findings, wanted, conventions, evaluate)


def _judged(path: str, values: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """The judgments, what was noticed in them, and what audits and measures them: of one aspect or of several."""
    aspects = values.get("aspects", ())
    if aspects:
        return *rankproof.read_aspects(path, aspects), rankproof.audit_aspects, rankproof.evaluate_aspects
    subtopics = values["subtopics"] or None
    read = rankproof.read_judged(path, values["judgments_as"], subtopics=subtopics)
    return *read, rankproof.audit, rankproof.evaluate


def _attributes(values: dict[str, Any]) -> tuple[Any, Any, Any, "rankproof.Findings"]:
    findings = rankproof.Findings()
    questions, documents, rubric = rankproof.Questions(), rankproof.Documents(), rankproof.Rubric()
    if values["questions"]:
        questions, more = rankproof.read_questions(values["questions"])
        findings += more
    if values["documents"]:
        documents, more = rankproof.read_documents(values["documents"])
        findings += more
    if values["rubric"]:
        rubric = rankproof.read_rubric(values["rubric"])
    return questions, documents, rubric, findings


def _beside(values: dict[str, Any]) -> tuple[dict[str, Any], "rankproof.Findings"]:
    """The history and the expected run, where they were given."""
    found: dict[str, Any] = {}
    findings = rankproof.Findings()
    for name, read in (("history", rankproof.read_history), ("expected", rankproof.read_run)):
        if values[name]:
            found[name], more = read(values[name])
            findings += more
    return found, findings


def _told_apart(runs: "list[rankproof.Run]", paths: tuple[str, ...]) -> "list[rankproof.Run]":
    """Runs go by the names of their files; those that share one go by their paths."""
    if len(set(paths)) < len(paths):
        raise rankproof.UsageError("The same file was given twice as a run. Give each run once.")
    names = [run.name for run in runs]
    return [replace(run, name=run.source) if names.count(run.name) > 1 else run for run in runs]


def shared(function: Any) -> Any:
    """The options that evaluate, compare and explain have in common."""
    function = options.conventions(function)
    function = click.option(
        "--judgments-as",
        type=click.Choice(["grades", "raters", "preferences", "grades-as-preferences"]),
        help="What the judgments are, where their columns leave that open. raters: the second column of a TREC "
        "file names who judged.",
    )(function)
    function = click.option("--strict", is_flag=True, help="Stop at the first error-level finding.")(function)
    return options.measures(options.subtopics(options.attributes(function)))


@command("evaluate")
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True)
@options.aspects
@shared
@click.option("--per-query", is_flag=True, help="A row for each query, too.")
@click.option(
    "--z-scores",
    type=click.Path(),
    help="Standard scores: lines of query, measure, mean and standard deviation of reference runs.",
)
@options.output(*EVALUATE_FORMATS)
def evaluate_command(
    judgments: str,
    runs: tuple[str, ...],
    format_: str | None,
    output: Path | None,
    per_query: bool,
    z_scores: str | None,
    **values: Any,
) -> None:
    """Measure one or more runs against judgments.

    Files may be TREC, CSV, TSV, JSON lines or Parquet, plain or gzip; - is standard input.

    $ rankproof evaluate qrels.txt run.txt -m nDCG@10 -m AP
    """
    form = format_for(format_, output, EVALUATE_FORMATS)
    kept = form in ("html", "md", "table", "json")
    asked = measured(judgments, runs, values, keep=kept, output=output)
    measured_, asked = asked.measurements, _standardised(asked, z_scores, strict=values["strict"])
    found = asked.measurements
    if form == "trec_eval":
        if found.aspects:
            raise rankproof.UsageError(
                "The format trec_eval has no place for aspects. Use one of {known} with --format.",
                known=", ".join(name for name in EVALUATE_FORMATS if name != "trec_eval"),
            )
        names = values["measures"]
        emit(trec_eval_output(found, measured_, asked.tags, names, per_query=per_query), output)
    elif form == "json":
        findings, diagnosis = asked.diagnosed()
        whole_result = {
            "conventions": found.conventions.as_dict(),
            "dialect": found.conventions.dialect,
            "populations": found.populations.as_dict(),
            "measurements": list(found.rows(per_query=per_query)),
            "diagnosis": diagnosis.as_dict(),
            "findings": [finding.row(language()) for finding in findings],
        }
        emit(as_json(whole_result), output)
    elif form in ("jsonl", "csv", "parquet"):
        emit(rankproof.write_rows(found.rows(per_query=per_query), form), output)
    else:
        emit(_report(asked, None, form, per_query=per_query), output)


def _standardised(asked: Asked, path: str | None, *, strict: bool) -> Asked:
    """What was measured, as standard scores where a file of spreads was given."""
    if path is None:
        return asked
    spreads, findings = rankproof.read_spreads(path, strict=strict)
    scores = rankproof.standardised(asked.measurements, spreads)
    return replace(asked, measurements=scores, findings=asked.findings + findings)


@command("compare")
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True, metavar="BASELINE CANDIDATE...")
@options.aspects
@shared
@click.option(
    "--candidates",
    type=click.Choice(["open", "fixed"]),
    default="open",
    help="fixed: every system ordered the same docs, and differing sets are errors.",
)
@click.option("--seed", default=0, help="The seed of the random signs.")
@options.output(*COMPARE_FORMATS)
def compare_command(
    judgments: str, runs: tuple[str, ...], format_: str | None, output: Path | None, seed: int, **values: Any
) -> None:
    """Compare candidates with a baseline: differences, intervals and tests, query by query.

    The first run is the baseline. The first measure leads the report.

    $ rankproof compare qrels.txt old.run new.run -m nDCG@10 -o report.html
    """
    if len(runs) < 2:
        raise rankproof.UsageError("Only one run was given; a comparison needs a baseline and a candidate.")
    form = format_for(format_, output, COMPARE_FORMATS)
    asked = measured(judgments, runs, values, keep=True, output=output)
    compared = rankproof.compare(asked.measurements, seed=seed)
    if form == "json":
        findings, diagnosis = asked.diagnosed(compared)
        told = {"diagnosis": diagnosis.as_dict(), "findings": [f.row(language()) for f in findings]}
        emit(as_json(compared.as_dict() | told), output)
    else:
        emit(_report(asked, compared, form), output)


def _report(asked: Asked, compared: Any, form: str, *, per_query: bool = False) -> str:
    findings, diagnosis = asked.diagnosed(compared)
    return rankproof.report(
        asked.measurements,
        compared,
        findings=findings,
        documents=asked.documents,
        diagnosis=diagnosis,
        title=" / ".join(asked.measurements.runs[:4]) + (" …" if len(asked.measurements.runs) > 4 else ""),
        format=form,
        language=language(),
        per_query=per_query,
        reproduce=("$ " + shlex.join(["rankproof", *sys.argv[1:]]),),
        **terminal(),
    )


def as_json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
