"""evaluate for programs: where only values are asked for, files are scanned and no report is made ready."""

from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.asking import Asked
from rankproof.cli.progress import steps
from rankproof.cli.speaking import language
from rankproof.wording import say, visible

# What asks for tables of whole runs, or for an audit.
WHOLE = ("aspects", "documents", "rubric", "history", "expected", "strict", "judgments_as", "subtopics")


def can_stream(values: dict[str, Any]) -> bool:
    """True where the options ask for nothing but values."""
    return not any(values[name] for name in WHOLE)


def streamed(judgments: str, runs: tuple[str, ...], values: dict[str, Any], output: Path | None) -> Asked:
    """Read and measure, as the options ask; what was noticed at error level is told in one line."""
    conventions = options.chosen(values)
    options.apart(output, judgments, *runs, values["questions"])
    options.stop_at_same_file(runs)
    findings = rankproof.Findings()
    questions = rankproof.Questions()
    if values["questions"]:
        questions, findings = rankproof.read_questions(values["questions"])
    with steps(len(runs) + 1) as step:
        found, more, tags, repeats = rankproof.evaluate_files(
            judgments,
            runs,
            values["measures"] or rankproof.DEFAULT_MEASURES,
            conventions=conventions,
            questions=questions,
            threads=values["threads"],
            progress=step,
        )
    findings += more
    tell(findings, repeats)
    return Asked(found, findings, questions, rankproof.Documents(), tags)


def tell(findings: "rankproof.Findings", repeats: dict[str, int]) -> None:
    """A line on standard error where something error-level was noticed, and one for each run that repeats docs."""
    for run, n in repeats.items():
        told = say(
            "Run {run}: {n:line names|lines name} a doc that the same list has already; it counts once. rankproof check "
            "tells which.",
            run=run,
            n=n,
        )
        click.echo(visible(told.to(language())), err=True)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        told = say(
            "{n:error-level finding|error-level findings}, the first: {place}{message} rankproof check tells all.",
            n=sum(finding.count for finding in errors),
            place=errors[0].place,
            message=errors[0].message,
        )
        click.echo(visible(told.to(language())), err=True)
