"""The sections of changes: regressions and improvements, every difference, and each tag."""

from collections.abc import Iterator

from rankproof.reports.document import Block, Column, Dot, Dots, Paragraph, Table, cell, without_empty
from rankproof.reports.numbers import tone_of
from rankproof.reports.results import Results
from rankproof.wording import say


def changes(results: Results) -> Iterator[Block]:
    """The queries that got worse and those that got better, most first."""
    for pair in results.pairs:
        asked = results.measurements.questions
        for title, rows in (
            (
                say(
                    "Worst regressions of {candidate} in {measure}",
                    candidate=pair.candidate,
                    measure=pair.measure,
                ),
                pair.worst,
            ),
            (
                say(
                    "Best improvements of {candidate} in {measure}",
                    candidate=pair.candidate,
                    measure=pair.measure,
                ),
                pair.best,
            ),
        ):
            if not rows:
                continue
            table = Table(
                [
                    Column(say("query")),
                    Column(say("text"), wide=True),
                    Column(results.comparisons.baseline if results.comparisons else "", "right"),
                    Column(pair.candidate, "right"),
                    Column(say("difference"), "right"),
                    Column(say("tags")),
                ],
                [
                    [
                        cell(r.query_id, query=r.query_id),
                        cell(asked.text(r.query_id)),
                        cell(r.baseline),
                        cell(r.candidate),
                        cell(r.difference, signed=True, tone=tone_of(r.difference)),
                        cell(" ".join(r.tags)),
                    ]
                    for r in rows[:5]
                ],
                title,
            )
            yield without_empty(table)
        if not pair.worst:
            yield Paragraph(
                say(
                    "No query got worse with {candidate} in {measure}.",
                    candidate=pair.candidate,
                    measure=pair.measure,
                )
            )


DOTS = 1000  # so many dots are drawn; of more queries an even choice


def dots(results: Results) -> Iterator[Block]:
    """Every query's difference, sorted; of very many queries an even choice, both ends included."""
    for pair in results.pairs:
        known = [r for r in pair.queries if r.difference is not None]
        ordered = sorted(known, key=lambda r: (r.difference or 0.0, r.query_id))
        n = len(ordered)
        shown = ordered if n <= DOTS else [ordered[i * (n - 1) // (DOTS - 1)] for i in range(DOTS)]
        text = results.measurements.questions.text
        yield Dots(
            [Dot(r.query_id, r.difference or 0.0, text(r.query_id)) for r in shown],
            pair.interval.lower,
            pair.interval.upper,
            say(
                "{candidate} minus {baseline}, {measure}, query by query",
                candidate=pair.candidate,
                baseline=results.comparisons.baseline if results.comparisons else "",
                measure=pair.measure,
            ),
            pair.measure,
        )
        if len(shown) < n:
            yield Paragraph(
                say("{shown} of {n} queries are drawn, evenly chosen by difference.", shown=len(shown), n=n)
            )


def segments(results: Results) -> Iterator[Block]:
    """The comparison among the queries of each tag."""
    if results.comparisons is None:
        return
    rows = [r for r in results.comparisons.rows if r.tag and r.measure == results.main]
    if not rows:
        return
    yield Table(
        [
            Column(say("tag")),
            Column(say("candidate system")),
            Column("n", "right"),
            Column(results.comparisons.baseline, "right"),
            Column(say("candidate mean"), "right"),
            Column(say("difference"), "right"),
            Column(say("better / same / worse"), "right"),
        ],
        [
            [
                cell(r.tag),
                cell(r.candidate),
                cell(r.n),
                cell(r.mean_baseline),
                cell(r.mean_candidate),
                cell(r.difference, signed=True, tone=tone_of(r.difference)),
                cell(f"{r.wins} / {r.ties} / {r.losses}"),
            ]
            for r in rows
        ],
        say("{measure} by tag; segments are looked at, not tested", measure=results.main),
    )
