"""What a reader notices in one file, collected until the file is read."""

from dataclasses import dataclass, field, replace

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
        self.more(kind, query, 1)

    def more(self, kind: Kind, query: str, count: int) -> None:
        """Note so many problems that are counted and not listed."""
        _, before = self._beyond.get((kind.code, query), (kind, 0))
        self._beyond[kind.code, query] = (kind, before + count)

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
