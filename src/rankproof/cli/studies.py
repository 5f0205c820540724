"""demo, accept and verify: studies and their records."""

import json
from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli.options import emit, terminal
from rankproof.cli.progress import steps
from rankproof.cli.speaking import command, language, tr
from rankproof.wording import visible

OTHER_VERSION = "The pages report.html and report.md were written by version {version} and not compared; only their hashes were."
REPLACED = "An earlier record in {folder}, made by another plan with the verdict {verdict}, was replaced."
BRIEF = ("verdict", "counts", "gates", "changes")  # what the demo shows; the page has everything
# What the verdict means to a program.
CODES = {"accepted": 0, "rejected": 1, "inconclusive": 3}


in_form = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json"]),
    default="table",
    help="The form of the output.",
)


@command("demo")
@click.argument("folder", default="rankproof-demo", type=click.Path(path_type=Path))
def demo_command(folder: Path) -> None:
    """Write two studies of a help centre into a folder, run them, and say what each came to.

    $ rankproof demo
    """
    with steps(2) as step:
        done = rankproof.demo(folder, language=language(), progress=step)
    for name, accepted in done.items():
        study = rankproof.Study.read(folder / name)
        emit(study.report("table", language(), only=BRIEF, **terminal()), None)
        _say_where(accepted)
    emit(
        tr("Next: open a page above in a browser; rankproof verify {record} recomputes it.").format(
            record=next(iter(done.values())).record
        )
        + "\n",
        None,
    )


@command("accept")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder of the record; acceptance beside the plan by default.",
)
@in_form
def accept_command(study: Path, output: Path | None, format_: str) -> int:
    """Decide by the gates of a study.toml, and write the acceptance record.

    Ends with 0 accepted, 1 rejected, 3 inconclusive.

    $ rankproof accept study.toml
    """
    with steps(2) as step:
        step(str(study))
        read = rankproof.Study.read(study)
        step(read.plan.name)
        accepted = read.accept(output)
    if accepted.replaced:
        earlier = tr(REPLACED).format(verdict=tr(accepted.replaced), folder=accepted.record)
        click.echo(visible(earlier), err=True)
    if format_ == "json":
        emit(_json(read, accepted), None)
    else:
        emit(read.report("table", language(), **terminal()), None)
        _say_where(accepted)
    return CODES[accepted.decision.verdict]


def _json(study: "rankproof.Study", accepted: "rankproof.Accepted") -> str:
    found: dict[str, Any] = accepted.decision.as_dict()
    found |= {"record": str(accepted.record), "plan_sha256": study.plan.sha256, "planned_at": study.plan.at}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _say_where(accepted: "rankproof.Accepted") -> None:
    page = (accepted.record / "report.html").resolve().as_uri()
    emit("\n" + tr("Record: {folder}").format(folder=accepted.record) + "\n", None)
    emit(tr("Page: {page}").format(page=page) + "\n\n", None)


@command("verify")
@click.argument("record", type=click.Path(path_type=Path))
@in_form
def verify_command(record: Path, format_: str) -> int:
    """Recompute an acceptance record from its data files alone, and compare every number.

    Ends with 0 where everything is the same, with 1 where a file or a number differs; it is named.

    $ rankproof verify acceptance
    """
    found = rankproof.verify(record)
    rows = [{"file": name, "difference": why.to(language())} for name, why in found.differences]
    if format_ == "json":
        emit(
            json.dumps(
                {
                    "sound": found.sound,
                    "verdict": found.verdict or None,
                    "differences": rows,
                    "pages_of_version": found.pages_of or None,
                },
                ensure_ascii=False,
                indent=1,
            )
            + "\n",
            None,
        )
    elif found.sound:
        emit(
            tr("The record recomputes: every file and every number is the same. Verdict: {verdict}.").format(
                verdict=tr(found.verdict)
            )
            + "\n",
            None,
        )
    else:
        emit(tr("The record does not hold:") + "\n", None)
        emit("".join(visible(f"  {row['file']}: {row['difference']}") + "\n" for row in rows), None)
    if found.pages_of and format_ != "json":
        emit(visible(tr(OTHER_VERSION).format(version=found.pages_of)) + "\n", None)
    return 0 if found.sound else 1
