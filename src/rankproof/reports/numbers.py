"""The sections of numbers: who was counted, every measure, every comparison, what was found at all."""

from collections.abc import Iterator

import numpy as np

from rankproof.reports.document import Block, Cell, Column, Count, Counts, Paragraph, Table, Tone, cell
from rankproof.reports.results import Results
from rankproof.tables.columns import among_of
from rankproof.tables.comparisons import Comparison
from rankproof.tables.measurements import REASONS, Mean
from rankproof.tables.populations import RUN_STATES, Populations
from rankproof.wording import Words, say

STATE_WORDS = {
    "ok": say("with a list"),
    "missing": say("missing"),
    "empty": say("empty"),
    "failed": say("failed"),
    "not_run": say("not run"),
}


REASON_WORDS = {
    "no_relevant": say("no relevant document"),
    "no_judgments": say("judged by nobody"),
    "refuse": say("should be refused"),
    "missing": say("missing"),
    "nothing_shown": say("nothing was displayed"),
    "one_kind": say("the displayed docs are all relevant, or none of them is"),
    "not_asked": say("not asked"),
    "of_the_run": say("of the whole run, not of one query"),
    "a_text": say("a text, no number"),
    "no_reference": say("no reference runs to measure it by"),
    "nothing_known": say("nothing known of what it needs"),
}


def counts(results: Results) -> Iterator[Block]:
    """How many queries could be evaluated, and what became of the others."""
    p = results.measurements.populations
    yield Counts(
        say(
            "{evaluable} of {asked} evaluable, {no_relevant} without relevant documents, {anomalous} anomalous",
            evaluable=len(p.evaluable),
            asked=p.asked,
            no_relevant=len(p.no_relevant),
            anomalous=len(p.anomalous),
        ),
        [
            Count(p.asked, say("asked")),
            Count(len(p.evaluable), say("evaluable")),
            Count(len(p.no_relevant), say("without relevant documents"), _warn(p.no_relevant), p.no_relevant),
            Count(len(p.unjudged), say("judged by nobody"), _warn(p.unjudged), p.unjudged),
            Count(len(p.refuse), say("should be refused"), "", p.refuse),
            Count(len(p.anomalous), say("anomalous"), "bad" if p.anomalous else "", p.anomalous),
        ],
    )
    yield from _beside(p)


def _beside(p: Populations) -> Iterator[Block]:
    """What the sentence leaves open: the other parts of the sum, and what anomalous means."""
    if p.refuse or p.unjudged:
        yield Paragraph(
            say(
                "Besides: {refuse} should be refused, {unjudged} judged by nobody.",
                refuse=len(p.refuse),
                unjudged=len(p.unjudged),
            )
        )
    if p.anomalous:
        yield Paragraph(
            say("An anomalous query bears an error-level finding; it may be in any of the groups.")
        )


def _warn(ids: tuple[str, ...]) -> Tone:
    return "warn" if ids else ""


def _ids(ids: tuple[str, ...], state: str) -> Cell:
    listed = ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")
    return cell(
        len(ids), tone="" if state == "ok" or not ids else "warn", note="" if state == "ok" else listed
    )


def systems(results: Results) -> Iterator[Block]:
    """How each system stands with the evaluable queries."""
    p = results.measurements.populations
    yield Table(
        [
            Column(say("system")),
            *(Column(STATE_WORDS[state], "right") for state in RUN_STATES),
            Column(say("not asked"), "right"),
        ],
        [
            [cell(name), *(_ids(run.of(state), state) for state in RUN_STATES), _ids(run.extra, "extra")]
            for name, run in p.runs.items()
        ],
        say("How each system stands with the evaluable queries"),
    )


def found(results: Results) -> Iterator[Block]:
    """Found, apart from ranked: which relevant docs were displayed at all, by each system and by anybody."""
    measured = results.measurements
    if not measured.lists:
        return
    rel = measured.conventions.rel
    evaluable = among_of(measured.queries, measured.populations.evaluable)
    every = int(measured.n_relevant[evaluable].sum())
    rows, by_anybody = [], set()
    for name, lists in measured.lists.items():
        query = np.repeat(np.arange(len(measured.queries)), np.diff(lists.offsets))
        here = np.flatnonzero((lists.grade >= rel) & evaluable[query])
        docs = lists.run.doc.texts_at(lists.row[here])
        by_anybody |= set(zip(query[here].tolist(), docs, strict=True))
        rows.append([cell(name), cell(len(here)), cell(every), cell(f"{len(here) / every:.1%}")])
    rows.append(
        [
            cell(say("by any system")),
            cell(len(by_anybody)),
            cell(every),
            cell(f"{len(by_anybody) / every:.1%}"),
        ]
    )
    heads = ("system", "relevant docs displayed", "relevant docs judged", "share found")
    yield Table(
        [Column(say(head), "right" if place else "left") for place, head in enumerate(heads)],
        rows,
        say("At any depth, over the evaluable queries; what nobody displayed cannot be ranked by anybody"),
    )


