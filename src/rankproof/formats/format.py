"""What a file format is: bytes in, columns of text out, and a finding for every line set aside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from rankproof.formats.noticing import Problems


@dataclass(frozen=True)
class Columns:
    """Rows of text as a file gave them. `named` is False where the file had no header.

    `frame` has only text columns (null where a cell is absent) and one whole-number column, LINE.
    """

    frame: pl.DataFrame
    named: bool
    problems: Problems

    @property
    def names(self) -> list[str]:
        """The names of the text columns."""
        return [name for name in self.frame.columns if name != LINE]


LINE = "\0line"


def columns_of(
    names: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    lines: Sequence[int],
    *,
    named: bool,
    problems: Problems,
) -> Columns:
    """Columns from rows that are all as long as `names`."""
    schema = dict.fromkeys(names, pl.String)
    frame = pl.DataFrame(rows, schema=schema, orient="row") if rows else pl.DataFrame(schema=schema)
    return Columns(frame.with_columns(pl.Series(LINE, lines, pl.Int64)), named, problems)


@dataclass(frozen=True)
class Format:
    """One file format. `reads` looks at the name and the first bytes; `read` turns bytes into columns."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: Callable[[str, bytes], bool]
    read: Callable[[bytes, Problems], Columns]
    write: Callable[[pl.DataFrame], bytes] | None = None
