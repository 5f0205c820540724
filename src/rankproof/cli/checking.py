"""check: what is wrong with files, before any number is shown."""

from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.options import emit, format_for, terminal
from rankproof.cli.speaking import command, language

FORMATS = ("table", "json", "jsonl", "csv", "parquet", "md")


@command("check")
@click.argument("files", nargs=-1)
@click.option(
    "--judgments", type=click.Path(), help="A file of judgments, where its columns leave that open."
)
@click.option(
    "--run", "runs", multiple=True, type=click.Path(), help="A run, where its columns leave that open."
)
@options.subtopics
@click.option("--rubric", type=click.Path(), help="A rubric (TOML): what each grade means.")
@click.option(
    "--candidates",
    type=click.Choice(["open", "fixed"]),
    default="open",
    help="fixed: every system ordered the same docs, and differing sets are errors.",
)
@click.option("--cutoff", type=click.IntRange(min=1), help="The rank down to which lists matter.")
@options.conventions
@click.option("--strict", is_flag=True, help="Stop at the first error-level finding.")
@options.output(*FORMATS)
def check_command(
    files: tuple[str, ...],
    judgments: str | None,
    runs: tuple[str, ...],
    format_: str | None,
    output: Path | None,
    **values: Any,
) -> int:
    """Look for everything that would make the numbers wrong, in files of any role.

    Each file is looked at and read as what it is: judgments, a run, questions, documents. Ends with 1
    where an error-level finding was made.

    $ rankproof check qrels.txt run.txt questions.csv
    """
    if not files and judgments is None and not runs:
        raise rankproof.UsageError("No file was given. Name at least one.")
    form = format_for(format_, output, FORMATS)
    conventions = options.chosen(values)
    options.apart(output, *files, judgments, *runs, values["rubric"])
    given = rankproof.read_files(files, judgments=judgments, runs=runs, subtopics=values["subtopics"] or None)
    preferred = given.preferences.judgments if given.preferences else rankproof.Judgments.of([], [], [])
    findings = rankproof.audit(
        given.judgments or preferred,
        given.runs,
        questions=given.questions,
        documents=given.documents,
        rubric=rankproof.read_rubric(values["rubric"]) if values["rubric"] else None,
        conventions=conventions,
        fixed_candidates=values["candidates"] == "fixed",
        cutoff=values["cutoff"],
        measures=rankproof.parse_measures(rankproof.DEFAULT_MEASURES),
        noticed=given.findings,
    ).worst_first
    if form in ("table", "md"):
        emit(
            rankproof.findings_report(
                findings, taken=given.taken, format=form, language=language(), **terminal()
            ),
            output,
        )
    else:
        rows = (finding.row(language()) for finding in findings)
        emit(rankproof.write_rows(rows, form, columns=rankproof.Finding.COLUMNS), output)
    if values["strict"]:
        findings.stop_at_error()
    return 1 if findings.errors else 0
