"""explain: how one number came about, and what it is elsewhere."""

from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.asking import as_json, given, measured, shared
from rankproof.cli.options import emit, format_for, terminal
from rankproof.cli.speaking import command, language

EXPLAIN_FORMATS = ("table", "json", "md", "html")


@command("explain")
@click.argument("judgments")
@click.argument("run")
@click.option("-q", "--query", required=True, help="The query whose value is explained.")
@click.option(
    "--show",
    type=click.IntRange(min=1),
    help="Show so many docs (the cutoff and a few more by default); the sum is over all.",
)
@click.option(
    "--dialects",
    is_flag=True,
    help="Show the value by the conventions of every tool, and which choices make the difference.",
)
@shared
@options.output(*EXPLAIN_FORMATS)
def explain_command(
    judgments: str,
    run: str,
    query: str,
    show: int | None,
    dialects: bool,
    format_: str | None,
    output: Path | None,
    **values: Any,
) -> None:
    """Show how one number came about: rank, doc, grade, what each adds, and the ideal list beside it.

    $ rankproof explain qrels.txt run.txt -q q01 -m nDCG@3
    """
    form = format_for(format_, output, EXPLAIN_FORMATS)
    if dialects:
        emit(_under_every_dialect(judgments, run, query, form, output, values), output)
        return
    asked = measured(judgments, (run,), values, keep=True, output=output)
    found = asked.measurements
    measures = found.measures if values["measures"] else found.measures[:1]
    depths = [show or (None if form == "json" else _enough(m)) for m in measures]
    explained = [
        rankproof.explain(found, found.runs[0], query, m, depth=depth)
        for m, depth in zip(measures, depths, strict=True)
    ]
    if form == "json":
        emit(as_json([one.as_dict() for one in explained]), output)
    else:
        text = rankproof.explanation_report(
            explained, asked.questions, format=form, language=language(), **terminal()
        )
        emit(text, output)


def _under_every_dialect(
    judgments: str, run: str, query: str, form: str, output: Path | None, values: dict[str, Any]
) -> str:
    """The value of each measure by the conventions of every tool, held to the dialect that was asked for."""
    base, choices = options.asked_for(values)
    read = given(judgments, (run,), values, output=output)
    found = [
        rankproof.explain_dialects(
            read.judgments,
            read.runs[0],
            query,
            measure,
            base=base,
            choices=choices,
            rubric=read.rubric,
            documents=read.documents,
            **read.beside,
        )
        for measure in (read.measures if values["measures"] else read.measures[:1])
    ]
    if form == "json":
        return as_json([one.as_dict() for one in found])
    return rankproof.readings_report(found, read.questions, format=form, language=language(), **terminal())


def _enough(measure: str) -> int:
    """So many docs are shown where nobody said: the cutoff and a few more."""
    return (rankproof.parse_measure(measure).at or 25) + 5
