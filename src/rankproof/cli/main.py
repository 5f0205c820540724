"""The program: the map of the verbs, the language, and what becomes of an error."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import click

from rankproof.cli.misuse import misuse
from rankproof.cli.speaking import Group, language, speak, tr
from rankproof.wording import LANGUAGES, Words, reason_of, say, visible


class Verb(NamedTuple):
    """One command: its name, what a person wants who needs it, and the module it lives in."""

    name: str
    wish: str
    module: str


# The map, in the order in which people need them; a command's module is loaded when it is called.
MAP: tuple[tuple[str, tuple[Verb, ...]], ...] = (
    ("Start", (Verb("demo", "See it work on a help centre.", "studies"),)),
    (
        "Measure",
        (
            Verb("check", "Know whether files are sound, before any number is shown.", "checking"),
            Verb("evaluate", "Get the numbers.", "evaluating"),
            Verb("compare", "Know which system is better, where, and how sure that is.", "evaluating"),
            Verb("explain", "See how one number came about, term by term.", "explaining"),
        ),
    ),
    (
        "Decide and prove",
        (
            Verb("accept", "Decide by rules written beforehand, and keep the proof.", "studies"),
            Verb("verify", "Check somebody's proof: recompute everything.", "studies"),
        ),
    ),
    (
        "Look up",
        (
            Verb("measures", "What measures there are, and how each is defined.", "looking"),
            Verb("dialects", "By whose conventions numbers can be computed.", "looking"),
        ),
    ),
)
VERBS = {verb.name: verb for _, verbs in MAP for verb in verbs}


class Verbs(Group):
    """The verbs, each loaded when it is needed, shown as a map."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every verb, in the order of the map."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The verb called so."""
        if cmd_name not in VERBS:
            return None
        module = import_module(f"rankproof.cli.{VERBS[cmd_name].module}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The map: what a person wants, and the verb for it."""
        for title, verbs in MAP:
            with formatter.section(tr(title)):
                formatter.write_dl([(verb.name, tr(verb.wish)) for verb in verbs])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that was asked for; an unknown one answers with the nearest."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            from rankproof.errors import UnknownName

            raise UnknownName.of(say("command"), args[0], VERBS)
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, invoke_without_command=True)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), help="The language of the words; numbers and names stay."
)
@click.option("--version", is_flag=True, help="Show the version and stop.")
@click.option(
    "--verbose", is_flag=True, help="With --version: also the engine that runs, and what it stands on."
)
@click.pass_context
def program(ctx: click.Context, lang: str | None, version: bool, verbose: bool) -> None:  # noqa: ARG001 - the language was read before click began
    """Find out, with proof, which system ranks better.

    rankproof reads judgments and the lists that systems displayed, says what is wrong with them, computes
    every measure with its conventions stated, compares systems query by query, and keeps a record that
    anybody can recompute. It works offline.
    """
    if version:
        import rankproof

        click.echo(
            rankproof.installation_report(language=language())
            if verbose
            else f"rankproof {rankproof.__version__}"
        )
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program; ends the process with the exit code of the contract.

    0 done; 1 findings, rejected, or a proof that does not hold; 2 wrong use; 3 nothing to decide from.
    """
    # numpy's linear algebra starts a thread that is never used here, and costs 0.1 s of CPU
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is written once and dropped gains nothing from huge pages, and on virtual machines they cost dearly.
    os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
    for stream in (sys.stdout, sys.stderr):  # either may be None, where the caller closed it
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    speak(given)
    code = _run(given)
    gc.freeze()  # what ends with the process need not be looked through once more before
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    from rankproof.errors import RankproofError

    try:
        code = program.main(arguments, prog_name="rankproof", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except RankproofError as error:
        _complain(Words(error.template, error.facts))
        return error.exit_code
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        _complain(misuse(error))
        if isinstance(error, click.UsageError) and error.ctx is not None:
            click.echo(tr("Try {command} --help.").format(command=error.ctx.command_path), err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain(say("Stopped."))
        return 130
    except BrokenPipeError:
        # the reader of our output has gone; say nothing more to it
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - stays open until the process ends
        return 0
    except OSError as error:
        _complain(
            say("{file}: {reason}.", file=error.filename or say("The system says"), reason=reason_of(error))
        )
        return 2
    except Exception as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # what was being cleared away complained
            _complain(say("Stopped."))
            return 130
        if os.environ.get("RANKPROOF_DEBUG"):
            raise
        kind = f"{type(error).__name__}: {error}"[:200]
        _complain(
            say(
                "Something happened that nobody foresaw ({kind}). No result was written. Please report it; "
                "RANKPROOF_DEBUG=1 shows where.",
                kind=kind,
            )
        )
        return 2


def _complain(message: Words) -> None:
    click.echo(visible(say("Error: {message}", message=message).to(language())), err=True)


if __name__ == "__main__":
    main()
