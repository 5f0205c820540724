"""docs/benchmarks.md, to which each benchmark writes its own section and no other."""

import os
import platform
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def write_section(heading: str, body: str, page: Path = PAGE) -> None:
    """Put `body` under `## heading`, in place of what stood there; at the end where nothing did.

    A section ends where the next one starts, or a comment of those that mark their own.
    """
    text = page.read_text("utf-8").rstrip() + "\n"
    section = f"## {heading}\n\n{body.strip()}\n"
    there = re.compile(rf"^## {re.escape(heading)}\n.*?(?=^## |^<!-- |\Z)", re.MULTILINE | re.DOTALL)
    text, found = there.subn(lambda _: section + "\n", text)
    page.write_text((text if found else f"{text}\n{section}").rstrip() + "\n", "utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as the page writes tables."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def spread(values: Sequence[float]) -> str:
    """min - median - max, three digits that count; one number where there is one."""
    ordered = sorted(values)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    shown = [ordered[0], middle, ordered[-1]] if len(ordered) > 1 else [middle]
    return " - ".join(map(number, shown))


def number(value: float) -> str:
    """Three digits that count, never as a power of ten; thousandths are the least that is shown."""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:.{digits}f}"


def machine() -> str:
    """Date, processor, system and Python, in one sentence."""
    model = platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        found = re.search(r"^model name\s*: (.+)$", information.read_text("utf-8"), re.MULTILINE)
        model = f"{found[1]} ({model})" if found else model
    return (
        f"{date.today().isoformat()}, {os.cpu_count()} cores of {model}, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}"
    )
