"""The sections of several goals: aspects side by side, what weights decide, other cutoffs, and ceilings."""

from collections.abc import Iterator

from rankproof.reports.document import Block, Cell, Column, Paragraph, Table, Text, cell
from rankproof.reports.numbers import percent, tone_of
from rankproof.reports.results import Results
from rankproof.tables.diagnoses import AtCutoff, Diagnosis
from rankproof.tables.weights import Sensitivity
from rankproof.wording import Words, say


def aspects(results: Results) -> Iterator[Block]:
    """Every measure of every system, the aspects side by side."""
    found = results.measurements
    if not found.aspects:
        return
    names = dict.fromkeys(name for aspect, name in map(found.parted, found.measures) if aspect)
    rows = []
    for name in names:
        wanted = [f"{aspect}:{name}" for aspect in found.aspects]
        for run in found.runs:
            means = [found.mean(run, one) if one in found.measures else None for one in wanted]
            rows.append([cell(name), cell(run), *(cell(mean.value if mean else None) for mean in means)])
    heads = [Column(say("measure")), Column(say("system"))]
    yield Table(
        [*heads, *(Column(aspect, "right") for aspect in found.aspects)],
        rows,
        say("Each mean is over the queries that have a value in the aspect"),
    )


def weights(results: Results) -> Iterator[Block]:
    """How far the conclusion depends on the weights of a combination."""
    for row in results.comparisons.weights if results.comparisons else ():
        baseline = results.comparisons.baseline if results.comparisons else ""
        yield Paragraph(_conclusion(row, baseline))
        if not row.n:
            continue
        yield Table(
            [Column(say("part")), Column(say("weight"), "right"), Column(say("difference"), "right")],
            [
                [cell(part), cell(_share(weight)), cell(change, signed=True, tone=tone_of(change))]
                for part, weight, change in zip(row.parts, row.weights, row.differences, strict=True)
            ],
            say(
                "{candidate} minus {baseline} in each part of {measure}, over the {n:query|queries} with a value in all",
                candidate=row.candidate,
                baseline=baseline,
                measure=row.measure,
                n=row.n,
            ),
        )
        yield from (Paragraph(sentence) for sentence in _turns(row))
        yield Paragraph(_certainty(row))


def _conclusion(row: Sensitivity, baseline: str) -> Words:
    facts = {"candidate": row.candidate, "baseline": baseline, "measure": row.measure}
    if row.pareto == "better":
        return say(
            "{candidate} is worse than {baseline} in no part of {measure} and better in at least one: its mean is "
            "higher whatever the weights.",
            **facts,
        )
    if row.pareto == "worse":
        return say(
            "{candidate} is better than {baseline} in no part of {measure} and worse in at least one: its mean is "
            "lower whatever the weights.",
            **facts,
        )
    if row.pareto == "same":
        return say("{candidate} and {baseline} have the same mean in every part of {measure}.", **facts)
    if row.pareto == "trade-off":
        return say(
            "{candidate} gains in one part of {measure} and loses in another: of all ways to weigh them its mean is "
            "higher than that of {baseline} in {better}, and lower in {worse}.",
            better=_share(row.better),
            worse=_share(row.worse),
            **facts,
        )
    return say("{candidate} and {baseline} have no query with a value in every part of {measure}.", **facts)


def _turns(row: Sensitivity) -> Iterator[Words]:
    """Where the sign of the mean difference turns."""
    if row.break_even is not None:
        yield say(
            "The two are even where {part} has {share} of the weight.",
            part=row.parts[0],
            share=_share(row.break_even),
        )
    if row.moves:
        nearest = row.moves[0]
        yield say(
            "The sign turns once {weight} of the weight goes from {source} to {target}.",
            weight=_share(nearest.weight),
            source=nearest.taken_from,
            target=nearest.given_to,
        )
    elif row.pareto == "trade-off":
        yield say("No shift of weight between two parts alone turns the sign.")


def _certainty(row: Sensitivity) -> Words:
    if row.surely_better is None:
        return say("With n = {n} no weights can be told from chance.", n=str(row.n))
    return say(
        "With {level} intervals {candidate} is better in {better} of all ways to weigh, worse in {worse}, and it could "
        "be chance in {undecided} (counted in steps of {step}).",
        level=percent(row.level),
        candidate=row.candidate,
        better=_share(row.surely_better),
        worse=_share(row.surely_worse),
        undecided=_share(row.undecided),
        step=f"{row.step:.3g}",
    )


def _share(share: float | None) -> str:
    return "—" if share is None else f"{share:.1%}"


def cutoffs(results: Results) -> Iterator[Block]:
    """The measure at other cutoffs, each candidate beside the baseline."""
    told = results.diagnosis
    for candidate in dict.fromkeys(row.candidate for row in told.cutoffs):
        rows = [row for row in told.cutoffs if row.candidate == candidate]
        yield Table(
            [
                Column(say("cutoff"), "right"),
                Column(told.baseline, "right"),
                Column(candidate, "right"),
                Column(say("difference"), "right"),
                Column(say("{level} interval", level=percent(rows[0].interval.level)), "right"),
                Column("n", "right"),
            ],
            [_at(row) for row in rows],
            say("{measure} at other cutoffs; these are looked at, not tested", measure=told.measure),
        )


def cutoffs_that_turn(results: Results) -> Iterator[Block]:
    """The same, only where the sign of a mean difference changes."""
    if results.diagnosis.turns:
        yield from cutoffs(results)


def _at(row: AtCutoff) -> list[Cell]:
    lower, upper = row.interval.lower, row.interval.upper
    ends = None if lower is None or upper is None else (lower, upper)
    cutoff: Text | int = say("the end of the lists") if row.cutoff is None else row.cutoff
    return [
        cell(cutoff),
        cell(row.mean_baseline),
        cell(row.mean_candidate),
        cell(row.difference, signed=True, tone=tone_of(row.difference), interval=ends),
        cell(f"{lower:+.4f}..{upper:+.4f}" if ends else None),
        cell(row.n),
    ]


def ceiling(results: Results) -> Iterator[Block]:
    """How many queries cannot get better, and what finer yardsticks make of the ties."""
    told = results.diagnosis
    if not told.ceilings:
        return
    yield Table(
        [Column(say("system")), Column(say("at the ceiling"), "right"), Column(say("share"), "right")],
        [
            [
                cell(say("{one} and {other}, both", one=row.runs[0], other=row.runs[1]))
                if len(row.runs) > 1
                else cell(row.runs[0]),
                cell(f"{row.reached} / {row.n}", tone="warn" if row.saturated else ""),
                cell(_share(row.reached / row.n if row.n else None)),
            ]
            for row in told.ceilings
        ],
        say("Queries in which no order of the judged docs has a higher {measure}", measure=told.measure),
    )
    if told.finer:
        yield _finer(told)


def _finer(told: Diagnosis) -> Table:
    return Table(
        [
            Column(say("candidate system")),
            Column(say("yardstick")),
            Column(say("ties broken"), "right"),
            Column(say("better"), "right"),
            Column(say("worse"), "right"),
        ],
        [
            [
                cell(row.candidate),
                cell(row.measure),
                cell(f"{row.told_apart} / {row.tied}"),
                cell(row.better),
                cell(row.worse),
            ]
            for row in told.finer
        ],
        say(
            "What finer yardsticks make of the queries that {measure} does not tell apart",
            measure=told.measure,
        ),
    )


def ceiling_that_binds(results: Results) -> Iterator[Block]:
    """The same, only where a measure tells little apart."""
    if results.diagnosis.saturated:
        yield from ceiling(results)
