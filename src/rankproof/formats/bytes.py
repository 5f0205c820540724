"""Bytes as they lie in a file: gzip undone, the encoding found."""

import gzip
import sys
import zlib
from contextlib import suppress
from pathlib import Path

from rankproof.errors import UnreadableInput
from rankproof.formats.format import Problems
from rankproof.formats.problems import BAD_BYTES, ENCODING, TRUNCATED

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def content(path: Path, problems: Problems) -> bytes:
    """What a file holds, unzipped; "-" is standard input."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except IsADirectoryError as error:
        raise UnreadableInput("{file} is a folder; expected a file.", file=path) from error
    except FileNotFoundError as error:
        raise UnreadableInput("There is no file {file}. Check the path.", file=path) from error
    except OSError as error:
        raise UnreadableInput(
            "{file} cannot be read: {reason}.", file=path, reason=error.strerror or error
        ) from error
    return _unzipped(raw, problems) if raw.startswith(b"\x1f\x8b") else raw


def _unzipped(raw: bytes, problems: Problems) -> bytes:
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error) as error:
        problems.add(TRUNCATED, reason=str(error))
    kept, rest = bytearray(), raw
    while rest:  # member by member and bit by bit, to keep what stands before the damage
        reader = zlib.decompressobj(31)
        with suppress(zlib.error):
            for start in range(0, len(rest), 4096):
                kept += reader.decompress(rest[start : start + 4096])
                if reader.eof:
                    rest = reader.unused_data + rest[start + 4096 :]
                    break
        if not reader.eof:
            break
    return bytes(kept)


def decoded(raw: bytes, problems: Problems) -> str:
    """Bytes as text: a mark at the beginning, strict UTF-8, then GB18030; said in a finding unless UTF-8."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _with(raw[len(mark) :], encoding, problems)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _with(raw, "gb18030", problems)


def _with(raw: bytes, encoding: str, problems: Problems) -> str:
    if encoding != "utf-8":
        problems.add(ENCODING, encoding=encoding)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        text = raw.decode("utf-8", errors="replace")
        problems.add(BAD_BYTES, count=max(text.count("\ufffd"), 1))
        return text
