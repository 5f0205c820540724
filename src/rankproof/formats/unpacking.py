"""Compressed bytes: which packing it is, told by the first bytes, and how it is undone piece by piece."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from rankproof.errors import UsageError


class Decompressor(Protocol):
    """One packed member: `decompress` piece by piece until `eof`."""

    @property
    def eof(self) -> bool:
        """True where the member has ended."""

    @property
    def unused_data(self) -> bytes:
        """What stands behind it."""

    def decompress(self, data: bytes, /) -> bytes:
        """What the next piece holds."""


@dataclass(frozen=True)
class Packing:
    """One way to pack: its name, the first bytes, the suffix, what undoes a member, what it raises at damage."""

    name: str
    magic: bytes
    suffix: str
    member: Callable[[], Decompressor]
    damage: Callable[[], tuple[type[Exception], ...]]


def _zstandard() -> Any:
    """The module that reads zstd: Python's own from 3.14 on, else the package zstandard."""
    try:
        from compression import zstd
    except ImportError:
        try:
            import zstandard
        except ImportError as error:
            raise UsageError(
                "Files packed by zstd need Python 3.14 or the package zstandard: pip install 'rankproof[zstd]'."
            ) from error
        return zstandard
    return zstd


def _zstd_member() -> Decompressor:
    found = _zstandard()
    made: Decompressor = (
        found.ZstdDecompressor() if hasattr(found, "ZstdFile") else found.ZstdDecompressor().decompressobj()
    )
    return made


def _bzip2() -> Any:
    import bz2

    return bz2


def _xz() -> Any:
    import lzma

    return lzma


PACKINGS = (
    Packing("gzip", b"\x1f\x8b", ".gz", lambda: zlib.decompressobj(31), lambda: (zlib.error,)),
    Packing("zstd", b"\x28\xb5\x2f\xfd", ".zst", _zstd_member, lambda: (_zstandard().ZstdError,)),
    Packing("bzip2", b"BZh", ".bz2", lambda: _bzip2().BZ2Decompressor(), lambda: (OSError, ValueError)),
    Packing("xz", b"\xfd7zXZ\x00", ".xz", lambda: _xz().LZMADecompressor(), lambda: (_xz().LZMAError,)),
)
SUFFIXES = tuple(row.suffix for row in PACKINGS)


class Damaged(Exception):
    """A packed file is damaged or ends too early; what stood before was given out."""


def packing_of(head: bytes) -> Packing | None:
    """How bytes are packed that begin so; None where they are not.

    >>> packing_of(b"BZh91AY").name
    'bzip2'
    """
    return next((row for row in PACKINGS if head.startswith(row.magic)), None)


def unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a file with its packing undone, whatever number of members it has.

    Raises Damaged after the last piece that could be read.
    """
    steps = iter(pieces)
    first = next(steps, b"")
    packing = packing_of(first)
    if packing is None:
        yield first
        yield from steps
        return
    member, rest = packing.member(), first
    while True:
        try:
            yield member.decompress(rest)
        except packing.damage() as error:
            raise Damaged(str(error)) from error
        if not member.eof:
            rest = next(steps, b"")
            if not rest:
                raise Damaged("it ends before its last member does")
            continue
        rest = member.unused_data or next(steps, b"")
        while rest and not rest.strip(b"\0"):  # zeros may fill a tape
            rest = next(steps, b"")
        if not rest:
            return
        member = packing.member()


def without_packing(name: str) -> str:
    """A file's name without the suffix of a packing.

    >>> without_packing("run.txt.gz")
    'run.txt'
    """
    suffix = next((one for one in SUFFIXES if name.lower().endswith(one)), "")
    return name[: len(name) - len(suffix)]
