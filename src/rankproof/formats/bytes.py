"""Bytes as they lie in a file: gzip undone, the encoding found."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from rankproof.errors import UnreadableInput
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_BYTES, ENCODING, TRUNCATED
from rankproof.formats.sources import printable
from rankproof.formats.unpacking import Damaged, unpacked
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
def pipes_kept(held: Mapping[str, bytes] | None = None) -> Iterator[None]:
    """Inside, what comes through a pipe may be asked for again, though it can be read once only.

    `held` is what has been read of some pipes before, by their paths; what is kept further out is known as well.
    """
    before = _piped[-1] if _piped else {}
    read = {sys.stdin if path == "-" else path: raw for path, raw in (held or {}).items()}
    _piped.append({**before, **read})
    try:
        yield
    finally:
        _piped.pop()


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
    return _narrow(_unpacked(raw, problems), problems)


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


def _unpacked(raw: bytes, problems: Problems) -> bytes:
    """The bytes without their packing; of a damaged file what stands before the damage."""
    kept: list[bytes] = []
    try:
        kept.extend(unpacked(iter((raw,))))
    except Damaged as error:
        problems.add(TRUNCATED, reason=str(error))
        kept = []  # once more bit by bit, to come as near to the damage as can be
        with suppress(Damaged):  # it has been told
            kept.extend(unpacked(_nearer(raw)))
    return b"".join(kept)


def _nearer(raw: bytes) -> Iterator[bytes]:
    """Bytes in pieces, and the last ones one by one, where the sums stand that tell of damage."""
    tail = min(max(len(raw) - 4096, 16), len(raw))  # the first bytes say how it is packed
    yield from (raw[start : min(start + 512, tail)] for start in range(0, tail, 512))
    yield from (raw[at : at + 1] for at in range(tail, len(raw)))


def lines_of(text: str) -> list[str]:
    """The lines of a text, whichever system ended them; a form feed ends none.

    >>> len(lines_of("a\\x0cb\\r\\nc"))
    2
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


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
