"""Bytes as they lie in a file: gzip undone, the encoding found."""

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rankproof.errors import UnreadableInput
from rankproof.formats.format import Problems
from rankproof.formats.problems import BAD_BYTES, ENCODING, TRUNCATED
from rankproof.wording import reason_of

_UTF8_MARK = b"\xef\xbb\xbf"
# Longer marks first: that of UTF-32 begins like that of UTF-16.
_WIDE = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# Each pipe and what it held, while `pipes_kept`.
_piped: list[dict[object, bytes]] = []


@contextmanager
def pipes_kept() -> Iterator[None]:
    """Inside, what comes through a pipe may be asked for again, though it can be read once only."""
    _piped.append({})
    try:
        yield
    finally:
        _piped.pop()


def printable(path: Path) -> str:
    """A path as text; bytes of its name that are no UTF-8 are written as \\xff."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def content(path: Path, problems: Problems) -> bytes:
    """What a file holds, unzipped, in an encoding that ASCII is a part of; "-" is standard input."""
    file = printable(path)
    try:
        raw = _read(path)
    except IsADirectoryError as error:
        raise UnreadableInput("{file} is a folder; expected a file.", file=file) from error
    except FileNotFoundError as error:
        raise UnreadableInput("There is no file {file}. Check the path.", file=file) from error
    except (OSError, ValueError) as error:
        raise UnreadableInput(
            "{file} cannot be read: {reason}.", file=file, reason=reason_of(error)
        ) from error
    return _narrow(_unzipped(raw, problems) if raw.startswith(b"\x1f\x8b") else raw, problems)


def _read(path: Path) -> bytes:
    if str(path) != "-" and (path.is_file() or not path.exists() or path.is_dir()):
        return path.read_bytes()
    if str(path) == "-" and sys.stdin is None:
        raise OSError(None, "standard input is closed")
    kept = _piped[-1] if _piped else {}
    pipe: object = sys.stdin if str(path) == "-" else str(path)
    if pipe not in kept:
        kept[pipe] = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    return kept[pipe]


def _narrow(raw: bytes, problems: Problems) -> bytes:
    """UTF-16 and UTF-32 as UTF-8, so that nothing else has to know of them."""
    encoding = next((name for mark, name in _WIDE if raw.startswith(mark)), None)
    if encoding is None:
        return raw
    problems.add(ENCODING, encoding=encoding)
    text = raw.decode(encoding, errors="replace")
    if "\ufffd" in text:
        problems.add(BAD_BYTES, count=text.count("\ufffd"))
    return text.removeprefix("\ufeff").encode("utf-8", errors="replace")


def _unzipped(raw: bytes, problems: Problems) -> bytes:
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error) as error:
        problems.add(TRUNCATED, reason=str(error))
    kept, rest = bytearray(), raw
    while rest:  # member by member and bit by bit, to keep what stands before the damage
        reader = zlib.decompressobj(31)
        with suppress(zlib.error):  # the damage: what stands before it is kept
            for start in range(0, len(rest), 4096):
                kept += reader.decompress(rest[start : start + 4096])
                if reader.eof:
                    rest = reader.unused_data + rest[start + 4096 :]
                    break
        if not reader.eof:
            break
    return bytes(kept)


def decoded(raw: bytes, problems: Problems) -> str:
    """Bytes as text: strict UTF-8, with or without its mark, then GB18030; said in a finding unless UTF-8."""
    raw = raw.removeprefix(_UTF8_MARK)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _with_gb18030(raw, problems)


def _with_gb18030(raw: bytes, problems: Problems) -> str:
    try:
        text = raw.decode("gb18030")
    except UnicodeDecodeError:
        text = raw.decode("utf-8", errors="replace")
        problems.add(BAD_BYTES, count=max(text.count("\ufffd"), 1))
        return text
    problems.add(ENCODING, encoding="gb18030")
    return text
