"""Combinations: several measures weighed into one, as it is written: 0.7*nDCG@10 + 0.3*AP.

Weights are numbers above 0 that need not sum to 1, so the range is that of the weighed ranges: 0.7*nDCG@10 +
0.3*AP goes from 0 to 1, 2*nDCG@10 + AP from 0 to 3. A weight below 0 would turn a goal into a fault; such a
number is shown beside the goals, not hidden among them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from rankproof.errors import UsageError
from rankproof.measures.measure import Measure
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.conventions import Conventions, plain_number
from rankproof.tables.measurements import Measurements
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

Weighted = tuple[tuple[float, Measure], ...]

HEAVIEST = 1e9
# A star, or a plus before a name; the plus of 1e+3 and what stands in parentheses are neither.
_WEIGHED = re.compile(r"\*|\+\s*[^\W\d]")
_PLUS = re.compile(r"(?<![\d.][eE])\+(?![^()]*\))")


@dataclass(frozen=True, eq=False, repr=False)
class Combination(Measure):
    """Several measures weighed into one. The value of a query is defined where that of every part is.

    Conventions and dialects reach the parts. The mean is that of the queries' values, as of any measure; it is
    the weighed sum of the parts' means where the same queries have a value in all of them.
    """

    weighted: Weighted = ()

    @property
    def parts(self) -> tuple[Measure, ...]:
        """The measures, in the order in which they are written."""
        return tuple(measure for _, measure in self.weighted)

    @cached_property
    def full_name(self) -> str:
        """weight*Name + weight*Name, with canonical names and plain numbers."""
        return " + ".join(f"{plain_number(weight)}*{measure.full_name}" for weight, measure in self.weighted)

    def under(self, conventions: Conventions) -> "Combination":
        """This combination with what the names of its parts leave open filled in by `conventions`."""
        return combination([(weight, measure.under(conventions)) for weight, measure in self.weighted])

    def in_aspect(self, aspect: str) -> "Combination":
        """This combination with every part measured in one aspect."""
        return combination([(weight, replace(measure, aspect=aspect)) for weight, measure in self.weighted])

    def defined(self, rankings: Rankings) -> Bools:
        """(n_queries,) True where the value of every part means something."""
        met: Bools = np.logical_and.reduce([measure.defined(rankings) for measure in self.parts])
        return met


def combination(weighted: Sequence[tuple[float, Measure]]) -> Combination:
    """Measures weighed into one; an error for less than two, for one twice, and for one without queries' values.

    >>> from rankproof import parse_measure
    >>> both = parse_measure("0.75*P@2 + 0.25*RR")
    >>> both.of(written("0 1")).value  # 0.75 x 1/2 + 0.25 x 1/2
    array([0.5])
    """
    terms = tuple((float(weight), measure) for weight, measure in weighted)
    names = [measure.full_name for _, measure in terms]
    if len(set(names)) < max(len(names), 2):
        raise UsageError(
            "A combination weighs at least two different measures; seen {names}.", names=", ".join(names)
        )
    for weight, measure in terms:
        if measure.family == "text":
            raise UsageError(
                "{name} is a text and no number; it cannot be a part of a combination.",
                name=measure.full_name,
            )
        if measure.mean == "geometric":
            raise UsageError(
                "{name} is a geometric mean over queries, which a weighed sum of their values has not; it cannot be a "
                "part of a combination.",
                name=measure.full_name,
            )
        if measure.mean == "run":
            raise UsageError(
                "{name} is of the whole run and has no value for a query; it cannot be a part of a combination.",
                name=measure.full_name,
            )
        if not 0 < weight < HEAVIEST:
            raise _no_weight(plain_number(weight), measure.full_name)
    cutoffs = [measure.at for _, measure in terms if measure.at]
    return Combination(
        "combination",
        partial(combined, terms),
        (),
        title="several measures weighed into one",
        formula="Σ weight · measure",
        source="",
        family="combination",
        range=(_bound(terms, 0), _bound(terms, 1)),
        needs="",
        cutoff="none",
        sees=next((m.sees for _, m in terms if m.sees != "hits"), "hits"),
        linear=True,  # each part settles its own ties
        best_first=all(m.best_first for _, m in terms),
        at=min(cutoffs, default=None),  # what is looked at first; a part has its own
        weighted=terms,
    )


def _bound(weighted: Weighted, end: int) -> float | None:
    """Where the weighed values begin or end; None where a part has no bound."""
    ends = [(weight, measure.range[end]) for weight, measure in weighted]
    known = [weight * bound for weight, bound in ends if bound is not None]
    return sum(known) if len(known) == len(ends) else None


def _no_weight(weight: str, name: str) -> UsageError:
    return UsageError(
        'The weight of {name} is "{weight}"; expected a number above 0 and below 1e9, as in 0.7*nDCG@10 + 0.3*AP. What counts '
        "against a system has no weight: measure it beside the combination.",
        name=name,
        weight=weight,
    )


def combined(weighted: Weighted, r: Rankings, *, cutoff: int | None) -> Sum:  # noqa: ARG001 - each part has its own cutoff
    """The weighed sum of the parts, each as it is measured by itself."""
    columns = {measure.full_name: measure.of(r).value for _, measure in weighted}
    return Sum.each(r, weighed([weight for weight, _ in weighted], list(columns.values())), columns)


def weighed(weights: Sequence[float], columns: Sequence[Floats]) -> Floats:
    """The weighed sum of columns, added in the order in which they are written."""
    value = weights[0] * columns[0]
    for weight, column in zip(weights[1:], columns[1:], strict=True):
        value = value + weight * column
    return value


def terms_of(text: str) -> list[tuple[float, str]]:
    """The weight and the name of each part of a combination; nothing where `text` is none.

    >>> terms_of("0.7*nDCG@10 + AP"), terms_of("nDCG@10")
    ([(0.7, 'nDCG@10'), (1.0, 'AP')], [])
    """
    if not _WEIGHED.search(re.sub(r"\([^()]*\)", "", text)):
        return []
    terms = []
    for part in _PLUS.split(text):
        weight, star, name = (piece.strip() for piece in part.partition("*"))
        weight, name = (weight, name) if star else ("1", weight)
        try:
            number = float(weight)
        except ValueError:
            raise _no_weight(weight, name or part.strip()) from None
        if not name or "*" in name or " - " in name:
            raise UsageError(
                'In "{text}", "{part}" is not weight*measure. Expected something like 0.7*nDCG@10 + 0.3*AP, with '
                "weights above 0.",
                text=text,
                part=part.strip(),
            )
        terms.append((number, name))
    return terms


def parts_of(measures: Iterable[Measure]) -> list[Measure]:
    """Measures, and in the place of each combination its parts."""
    return [part for m in measures for part in (m.parts if isinstance(m, Combination) else (m,))]


def parts_beside(measures: Sequence[Measure]) -> list[Measure]:
    """Measures and combinations, then the parts of the combinations that are not among them; no repeats."""
    return list({m.full_name: m for m in (*measures, *parts_of(measures))}.values())


def with_combinations(found: Measurements, combinations: Sequence[Combination]) -> Measurements:
    """`found`, which has every part, with the values of the combinations beside them.

    A combination has the judged share of its least judged part, and the reason of its first undefined one.
    """
    for one in combinations:
        found = _with(found, one)
    return found


def _with(found: Measurements, one: Combination) -> Measurements:
    names = [measure.full_name for measure in one.parts]
    weights = [weight for weight, _ in one.weighted]
    at = [found.measures.index(name) for name in names]
    values = weighed(weights, [found.values[:, place] for place in at])
    reasons = found.reasons[:, at]
    reason = np.take_along_axis(reasons, (reasons > 0).argmax(axis=1)[:, None], axis=1)
    judged = np.fmin.reduce(found.judged[:, at], axis=1)
    sums = {
        (run, one.full_name): Sum.each(
            found.sums[run, names[0]].rankings,
            np.nan_to_num(values[place]),
            {name: found.of(run, name) for name in names},
        )
        for place, run in enumerate(found.runs)
        if (run, names[0]) in found.sums
    }
    return replace(
        found,
        measures=(*found.measures, one.full_name),
        means_are=(*found.means_are, one.mean),
        values=np.concatenate((found.values, values[:, None]), axis=1),
        reasons=np.concatenate((found.reasons, reason), axis=1),
        judged=np.concatenate((found.judged, judged[:, None]), axis=1),
        sums={**found.sums, **sums},
        combinations={
            **found.combinations,
            one.full_name: tuple(zip(weights, names, strict=True)),
        },
    )
