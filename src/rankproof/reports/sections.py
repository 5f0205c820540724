"""The sections of a report about results: each a function from results to blocks."""

from collections.abc import Iterator

import numpy as np

from rankproof.reports.document import (
    Block,
    Cell,
    Column,
    Count,
    Counts,
    Dot,
    Dots,
    Headline,
    Paragraph,
    Table,
    Tone,
    cell,
)
from rankproof.reports.results import Results
from rankproof.tables.comparisons import Comparison
from rankproof.tables.conventions import CONVENTIONS
from rankproof.tables.findings import Findings
from rankproof.tables.populations import RUN_STATES
from rankproof.wording import Words, say

VERDICTS: dict[str, tuple[Words, Tone]] = {
    "accepted": (say("accepted"), "good"),
    "rejected": (say("rejected"), "bad"),
    "inconclusive": (say("inconclusive"), "warn"),
}
STATE_WORDS = {
    "ok": say("with a list"),
    "missing": say("missing"),
    "empty": say("empty"),
    "failed": say("failed"),
    "not_run": say("not run"),
}


def headline(results: Results) -> Iterator[Block]:
    """The answer in one sentence, never stronger than the numbers."""
    if results.decision is not None:
        badge, tone = VERDICTS[results.decision.verdict]
        yield Headline(results.decision.sentence, tone, badge, results.title)
        yield from (Paragraph(sentence_of(results, pair)) for pair in results.pairs)
    elif results.pairs:
        tones: dict[str, Tone] = {"better": "good", "worse": "bad"}
        for place, pair in enumerate(results.pairs):
            sentence = sentence_of(results, pair)
            tone = tones.get(pair.verdict, "")
            yield Headline(sentence, tone, "", results.title) if not place else Paragraph(sentence)
    else:
        yield Headline(_measured(results), "", "", results.title)
    yield Paragraph(MEANING)


MEANING = say(
    "A measure says how well the judged documents were ordered, not how many users are satisfied: nDCG 0.80 is "
    "80 % of the best possible ordering of the judged documents."
)


def _measured(results: Results) -> Words:
    means = [results.measurements.mean(run, results.main) for run in results.measurements.runs]
    values = [say("{run} {value}", run=m.run, value=f"{m.value:.4f}") for m in means if m.value is not None]
    return say("{measure}: {values}", measure=results.main, values=values)


def sentence_of(results: Results, pair: Comparison) -> Words:
    """One comparison in plain words; "better" and "worse" only where interval and test both say so."""
    assert_base = results.comparisons.baseline if results.comparisons else ""
    if pair.difference is None:
        return say(
            "{candidate} and {baseline} have no query in common that can be evaluated.",
            candidate=pair.candidate,
            baseline=assert_base,
        )
    facts = {
        "candidate": pair.candidate,
        "baseline": assert_base,
        "measure": pair.measure,
        "after": f"{pair.mean_candidate:.4f}",
        "before": f"{pair.mean_baseline:.4f}",
        "n": pair.n,
    }
    if pair.verdict == "same":
        return say(
            "No difference was observed between {candidate} and {baseline}: {measure} is {after} for both (n = {n}).",
            **facts,
        )
    if pair.interval.lower is None or pair.interval.upper is None:
        return say(
            "{candidate} has {measure} {after} and {baseline} has {before}; with n = {n} this cannot be told from chance.",
            **facts,
        )
    facts |= {
        "level": f"{pair.interval.level:.0%}",
        "interval": f"{pair.interval.lower:+.4f} .. {pair.interval.upper:+.4f}",
    }
    if pair.verdict == "better":
        return say(
            "{candidate} ranks better than {baseline}: {measure} {after} against {before} ({level} interval of the difference {interval}, n = {n}).",
            **facts,
        )
    if pair.verdict == "worse":
        return say(
            "{candidate} ranks worse than {baseline}: {measure} {after} against {before} ({level} interval of the difference {interval}, n = {n}).",
            **facts,
        )
    return say(
        "{candidate} has {measure} {after} and {baseline} has {before}, but the difference could still be chance ({level} interval {interval}, n = {n}).",
        **facts,
    )


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
    if not measured.lists or not measured.sums:
        return
    rel = measured.conventions.rel
    evaluable = np.isin(measured.queries, measured.populations.evaluable)
    rankings = next(iter(measured.sums.values())).rankings
    if rankings.n_queries != len(measured.queries):
        return
    every = int(rankings.n_relevant(rel)[evaluable].sum())
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


