"""evaluate and compare: from files to numbers."""

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

EVALUATE_FORMATS = ("table", "json", "jsonl", "csv", "parquet", "md", "html", "trec_eval")
COMPARE_FORMATS = ("table", "json", "md", "html")


@dataclass(frozen=True)
class Asked:
    """What the files hold and what was measured."""

    measurements: "rankproof.Measurements"
    findings: "rankproof.Findings"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"


@dataclass(frozen=True)
class Given:
    """What the files hold, audited, and what is to be measured by which conventions."""

    judgments: "rankproof.Judgments"
    runs: "list[rankproof.Run]"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"
    rubric: "rankproof.Rubric"
    findings: "rankproof.Findings"
    measures: "tuple[rankproof.Measure, ...]"
    conventions: "rankproof.Conventions"


def measured(
    judgments: str, runs: tuple[str, ...], values: dict[str, Any], *, keep: bool, output: Path | None = None
) -> Asked:
    """Read, audit and measure, as the options ask."""
    with steps(2 * len(runs) + 2) as step:
        read = given(judgments, runs, values, output=output, step=step)
        found = rankproof.evaluate(
            read.judgments,
            read.runs,
            read.measures,
            conventions=read.conventions,
            questions=read.questions,
            rubric=read.rubric,
            fixed_candidates=values.get("candidates") == "fixed",
            keep=keep,
            progress=step,
        )
    return Asked(found.marked(read.findings.anomalous), read.findings, read.questions, read.documents)


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
    wanted = rankproof.parse_measures(values["measures"] or rankproof.DEFAULT_MEASURES)
    files = (values["questions"], values["documents"], values["rubric"])
    options.apart(output, judgments, *runs, *files)
    step(judgments)
    judged, findings = rankproof.read_judgments(judgments)
    questions, documents, rubric, more = _attributes(values)
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
    findings = rankproof.audit(
        judged,
        read,
        questions=questions,
        documents=documents,
        rubric=rubric,
        conventions=conventions,
        fixed_candidates=values.get("candidates") == "fixed",
        cutoff=min(cutoffs, default=None),
        noticed=findings,
    )
    if values["strict"]:
        findings.stop_at_error()
    return Given(judged, read, questions, documents, rubric, findings, wanted, conventions)


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


def _told_apart(runs: "list[rankproof.Run]", paths: tuple[str, ...]) -> "list[rankproof.Run]":
    """Runs go by the names of their files; those that share one go by their paths."""
    if len(set(paths)) < len(paths):
        raise rankproof.UsageError("The same file was given twice as a run. Give each run once.")
    names = [run.name for run in runs]
    return [replace(run, name=run.source) if names.count(run.name) > 1 else run for run in runs]


def shared(function: Any) -> Any:
    """The options that evaluate, compare and explain have in common."""
    function = options.conventions(function)
    function = click.option("--strict", is_flag=True, help="Stop at the first error-level finding.")(function)
    return options.measures(options.attributes(function))


@command("evaluate")
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True)
@shared
@click.option("--per-query", is_flag=True, help="A row for each query, too.")
@options.output(*EVALUATE_FORMATS)
def evaluate_command(
    judgments: str,
    runs: tuple[str, ...],
    format_: str | None,
    output: Path | None,
    per_query: bool,
    **values: Any,
) -> None:
    """Measure one or more runs against judgments.

    Files may be TREC, CSV, TSV, JSON lines or Parquet, plain or gzip; - is standard input.

    $ rankproof evaluate qrels.txt run.txt -m nDCG@10 -m AP
    """
    form = format_for(format_, output, EVALUATE_FORMATS)
    asked = measured(judgments, runs, values, keep=form in ("html", "md", "table"), output=output)
    found = asked.measurements
    if form == "trec_eval":
        names = {
            m: rankproof.trec_eval_name(rankproof.parse_measure(m), found.conventions) for m in found.measures
        }
        whole = [m for m, total in zip(found.measures, found.totals, strict=True) if total]
        emit(rankproof.trec_eval_lines(found.rows(per_query=per_query), names, whole), output)
    elif form == "json":
        whole_result = {
            "conventions": found.conventions.as_dict(),
            "dialect": found.conventions.dialect,
            "populations": found.populations.as_dict(),
            "measurements": list(found.rows(per_query=per_query)),
            "findings": [finding.row(language()) for finding in asked.findings],
        }
        emit(as_json(whole_result), output)
    elif form in ("jsonl", "csv", "parquet"):
        emit(rankproof.write_rows(found.rows(per_query=per_query), form), output)
    else:
        emit(_report(asked, None, form, per_query=per_query), output)


@command("compare")
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True, metavar="BASELINE CANDIDATE...")
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
        emit(as_json(compared.as_dict() | {"findings": [f.row(language()) for f in asked.findings]}), output)
    else:
        emit(_report(asked, compared, form), output)


def _report(asked: Asked, compared: Any, form: str, *, per_query: bool = False) -> str:
    return rankproof.report(
        asked.measurements,
        compared,
        findings=asked.findings,
        documents=asked.documents,
        title=" / ".join(asked.measurements.runs[:4]) + (" …" if len(asked.measurements.runs) > 4 else ""),
        format=form,
        language=language(),
        per_query=per_query,
        reproduce=("$ " + shlex.join(["rankproof", *sys.argv[1:]]),),
        **terminal(),
    )


def as_json(value: object) -> str:
    """Plain values as JSON, a line at the end."""
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
