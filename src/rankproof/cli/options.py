"""Options that several verbs share, and what is read by them."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli.speaking import tr
from rankproof.wording import reason_of, visible

LONG = 60  # what is offered is not broken into lines
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def conventions(command: Callable[..., Any]) -> Callable[..., Any]:
    """--dialect, and an option for every convention."""
    for row in reversed(rankproof.CONVENTIONS):
        values = "|".join(str(value) for value in row.values if value is not None)
        shown = "|".join(
            filter(
                None,
                (
                    values if not row.takes or len(row.values) > 1 else "",
                    "N" if "whole" in row.takes else "TABLE" if row.takes else "",
                ),
            )
        )
        shown = shown if len(shown) < LONG else "RULE"  # its help names them
        command = click.option(f"--{row.name.replace('_', '-')}", row.name, metavar=shown, help=row.help)(
            command
        )
    return click.option(
        "--dialect", default="rankproof", help="The conventions of another tool: rankproof dialects."
    )(command)


def chosen(values: dict[str, Any]) -> "rankproof.Conventions":
    """The conventions that the options ask for; takes them out of `values`."""
    dialect, choices = asked_for(values)
    for name in ("dialect", *(row.name for row in rankproof.CONVENTIONS)):
        del values[name]
    return rankproof.conventions_of(dialect, **choices)


def asked_for(values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The dialect that the options ask for, and what they choose otherwise."""
    choices = {row.name: values[row.name] for row in rankproof.CONVENTIONS}
    return values["dialect"], {name: value for name, value in choices.items() if value is not None}


def measures(command: Callable[..., Any]) -> Callable[..., Any]:
    """-m, as often as wanted."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME",
        help="A measure, such as nDCG@10; may be given several times.",
    )(command)


def aspects(command: Callable[..., Any]) -> Callable[..., Any]:
    """--aspects: several columns of labels."""
    return click.option(
        "--aspects",
        multiple=True,
        metavar="NAMES",
        help="Columns of labels in the judgments, each an aspect, such as click,dwell=1,10,30: the numbers are "
        "thresholds, and the grade is how many are reached.",
    )(command)


def attributes(command: Callable[..., Any]) -> Callable[..., Any]:
    """Files of questions, documents and the rubric, of histories and of what is expected."""
    for name, text in (
        ("expected", "The run that shows what users expect, for measures with expected=run."),
        ("history", "What each user met before: query_id and doc_id."),
        ("rubric", "A rubric (TOML): what each grade means."),
        ("documents", "The docs that are known, with versions and attributes."),
        ("questions", "The questions that were asked, with text and tags."),
    ):
        command = click.option(f"--{name}", type=click.Path(), help=text)(command)
    return command


def subtopics(command: Callable[..., Any]) -> Callable[..., Any]:
    """--subtopics, of files of judgments that have no header."""
    return click.option(
        "--subtopics",
        is_flag=True,
        help="The judgments say which subtopic a grade is about: the second column of a TREC file does.",
    )(command)


def output(*formats: str) -> Decorator:
    """--format and -o; a file's suffix decides where --format does not."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            help="Write to a file; its suffix decides the format.",
        )(command)
        return click.option(
            "--format", "format_", type=click.Choice(formats), help="The form of the output."
        )(command)

    return add


_SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".md": "md",
    ".html": "html",
    ".htm": "html",
}


def format_for(format_: str | None, output_: Path | None, known: Sequence[str]) -> str:
    """The form that was asked for, by --format or by the file's suffix; a table without either."""
    if format_:
        return format_
    if output_ is None:
        return "table"
    found = _SUFFIXES.get(output_.suffix.lower())
    if found is None or found not in known:
        raise rankproof.UsageError(
            "The suffix of {file} says no form that this command has. Use one of {known} with --format.",
            file=output_,
            known=", ".join(known),
        )
    return found


def emit(content: str | bytes | Iterable[bytes], output_: Path | None) -> None:
    """To a file, written whole, or to standard output; piece by piece where it is given so."""
    # half a character, which JSON can hold and UTF-8 cannot, is written as JSON writes it
    whole = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    pieces = (whole,) if isinstance(whole, bytes) else whole
    if output_ is None:
        _to_standard_output(pieces)
        return
    try:
        _to_file(pieces, output_)
    except OSError as error:
        raise rankproof.UsageError(
            "{file} cannot be written: {reason}.", file=output_, reason=reason_of(error)
        ) from error
    click.echo(visible(tr("Written: {file}").format(file=output_)), err=True)


def _to_file(pieces: Iterable[bytes], output_: Path) -> None:
    """Written whole beside the file, then put in its place; a pipe or a device is written to as it is."""
    if output_.is_dir():
        raise rankproof.UsageError("{file} is a folder; expected the name of a file to write.", file=output_)
    target = output_.resolve()  # a link stays a link
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            stream.writelines(pieces)
        return
    part = target.with_name(f".{target.name[:50]}.{os.getpid()}.{os.urandom(6).hex()}")
    try:
        with os.fdopen(
            os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600), "wb"
        ) as stream:
            stream.writelines(pieces)
        part.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    """The bits that a new file does not get; they can only be read by setting them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def apart(output_: Path | None, *inputs: str | None) -> None:
    """An error where the output would overwrite an input, or where two inputs are standard input."""
    given = [one for one in inputs if one]
    if given.count("-") > 1:
        raise rankproof.UsageError("Standard input (-) can be one of the files, not two.")
    for one in given:
        if output_ is not None and output_.exists() and Path(one).exists() and output_.samefile(one):
            raise rankproof.UsageError("{file} is read and written. Name another file to write.", file=one)


def stop_at_same_file(runs: Sequence[str]) -> None:
    """An error where one file is given as two runs."""
    if len(set(runs)) < len(runs):
        raise rankproof.UsageError("The same file was given twice as a run. Give each run once.")


def _to_standard_output(pieces: Iterable[bytes]) -> None:
    """Written out; where the reader has gone (as `| head` does), nothing more is said, and the exit code stays."""
    if sys.stdout is None:  # closed by who called us
        return
    try:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminal() -> dict[str, Any]:
    """How wide the terminal is and whether it shows colour."""
    import shutil

    wide = shutil.get_terminal_size((100, 24)).columns
    shown = sys.stdout is not None and sys.stdout.isatty()
    return {"width": max(wide, 40), "color": shown and not os.environ.get("NO_COLOR")}
