"""Findings: what a reader or a check noticed, where, why it matters and how to mend it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

from rankproof.errors import StrictStop
from rankproof.wording import Words, say

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True)
class Kind:
    """One kind of finding: a stable code, the sentence, why it is bad, and the mend."""

    code: str
    severity: Severity
    message: str
    why: str
    mend: str


@dataclass(frozen=True)
class Finding:
    """One thing noticed. `count` says how many rows or queries it speaks of."""

    kind: Kind
    facts: Mapping[str, object] = field(default_factory=dict)
    file: str = ""
    line: int = 0
    run: str = ""
    query_id: str = ""
    doc_id: str = ""
    count: int = 1
    severity_here: Severity | None = None

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "code", "severity", "file", "line", "run", "query_id", "doc_id", "count", "message", "mend",
    )  # fmt: skip  # a table, read row by row

    @property
    def code(self) -> str:
        """The stable code, such as "duplicate-doc"."""
        return self.kind.code

    @property
    def severity(self) -> Severity:
        """How bad it is, in this place."""
        return self.severity_here or self.kind.severity

    @property
    def message(self) -> Words:
        """The sentence, to be said in either language."""
        return Words(
            self.kind.message,
            {
                "file": self.file,
                "line": self.line,
                "run": self.run,
                "query": self.query_id,
                "doc": self.doc_id,
                "count": self.count,
                **self.facts,
            },
        )

    @property
    def mend(self) -> Words:
        """What to do about it."""
        return Words(self.kind.mend)

    @property
    def place(self) -> Words | str:
        """Where it was noticed, as the beginning of a sentence; empty where that is no file."""
        if not self.file:
            return ""
        if not self.line:
            return say("{file}: ", file=self.file)
        return say("{file}, line {line}: ", file=self.file, line=self.line)

    def row(self, language: str = "en") -> dict[str, object]:
        """The finding as the machine output gives it."""
        words = (self.message.to(language), self.mend.to(language))
        place = (
            self.file or None,
            self.line or None,
            self.run or None,
            self.query_id or None,
            self.doc_id or None,
        )
        return dict(zip(self.COLUMNS, (self.code, self.severity, *place, self.count, *words), strict=True))


@dataclass(frozen=True)
class Findings:
    """Findings in the order in which they were noticed."""

    rows: tuple[Finding, ...] = ()

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __add__(self, other: Iterable[Finding]) -> "Findings":
        return Findings((*self.rows, *other))

    @cached_property
    def worst_first(self) -> "Findings":
        """Errors, then warnings, then information."""
        return Findings(tuple(sorted(self.rows, key=lambda row: SEVERITIES.index(row.severity))))

    @cached_property
    def errors(self) -> "Findings":
        """Those of error level."""
        return Findings(tuple(row for row in self.rows if row.severity == "error"))

    @cached_property
    def anomalous(self) -> frozenset[str]:
        """The queries that bear an error-level finding."""
        return frozenset(row.query_id for row in self.errors if row.query_id)

    def counts(self) -> dict[Severity, int]:
        """How many findings of each severity."""
        return {level: sum(row.severity == level for row in self.rows) for level in SEVERITIES}

    def stop_at_error(self) -> None:
        """Raise StrictStop at the first error-level finding."""
        for row in self.errors:
            raise StrictStop(
                "{place}{message} Expected: none, because findings were asked to be errors. {mend}",
                place=row.place,
                message=row.message,
                mend=row.mend,
            )
