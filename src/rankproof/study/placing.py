"""Placement: a folder of files, put whole where another stood, and healed where that was broken off."""

import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

NEW, OLD = "new", "old"  # .NAME.new-* is being written, .NAME.old-* was moved away
TRIES = 100  # of putting a folder where others are being put at the same time
FORGOTTEN = 3600  # seconds after which nobody writes into a .NAME.new-* any more


def put(files: Mapping[str, bytes], place: Path) -> None:
    """Make `place` the folder with these files and no others. It holds what it held, or all of the new.

    What stands there must be missing, empty or a folder of such files. On Linux the two are swapped in one
    step; elsewhere the earlier one is moved away first, and `healed` brings it back if that is as far as
    it came. Of two puts at once, one is there in the end.
    """
    here = _working_folder()
    place.parent.mkdir(parents=True, exist_ok=True)
    new = _beside(place, NEW)
    new.mkdir()
    try:
        for name, content in files.items():
            (new / name).write_bytes(content)
        _swap(new, place, files)
    finally:
        _discard(new, files)
    if here == place:
        os.chdir(place)  # the folder in which the process worked has been replaced


def healed(place: Path, names: Collection[str], ours: Callable[[Path], bool]) -> None:
    """Bring back what a broken-off `put` moved away, and take away what others left; files of these names only."""
    for old in left_over(place, OLD):
        if ours(old) and not place.exists():
            with suppress(OSError):  # somebody else healed it first
                old.rename(place)
    for old in left_over(place, OLD) if place.exists() else ():
        _discard(old, names)
    for new in left_over(place, NEW):
        with suppress(OSError):  # it went while we looked
            if time.time() - new.stat().st_mtime > FORGOTTEN:
                _discard(new, names)


def left_over(place: Path, kind: str) -> Iterator[Path]:
    """The folders beside `place` that a broken-off `put` left, the latest first."""
    if place.parent.is_dir():
        found = [path for path in place.parent.iterdir() if path.name.startswith(f".{place.name}.{kind}-")]
        yield from sorted((path for path in found if path.is_dir()), key=_age, reverse=True)


def _age(path: Path) -> float:
    with suppress(OSError):  # gone meanwhile: the oldest
        return path.stat().st_mtime
    return 0.0


def _working_folder() -> Path | None:
    with suppress(OSError):  # the folder we work in was removed
        return Path.cwd().resolve()
    return None


def _beside(place: Path, kind: str) -> Path:
    return place.with_name(f".{place.name}.{kind}-{token_hex(4)}")


def _swap(new: Path, place: Path, names: Collection[str]) -> None:
    """Put `new` in place; what stood there is in `new` afterwards, or gone."""
    moved: list[
        Path
    ] = []  # what was moved away; it may go once ours, or that of somebody faster, is in place
    try:
        for left in reversed(range(TRIES)):
            if _exchanged(new, place) or _put_in_two_steps(new, place, moved, last=not left):
                return
            time.sleep(0.01)
    finally:
        for old in moved:
            _discard(old, names)


def _put_in_two_steps(new: Path, place: Path, moved: list[Path], *, last: bool) -> bool:
    """Move away what stands there, and put `new` there; False where somebody else was faster, in either step."""
    old = _beside(place, OLD)
    try:
        if place.exists():
            place.rename(old)
            moved.append(old)
        new.rename(place)
    except OSError:
        if old.exists() and not place.exists():
            with suppress(OSError):  # somebody else put one there
                old.rename(place)
        if last:
            if not place.exists():
                moved.clear()  # kept, for `healed`
            raise
        return False
    return True


def _exchanged(one: Path, other: Path) -> bool:
    """True where two folders changed places in one step: Linux, on most file systems, where both exist."""
    if sys.platform != "linux":
        return False
    import ctypes

    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    paths = os.fsencode(one), os.fsencode(other)
    return rename is not None and rename(here, paths[0], here, paths[1], exchange) == 0


def _discard(folder: Path, names: Collection[str]) -> None:
    """Remove a folder with its files of these names; with anything else in it, it stays."""
    if folder.is_dir() and all(path.name in names for path in folder.iterdir()):
        for name in names:
            with suppress(OSError):  # somebody else removed it first
                (folder / name).unlink()
        with suppress(OSError):  # not empty: somebody writes into it
            folder.rmdir()
