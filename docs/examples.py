"""The examples of a page: files are written, commands and Python are run, and the output is compared.

    ```csv title="judgments.csv"    a file with that name
    ```console                      "$ command" and what it prints, on either stream
    ```python                       Python; with ">>>" it is a doctest

Any other fence is only shown. `...` stands for any text in its line, and alone in a line for any lines.
`python docs/examples.py PAGE ...` writes what the commands of the pages print now into them.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from unittest.mock import patch

from rankproof.cli.main import main

_FENCE = re.compile(
    r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL
)
_FOR_A_SHELL = re.compile(r"[|<>;&`*]|\$\(")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    kind: str
    title: str
    body: str
    line: int

    def commands(self) -> Iterator[tuple[str, str]]:
        """Each command of a console block (a long one may go on after a backslash), and what it shows."""
        for part in re.split(r"^\$ ", self.body, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            while command.endswith("\\"):
                more, _, shown = shown.partition("\n")
                command += f"\n{more}"
            yield command, shown


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [
        Block(found["kind"], found["title"] or "", found["body"], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]


def fits(shown: str, printed: str) -> bool:
    """True where what a page shows is what was printed; blanks at the ends of lines do not count."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n"
        for line in _trimmed(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _trimmed(printed))) is not None


def _trimmed(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return [] if lines == [""] else lines


@dataclass
class Scratch:
    """A folder in which a page is followed from its first line to its last."""

    folder: Path
    language: str = "en"
    code: int = 0
    at: Path = Path()  # where `cd` has gone, within the folder
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "page"})

    def write(self, block: Block) -> None:
        """Put a file of the page into the folder."""
        place = self.folder / block.title
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(block.body, encoding="utf-8")

    def command(self, line: str) -> str:
        """What a command prints. The program itself runs in this process, which is much faster."""
        if line.strip() == "echo $?":
            return f"{self.code}\n"
        if line.startswith("cd ") and not _FOR_A_SHELL.search(line):
            self.at = self.at / line.split(maxsplit=1)[1].strip()
            return ""
        line = re.sub(r"\s*\\\n\s*", " ", line)
        with self._here():
            if line.startswith("rankproof ") and not _FOR_A_SHELL.search(line):
                self.code, printed = run_program(shlex.split(line)[1:])
                return printed
            both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            done = subprocess.run(["bash", "-c", line], check=False, **both)
            self.code = done.returncode
            return done.stdout.decode()

    def python(self, block: Block, page: str) -> str:
        """Run a block of Python; one with prompts is a doctest. What is wrong with it, if anything."""
        with self._here():
            if ">>> " not in block.body:
                code = "\n" * block.line + block.body  # so that an error names the line of the page
                exec(compile(code, page, "exec"), self.names)
                return ""
            parsed = doctest.DocTestParser().get_doctest(block.body, self.names, page, page, block.line)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
            told: list[str] = []
            runner.run(parsed, out=told.append, clear_globs=False)
            self.names |= parsed.globs
            return "".join(told)

    @contextlib.contextmanager
    def _here(self) -> Iterator[None]:
        """In the folder, with an environment that is the same everywhere."""
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG"))}
        path = os.pathsep.join((str(Path(sys.executable).parent), keep.get("PATH", "")))
        fixed = {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "RANKPROOF_LANG": self.language}
        found = [str(self.folder), *sys.path]  # a page may import what it has written
        with (
            patch.dict(os.environ, keep | fixed, clear=True),
            patch.object(sys, "path", found),
            contextlib.chdir(self.folder / self.at),
        ):
            yield


def run_program(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code of `rankproof ARGUMENTS`, and what it prints on both streams."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    code = 0
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        try:
            main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    stream.flush()
    raw: bytes = stream.buffer.getvalue()
    return code, raw.decode()


def language_of_page(page: Path) -> str:
    """The language in which the program speaks on a page."""
    return "zh" if ".zh-CN." in page.name else "en"


def follow(page: Path, folder: Path) -> Iterator[tuple[int, str, str, str]]:
    """Follow a page in a folder: (line, command, shown, printed) wherever the output differs."""
    scratch = Scratch(folder, language_of_page(page))
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.title:
            scratch.write(block)
        elif block.kind == "python":
            if wrong := scratch.python(block, page.name):
                yield block.line, "python", block.body, wrong
        elif block.kind == "console":
            for command, shown in block.commands():
                printed = scratch.command(command)
                if not fits(shown, printed):
                    yield block.line, command, shown, printed


def anew(shown: str, printed: str) -> str | None:
    """What is printed now, cut as the page had cut it; None where that cannot be told."""
    lines, parts, at = _trimmed(printed), [], 0
    for part in re.split(r"^\.\.\.$", "\n".join(_trimmed(shown)), flags=re.MULTILINE):
        wanted = _trimmed(part)
        if wanted and "..." in shown:
            first = _nearest(wanted[0], lines, at)
            last = None if first is None else _nearest(wanted[-1], lines, first)
            if last is None:
                return None
            dotted = [line for line in wanted if "..." in line]
            kept = [next((d for d in dotted if fits(d, line)), line) for line in lines[first : last + 1]]
            parts.append("".join(f"{line}\n" for line in kept))
            at = last + 1
        else:
            parts.append("" if "..." in shown else "".join(f"{line}\n" for line in lines))
    return "...\n".join(parts)


def _nearest(wanted: str, lines: Sequence[str], start: int) -> int | None:
    """The line most like the wanted one, from `start` on; None where none is."""
    likeness = [SequenceMatcher(None, wanted, line, autojunk=False).ratio() for line in lines[start:]]
    best = max(likeness, default=0.0)
    return start + likeness.index(best) if best > 0.6 else None


def rewrite(page: Path) -> int:
    """Write what the commands of a page print now into it; how many were written."""
    text = page.read_text(encoding="utf-8")
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        for _, command, shown, printed in follow(page, Path(folder)):
            before = f"$ {command}\n{shown}"
            after = anew(shown, printed)
            if text.count(before) != 1 or after is None or not fits(after, printed):
                sys.stderr.write(f"{page}: by hand, please: $ {command}\n{printed}\n")
                continue
            text = text.replace(before, f"$ {command}\n{after}")
            n += 1
    page.write_text(text, encoding="utf-8")
    return n


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stderr.write(f"{name}: {rewrite(Path(name))} written\n")
