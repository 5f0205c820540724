"""The section that goes query by query: both lists side by side, and the sums term by term."""

from collections.abc import Iterator

from rankproof.explanation import Explanation, explain
from rankproof.reports.document import (
    Block,
    Cell,
    Column,
    Movement,
    Paragraph,
    Queries,
    QueryBlock,
    Shown,
    Table,
    Tone,
    cell,
)
from rankproof.reports.numbers import REASON_WORDS, STATE_WORDS
from rankproof.reports.results import Results
from rankproof.tables.comparisons import Comparison, QueryDifference
from rankproof.wording import Words, say


def queries(results: Results) -> Iterator[Block]:
    """The queries, those that changed most first."""
    if results.comparisons is None:
        return
    opened = max(results.opened // max(len(results.pairs), 1), 1)
    for pair in results.pairs:
        ordered = sorted(
            pair.queries, key=lambda r: (r.difference is None, -abs(r.difference or 0.0), r.query_id)
        )
        if len(results.pairs) > 1:
            sides = {"candidate": pair.candidate, "baseline": results.comparisons.baseline}
            yield Paragraph(say("{candidate} beside the baseline {baseline}", **sides))
        yield Queries(
            results.comparisons.baseline,
            pair.candidate,
            pair.measure,
            [
                _query(results, pair, row, opens=place < opened)
                for place, row in enumerate(ordered[: results.listed])
            ],
            max(len(ordered) - results.listed, 0),
        )


def _query(results: Results, pair: Comparison, row: QueryDifference, *, opens: bool) -> QueryBlock:
    base = results.comparisons.baseline if results.comparisons else ""
    tone: Tone = (
        ""
        if row.difference is None
        else ("up" if row.difference > 0 else "down" if row.difference < 0 else "same")
    )
    note = REASON_WORDS.get(row.reason, row.reason)
    return QueryBlock(
        row.query_id,
        results.measurements.questions.text(row.query_id),
        row.tags,
        cell(row.baseline, note=note),
        cell(row.candidate, note=note),
        cell(row.difference, signed=True, tone=tone, note=note),
        {"up": "better", "down": "worse", "same": "same", "": "undefined"}[tone],  # type: ignore[arg-type]  # the four literals of the block
        list(_inside(results, base, pair, row.query_id)) if opens else [],
    )


def _inside(results: Results, base: str, pair: Comparison, query: str) -> Iterator[Block]:
    found = results.measurements
    if not found.sums:
        return
    both = [explain(found, run, query, pair.measure, depth=results.depth) for run in (base, pair.candidate)]
    for run in (base, pair.candidate):
        state = found.populations.runs[run].states.get(query, "ok")
        if state != "ok":
            words = STATE_WORDS[state]
            yield Paragraph(say("{run} has no list for this query: {state}.", run=run, state=words), "warn")
    lists = (_shown(results, both[0]), _shown(results, both[1]))
    yield Movement(base, pair.candidate, *lists, top_grade=found.top_grade)
    for explained in both:
        yield sum_table(explained)
        if explained.parts:
            yield part_table(explained)


def _shown(results: Results, explained: Explanation) -> list[Shown]:
    return [
        Shown(
            term.rank,
            term.doc_id,
            results.documents.title(term.doc_id),
            term.grade,
            _meaning(results, term.grade),
            term.note,
            term.tied > 1,
        )
        for term in explained.terms
    ]


def _meaning(results: Results, grade: int | None) -> Words | str:
    if grade is None:
        return ""
    rubric = results.measurements.rubric
    english, chinese = rubric.meaning(grade, "en"), rubric.meaning(grade, "zh")
    return english if english == chinese else Both(english, chinese)


class Both(Words):
    """A text that the user's own files give in both languages."""

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__("{en}", {"en": english, "zh": chinese})

    def to(self, language: str) -> str:
        """The text in that language."""
        return str(self.facts["zh" if language == "zh" else "en"])


def sum_table(explained: Explanation) -> Table:
    """The sum behind one value, a row a displayed doc, the ideal list beside it."""
    factors = explained.factors
    ideal = bool(explained.ideal)
    columns = [Column("#", "right"), Column(say("doc")), Column(say("grade"), "right")]
    columns += [Column(say(name), "right") for name in factors]
    if explained.over_the_list:
        columns += [Column(say("contribution"), "right"), Column(say("running sum"), "right")]
    if ideal:
        columns += [Column(say("ideal grade"), "right"), Column(say("ideal running sum"), "right")]
    n = max(len(explained.terms), len(explained.ideal))
    return Table(columns, [_sum_row(explained, i) for i in range(n)], _caption(explained))


def part_table(explained: Explanation) -> Table:
    """The numbers of the query from which a value was made that is no sum over the displayed docs."""
    rows = [[cell(say(name)), cell(value)] for name, value in explained.parts.items()]
    return Table([Column(say("part")), Column(say("value"), "right")], rows)


def _sum_row(explained: Explanation, place: int) -> list[Cell]:
    row: list[Cell] = [cell(place + 1)]
    if place < len(explained.terms):
        term = explained.terms[place]
        grade = cell(term.grade) if term.grade is not None else cell(say(term.note or "unjudged"))
        row += [cell(term.doc_id), grade]
        row += [cell(term.factors.get(name)) for name in explained.factors]
        row += [cell(term.term), cell(term.running)] if explained.over_the_list else []
    else:
        row += [cell("")] * (len(explained.factors) + (4 if explained.over_the_list else 2))
    if explained.ideal:
        fits = place < len(explained.ideal)
        one = explained.ideal[place] if fits else None
        row += [cell(one.grade), cell(one.running)] if one else [cell(""), cell("")]
    return row


def _caption(explained: Explanation) -> Words:
    facts = {"run": explained.run, "measure": explained.measure, "query": explained.query_id}
    if explained.value is None:
        why = REASON_WORDS.get(explained.reason, explained.reason)
        return say("{run}, {query}: {measure} is not defined ({why})", **facts, why=why)
    if explained.divisor == 0:
        value = f"{explained.value:.6f}"
        return say(
            "{run}, {query}: {measure} = {value} by convention, as there is nothing to divide by",
            **facts,
            value=value,
        )
    return say(
        "{run}, {query}: {measure} = {added} / {divisor} = {value}",
        **facts,
        added=f"{explained.added:.6f}",
        divisor=f"{explained.divisor:.6f}",
        value=f"{explained.value:.6f}",
    )
