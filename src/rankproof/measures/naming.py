"""MEASURES, and how a name such as "nDCG@10" becomes a measure; other tools' spellings are read too."""

import re
from collections.abc import Iterable
from typing import Any

from rankproof.catalog import Catalog
from rankproof.errors import UnknownName, UsageError
from rankproof.measures import binary, graded, incomplete, user_models
from rankproof.measures.dialects import settings_of
from rankproof.measures.measure import Measure
from rankproof.tables.conventions import Conventions
from rankproof.wording import say

MEASURES: Catalog[Measure] = Catalog(
    "measure",
    (*graded.MEASURES, *binary.MEASURES, *user_models.MEASURES, *incomplete.MEASURES),
    names=lambda row: (row.name, *row.also),
    member_type=Measure,
    group="rankproof.measures",
)

# Name, settings in parentheses, cutoffs after "@".
_CANONICAL = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\(([^()]*)\))?\s*(?:@\s*([-+\w.,]*))?\s*")


def parse_measure(text: str) -> Measure:
    """The measure that `text` names: rankproof's own grammar, or trec_eval's spelling.

    An unknown name raises UnknownName with the nearest ones; a cutoff that is no rank raises UsageError.

    >>> parse_measure("ndcg_cut_10").full_name
    'nDCG@10'
    >>> parse_measure("p( rel = 2 )@5").full_name
    'P(rel=2)@5'
    """
    found = parse_measures(text)
    if len(found) != 1:
        raise UsageError('"{text}" names {n} measures; expected one.', text=text, n=len(found))
    return found[0]


def parse_measures(text: str | Iterable[str]) -> tuple[Measure, ...]:
    """All measures that `text`, or each of several texts, names; "nDCG@5,10" names two. No repeats."""
    if not isinstance(text, str):
        return _without_repeats([measure for one in text for measure in parse_measures(one)])
    return _without_repeats(_spelt(text.strip()) or _canonical(text))


def _without_repeats(measures: list[Measure]) -> tuple[Measure, ...]:
    """Each measure once. P and P(rel=1) are two: a convention may give the first another grade."""
    return tuple({(m.full_name, tuple(m.values)): m for m in measures}.values())


def trec_eval_name(measure: Measure, conventions: Conventions | None = None) -> str:
    """The name that trec_eval prints for a measure; its canonical name where trec_eval has none.

    A setting that is the one of `conventions` is an option there (-l, for one), and no part of the name.

    >>> trec_eval_name(parse_measure("AP(rel=2)"), Conventions(rel=2)), trec_eval_name(parse_measure("AP(rel=2)"))
    ('map', 'AP(rel=2)')
    """
    own = conventions or Conventions()
    told = {s.name: getattr(own, s.convention) for s in measure.settings if s.convention}
    told |= settings_of(own.dialect, measure.name, measure.at)
    unsaid = {
        s.name: measure.values[s.name]
        for s in measure.settings
        if s.in_name
        and s.name in measure.values
        and not _is(measure.values[s.name], told.get(s.name, s.default))
    }
    for spelling in measure.spelt:
        written = spelling.written(unsaid, measure.at) if spelling.tool == "trec_eval" else None
        if written is not None:
            return written
    return measure.full_name


def _is(value: object, told: object) -> bool:
    return value == told or str(value) == str(told)


def _spelt(text: str) -> list[Measure]:
    """The measures that `text` names in another tool's spelling."""
    for row in MEASURES:
        for spelling in row.spelt:
            if found := spelling.read(text):
                return [_with(text, row, dict(values)) for values in found]
    return []


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
        spelt = [one.text for r in MEASURES for one in r.spelt]
        known = [*MEASURES.names(), *(n for r in MEASURES for n in r.also), *spelt]
        raise UnknownName.of(say("measure"), name, known) from None
    values = _settings(text, inside) if inside else {}
    if cutoffs is None:
        return [row.with_(**values)]
    return [row.with_(at=_cutoff(text, k), **values) for k in cutoffs.split(",")]


def _settings(text: str, inside: str) -> dict[str, Any]:
    """Settings inside the parentheses. A comma inside a gain table belongs to the table."""
    values: dict[str, Any] = {}
    last = ""
    for part in inside.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise UsageError(
                'In "{text}", "{part}" is not a setting. Expected name=value.', text=text, part=part.strip()
            )
        if key.isdigit() and last:
            values[last] = f"{values[last]},{key}={value}"
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
