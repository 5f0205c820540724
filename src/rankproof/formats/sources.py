"""Sources: the bytes of a file or a pipe in pieces, from the beginning as often as it takes."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

from rankproof.errors import UnreadableInput
from rankproof.formats.unpacking import SUFFIXES, unpacked
from rankproof.wording import reason_of

PIECE = 1 << 18  # bytes that are read at a time: few enough to stay near the processor
PACKED = 1 << 16  # of a packed file, whose pieces grow


def printable(path: str | Path) -> str:
    """A path as text; bytes of its name that are no UTF-8 are written as \\xff."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class Source:
    """What stands in a file or comes through a pipe; "-" is standard input.

    A pipe can be read once only, so what comes through it is laid into an unnamed temporary file as it is
    read. The file is gone when the source is closed, or the process ends.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.file = printable(path)
        self.is_pipe = str(path) == "-" or not (
            self.path.is_file() or not self.path.exists() or self.path.is_dir()
        )
        self._spool: IO[bytes] | None = None
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> "Source":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._spool, None if str(self.path) == "-" else self._stream):
            if stream is not None:
                stream.close()

    def pieces(self) -> Iterator[bytes]:
        """The bytes from the beginning, with packing undone. Raises UnreadableInput, or Damaged at damage."""
        return unpacked(self._told(self._raw(PIECE)))

    def _told(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The pieces; what the system says against it as one of our errors."""
        try:
            yield from pieces
        except IsADirectoryError as error:
            raise UnreadableInput("{file} is a folder; expected a file.", file=self.file) from error
        except FileNotFoundError as error:
            raise UnreadableInput("There is no file {file}. Check the path.", file=self.file) from error
        except (OSError, ValueError) as error:
            raise UnreadableInput(
                "{file} cannot be read: {reason}.", file=self.file, reason=reason_of(error)
            ) from error

    def _raw(self, size: int) -> Iterator[bytes]:
        if self.is_pipe:
            yield from self._piped(size)
            return
        if self._stream is not None:
            self._stream.close()
        self._stream = self.path.open("rb", buffering=0)
        first = self._stream.read(PACKED)
        yield first
        packed = first[:1] in (b"\x1f", b"\x28", b"B", b"\xfd")  # a smaller piece is never wrong
        while piece := self._stream.read(PACKED if packed else size):
            yield piece

    def _piped(self, size: int) -> Iterator[bytes]:
        """What was laid by, then what still comes through the pipe."""
        if self._stream is None:
            if str(self.path) == "-" and sys.stdin is None:
                raise OSError(None, "standard input is closed")
            self._stream = sys.stdin.buffer if str(self.path) == "-" else self.path.open("rb")
            from tempfile import TemporaryFile

            self._spool = TemporaryFile()  # noqa: SIM115 - closed with the source
        spool, stream = self._spool, self._stream
        assert spool is not None
        at = 0
        while True:
            spool.seek(at)
            piece = spool.read(size)
            if not piece:
                piece = stream.read1(size) if hasattr(stream, "read1") else stream.read(size)
                if not piece:
                    return
                spool.write(piece)
            at += len(piece)
            yield piece

    @property
    def size(self) -> int:
        """How many bytes there are; 0 where that cannot be known before."""
        packed = self.path.suffix.lower() in SUFFIXES
        return 0 if self.is_pipe or packed or not self.path.is_file() else self.path.stat().st_size

    def whole(self) -> bytes:
        """Every byte as it lies there, packed or not: for readers that need the whole."""
        return b"".join(self._told(self._raw(PIECE)))
