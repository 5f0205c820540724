"""The sections on which the numbers stand: findings, conventions, and how to get them again."""

from collections.abc import Iterator

from rankproof.reports.document import Block, Column, Paragraph, Table, Tone, cell
from rankproof.reports.results import Results
from rankproof.tables.conventions import CONVENTIONS
from rankproof.tables.findings import Findings
from rankproof.wording import say


def findings(results: Results) -> Iterator[Block]:
    """What was noticed in the inputs, worst first."""
    yield from finding_table(results.findings.worst_first, listed=200)


def finding_table(found: Findings, listed: int | None = None) -> Iterator[Block]:
    """Findings as a table; those beyond `listed` are counted in a sentence."""
    tones: dict[str, Tone] = {"error": "bad", "warning": "warn", "info": ""}
    if not len(found):
        yield Paragraph(say("Nothing was noticed in the inputs."))
        return
    heads = ("severity", "finding", "where", "what was seen", "what to do")
    yield Table(
        [Column(say(head), wide=place > 2) for place, head in enumerate(heads)],
        [
            [
                cell(SEVERITY_WORDS[f.severity], tone=tones[f.severity]),
                cell(f.code),
                cell(_where(f.file, f.line, f.run)),
                cell(f.message),
                cell(f.mend),
            ]
            for f in found.rows[:listed]
        ],
    )
    if listed is not None and len(found) > listed:
        yield Paragraph(
            say(
                "{n:more finding is|more findings are} in the other forms of output (json, csv).",
                n=len(found) - listed,
            )
        )


SEVERITY_WORDS = {"error": say("error"), "warning": say("warning"), "info": say("info")}


def _where(file: str, line: int, run: str) -> str:
    name = file.replace("\\", "/").rsplit("/", 1)[-1] or run
    return f"{name}:{line}" if line else name


def conventions(results: Results) -> Iterator[Block]:
    """Every choice that a number depends on."""
    chosen = results.measurements.conventions
    yield Table(
        [Column(say("convention")), Column(say("choice")), Column(say("what it decides"), wide=True)],
        [[cell("dialect"), cell(chosen.dialect), cell(say("The named set of conventions."))]]
        + [
            [cell(row.name), cell(choice(getattr(chosen, row.name))), cell(say(row.help))]
            for row in CONVENTIONS
        ],
    )


def conventions_line(results: Results) -> Iterator[Block]:
    """The same in one line."""
    chosen = results.measurements.conventions
    choices = ", ".join(f"{row.name}={choice(getattr(chosen, row.name))}" for row in CONVENTIONS)
    yield Paragraph(say("Conventions ({dialect}): {choices}", dialect=chosen.dialect, choices=choices))


def choice(value: object) -> str:
    """A choice as it is shown; a dash where there is none."""
    return "—" if value is None else str(value)


def reproduce(results: Results) -> Iterator[Block]:
    """How anybody gets the same numbers."""
    versions = results.measurements.versions
    yield Paragraph(say("Judgments: SHA-256 {digest}.", digest=versions.get("judgments", "")))
    if results.comparisons is not None:
        yield Paragraph(say("Seed of the random signs: {seed}.", seed=str(results.comparisons.seed)))
    yield from (Paragraph(line) for line in results.reproduce)
