"""One query under every dialect, as a table: the value, what the measure means there, and what makes it differ."""

from collections.abc import Sequence

from rankproof.reports.document import Block, Column, Document, Paragraph, Section, Table, Text, Tone, cell
from rankproof.reports.grounds import choice
from rankproof.reports.numbers import REASON_WORDS
from rankproof.reports.reporting import RENDERERS
from rankproof.reports.text import on_terminal
from rankproof.tables.attributes import Questions
from rankproof.tables.readings import Reading, Readings
from rankproof.wording import say


def readings_report(
    readings: Readings | Sequence[Readings],
    questions: Questions | None = None,
    *,
    format: str = "table",
    language: str = "en",
    width: int = 100,
    color: bool = False,
) -> str:
    """One query under every dialect, or several measures of it, a table each.

    `format` is "table", "md" or "html".
    """
    several = [readings] if isinstance(readings, Readings) else readings
    texts = dict.fromkeys((questions or Questions()).text(one.query_id) for one in several)
    blocks: list[Block] = [Paragraph(text) for text in texts if text]
    blocks += [reading_table(one) for one in several]
    document = Document("", [Section("dialects", "", blocks)], language)
    if format == "table":
        return on_terminal(document, width=width, color=color)
    return RENDERERS.find(format).render(document)


def reading_table(readings: Readings) -> Table:
    """A row a dialect; a value that is another than that of the first row is marked."""
    base = readings.of(readings.base)
    return Table(
        [
            Column(say("dialect")),
            Column(say("value"), "right"),
            Column(say("what the name means there")),
            Column(say("what makes the difference"), wide=True),
        ],
        [
            [
                cell(row.dialect),
                cell(row.value, digits=6, tone=_tone(row, base)),
                cell(row.measure or "—"),
                cell(_why(row)),
            ]
            for row in readings.rows
        ],
        say(
            "{run}, {query}: {measure} under every dialect, held to {base}",
            run=readings.run,
            query=readings.query_id,
            measure=readings.measure,
            base=readings.base,
        ),
    )


def _tone(row: Reading, base: Reading) -> Tone:
    if row.value is None or base.value is None or not (row.choices or row.together):
        return ""
    return "up" if row.value > base.value else "down"


def _why(row: Reading) -> Text:
    """The choices that change the value, and what else is to be said of it."""
    if not row.measure:
        return say("has no such measure")
    if row.error is not None:
        return row.error
    choices = ", ".join(f"{one.name}={choice(one.theirs)}" for one in row.choices)
    if row.reason:
        why = REASON_WORDS[row.reason]
        return say("not defined ({why}): {choices}", why=why, choices=choices) if choices else why
    if row.together:
        return say("together: {choices}", choices=", ".join(row.together))
    return choices
