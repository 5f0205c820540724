"""Dialects and findings as documents: what the look-up commands show."""

from collections.abc import Mapping, Sequence

from rankproof.measures.dialect import Dialect
from rankproof.measures.dialects import DIALECTS
from rankproof.reports.document import Block, Cell, Column, Document, Paragraph, Section, Table, Text, cell
from rankproof.reports.grounds import choice, finding_table
from rankproof.reports.text import markdown, on_terminal
from rankproof.tables.conventions import CONVENTIONS, Conventions
from rankproof.tables.findings import Findings
from rankproof.wording import Words, say


def dialects_report(
    name: str | None = None, *, language: str = "en", width: int = 100, color: bool = False
) -> str:
    """All dialects as a table, or everything about one."""
    blocks: Sequence[Block] = [_dialect_table()] if name is None else _of_dialect(DIALECTS.find(name))
    return _shown(blocks, language, width, color)


def findings_report(
    findings: Findings,
    *,
    taken: Sequence[Words] = (),
    format: str = "table",
    language: str = "en",
    width: int = 100,
    color: bool = False,
) -> str:
    """Findings as a table, with a sentence that counts them; `taken` says what each file was taken for."""
    counts = findings.counts()
    sentence = say(
        "{errors:error|errors}, {warnings:warning|warnings}, {infos} for information; {anomalous:query bears|queries bear} an error.",
        errors=counts["error"],
        warnings=counts["warning"],
        infos=counts["info"],
        anomalous=len(findings.anomalous),
    )
    blocks: list[Block] = [Paragraph(one) for one in taken]
    blocks += [*finding_table(findings, listed=200 if format == "table" else None), Paragraph(sentence)]
    if format == "md":
        return markdown(Document(say("Findings"), [Section("findings", "", blocks)], language))
    return _shown(blocks, language, width, color)


def _shown(blocks: Sequence[Block], language: str, width: int, color: bool) -> str:
    return on_terminal(Document("", [Section("", "", blocks)], language), width=width, color=color)


STATUS = {
    "own": say("rankproof's own"),
    "run": say("values recorded from the tool itself"),
    "from source": say("formulas read in its source"),
}


def _dialect_table() -> Table:
    def differing(row: Dialect) -> str:
        pairs = ((c.name, getattr(row.conventions, c.name)) for c in CONVENTIONS)
        return ", ".join(f"{name}={value}" for name, value in pairs if value != getattr(Conventions(), name))

    return Table(
        [
            Column(say("dialect")),
            Column(say("status")),
            Column(say("version"), wide=True),
            Column(say("what differs"), wide=True),
        ],
        [
            [cell(d.name), cell(STATUS[d.status]), cell(d.version), cell(differing(d) or "—")]
            for d in DIALECTS
        ],
    )


def _of_dialect(row: Dialect) -> list[Block]:
    """How it was checked, what it has, what its names mean, every choice, and what to be careful of."""
    facts: list[tuple[Text, Text]] = [
        (say("name"), ", ".join((row.name, *row.also))),
        (say("status"), STATUS[row.status]),
        (say("version"), row.version or "—"),
        (say("measures"), ", ".join(map(_with_k, row.covers)) or say("every one")),
        (say("decimals"), say("all") if row.decimals is None else str(row.decimals)),
    ]
    blocks: list[Block] = [
        Table([Column(""), Column("", wide=True)], [[cell(key), cell(value)] for key, value in facts])
    ]
    if row.settings:
        heads = [Column(say("measure")), Column(say("what the name means there"), wide=True)]
        blocks.append(Table(heads, _listed(row.settings)))
    if row.exceptions:
        heads = [Column(say("measure")), Column(say("chosen otherwise"), wide=True)]
        blocks.append(Table(heads, _listed(row.exceptions)))
    blocks.append(
        Table(
            [Column(say("convention")), Column(say("choice")), Column(say("what it decides"), wide=True)],
            [
                [cell(c.name), cell(choice(getattr(row.conventions, c.name))), cell(say(c.help))]
                for c in CONVENTIONS
            ],
        )
    )
    return [*blocks, *(Paragraph(say(caution)) for caution in row.cautions)]


def _listed(rows: Mapping[str, Mapping[str, object]]) -> list[list[Cell]]:
    """Measures with what holds for each."""
    return [
        [
            cell(_with_k(name)),
            cell(", ".join(f"{key}={value}" for key, value in chosen.items())),
        ]
        for name, chosen in rows.items()
    ]


def _with_k(name: str) -> str:
    """The name of a measure as a dialect holds it; one with a cutoff is shown as AP@k."""
    return f"{name}k" if name.endswith("@") else name
