"""The language of the command line: found before anything is said, help included."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from rankproof.cli.lines import wrapped
from rankproof.wording import LANGUAGES, language_of, translate

_spoken = ["en"]


def speak(arguments: Sequence[str]) -> None:
    """Take the language from --lang wherever it stands, else from the environment."""
    _spoken[0] = language_of()
    for place, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            wanted = value or next(iter(arguments[place + 1 : place + 2]), "")
            _spoken[0] = wanted if wanted in LANGUAGES else _spoken[0]


def language() -> str:
    """The language that is spoken."""
    return _spoken[0]


def tr(text: str) -> str:
    """A sentence in the language that is spoken."""
    return translate(text, language())


class _Formatter(click.HelpFormatter):
    """A help page that breaks Chinese where Chinese may break."""

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{tr('{heading}:').format(heading=heading)}\n")

    def write_text(self, text: str) -> None:
        super().write_text(self._broken(text, self.width - self.current_indent))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        first = min(max(len(name) for name, _ in rows), col_max) + col_spacing
        texts = [(name, self._broken(text, self.width - first - 2)) for name, text in rows]
        super().write_dl(texts, col_max, col_spacing)

    def _broken(self, text: str, width: int) -> str:
        """The text, in Chinese with its lines broken; click leaves a text as it is after this mark."""
        return text if language() == "en" else "\b\n" + "\n".join(wrapped(text, width))


class _Context(click.Context):
    formatter_class = _Formatter


class _Speaking:
    """Help in the language that is spoken."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]  # click's, of the class beside
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=tr("Usage: "))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        for paragraph in help_paragraphs(self.help or ""):  # type: ignore[attr-defined]  # click's, of the class beside
            formatter.write_paragraph()
            with formatter.indentation():
                if paragraph.startswith("$ "):
                    formatter.write(
                        "".join(
                            f"{' ' * formatter.current_indent}{x.strip()}\n" for x in paragraph.splitlines()
                        )
                    )
                else:
                    formatter.write_text(tr(paragraph))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = []
        for param in self.get_params(ctx):  # type: ignore[attr-defined]  # click's, of the class beside
            record = None if isinstance(param, click.Argument) else param.get_help_record(ctx)
            if record is not None:
                names, text = record
                help_ = getattr(param, "help", None)
                text = text.replace("required]", f"{tr('required')}]")
                records.append((names, text.replace(help_, tr(help_)) if help_ else text))
        if records:
            with formatter.section(tr("Options")):
                formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


def help_paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each on one line; examples ("$ ...") keep their lines."""
    blocks = [block.strip() for block in text.split("\n\n") if block.strip()]
    return [b if b.startswith("$ ") else " ".join(b.split()) for b in blocks]


class Command(_Speaking, click.Command):
    """A command whose help speaks both languages."""

    context_class = _Context

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not any(param.name == "lang" for param in self.params):
            self.params.append(lang_option())


class Group(_Speaking, click.Group):
    """A group whose help speaks both languages."""

    context_class = _Context


def lang_option() -> click.Option:
    """--lang, which every command takes; it was read before."""
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help="The language of the words; numbers and names stay.",
    )


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A verb of the command line."""
    return click.command(name, cls=Command)
