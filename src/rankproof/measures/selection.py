"""Which measures are asked for: by family, by what they need, by their range, by tool, by a word."""

from rankproof.errors import UnknownName, UsageError
from rankproof.measures.definition import definition
from rankproof.measures.measure import FAMILIES, Measure
from rankproof.measures.naming import MEASURES
from rankproof.measures.needs import NEEDS, SEES
from rankproof.measures.spelling import tools_of
from rankproof.wording import say

NOTHING = "nothing"  # what a measure needs that is defined for every query


def select_measures(
    search: str = "", *, family: str = "", needs: str = "", range: str = "", sees: str = "", tool: str = ""
) -> tuple[Measure, ...]:
    """The measures that fit all that is asked, in the order of the list; every one where nothing is.

    `search` is a text that stands in the name, title, definition, formula, source, or a name in other tools,
    whatever its case. `needs` is a row of NEEDS, or "nothing"; `range` is "0..1", or "unbounded" for no highest
    value; `sees` is a row of SEES; `tool` is a tool that has the measure. What nobody knows raises UnknownName.

    >>> [measure.name for measure in select_measures(family="interpolated", range="0..1")]
    ['IPrec', 'IPrec11', 'RprecMult']
    """
    rows = tuple(MEASURES)
    families = dict.fromkeys((*FAMILIES, *(row.family for row in rows)))
    family = _known(say("family"), family, tuple(families))
    needs = _known(say("need"), needs, (NOTHING, *filter(None, NEEDS)))
    sees = _known(say("way of seeing"), sees, tuple(SEES))
    tool = _known(say("tool"), tool, tools_with_measures())
    bounds = _bounds(range) if range else None
    return tuple(
        row
        for row in rows
        if (not family or row.family == family)
        and (not needs or (row.needs or NOTHING) == needs)
        and (not sees or row.sees == sees)
        and (not tool or tool in tools_of(row.spelt))
        and (bounds is None or _fits(row, bounds))
        and search.casefold() in _text(row)
    )


def tools_with_measures() -> tuple[str, ...]:
    """The tools by whose names measures can be asked for, in the order in which they are shown."""
    return tuple(tools_of(tuple(one for row in MEASURES for one in row.spelt)))


def _known(kind: object, given: str, known: tuple[str, ...]) -> str:
    """The known word that is given, whatever its case; nothing where nothing is given."""
    folded = {one.casefold(): one for one in known}
    if given and given.casefold() not in folded:
        raise UnknownName.of(kind, given, known)
    return folded[given.casefold()] if given else ""


Bounds = tuple[float | None, float | None]


def _bounds(text: str) -> Bounds | str:
    if text == "unbounded":
        return text
    low, dots, high = text.partition("..")
    try:
        if not dots:
            raise ValueError
        return _bound(low), _bound(high)
    except ValueError:
        raise UsageError(
            'The range is "{seen}"; expected LOWEST..HIGHEST, such as 0..1, or unbounded.', seen=text
        ) from None


def _bound(text: str) -> float | None:
    return None if text in ("", "∞", "-∞", "inf", "-inf") else float(text)


def _fits(row: Measure, bounds: Bounds | str) -> bool:
    return None in row.range if isinstance(bounds, str) else row.range == bounds


def _text(row: Measure) -> str:
    """Everything that is searched."""
    spelt = (f"{one.tool} {one.text}" for one in row.spelt)
    parts = (row.name, *row.also, row.title, definition(row), row.formula, row.source, *spelt)
    return "\n".join(parts).casefold()
