"""The sections that answer: the verdict in a sentence, and the gates behind it."""

from collections.abc import Iterator

from rankproof.measures.directions import says_ranked_better
from rankproof.reports.document import Block, Column, Headline, Paragraph, Table, Tone, cell
from rankproof.reports.numbers import percent
from rankproof.reports.results import Results
from rankproof.tables.comparisons import Comparison
from rankproof.wording import Words, say

VERDICTS: dict[str, tuple[Words, Tone]] = {
    "accepted": (say("accepted"), "good"),
    "rejected": (say("rejected"), "bad"),
    "inconclusive": (say("inconclusive"), "warn"),
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
            tone = tones.get(pair.verdict, "") if says_ranked_better(pair.measure) else ""
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
    return say("{measure}: {values}", measure=results.main, values=values or "—")


# Of a measure that says nothing of how well docs were ordered.
HIGHER = "{measure} is higher in {candidate} than in {baseline}: {after} against {before} ({level} interval of the difference {interval}, n = {n})."
LOWER = "{measure} is lower in {candidate} than in {baseline}: {after} against {before} ({level} interval of the difference {interval}, n = {n})."


def sentence_of(results: Results, pair: Comparison) -> Words:
    """One comparison in plain words; "better" and "worse" only where interval and test both say so."""
    baseline = results.comparisons.baseline if results.comparisons else ""
    if pair.difference is None:
        return say(
            "{candidate} and {baseline} have no query in common that can be evaluated.",
            candidate=pair.candidate,
            baseline=baseline,
        )
    facts = {
        "candidate": pair.candidate,
        "baseline": baseline,
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
    if pair.difference == 0:
        return say(
            "{candidate} and {baseline} have the same {measure} on average, {after}: {wins:query|queries} better, {losses} worse (n = {n}).",
            wins=pair.wins,
            losses=pair.losses,
            **facts,
        )
    if pair.interval.reason == "zero_variance":
        return say(
            "Every query differs by the same amount, {difference}: {candidate} has {measure} {after} and {baseline} has {before} (sign-flip p = {p}, n = {n}).",
            difference=f"{pair.difference:+.4f}",
            p="—" if pair.p is None else f"{pair.p:.4g}",
            **facts,
        )
    if pair.interval.lower is None or pair.interval.upper is None:
        return say(
            "{candidate} has {measure} {after} and {baseline} has {before}; with n = {n} this cannot be told from chance.",
            **facts,
        )
    facts |= {
        "level": percent(pair.interval.level),
        "interval": f"{pair.interval.lower:+.4f} .. {pair.interval.upper:+.4f}",
    }
    if pair.verdict in ("better", "worse") and not says_ranked_better(pair.measure):
        return say(HIGHER if pair.verdict == "better" else LOWER, **facts)
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
    if pair.outside_zero and pair.p_adjusted is not None and pair.p is not None and pair.p_adjusted > pair.p:
        return say(
            "{candidate} has {measure} {after} and {baseline} has {before}; with so many comparisons at once the difference could still be chance (adjusted p = {p}; {level} interval of this one alone {interval}, n = {n}).",
            p=f"{pair.p_adjusted:.4f}",
            **facts,
        )
    return say(
        "{candidate} has {measure} {after} and {baseline} has {before}, but the difference could still be chance ({level} interval {interval}, n = {n}).",
        **facts,
    )


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
