"""MEASURES, and how a name such as "nDCG@10" becomes a measure; other tools' spellings are read too."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rankproof.catalog import Catalog
from rankproof.errors import UnknownName, UsageError
from rankproof.measures import binary, graded
from rankproof.measures.combining import combination, terms_of
from rankproof.measures.dialects import settings_of
from rankproof.measures.groups import RUN_ID, group_of
from rankproof.measures.measure import Measure, by_family
from rankproof.measures.mistakes import explained, unknown
from rankproof.tables.conventions import Conventions


def _rows() -> tuple[Measure, ...]:
    """Every row, in the order in which the measures of a family are listed."""
    from rankproof.measures import (
        average_precisions,
        beyond,
        compatibility,
        diversity,
        exposure,
        fairness,
        foraging,
        gain_experiments,
        incomplete,
        intent_aware,
        interpolated,
        moved_readers,
        pairwise,
        preferences,
        sets,
        steady_readers,
        surprise,
        texts,
        user_models,
    )

    ranked = (
        graded,
        binary,
        user_models,
        incomplete,
        diversity,
        intent_aware,
        average_precisions,
        interpolated,
    )
    others = (sets, gain_experiments, texts, beyond, surprise, exposure, fairness)
    last = (steady_readers, moved_readers, foraging, compatibility, pairwise, preferences)
    return by_family([row for module in (*ranked, *others, *last) for row in module.MEASURES])


# The measures that most ask for are found without loading all others.
MEASURES: Catalog[Measure] = Catalog(
    "measure",
    _rows,
    names=lambda row: (row.name, *row.also),
    member_type=Measure,
    group="rankproof.measures",
    first=(*graded.MEASURES, *binary.MEASURES),
)

# An aspect, a colon, and the name of a measure.
_OF_ASPECT = re.compile(r"\s*([^\s:()*+@,=][^:()*+@,=]*?)\s*:(.*)")
# Name, settings in parentheses, cutoffs after "@".
_CANONICAL = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\(([^()]*)\))?\s*(?:@\s*([-+\w.,]*))?\s*")
LONGEST = 2000  # letters of a name; readers of names go over them again and again
_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")


def parse_measure(text: str) -> Measure:
    """The measure that `text` names: rankproof's own grammar, or the spelling of another tool.

    A name may stand behind the aspect that it measures, and several behind their weights make one measure.
    What rankproof's own grammar can read is read by it. Where one word means different things in different
    tools, it is the measure at its defaults, and the dialect gives the meaning. An unknown name raises
    UnknownName with the nearest ones; a cutoff that is no rank, and a name that says a convention, too, raise
    UsageError.

    >>> parse_measure("ndcg_cut_10").full_name
    'nDCG@10'
    >>> parse_measure("p( rel = 2 )@5").full_name
    'P(rel=2)@5'
    >>> parse_measure("NDCG:top=10;type=Exp").full_name, parse_measure("map@100-l2").full_name
    ('nDCG(gain=exp2)@10', 'AP(rel=2)@100')
    >>> parse_measure(".7 * click:ndcg@10 + 0.30*map").full_name
    '0.7*click:nDCG@10 + 0.3*AP'
    """
    found = parse_measures(text)
    if len(found) != 1:
        raise UsageError('"{text}" names {n} measures; expected one.', text=text, n=len(found))
    return found[0]


def measure_called(name: str, conventions: Conventions) -> Measure:
    """The measure that a canonical name in a result means: what it does not say is rankproof's own default.

    >>> measure_called("P@5", Conventions(rel=2)).values["rel"]  # else it would be called P(rel=2)@5
    1
    """
    found = parse_measure(name)
    unsaid = {s.name: s.default for s in found.settings if s.in_name}
    return replace(found, values={**unsaid, **found.values}).under(conventions)


def parse_measures(text: str | Iterable[str], dialect: str = "") -> tuple[Measure, ...]:
    """All measures that `text`, or each of several texts, names; "nDCG@5,10" names two. No repeats.

    A group ("official", "all_trec") is what it is in the `dialect`.

    >>> [measure.full_name for measure in parse_measures("set")][-3:]
    ['R', 'SetAP', 'SetF']
    """
    if not isinstance(text, str):
        return _without_repeats([measure for one in text for measure in parse_measures(one, dialect)])
    group = group_of(text.strip(), dialect)
    if group:
        return parse_measures([name for name in group if name != RUN_ID], dialect)
    return _without_repeats(_read(text))


def _read(text: str) -> list[Measure]:
    """The measures that `text` names; where it names none, an error that says what to write."""
    if len(text) > LONGEST:
        raise UsageError(
            'The name of a measure that begins "{start}" has {n} letters; no more than {largest} are read.',
            start=text[:40],
            n=len(text),
            largest=LONGEST,
        )
    try:
        return _known(text)
    except UsageError as wrong:
        raise explained(text, _known) or wrong from None


def _known(text: str) -> list[Measure]:
    """The measures that `text` names: by our own grammar, else in another tool's spelling.

    A name of ours that says nothing without a cutoff is another tool's where that one has its own.
    """
    tight = re.sub(r"[\s'\"]", "", text)
    try:
        found = _canonical(text)
    except UsageError:
        found = _spelt(tight) or _combined(text) or _of_aspect(text)
        if not found:
            raise
    unsaid = any(measure.cutoff == "required" and measure.at is None for measure in found)
    return (_spelt(tight) if unsaid else []) or found


def _without_repeats(measures: list[Measure]) -> tuple[Measure, ...]:
    """Each measure once. P and P(rel=1) are two: a convention may give the first another grade."""
    return tuple({(m.full_name, tuple(m.values)): m for m in measures}.values())


def trec_eval_name(measure: Measure, conventions: Conventions | None = None) -> str:
    """The name that trec_eval prints for a measure; its canonical name where trec_eval has none.

    A setting that is the one of `conventions` is an option there (-l, for one), and no part of the name.

    >>> trec_eval_name(parse_measure("AP(rel=2)"), Conventions(rel=2)), trec_eval_name(parse_measure("AP(rel=2)"))
    ('map', 'AP(rel=2)')
    """
    if measure.aspect:
        return measure.full_name  # trec_eval has no aspects
    own = conventions or Conventions()
    told = {s.name: getattr(own, s.convention) for s in measure.every_setting if s.convention}
    told |= settings_of(own.dialect, measure.name, measure.at)
    every = {
        s.name: measure.values.get(s.name, told.get(s.name, s.default))
        for s in measure.every_setting
        if s.in_name
    }
    unsaid = {
        s.name: every[s.name]
        for s in measure.every_setting
        if s.in_name and not _is(every[s.name], told.get(s.name, s.default))
    }
    for spelling in measure.spelt:
        written = spelling.written(unsaid, measure.at, every) if spelling.tool == "trec_eval" else None
        if written is not None:
            return written
    return measure.full_name


def trec_eval_final(measure: Measure) -> bool:
    """True where trec_eval prints the mean of a measure and the value of no query.

    >>> trec_eval_final(parse_measure("gm_map")), trec_eval_final(parse_measure("map"))
    (True, False)
    """
    return any(spelling.final for spelling in measure.spelt if spelling.tool == "trec_eval")


def _is(value: object, told: object) -> bool:
    return value == told or str(value) == str(told)


def _spelt(text: str) -> list[Measure]:
    """The measures that `text` names in other tools' spellings; settings that two tools imply otherwise stay open."""
    readings: dict[Measure, list[list[dict[str, str]]]] = {}
    for row in MEASURES:
        for spelling in row.spelt:
            if found := spelling.read(text):
                readings.setdefault(row, []).append(found)
    if len(readings) > 1:
        raise UsageError(
            '"{text}" is a name of {measures} in different tools. Write which one is meant.',
            text=text,
            measures=", ".join(row.name for row in readings),
        )
    return [
        _with(text, row, dict(set.intersection(*(set(one.items()) for one in same))))
        for row, found in readings.items()
        for same in zip(*found, strict=False)
    ]


