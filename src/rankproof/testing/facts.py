"""What the row of a measure has to say, and that its name is its own and can be read back."""

import inspect
import re
from collections.abc import Iterator

from rankproof.errors import RankproofError
from rankproof.measures.definition import definition
from rankproof.measures.measure import FAMILIES, Measure
from rankproof.measures.naming import MEASURES, parse_measure, parse_measures
from rankproof.measures.needs import NEEDS, SEES
from rankproof.measures.settings import in_name
from rankproof.tables.measurements import REASONS

_NAME = re.compile(r"[A-Za-z][\w-]*")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")


def missing_facts(m: Measure) -> Iterator[str]:
    """What is wrong with the row, one sentence each."""
    for fact in ("name", "title", "formula", "source", "family"):
        if not str(getattr(m, fact)).strip():
            yield f"It has no {fact}."
    if m.source and not _YEAR.search(m.source):
        yield f'Its source "{m.source}" names no year.'
    if m.family not in FAMILIES:
        yield f'Its family "{m.family}" is none of {", ".join(FAMILIES)}.'
    if m.needs not in NEEDS:
        yield f'What it needs, "{m.needs}", is none of {", ".join(filter(None, NEEDS))}.'
    elif NEEDS[m.needs].reason not in REASONS:
        yield f'The reason "{NEEDS[m.needs].reason}" of what it needs is none of {", ".join(filter(None, REASONS))}.'
    for fact, known in (
        ("cutoff", ("optional", "required", "none")),
        ("mean", ("arithmetic", "geometric", "total", "run")),
    ):
        if getattr(m, fact) not in known:
            yield f'Its {fact} "{getattr(m, fact)}" is none of {", ".join(known)}.'
    if m.sees not in SEES:
        yield f'What it sees, "{m.sees}", is none of {", ".join(SEES)}.'
    bounds: object = m.range  # a row of others may hold anything
    if not isinstance(bounds, tuple) or len(bounds) != 2:
        yield f"Its range is {bounds}; expected (lowest, highest), with None where there is no bound."
    elif None not in bounds and bounds[0] >= bounds[1]:
        yield f"Its range ends ({bounds[1]}) before it begins ({bounds[0]})."
    if not definition(m):
        yield "Its function has no docstring; the first sentence is the definition that everybody reads."
    yield from _settings(m)


def _settings(m: Measure) -> Iterator[str]:
    taken = inspect.signature(m.function).parameters
    open_ = any(one.kind is one.VAR_KEYWORD for one in taken.values())
    for name in ("cutoff", *(setting.name for setting in m.settings)):
        if name not in taken and not open_:
            yield f"Its function does not take {name}."
    for setting in m.settings:
        if not setting.help.strip():
            yield f"Its setting {setting.name} has no help."
        if setting.in_name and setting.default is not None:
            try:
                again = setting.read(in_name(setting.default))
            except RankproofError as error:
                yield f"Its setting {setting.name} cannot read its own default: {error}"
                continue
            if again != setting.default:
                yield f"Its setting {setting.name} reads its default {setting.default!r} as {again!r}."


def wrong_names(m: Measure) -> Iterator[str]:
    """What is wrong with the names, one sentence each; a measure that is installed is asked for by each of them."""
    for name in (m.name, *m.also):
        if not _NAME.fullmatch(name):
            yield f'"{name}" is no name: letters, digits, "_" and "-" after a letter.'
        elif name in MEASURES and MEASURES.find(name).function is not m.function:
            yield f'The name "{name}" is taken by {MEASURES.find(name).title}.'
    if m.name in MEASURES and MEASURES.find(m.name).function is m.function:
        yield from _read_back(m)


def _read_back(m: Measure) -> Iterator[str]:
    try:
        again = parse_measure(m.full_name)
    except RankproofError as error:
        yield f'Its name "{m.full_name}" cannot be read back: {error}'
        return
    if again.full_name != m.full_name:
        yield f'Its name "{m.full_name}" is read back as "{again.full_name}".'
    for one in m.spelt:
        settings = {setting.name: setting.default for setting in m.settings}
        text = one.example({**settings, "k": 5, "rel": 2, "digits": 85, "gain": "1=3", "max_grade": 3})
        found = {read.name for read in parse_measures(text)}
        if found != {m.name}:
            yield f'"{text}" of {one.tool} is read as {", ".join(found)}.'
