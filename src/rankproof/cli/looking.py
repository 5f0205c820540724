"""measures and dialects: look things up."""

from pathlib import Path

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.options import emit, format_for, terminal
from rankproof.cli.speaking import command, language

FORMATS = ("table", "json", "csv", "md")


@command("measures")
@click.argument("name", required=False)
@click.option("--family", default="", metavar="NAME", help="Those of one family, such as graded or binary.")
@click.option(
    "--needs",
    default="",
    metavar="WHAT",
    help="Those that are defined where a query has this: relevant, gain, shown ..., or nothing.",
)
@click.option(
    "--range",
    "range_",
    default="",
    metavar="LOW..HIGH",
    help="Those whose values lie so: 0..1, for example, or unbounded.",
)
@click.option(
    "--sees", default="", metavar="WHAT", help="Those that read hits, lists, known, subtopics or preferences."
)
@click.option("--tool", default="", metavar="NAME", help="Those that another tool has, with its names.")
@click.option("--search", default="", metavar="TEXT", help="Those in whose facts this text stands.")
@options.output(*FORMATS)
def measures_command(
    name: str | None, format_: str | None, output: Path | None, range_: str, **asked: str
) -> None:
    """List the measures, or show one: its definition, settings, source, and its names in other tools.

    The list can be narrowed; what is asked for has to fit altogether. NAME may be another tool's.

    $ rankproof measures nDCG

    $ rankproof measures --tool ranx --range 0..1
    """
    form = format_for(format_, output, FORMATS)
    if name is not None and (range_ or any(asked.values())):
        raise rankproof.UsageError("Name one measure, or say which ones to list; not both.")
    chosen = (
        rankproof.select_measures(range=range_, **asked) if name is None else rankproof.measures_named(name)
    )
    if form in ("table", "md"):
        tool = {one.casefold(): one for one in rankproof.tools_with_measures()}.get(
            asked["tool"].casefold(), ""
        )
        emit(
            rankproof.measures_report(
                name, chosen=chosen, tool=tool, format=form, language=language(), **terminal()
            ),
            output,
        )
    else:
        emit(rankproof.write_rows(rankproof.measure_rows(chosen, language=language()), form), output)


@command("dialects")
@click.argument("name", required=False)
def dialects_command(name: str | None) -> None:
    """List the dialects, or show one: the conventions by which another tool computes.

    Decimals are those that the tool shows; values of rankproof are never rounded.

    $ rankproof dialects trec_eval-9
    """
    emit(rankproof.dialects_report(name, language=language(), **terminal()), None)