def measures(results: Results) -> Iterator[Block]:
    """Every measure of every system; beside each candidate the difference and its interval."""
    found = results.measurements
    columns = [
        Column(say("measure")),
        *(Column(run, "right") for run in found.runs),
        Column(say("n of asked"), "right"),
        Column(say("judged"), "right"),
    ]
    rows = []
    for measure in found.measures:
        means = [found.mean(run, measure) for run in found.runs]
        judged = min((m.judged for m in means if m.judged is not None), default=None)
        values = [cell(m.value, digits=0 if m.total else 4) for m in means]
        rows.append(
            [cell(measure), *values, cell(_n_of(means)), cell(None if judged is None else f"{judged:.0%}")]
        )
    yield Table(
        columns,
        rows,
        say(
            "Means over the queries where the measure is defined (totals, for counts); judged is the least judged share within the cutoff"
        ),
    )
    if results.comparisons is not None:
        yield _comparison_table(results)


def each_query(results: Results) -> Iterator[Block]:
    """Every value of every query."""
    measured = results.measurements
    columns = [Column(say("query")), Column(say("system"))]
    columns += [Column(measure, "right") for measure in measured.measures]
    rows = [
        [cell(query), cell(run), *(_value(results, r, m, q) for m in range(len(measured.measures)))]
        for q, query in enumerate(measured.queries)
        for r, run in enumerate(measured.runs)
    ]
    yield Table(columns, rows)


def _value(results: Results, r: int, m: int, q: int) -> Cell:
    measured = results.measurements
    reason = REASONS[measured.reasons[r, m, q]]
    if reason:
        return cell(None, note=REASON_WORDS[reason])
    return cell(float(measured.values[r, m, q]), digits=0 if measured.totals[m] else 4)


def _n_of(means: list[Mean]) -> str:
    numbers = sorted({m.n for m in means})
    n = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    return f"{n} / {means[0].n_total}"


def _comparison_table(results: Results) -> Table:
    comparisons = results.comparisons
    rows = [
        [
            cell(row.candidate),
            cell(row.measure),
            cell(row.difference, signed=True, tone=tone_of(row.difference), interval=_ends(row)),
            cell(_interval(row)),
            cell(_chance(row.p), note=_floor(row)),
            cell(_chance(row.p_adjusted)),
            cell(f"{row.wins} / {row.ties} / {row.losses}"),
            cell(row.detectable),
        ]
        for row in (comparisons.overall() if comparisons else ())
    ]
    level = percent(comparisons.level) if comparisons else ""
    return Table(
        [
            Column(say("candidate system")),
            Column(say("measure")),
            Column(say("difference"), "right"),
            Column(say("{level} interval", level=level), "right"),
            Column("p", "right"),
            Column(say("p adjusted"), "right"),
            Column(say("better / same / worse"), "right"),
            Column(say("detectable"), "right"),
        ],
        rows,
        say(
            "Candidate minus baseline {baseline}: paired-t interval, p by sign flips, Holm adjustment over candidates and primary measures; detectable is the smallest difference that this many queries would reveal 80 % of the time",
            baseline=comparisons.baseline if comparisons else "",
        ),
    )


def percent(share: float) -> str:
    """A share as per cent, with as many digits as it has: 95%, 97.5%."""
    return f"{100 * share:.10g}%"


def _chance(p: float | None) -> float | str | None:
    """A p as it is shown: never 0, which it cannot be."""
    return "<0.0001" if p is not None and p < 0.0001 else p


def _floor(row: Comparison) -> Words | str:
    """A word beside a p that so few differing queries could never bring below 0.05."""
    if row.p_floor is None or row.p_floor <= 0.05:
        return ""
    return say("least possible {floor:.4g}", floor=row.p_floor)


def _ends(row: Comparison) -> tuple[float, float] | None:
    lower, upper = row.interval.lower, row.interval.upper
    return None if lower is None or upper is None else (lower, upper)


def _interval(row: Comparison) -> str | None:
    if row.interval.lower is None or row.interval.upper is None:
        return None
    return f"{row.interval.lower:+.4f}..{row.interval.upper:+.4f}"


def tone_of(difference: float | None) -> Tone:
    if difference is None:
        return ""
    return "up" if difference > 0 else "down" if difference < 0 else "same"