def _n_of(means: list) -> str:  # type: ignore[type-arg]
    numbers = sorted({m.n for m in means})
    return (
        f"{' / '.join(map(str, numbers))} / {means[0].n_total}"
        if len(numbers) > 1
        else f"{numbers[0]} / {means[0].n_total}"
    )


def _comparison_table(results: Results) -> Table:
    comparisons = results.comparisons
    rows = [
        [
            cell(row.candidate),
            cell(row.measure),
            cell(row.difference, signed=True, tone=_tone(row.difference), interval=_ends(row)),
            cell(_interval(row)),
            cell(row.p),
            cell(row.p_adjusted),
            cell(f"{row.wins} / {row.ties} / {row.losses}"),
            cell(row.detectable),
        ]
        for row in (comparisons.overall() if comparisons else ())
    ]
    level = f"{comparisons.level:.0%}" if comparisons else ""
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
            "Candidate minus baseline {baseline}: paired-t interval, p by sign flips, Holm adjustment over candidates and primary measures; detectable is the difference that so many queries would show in 80 of 100 cases",
            baseline=comparisons.baseline if comparisons else "",
        ),
    )


def _ends(row: Comparison) -> tuple[float, float] | None:
    lower, upper = row.interval.lower, row.interval.upper
    return None if lower is None or upper is None else (lower, upper)


def _interval(row: Comparison) -> str | None:
    if row.interval.lower is None or row.interval.upper is None:
        return None
    return f"{row.interval.lower:+.4f} .. {row.interval.upper:+.4f}"


def _tone(difference: float | None) -> Tone:
    if difference is None:
        return ""
    return "up" if difference > 0 else "down" if difference < 0 else "same"


def gates(results: Results) -> Iterator[Block]:
    """The rules written beforehand, and what the evidence says to each."""
    if results.decision is None:
        return
    rows = [
        [
            cell(g.text),
            cell(VERDICTS[g.verdict][0], tone=VERDICTS[g.verdict][1]),
            cell(_short(g.measured)),
            cell(g.wanted),
            cell(g.settles or ""),
        ]
        for g in results.decision.gates
    ]
    yield Table(
        [
            Column(say("gate"), wide=True),
            Column(say("verdict")),
            Column(say("measured"), "right"),
            Column(say("wanted"), "right"),
            Column(say("what would settle it"), wide=True),
        ],
        rows,
    )


def _short(value: float | None) -> str | None:
    """A number with up to four decimals; counts have none."""
    return None if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


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
            yield Table(
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
                        cell(r.difference, signed=True, tone=_tone(r.difference)),
                        cell(" ".join(r.tags)),
                    ]
                    for r in rows[:5]
                ],
                title,
            )
        if not pair.worst:
            yield Paragraph(
                say(
                    "No query got worse with {candidate} in {measure}.",
                    candidate=pair.candidate,
                    measure=pair.measure,
                )
            )


def dots(results: Results) -> Iterator[Block]:
    """Every query's difference, sorted."""
    for pair in results.pairs:
        known = [r for r in pair.queries if r.difference is not None]
        ordered = sorted(known, key=lambda r: (r.difference or 0.0, r.query_id))
        yield Dots(
            [
                Dot(r.query_id, r.difference or 0.0, results.measurements.questions.text(r.query_id))
                for r in ordered
            ],
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
            Column(say("candidate system"), "right"),
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
                cell(r.difference, signed=True, tone=_tone(r.difference)),
                cell(f"{r.wins} / {r.ties} / {r.losses}"),
            ]
            for r in rows
        ],
        say("{measure} by tag; segments are looked at, not tested", measure=results.main),
    )


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
        yield Paragraph(say("{n} more findings are in the evidence file.", n=len(found) - listed))


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
            [cell(row.name), cell(_choice(getattr(chosen, row.name))), cell(say(row.help))]
            for row in CONVENTIONS
        ],
    )


def conventions_line(results: Results) -> Iterator[Block]:
    """The same in one line."""
    chosen = results.measurements.conventions
    choices = ", ".join(f"{row.name}={_choice(getattr(chosen, row.name))}" for row in CONVENTIONS)
    yield Paragraph(say("Conventions ({dialect}): {choices}", dialect=chosen.dialect, choices=choices))


def _choice(value: object) -> str:
    return "—" if value is None else str(value)


def reproduce(results: Results) -> Iterator[Block]:
    """How anybody gets the same numbers."""
    versions = results.measurements.versions
    yield Paragraph(say("Judgments: SHA-256 {digest}.", digest=versions.get("judgments", "")))
    if results.comparisons is not None:
        yield Paragraph(say("Seed of the random signs: {seed}.", seed=str(results.comparisons.seed)))
    yield from (Paragraph(line) for line in results.reproduce)
