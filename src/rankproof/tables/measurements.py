"""Measurements: a value, or a reason why there is none, for each query, measure and run; and their means."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UnknownName
from rankproof.tables.attributes import Questions, Rubric
from rankproof.tables.columns import Floats, among_of
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import Displayed
from rankproof.tables.populations import Populations
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum
from rankproof.wording import Words, say

# What is kept of each run and measure, beside its values.
BY_MEASURE = ("sums", "texts", "whole", "orders", "rankings")
# Why a value is null; the first one means that it is not.
REASONS = (
    "",
    "no_relevant",
    "no_judgments",
    "refuse",
    "missing",
    "nothing_shown",
    "one_kind",
    "not_asked",
    "of_the_run",
    "a_text",
    "no_reference",
    "nothing_known",
    "no_preference",
)


@dataclass(frozen=True)
class Mean:
    """One measure of one run over queries. For counts `value` is the total."""

    run: str
    measure: str
    value: float | None
    n: int
    n_total: int
    judged: float | None
    total: bool


@dataclass(frozen=True, eq=False, repr=False)
class Measurements:
    """values and reasons (n_runs, n_measures, n_queries); judged is the judged share within the cutoff.

    A value that is not defined is NaN here and null wherever it is shown, with its reason from REASONS.
    `lists`, `sums` and `rankings` are what the values were made from, where they were kept.
    """

    queries: tuple[str, ...]
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    means_are: tuple[str, ...]  # of each measure: arithmetic, geometric, total, run
    values: Floats
    reasons: NDArray[np.int8]
    judged: Floats
    conventions: Conventions
    populations: Populations
    lists: Mapping[str, Displayed] = field(default_factory=dict)
    sums: Mapping[tuple[str, str], Sum] = field(default_factory=dict)
    questions: Questions = field(default_factory=Questions)
    rubric: Rubric = field(default_factory=Rubric)
    versions: Mapping[str, str] = field(default_factory=dict)
    differing: tuple[str, ...] = ()  # the queries whose docs differ between runs, where they may not
    n_relevant: Floats = field(default_factory=lambda: np.zeros(0))  # (n_queries,) relevant docs judged
    top_grade: int = 0  # of the scale
    orders: Mapping[tuple[str, str], Displayed] = field(default_factory=dict)  # where a measure has its own
    texts: Mapping[tuple[str, str], tuple[str, ...]] = field(
        default_factory=dict
    )  # of measures that are texts
    # by run and measure, the values that are of the whole run and of no query
    whole: Mapping[tuple[str, str], float] = field(default_factory=dict)
    rankings: Mapping[tuple[str, str], Rankings] = field(default_factory=dict)  # by run and measure
    combinations: Mapping[str, tuple[tuple[float, str], ...]] = field(
        default_factory=dict
    )  # weights and parts
    aspects: tuple[str, ...] = ()  # of the judgments; "click:nDCG@10" is measured in one of them

    def __repr__(self) -> str:
        return f"Measurements({len(self.queries)} queries, runs={list(self.runs)}, measures={list(self.measures)})"

    def __post_init__(self) -> None:
        for column in (self.values, self.reasons, self.judged, self.n_relevant):
            column.setflags(write=False)

    @property
    def totals(self) -> tuple[bool, ...]:
        """Which measures are counts, which are added up over queries."""
        return tuple(kind == "total" for kind in self.means_are)

    def of(self, run: str, measure: str) -> Floats:
        """(n_queries,) the values of one run and measure; NaN where not defined."""
        column: Floats = self.values[self._run(run), self._measure(measure)]
        return column

    def reason(self, run: str, measure: str, query: str) -> str:
        """Why a value is null; empty where it is not."""
        place = (self._run(run), self._measure(measure), self.queries.index(query))
        return REASONS[self.reasons[place]]

    def text(self, run: str, measure: str, query: str) -> str | None:
        """What a measure says of a query that is a text; None where it says nothing, or is a number."""
        told = self.texts.get((run, measure))
        said = told is not None and self.reason(run, measure, query) == "a_text"
        return told[self.queries.index(query)] if told is not None and said else None

    def _run(self, name: str) -> int:
        return _place(self.runs, name, say("run"))

    def _measure(self, name: str) -> int:
        return _place(self.measures, name, say("measure"))

    def mean(self, run: str, measure: str, among: Sequence[str] | None = None) -> Mean:
        """The mean over the queries where the value is defined (the total, for counts).

        For a measure of the whole run it is that value, and n the queries whose lists went in; it has none
        `among` some of them.
        """
        r, m = self._run(run), self._measure(measure)
        if self.means_are[m] == "run":
            return self._of_the_run(r, m, among)
        here = slice(None) if among is None else among_of(self.queries, among)
        values, judged = self.values[r, m][here], self.judged[r, m][here]
        defined = ~np.isnan(values)
        n = int(defined.sum())
        kind = self.means_are[m]
        known = judged[defined & ~np.isnan(judged)]
        value = _MEANS[kind](values[defined])
        return Mean(run, measure, value, n, len(values), _mean(known), kind == "total")

    def _of_the_run(self, r: int, m: int, among: Sequence[str] | None) -> Mean:
        run, measure, judged = self.runs[r], self.measures[m], self.judged[r, m]
        every = among is None or set(among) >= set(self.queries)
        known = judged[~np.isnan(judged)]
        value = self.whole.get((run, measure)) if every and len(known) else None
        n_total = len(self.queries) if among is None else int(among_of(self.queries, among).sum())
        n = 0 if value is None else len(known)
        return Mean(run, measure, value, n, n_total, _mean(known), total=False)

    def means(self) -> Iterator[Mean]:
        """The mean of every run and measure, run by run."""
        return (self.mean(run, measure) for run in self.runs for measure in self.measures)

    def rows(self, *, per_query: bool = True) -> Iterator[dict[str, object]]:
        """The values as the machine output gives them: a row a query, then the means (query_id null).

        Where there are aspects each row has one (null on a combination), and the name of the measure without it.
        """
        for r, run in enumerate(self.runs):
            for m, measure in enumerate(self.measures):
                aspect, name = self.parted(measure)
                more: dict[str, object] = {"aspect": aspect or None} if self.aspects else {}
                told = self.texts.get((run, measure))
                for q, query in enumerate(self.queries if per_query else ()):
                    reason = REASONS[self.reasons[r, m, q]]
                    row = _row(run, query, name, self.values[r, m, q], reason, self.judged[r, m, q])
                    text = {"text": told[q] if reason == "a_text" else None} if told else {}
                    yield {**row, **more, **text}
                mean = self.mean(run, measure)
                nothing = "a_text" if told else "nothing_evaluable"
                row = _row(run, None, name, mean.value, "" if mean.n else nothing, mean.judged)
                yield {**row, **more, "n": mean.n, "n_total": mean.n_total}

    def parted(self, measure: str) -> tuple[str, str]:
        """A measure's aspect, empty where it has none, and its name without it."""
        aspect = next((one for one in self.aspects if measure.startswith(f"{one}:")), "")
        return aspect, measure.removeprefix(f"{aspect}:") if aspect else measure

    def list_of(self, run: str, measure: str) -> Displayed:
        """The lists from which the values of one run and measure were made."""
        return self.orders.get((run, measure), self.lists[run])

    def beside(self, others: Sequence["Measurements"]) -> "Measurements":
        """These measures and those of `others`, which measured the same runs by other conventions."""
        parts = (self, *others)
        return replace(
            self,
            measures=tuple(m for part in parts for m in part.measures),
            means_are=tuple(kind for part in parts for kind in part.means_are),
            values=np.concatenate([part.values for part in parts], axis=1),
            reasons=np.concatenate([part.reasons for part in parts], axis=1),
            judged=np.concatenate([part.judged for part in parts], axis=1),
            **kept_of(parts) | {"orders": self._own_orders(parts)},
            combinations={name: of for part in parts for name, of in part.combinations.items()},
        )

    @staticmethod
    def _own_orders(parts: Sequence["Measurements"]) -> dict[tuple[str, str], Displayed]:
        """The lists of each measure of the parts that are not those of the first one."""
        lists = {
            (run, m): one for part in parts[1:] for run, one in part.lists.items() for m in part.measures
        }
        return lists | {key: one for part in parts for key, one in part.orders.items()}

    def called(self, names: Sequence[str]) -> "Measurements":
        """The same measurements with the measures under other names, in the same order."""
        new = dict(zip(self.measures, names, strict=True))
        weighed = {
            new[name]: tuple((weight, new.get(part, part)) for weight, part in parts)
            for name, parts in self.combinations.items()
        }
        return replace(self, measures=tuple(names), combinations=weighed, **self._kept(new))

    def only(self, measures: Sequence[str]) -> "Measurements":
        """The same measurements with some of the measures, in this order; a combination needs all of its parts."""
        at = [self._measure(name) for name in measures]
        return replace(
            self,
            measures=tuple(measures),
            means_are=tuple(self.means_are[place] for place in at),
            values=self.values[:, at],
            reasons=self.reasons[:, at],
            judged=self.judged[:, at],
            combinations={
                name: parts
                for name, parts in self.combinations.items()
                if {name, *(part for _, part in parts)} <= {*measures}
            },
            **self._kept({name: name for name in measures}),
        )

    def _kept(self, new: Mapping[str, str]) -> dict[str, Any]:
        """What was kept of each run and measure, under new names; that of measures without one is left out."""
        return {
            name: {(run, new[m]): one for (run, m), one in getattr(self, name).items() if m in new}
            for name in BY_MEASURE
        }

    def marked(self, anomalous: Sequence[str] | frozenset[str]) -> "Measurements":
        """The same measurements, with the queries marked that bear an error-level finding."""
        return replace(self, populations=self.populations.marked(anomalous))


