"""evaluate, compare and explain: from files to numbers."""

import shlex
import sys
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
EXPLAIN_FORMATS = ("table", "json", "md", "html")


@dataclass(frozen=True)
class Asked:
    """What the files hold and what was measured."""

    measurements: "rankproof.Measurements"
    findings: "rankproof.Findings"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"

    def diagnosed(
        self, compared: "rankproof.Comparisons | None" = None
    ) -> "tuple[rankproof.Findings, rankproof.Diagnosis]":
        """What was noticed in the inputs and then in the results, and what the conclusion hangs on."""
        diagnosis = rankproof.diagnose(self.measurements, compared)
        return self.findings + rankproof.audit_results(diagnosis), diagnosis


def measured(
    judgments: str, runs: tuple[str, ...], values: dict[str, Any], *, keep: bool, output: Path | None = None
) -> Asked:
    """Read, audit and measure, as the options ask."""
    conventions = options.chosen(values)
    wanted = rankproof.parse_measures(values["measures"] or rankproof.DEFAULT_MEASURES)
    given = (values["questions"], values["documents"], values["rubric"])
    options.apart(output, judgments, *runs, *given)
    with steps(2 * len(runs) + 2) as step:
        step(judgments)
        judged, findings, audit, evaluate = _judged(judgments, values.get("aspects", ()))
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
        findings = audit(
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
        found = evaluate(
            judged,
            read,
            wanted,
            conventions=conventions,
            questions=questions,
            rubric=rubric,
            fixed_candidates=values.get("candidates") == "fixed",
            keep=keep,
            progress=step,
        )
    return Asked(found.marked(findings.anomalous), findings, questions, documents)


def _judged(path: str, aspects: tuple[str, ...]) -> tuple[Any, Any, Any, Any]:
    """The judgments, what was noticed in them, and what audits and measures them: of one aspect or of several."""
    if aspects:
        return *rankproof.read_aspects(path, aspects), rankproof.audit_aspects, rankproof.evaluate_aspects
    return *rankproof.read_judgments(path), rankproof.audit, rankproof.evaluate


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
@options.aspects
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
    asked = measured(judgments, runs, values, keep=form in ("html", "md", "table", "json"), output=output)
    found = asked.measurements
    if form == "trec_eval":
        if found.aspects:
            raise rankproof.UsageError(
                "The format trec_eval has no place for aspects. Use one of {known} with --format.",
                known=", ".join(name for name in EVALUATE_FORMATS if name != "trec_eval"),
            )
        names = {
            m: rankproof.trec_eval_name(rankproof.parse_measure(m), found.conventions) for m in found.measures
        }
        whole = [m for m, total in zip(found.measures, found.totals, strict=True) if total]
        emit(rankproof.trec_eval_lines(found.rows(per_query=per_query), names, whole), output)
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
        emit(_json(whole_result), output)
    elif form in ("jsonl", "csv", "parquet"):
        emit(rankproof.write_rows(found.rows(per_query=per_query), form), output)
    else:
        emit(_report(asked, None, form, per_query=per_query), output)


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
        emit(_json(compared.as_dict() | told), output)
    else:
        emit(_report(asked, compared, form), output)


@command("explain")
@click.argument("judgments")
@click.argument("run")
@click.option("-q", "--query", required=True, help="The query whose value is explained.")
@click.option(
    "--show",
    type=click.IntRange(min=1),
    help="Show so many docs (the cutoff and a few more by default); the sum is over all.",
)
@shared
@options.output(*EXPLAIN_FORMATS)
def explain_command(
    judgments: str,
    run: str,
    query: str,
    show: int | None,
    format_: str | None,
    output: Path | None,
    **values: Any,
) -> None:
    """Show how one number came about: rank, doc, grade, what each adds, and the ideal list beside it.

    $ rankproof explain qrels.txt run.txt -q q01 -m nDCG@3
    """
    form = format_for(format_, output, EXPLAIN_FORMATS)
    asked = measured(judgments, (run,), values, keep=True, output=output)
    found = asked.measurements
    measures = found.measures if values["measures"] else found.measures[:1]
    depths = [show or (None if form == "json" else _enough(m)) for m in measures]
    explained = [
        rankproof.explain(found, found.runs[0], query, m, depth=depth)
        for m, depth in zip(measures, depths, strict=True)
    ]
    if form == "json":
        emit(_json([one.as_dict() for one in explained]), output)
    else:
        text = rankproof.explanation_report(
            explained, asked.questions, format=form, language=language(), **terminal()
        )
        emit(text, output)


def _enough(measure: str) -> int:
    """So many docs are shown where nobody said: the cutoff and a few more."""
    return (rankproof.parse_measure(measure).at or 25) + 5


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


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
