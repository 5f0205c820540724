"""One query under every dialect: its value there, and the choices that make it another, found by putting them back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from rankproof.errors import RankproofError, UnknownName, UsageError
from rankproof.evaluation import evaluate
from rankproof.measures.combining import Combination
from rankproof.measures.dialect import Dialect
from rankproof.measures.dialects import DIALECTS, conventions_for
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measure
from rankproof.tables.attributes import Rubric
from rankproof.tables.columns import Ids
from rankproof.tables.conventions import CONVENTIONS, Conventions
from rankproof.tables.judgments import Judgments
from rankproof.tables.measurements import number
from rankproof.tables.preferences import Preferences
from rankproof.tables.readings import Difference, Reading, Readings
from rankproof.tables.run import Run
from rankproof.wording import Words, say

SAME = 1e-12  # values that are no further apart are one
NO_TOOL = "no tool"  # the dialect of conventions that are taken as they stand


def explain_dialects(
    judgments: Judgments,
    run: Run,
    query: str,
    measure: str | Measure = "nDCG@10",
    *,
    base: str = "rankproof",
    choices: Mapping[str, object] | None = None,
    rubric: Rubric | None = None,
    dialects: Iterable[str] | None = None,
) -> Readings:
    """One value under every dialect: what the measure means there, and which choices make it differ from `base`.

    Each choice in which a dialect differs is put back to that of `base` alone, and the value computed
    again; those that change it are named. `choices` are conventions that are made alike in every dialect.
    Only this query counts: where a dialect stops at a missing query, it stops at this one. What a dialect
    refuses is told in its row and not raised.

    Raises UnknownName for a query that neither judgments nor run have, and for unknown dialects.

    >>> from rankproof import Judgments, Run, explain_dialects
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1}})
    >>> found = explain_dialects(judgments, Run.from_dict("first", {"q": ["C", "A"]}), "q", "nDCG@3")
    >>> xgboost = found.of("xgboost")  # exponential gain, over an ideal list of what was shown
    >>> round(xgboost.value, 6), [choice.name for choice in xgboost.choices]
    (0.70981, ['pool', 'gain'])
    """
    asked = parse_measure(measure) if isinstance(measure, str) else measure
    _stop_at_more_than_grades(asked, judgments)
    known = dict.fromkeys((*judgments.query.names.tolist(), *run.query.names.tolist(), *run.states))
    if query not in known:
        raise UnknownName.of(say("query"), query, known)
    rows = [DIALECTS.find(base), *(DIALECTS.find(name) for name in dialects or DIALECTS.names())]
    top_grade = max(judgments.top_grade, (rubric or Rubric()).top_grade)
    one = _One(*_alone(judgments, run, query, top_grade), query)
    ways = [_Way.of(row, asked, choices or {}) for row in {row.name: row for row in rows}.values()]
    readings = tuple(_reading(one, way, ways[0]) for way in ways)
    return Readings(run.name, query, ways[0].measure.full_name, base, readings)


def _stop_at_more_than_grades(asked: Measure, judgments: Judgments | Preferences) -> None:
    """UsageError for a measure that reads what no dialect says anything of."""
    parts = asked.parts if isinstance(asked, Combination) else (asked,)
    if isinstance(judgments, Preferences) or any(part.sees in ("known", "preferences") for part in parts):
        raise UsageError(
            "{measure} reads more than grades: preferences, or what is known of docs and users. The conventions of "
            "other tools say nothing of that; explain it without --dialects.",
            measure=asked.full_name,
        )


@dataclass(frozen=True)
class _Value:
    """What came out: a value, or the reason or the error for which there is none."""

    value: float | None
    reason: str = ""
    error: Words | None = None

    def is_(self, other: "_Value") -> bool:
        if self.value is None or other.value is None:
            return (self.value, self.reason, self.error) == (other.value, other.reason, other.error)
        return abs(self.value - other.value) <= SAME


@dataclass(frozen=True)
class _Way:
    """How a dialect computes: the measure with all that it leaves open, and the conventions with their exceptions."""

    row: Dialect
    measure: Measure
    conventions: Conventions

    @classmethod
    def of(cls, row: Dialect, asked: Measure, choices: Mapping[str, object]) -> "_Way":
        own = row.conventions.but(**choices)
        measure = asked.under(own)
        return cls(
            row, measure, conventions_for(own, asked.name, asked.at, measure.full_name).but(dialect=NO_TOOL)
        )


@dataclass(frozen=True)
class _One:
    """One query, and a second one that everybody answers, so that there is something to evaluate."""

    judgments: Judgments
    run: Run
    query: str

    def value(self, measure: Measure, conventions: Conventions) -> _Value:
        try:
            found = evaluate(self.judgments, self.run, measure, conventions=conventions, keep=False)
        except RankproofError as error:
            return _Value(None, error=Words(error.template, error.facts))
        if self.query not in found.queries:
            return _Value(None, "not_asked")
        name = found.measures[0]
        place = found.queries.index(self.query)
        return _Value(
            number(found.of(self.run.name, name)[place]), found.reason(self.run.name, name, self.query)
        )


def _alone(judgments: Judgments, run: Run, query: str, top_grade: int) -> tuple[Judgments, Run]:
    """The query by itself, beside a made-up one whose only doc has the top grade of the scale and is shown."""
    other, doc = f"{query}'", "doc"
    rows = np.flatnonzero(judgments.query.texts() == query)
    asked = query in judgments.query.code
    truth = Judgments.of(
        [*[query] * len(rows), other],
        [*judgments.doc.texts_at(rows), doc],
        [*np.maximum(judgments.grade[rows], 0).tolist(), max(top_grade, 1)],
        pooled=[*judgments.pooled[rows].tolist(), False],
        details={name: [*column[rows].tolist(), None] for name, column in judgments.details.items()},
        subtopic=None if judgments.subtopic is None else [*judgments.subtopic.texts_at(rows), doc],
        also=[query] if asked else [],
    )
    lines = np.flatnonzero(run.query.texts() == query)
    return truth, Run(
        run.name,
        Ids.of([*[query] * len(lines), other]),
        Ids.of([*run.doc.texts_at(lines), doc]),
        None if run.rank is None else np.append(run.rank[lines], 1),
        None if run.score is None else np.append(run.score[lines], 0.0),
        {query: run.states[query]} if query in run.states else {},
    )


def _reading(one: _One, way: _Way, base: _Way) -> Reading:
    row = way.row
    if not row.has(way.measure.name, way.measure.at):
        return Reading(row.name, row.status, row.version, "")
    found = one.value(way.measure, way.conventions)
    reading = Reading(
        row.name, row.status, row.version, way.measure.full_name, found.value, found.reason, found.error
    )
    if found.is_(one.value(base.measure, base.conventions)):
        return reading
    differing = _differing(way, base)
    changed = {choice: one.value(*_put_back(way, [choice])) for choice in differing}
    choices = tuple(
        Difference(choice.name, choice.theirs, choice.ours, value.value)
        for choice, value in changed.items()
        if not value.is_(found)
    )
    return replace(
        reading, choices=choices, together=() if choices else _together(one, way, found, differing)
    )


@dataclass(frozen=True, eq=False)
class _Choice:
    """One thing that two ways do not do alike: a convention, or a setting of the measure."""

    name: str
    theirs: object
    ours: object
    setting: str = ""  # its name, where it is one


def _differing(way: _Way, base: _Way) -> list[_Choice]:
    """Everything in which two ways differ. A convention that a setting of the measure takes up is that setting."""
    theirs, ours = way.measure, base.measure
    of_settings = {setting.convention for setting in theirs.settings}
    found = [
        _Choice(row.name, getattr(way.conventions, row.name), getattr(base.conventions, row.name))
        for row in CONVENTIONS
        if row.name not in of_settings
    ]
    found += [
        _Choice(s.name if s.in_name else s.convention, theirs.values[s.name], ours.values[s.name], s.name)
        for s in theirs.settings
    ]
    return [choice for choice in found if choice.theirs != choice.ours]


def _put_back(way: _Way, choices: Iterable[_Choice]) -> tuple[Measure, Conventions]:
    """The way of a dialect with some choices made as we make them."""
    measure, conventions = way.measure, way.conventions
    for choice in choices:
        if choice.setting:
            measure = replace(measure, values={**measure.values, choice.setting: choice.ours})
        else:
            conventions = conventions.but(**{choice.name: choice.ours})
    return measure, conventions


def _together(one: _One, way: _Way, found: _Value, differing: list[_Choice]) -> tuple[str, ...]:
    """Choices that change the value only if all of them are put back: none of these can be left out."""
    needed = list(differing)
    for choice in differing:
        fewer = [other for other in needed if other is not choice]
        if not one.value(*_put_back(way, fewer)).is_(found):
            needed = fewer
    return tuple(choice.name for choice in needed)