def kept_of(parts: Sequence[Measurements]) -> dict[str, Any]:
    """What was kept of each run and measure in any of several results."""
    return {name: {k: v for part in parts for k, v in getattr(part, name).items()} for name in BY_MEASURE}


def _mean(values: Floats) -> float | None:
    """The mean, the same in any order and never outside of its values; None of nothing."""
    if not len(values):
        return None
    return float(np.clip(math.fsum(values) / len(values), values.min(), values.max()))


def _geometric(values: Floats) -> float | None:
    """The geometric mean of values above 0; None of nothing."""
    if not len(values):
        return None
    return float(np.clip(math.exp(math.fsum(np.log(values)) / len(values)), values.min(), values.max()))


def _total(values: Floats) -> float | None:
    return math.fsum(values) if len(values) else None


_MEANS = {"arithmetic": _mean, "geometric": _geometric, "total": _total}


def _place(names: Sequence[str], name: str, kind: Words) -> int:
    if name not in names:
        raise UnknownName.of(kind, name, names)
    return names.index(name)


def _row(
    run: str, query: str | None, measure: str, value: float | None, reason: str, judged: float | None
) -> dict[str, object]:
    return {
        "run": run,
        "query_id": query,
        "measure": measure,
        "value": number(value),
        "reason": reason or None,
        "lower": None,
        "upper": None,
        "judged": number(judged),
    }


def number(value: float | None) -> float | None:
    """A plain float; None for a value that is not defined."""
    return None if value is None or np.isnan(value) else float(value)
