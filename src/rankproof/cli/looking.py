"""measures and dialects: look things up."""

import click

import rankproof
from rankproof.cli.options import emit, terminal
from rankproof.cli.speaking import command, language


@command("measures")
@click.argument("name", required=False)
def measures_command(name: str | None) -> None:
    """List the measures, or show one: its definition, settings, source, and its names in other tools.

    $ rankproof measures nDCG
    """
    emit(rankproof.measures_report(name, language=language(), **terminal()), None)


@command("dialects")
@click.argument("name", required=False)
def dialects_command(name: str | None) -> None:
    """List the dialects, or show one: the conventions by which another tool computes.

    $ rankproof dialects trec_eval-9
    """
    emit(rankproof.dialects_report(name, language=language(), **terminal()), None)
