"""evaluate, compare and explain: from files to numbers."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.asking import Asked, as_json, measured, shared
from rankproof.cli.options import emit, format_for, terminal
from rankproof.cli.speaking import command, language
from rankproof.cli.streaming import can_stream, streamed
from rankproof.cli.trec_eval import trec_eval_output

EVALUATE_FORMATS = ("table", "json", "jsonl", "csv", "parquet", "md", "html", "trec_eval")
COMPARE_FORMATS = ("table", "json", "md", "html")


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
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many parts of a run are scanned at once; by default one for every two gigabytes, and no more than there are processors.",
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
    if not kept and can_stream(values):
        asked = streamed(judgments, runs, values, output)
    else:
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
    elif form == "jsonl" and rankproof.can_line(found):
        emit(rankproof.json_lines(found, per_query=per_query), output)
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
    import shlex

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