def _combined(text: str) -> list[Measure]:
    """The one measure that several behind their weights make."""
    terms = terms_of(text)
    return [combination([(weight, parse_measure(name)) for weight, name in terms])] if terms else []


def _of_aspect(text: str) -> list[Measure]:
    """The measures that `text` names behind an aspect."""
    match = _OF_ASPECT.fullmatch(text)
    if match is None:
        return []
    aspect, name = match.groups()
    return [replace(m, aspect=aspect) for m in _spelt(name.strip()) or _canonical(name)]


def _with(text: str, row: Measure, values: dict[str, Any]) -> Measure:
    at = values.pop("k", None)
    return row.with_(**values) if at is None else row.with_(at=_cutoff(text, at), **values)


def _canonical(text: str) -> list[Measure]:
    match = _CANONICAL.fullmatch(text)
    if match is None:
        raise UsageError(
            '"{text}" is not the name of a measure. Expected Name(setting=value)@cutoff, such as nDCG@10.',
            text=text,
        )
    name, inside, cutoffs = match.groups()
    try:
        row = MEASURES.find(name)
    except UnknownName:
        raise unknown(name, MEASURES) from None
    values = _settings(text, inside) if inside else {}
    if cutoffs is None:
        return [row.with_(**values)]
    return [row.with_(at=_cutoff(text, k), **values) for k in cutoffs.split(",")]


def _settings(text: str, inside: str) -> dict[str, Any]:
    """Settings inside the parentheses. A comma inside a gain table, or a list of numbers, belongs to it."""
    values: dict[str, Any] = {}
    last = ""
    for part in inside.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if last and not equals and _NUMBER.fullmatch(key):
            values[last] = f"{values[last]},{key}"
            continue
        if not equals or not value:
            raise UsageError(
                'In "{text}", "{part}" is not a setting. Expected name=value.', text=text, part=part.strip()
            )
        if key.isdigit() and last:
            values[last] = f"{values[last]},{key}={value}"
        elif key in values:
            raise UsageError('In "{text}", {name} is given twice. Give it once.', text=text, name=key)
        else:
            last = key
            values[key] = value.strip("'\"{}")
    return values


def _cutoff(text: str, cutoff: str) -> int:
    if not cutoff.isascii() or not cutoff.isdigit() or len(cutoff) > 9 or int(cutoff) < 1:
        raise UsageError(
            'In "{text}", the cutoff is "{cutoff}"; it is a rank, a whole number from 1.',
            text=text,
            cutoff=cutoff[:40],
        )
    return int(cutoff)
