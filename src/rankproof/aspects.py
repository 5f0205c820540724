"""Several aspects at once: judgments of click, dwell and conversion are audited and measured into one table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from rankproof.checks.auditing import audit
from rankproof.checks.check import Inputs
from rankproof.checks.ties import TIE_RANGE, find_tie_ranges
from rankproof.errors import NothingToEvaluate, UnknownName, UsageError
from rankproof.evaluation import DEFAULT_MEASURES, asked_for, evaluate
from rankproof.measures.combining import Combination, parts_beside, parts_of, with_combinations
from rankproof.measures.measure import Measure
from rankproof.tables.attributes import Question, Questions, Rubric
from rankproof.tables.columns import Ids, first_of_each
from rankproof.tables.conventions import Conventions
from rankproof.tables.findings import Finding, Findings
from rankproof.tables.judgments import DETAILS, Judgments
from rankproof.tables.measurements import Measurements
from rankproof.tables.run import Run
from rankproof.wording import Words, say

Aspects = Mapping[str, Judgments]


def evaluate_aspects(
    aspects: Aspects,
    runs: Run | Sequence[Run],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    conventions: Conventions | None = None,
    questions: Questions | None = None,
    rubric: Rubric | None = None,
    fixed_candidates: bool = False,
    keep: bool = True,
    progress: Callable[[str], None] = lambda _: None,
    **beside: Any,
) -> Measurements:
    """A value, or a reason why there is none, for each query, measure, aspect and run, in one table.

    A measure is taken in every aspect, "click:nDCG@10" in that one alone; a combination may weigh several
    aspects, "0.5*click:nDCG@10 + 0.5*buy:nDCG@10". All names in the result say their aspect. A query that an
    aspect does not judge is null in it. The populations are those of all aspects together: a query is
    evaluable where some aspect has a relevant doc, and each mean says its own n. The other arguments are those of
    `evaluate`.

    >>> from rankproof import Judgments, Run, evaluate_aspects
    >>> click = Judgments.from_dict({"q": {"A": 1, "B": 0}})
    >>> buy = Judgments.from_dict({"q": {"A": 0, "B": 1}})
    >>> run = Run.from_dict("first", {"q": ["A", "B"]})
    >>> found = evaluate_aspects({"click": click, "buy": buy}, run, ["RR", "0.5*click:RR + 0.5*buy:RR"])
    >>> [(mean.measure, mean.value) for mean in found.means()]
    [('click:RR', 1.0), ('buy:RR', 0.5), ('0.5*click:RR + 0.5*buy:RR', 0.75)]
    """
    conventions = conventions or Conventions()
    chosen = _chosen(measures, aspects, conventions)
    every = parts_beside(chosen)
    whole = together(aspects)
    asked = questions or Questions(tuple(map(Question, whole.query.in_order_of_appearance())))
    given: dict[str, Any] = {
        "conventions": conventions,
        "questions": asked,
        "rubric": rubric,
        "fixed_candidates": fixed_candidates,
        "keep": keep,
        **beside,
    }
    base = evaluate(
        whole, runs, [replace(m, aspect="") for m in _plain(every)[:1]], **given, progress=progress
    )
    parts = [
        _measured(name, judgments, runs, [m for m in _plain(every) if m.aspect == name], given)
        for name, judgments in aspects.items()
        if any(m.aspect == name for m in _plain(every))
    ]
    found = with_combinations(
        base.called([f"\0{name}" for name in base.measures]).beside(parts),
        [m for m in every if isinstance(m, Combination)],
    )
    return replace(
        found.only([m.full_name for m in every]),
        aspects=tuple(aspects),
        questions=questions or Questions(),
        versions=_versions([base, *parts], aspects),
    )


def audit_aspects(
    aspects: Aspects,
    runs: Run | Sequence[Run] = (),
    *,
    measures: Sequence[Measure] = (),
    noticed: Iterable[Finding] = (),
    **given: Any,
) -> Findings:
    """What is wrong or doubtful in the judgments of every aspect, and in the runs beside all of them.

    What is found in one aspect has its name behind the file, labels.csv#click. The other arguments are those
    of `audit`; a run is held against the docs that some aspect judged, and what its ties leave open is told of
    each measure in its aspect.
    """
    about = {name: given[name] for name in ("rubric", "conventions") if name in given}
    alone = [
        finding
        for name, judgments in aspects.items()
        for finding in audit(replace(judgments, source=f"{judgments.source}#{name}"), **about)
    ]
    told = {finding.code for finding in alone}
    joined = together(aspects)
    whole = audit(joined, runs, **given)
    known = {name: given[name] for name in ("rubric", "conventions", "questions") if given.get(name)}
    asked = Questions(tuple(map(Question, joined.query.in_order_of_appearance())))
    inputs = Inputs(joined, [runs] if isinstance(runs, Run) else runs, **{"questions": asked, **known})
    ties = _ties_apart(aspects, inputs, measures)
    return Findings((*noticed, *alone, *(one for one in whole if one.run or one.code not in told), *ties))


def _ties_apart(aspects: Aspects, inputs: Inputs, measures: Sequence[Measure]) -> Iterator[Finding]:
    """What ties leave open in each aspect; of a combination of several aspects it is not told."""
    every = [each for measure in measures for each in _in_aspects(measure, aspects)]
    for name, judgments in aspects.items():
        own = [m for m in every if all(part.aspect == name for part in parts_of([m]))]
        yield from find_tie_ranges(TIE_RANGE, replace(inputs, judgments=judgments, measures=own))


def together(aspects: Aspects) -> Judgments:
    """One judgment a query and doc: the best grade that some aspect gave it.

    >>> click, buy = Judgments.from_dict({"q": {"A": 2, "B": 0}}), Judgments.from_dict({"q": {"A": 0, "B": 1}})
    >>> together({"click": click, "buy": buy}).grade.tolist()
    [2, 1]
    """
    if not aspects:
        raise UsageError("No aspect was given. Give the judgments of at least one.")
    each = list(aspects.values())
    counted = [np.flatnonzero(one.first) for one in each]
    query = Ids.of(
        [text for one, rows in zip(each, counted, strict=True) for text in one.query.texts_at(rows)],
        (name for one in each for name in one.query.names.tolist()),
    )
    doc = Ids.of([text for one, rows in zip(each, counted, strict=True) for text in one.doc.texts_at(rows)])
    grade, pooled, line = (
        np.concatenate([getattr(one, column)[rows] for one, rows in zip(each, counted, strict=True)])
        for column in ("grade", "pooled", "line")
    )
    pair = query.codes * max(len(doc.names), 1) + doc.codes
    best_first = np.argsort(-grade, kind="stable")
    best = best_first[first_of_each(pair[best_first])]
    best = best[np.lexsort((best, line[best]))]  # as they stand in the file
    details = {
        name: np.concatenate([one.texts(name)[rows] for one, rows in zip(each, counted, strict=True)])[best]
        for name in DETAILS
        if any(name in one.details for one in each)
    }
    return Judgments(
        Ids(query.codes[best], query.names),
        Ids(doc.codes[best], doc.names),
        grade[best],
        pooled[best],
        details,
        line[best],
        each[0].source,
    )


def _plain(measures: Sequence[Measure]) -> list[Measure]:
    return [m for m in measures if not isinstance(m, Combination)]


def _chosen(
    measures: str | Measure | Iterable[str | Measure], aspects: Aspects, conventions: Conventions
) -> list[Measure]:
    """Each measure in each aspect in which it is asked for, with what its name leaves open filled in."""
    parsed = asked_for(measures, conventions)
    chosen = [each.under(conventions) for measure in parsed for each in _in_aspects(measure, aspects)]
    return list({measure.full_name: measure for measure in chosen}.values())


def _in_aspects(measure: Measure, aspects: Aspects) -> list[Measure]:
    """A measure in the aspect that it names, or in every one."""
    parts = measure.parts if isinstance(measure, Combination) else (measure,)
    named = [part.aspect for part in parts if part.aspect]
    for name in named:
        if name not in aspects:
            raise UnknownName.of(say("aspect"), name, aspects)
    if len(named) == len(parts):
        return [measure]
    if named:
        raise UsageError(
            "In {measure} some parts name their aspect and some do not. Name it for each, or for none to weigh the "
            "parts in every aspect.",
            measure=measure.full_name,
        )
    if isinstance(measure, Combination):
        return [measure.in_aspect(name) for name in aspects]
    return [replace(measure, aspect=name) for name in aspects]


def _measured(
    name: str,
    judgments: Judgments,
    runs: Run | Sequence[Run],
    measures: Sequence[Measure],
    given: Mapping[str, Any],
) -> Measurements:
    """The measures of one aspect, under names that say it."""
    try:
        found = evaluate(judgments, runs, [replace(m, aspect="") for m in measures], **given)
    except NothingToEvaluate as error:
        raise NothingToEvaluate(
            "Aspect {aspect}: {reason}", aspect=name, reason=Words(error.template, error.facts)
        ) from error
    return found.called([f"{name}:{measure}" for measure in found.measures])


def _versions(parts: Sequence[Measurements], aspects: Aspects) -> dict[str, str]:
    """What two results must share to be compared: every aspect's judgments, and what was seen beside them."""
    digest = sha256()
    for name, judgments in sorted(aspects.items()):
        digest.update(f"{name}\0{judgments.fingerprint}\1".encode())
    beside = {part.versions["judgments"].partition("+")[2] for part in parts[1:]} - {""}
    return {**parts[0].versions, "judgments": "+".join([digest.hexdigest(), *sorted(beside)])}
