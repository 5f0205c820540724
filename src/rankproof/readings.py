"""One query under every dialect: its value there, and the choices that make it another, found by putting them back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankproof.errors import RankproofError, UnknownName, UsageError
from rankproof.evaluation import evaluate
from rankproof.measures.combining import Combination, weighed
from rankproof.measures.dialect import Dialect
from rankproof.measures.dialects import DIALECTS, NO_TOOL, conventions_for
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measure
from rankproof.measures.settings import Setting
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


def explain_dialects(
    judgments: Judgments | Preferences,
    run: Run,
    query: str,
    measure: str | Measure = "nDCG@10",
    *,
    base: str = "rankproof",
    choices: Mapping[str, object] | None = None,
    rubric: Rubric | None = None,
    dialects: Iterable[str] | None = None,
    **beside: Any,
) -> Readings:
    """One value under every dialect: what the measure means there, and which choices make it differ from `base`.

    Each choice in which a dialect differs is put back to that of `base` alone, and the value computed
    again; those that change it are named. `choices` are conventions that are made alike in every dialect.
    Only this query counts: where a dialect stops at a missing query, it stops at this one. What a dialect
    refuses is told in its row and not raised. What some measures look at beside the list (`documents`,
    `history`, `expected`, `preferences`) is given as to `evaluate`.

    Raises UnknownName for a query that neither judgments nor run have, and for unknown dialects; UsageError for
    preferences in place of judgments.

    >>> from rankproof import Judgments, Run, explain_dialects
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1}})
    >>> found = explain_dialects(judgments, Run.from_dict("first", {"q": ["C", "A"]}), "q", "nDCG@3")
    >>> xgboost = found.of("xgboost")  # exponential gain, over an ideal list of what was shown
    >>> round(xgboost.value, 6), [choice.name for choice in xgboost.choices]
    (0.70981, ['pool', 'gain'])
    """
    if isinstance(judgments, Preferences):
        raise UsageError(
            "Dialects differ in what they make of grades, and only preferences were given. Give judgments with "
            "grades, or explain the value under one dialect."
        )
    known = dict.fromkeys((*judgments.query.names.tolist(), *run.query.names.tolist(), *run.states))
    if query not in known:
        raise UnknownName.of(say("query"), query, known)
    asked = parse_measure(measure) if isinstance(measure, str) else measure
    choices = dict(choices or {})
    rows = [DIALECTS.find(base), *(DIALECTS.find(name) for name in dialects or DIALECTS.names())]
    top_grade = max(judgments.top_grade, (rubric or Rubric()).top_grade)
    if "rel" in choices:  # who says that docs are relevant from 3 on has a scale that goes to 3
        top_grade = max(top_grade, Conventions().but(rel=choices["rel"]).rel)
    one = _One(*_alone(judgments, run, query, top_grade), query, beside)
    ways = [_Way.of(row, asked, choices) for row in {row.name: row for row in rows}.values()]
    readings = tuple(_reading(one, way, ways[0]) for way in ways)
    return Readings(run.name, query, ways[0].measure.full_name, base, readings)


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


@dataclass(frozen=True, eq=False)
class _Choice:
    """One thing that two ways do not do alike: a convention, or a setting of a measure."""

    name: str
    theirs: object
    ours: object


@dataclass(frozen=True)
class _Part:
    """A weight, a measure with all that it leaves open, and the conventions with their exceptions for it."""

    weight: float
    measure: Measure
    conventions: Conventions

    @cached_property
    def made(self) -> dict[str, object]:
        """Every choice by its name. A convention that a setting of the measure takes up is that setting."""
        of_settings = {setting.convention for setting in self.measure.settings}
        found = {
            row.name: getattr(self.conventions, row.name)
            for row in CONVENTIONS
            if row.name not in of_settings
        }
        return found | {_named(s): self.measure.values[s.name] for s in self.measure.settings}

    def put_back(self, choice: _Choice) -> "_Part":
        """This part with a choice made as we make it, where it was made as they do."""
        if self.made.get(choice.name) != choice.theirs:
            return self
        taken = {s.name: choice.ours for s in self.measure.every_setting if _named(s) == choice.name}
        measure = replace(self.measure, values={**self.measure.values, **taken})
        if choice.name in {_named(s) for s in self.measure.settings}:
            return replace(self, measure=measure)
        return replace(self, measure=measure, conventions=self.conventions.but(**{choice.name: choice.ours}))


def _named(setting: Setting) -> str:
    """What a choice is called that a setting makes."""
    return setting.name if setting.in_name else setting.convention


@dataclass(frozen=True)
class _Way:
    """How a dialect computes: what the measure is there, and its parts, of which a plain measure has one."""

    row: Dialect
    measure: Measure
    parts: tuple[_Part, ...]

    @classmethod
    def of(cls, row: Dialect, asked: Measure, choices: Mapping[str, object]) -> "_Way":
        own = row.conventions.but(**choices)
        measure = asked.under(own)
        terms = measure.weighted if isinstance(measure, Combination) else ((1.0, measure),)
        return cls(
            row,
            measure,
            tuple(
                _Part(weight, m, conventions_for(own, m.name, m.at, m.full_name).but(dialect=NO_TOOL))
                for weight, m in terms
            ),
        )

    @property
    def is_there(self) -> bool:
        """True where the tool has the measure: of a combination, every part."""
        return all(self.row.has(part.measure.name, part.measure.at) for part in self.parts)

    def put_back(self, choices: Iterable[_Choice]) -> "_Way":
        """This way with some choices made as we make them."""
        parts = self.parts
        for choice in choices:
            parts = tuple(part.put_back(choice) for part in parts)
        return replace(self, parts=parts)


@dataclass(frozen=True)
class _One:
    """One query, and a second one that everybody answers, so that there is something to evaluate."""

    judgments: Judgments
    run: Run
    query: str
    beside: Mapping[str, Any]

    def value(self, way: _Way) -> _Value:
        """The weighed sum of the parts, or the first reason for which there is none."""
        found = [self._value(part) for part in way.parts]
        values = [one.value for one in found if one.value is not None]
        if len(values) < len(found):
            return next(one for one in found if one.value is None)
        if len(values) == 1:
            return found[0]
        return _Value(float(weighed([part.weight for part in way.parts], [np.array(v) for v in values])))

    def _value(self, part: _Part) -> _Value:
        try:
            found = evaluate(
                self.judgments,
                self.run,
                part.measure,
                conventions=part.conventions,
                keep=False,
                **self.beside,
            )
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
        also=[query] if asked else [],
        subtopic=None if judgments.subtopic is None else [*judgments.subtopic.texts_at(rows), ""],
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
    if not way.is_there:
        return Reading(row.name, row.status, row.version, "")
    found = one.value(way)
    reading = Reading(
        row.name, row.status, row.version, way.measure.full_name, found.value, found.reason, found.error
    )
    if found.is_(one.value(base)):
        return reading
    differing = _differing(way, base)
    changed = [(choice, one.value(way.put_back([choice]))) for choice in differing]
    choices = tuple(
        Difference(choice.name, choice.theirs, choice.ours, value.value)
        for choice, value in changed
        if not value.is_(found)
    )
    return replace(
        reading, choices=choices, together=() if choices else _together(one, way, found, differing)
    )


def _differing(way: _Way, base: _Way) -> list[_Choice]:
    """Everything in which two ways differ, in some part or in all of them."""
    found = {
        (name, str(theirs)): _Choice(name, theirs, ours.made[name])
        for part, ours in zip(way.parts, base.parts, strict=True)
        for name, theirs in part.made.items()
        if theirs != ours.made[name]
    }
    return list(found.values())


def _together(one: _One, way: _Way, found: _Value, differing: list[_Choice]) -> tuple[str, ...]:
    """Choices that change the value only if all of them are put back: none of these can be left out."""
    needed = list(differing)
    for choice in differing:
        fewer = [other for other in needed if other is not choice]
        if not one.value(way.put_back(fewer)).is_(found):
            needed = fewer
    return tuple(choice.name for choice in needed)
