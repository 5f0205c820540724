"""The demo: two studies of a help centre, written into a folder and run."""

import re
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree

from rankproof.errors import UsageError
from rankproof.study.studying import Accepted, Study

STUDIES = ("help-centre-small", "help-centre")


def demo(
    folder: str | Path, *, language: str = "zh", progress: Callable[[str], None] = lambda _: None
) -> dict[str, Accepted]:
    """Write both studies into `folder`, run them, and say what each came to; `language` is that of the pages.

    A folder that holds something else is refused; an earlier demo is written anew.
    """
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or _holds_something_else(folder)):
        raise UsageError("{folder} exists and is not an earlier demo. Choose another folder.", folder=folder)
    _stop_if_changed(folder)
    done = {}
    for name in STUDIES:
        progress(name)
        with as_file(files("rankproof").joinpath(f"demo/{name}")) as source:
            copytree(source, folder / name, dirs_exist_ok=True)
        plan = folder / name / "study.toml"
        plan.write_bytes(_spoken(plan.read_bytes(), language))
        done[name] = Study.read(folder / name).accept()
    return done


def _spoken(plan: bytes, language: str) -> bytes:
    """A plan whose pages open in `language`."""
    return re.sub(rb'(?m)^language = "(zh|en)"', f'language = "{language}"'.encode(), plan)


def _stop_if_changed(folder: Path) -> None:
    """An error where a file of an earlier demo is no longer what was written."""
    for name in STUDIES:
        with as_file(files("rankproof").joinpath(f"demo/{name}")) as source:
            for original in (path for path in source.rglob("*") if path.is_file()):
                here = folder / name / original.relative_to(source)
                if here.exists() and _spoken(here.read_bytes(), "zh") != original.read_bytes():
                    raise UsageError(
                        "{file} was changed since the demo wrote it, and would be overwritten. Move it away, or "
                        "choose another folder.",
                        file=here,
                    )


def _holds_something_else(folder: Path) -> bool:
    return any(path.name not in STUDIES for path in folder.iterdir())
