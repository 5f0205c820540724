"""The pieces of which generated pages are made: tables, lists, code, and what a docstring says."""

import inspect
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as a table."""
    lines = [heads, ["---"] * len(heads), *([str(one).replace("|", "\\|") for one in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Pairs as a list."""
    return "".join(f"- **{name}**: {text}\n" for name, text in pairs)


def code(text: object) -> str:
    """A text as code; nothing for an empty one."""
    return f"`{text}`" if str(text) else ""


def listed(texts: Iterable[object]) -> str:
    """Texts as code, with commas."""
    return ", ".join(code(text) for text in texts)


def fenced(text: str, kind: str = "text") -> str:
    """A block that is shown as it is."""
    return f"```{kind}\n{text.rstrip()}\n```\n"


def paragraphs(parts: Iterable[str]) -> str:
    """Parts with a blank line between them, and one at either end, as cog's markers want it."""
    return "\n" + "\n".join(f"{part.rstrip()}\n" for part in parts) + "\n"


def choice(value: object) -> str:
    """A value as code, and a word where there is none."""
    return "none" if value is None else code(value)


def first_and_example(docstring: str) -> tuple[str, str]:
    """The first paragraph of a docstring on one line, and its example."""
    text = inspect.cleandoc(docstring)
    lead = " ".join(text.split("\n\n")[0].split())
    _, prompt, example = text.partition(">>> ")
    return lead, prompt + example
