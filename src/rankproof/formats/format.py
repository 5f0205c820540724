"""What a file format is: bytes in, columns of text out, and a finding for every line set aside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from rankproof.tables.findings import Finding, Findings, Kind, Severity

# So many findings of one kind are listed one by one; the rest are counted in a last one.
LISTED = 1000


@dataclass
class Problems:
    """Collects what one reader noticed in one file."""

    file: str
    rows: list[Finding] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)
    _beyond: dict[tuple[str, str], tuple[Kind, int]] = field(default_factory=dict)

    def add(
        self,
        kind: Kind,
        line: int = 0,
        *,
        query: str = "",
        doc: str = "",
        count: int = 1,
        level: Severity | None = None,
        **facts: object,
    ) -> None:
        """Note one problem; `level` where it is less or more severe here than usual."""
        seen = self._seen[kind.code] = self._seen.get(kind.code, 0) + 1
        if seen <= LISTED:
            self.rows.append(Finding(kind, facts, self.file, line, "", query, doc, count, level))
            return
        _, before = self._beyond.get((kind.code, query), (kind, 0))
        self._beyond[kind.code, query] = (kind, before + 1)

    def findings(self) -> Findings:
        """What was noticed, by line; beyond the listed lines one row for each query, that counts them.

        A broken file can have a million bad lines: every query still bears its finding.
        """
        beyond = [
            Finding(replace(kind, message=MORE), file=self.file, query_id=query, count=count)
            for (_, query), (kind, count) in self._beyond.items()
        ]
        return Findings((*sorted(self.rows, key=lambda row: row.line), *beyond))


MORE = "{count:more line|more lines} with the same problem."


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
