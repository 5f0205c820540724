"""Measures as documents and as rows: what the command `measures` shows."""

from collections.abc import Iterator, Sequence

from rankproof.measures.combining import Combination
from rankproof.measures.definition import definition, worked
from rankproof.measures.measure import FAMILIES, Measure
from rankproof.measures.naming import MEASURES, parse_measure
from rankproof.measures.needs import NEEDS, SEES
from rankproof.measures.settings import EMPTY, Setting
from rankproof.measures.spelling import shown, tools_of
from rankproof.reports.document import Block, Column, Document, Paragraph, Section, Table, Text, cell
from rankproof.reports.text import markdown, on_terminal
from rankproof.wording import Words, say

# How values of queries make one of the run.
MEANS = {
    "arithmetic": say("averaged over queries"),
    "geometric": say("the geometric mean over queries"),
    "total": say("added up over queries"),
    "run": say("one value for the whole run"),
}
CUTOFFS = {"optional": say("may have one"), "required": say("needs one"), "none": say("has none")}
# What the convention ties=average does.
TIES = {
    "exact": say("exact: the mean over all orders, by what the places of a tie group are worth"),
    "computed": say(
        "computed: over all orders where they are few, over 1000 that are drawn where they are many"
    ),
    "as listed": say("not averaged: it reads the list as it stands"),
}


def measures_report(
    name: str | None = None,
    *,
    chosen: Sequence[Measure] | None = None,
    tool: str = "",
    format: str = "table",
    language: str = "en",
    width: int = 100,
    color: bool = False,
) -> str:
    """Measures as tables, one a family; or everything about the one called `name`.

    `chosen` are those that are wanted, every one by default; `tool` adds a column with its names of them.
    `format` is "table" for a terminal, or "md".
    """
    blocks: Sequence[Block] = (
        list(_tables(tuple(MEASURES) if chosen is None else chosen, tool))
        if name is None
        else [block for row in measures_named(name) for block in _about(row)]
    )
    if format == "md":
        title = say("Measures") if name is None else " + ".join(row.name for row in measures_named(name))
        return markdown(Document(title, [Section("measures", "", blocks)], language))
    return on_terminal(Document("", [Section("", "", blocks)], language), width=width, color=color)


def measure_rows(rows: Sequence[Measure] | None = None, *, language: str = "en") -> list[dict[str, object]]:
    """Every fact of the measures as plain values, one row a measure; sentences in `language`.

    >>> measure_rows([MEASURES.find("RR")])[0]["ties"]
    'computed'
    """
    return [_row(row, language) for row in (tuple(MEASURES) if rows is None else rows)]


def measures_named(name: str) -> tuple[Measure, ...]:
    """The measures that a name or a spelling of another tool names, at their defaults; the parts of a combination.

    >>> measures_named("0.7*ndcg_cut.10 + 0.3*map")
    (Measure('nDCG'), Measure('AP'))
    """
    found = parse_measure(name)
    parts = found.parts if isinstance(found, Combination) else (found,)
    return tuple(dict.fromkeys(MEASURES.find(part.name) for part in parts))


def ties_of(m: Measure) -> str:
    """What ties=average does: a key of TIES."""
    return "exact" if m.linear else "computed" if m.sees in ("hits", "subtopics") else "as listed"


def bounds(m: Measure) -> str:
    """The range in words of numbers."""
    low, high = m.range
    return f"{'-∞' if low is None else f'{low:g}'} .. {'∞' if high is None else f'{high:g}'}"


def elsewhere(m: Measure) -> list[tuple[str, str]]:
    """The names in other tools, a line a tool."""
    return [(tool, ", ".join(shown(found))) for tool, found in tools_of(m.spelt).items()]


def _row(m: Measure, language: str) -> dict[str, object]:
    return {
        "name": m.name,
        "also": list(m.also),
        "title": say(m.title).to(language),
        "family": m.family,
        "definition": say(definition(m)).to(language),
        "formula": say(m.formula).to(language),
        "lowest": m.range[0],
        "highest": m.range[1],
        "cutoff": m.cutoff,
        "needs": m.needs,
        "not_defined_where": say(NEEDS[m.needs].undefined).to(language),
        "mean": m.mean,
        "sees": m.sees,
        "ties": ties_of(m),
        "best_first": m.best_first,
        "settings": {
            s.name: {"default": _plain(s.default), "help": say(s.help).to(language)} for s in _settings(m)
        },
        "source": m.source,
        "tools": {
            tool: {one.text: dict(one.values) for one in found} for tool, found in tools_of(m.spelt).items()
        },
        "example": [
            {"call": one.call, "arithmetic": one.arithmetic, "value": one.value} for one in worked(m)
        ],
    }


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, (int, float)) else str(value)


def _settings(m: Measure) -> list[Setting]:
    return [s for s in m.settings if s.in_name]


def _tables(rows: Sequence[Measure], tool: str) -> Iterator[Block]:
    """A table for each family, and how many there are."""
    heads = [Column(say("measure")), Column(say("what it is")), Column(say("formula"), wide=True)]
    heads += [Column(say("settings")), *([Column(tool)] if tool else [])]
    for family in dict.fromkeys(row.family for row in rows):
        help_ = FAMILIES.get(family, FAMILIES["other"])
        yield Table(
            heads,
            [
                [
                    cell(m.name),
                    cell(say(m.title)),
                    cell(say(m.formula)),
                    cell(", ".join(s.name for s in _settings(m))),
                    *([cell(dict(elsewhere(m)).get(tool, ""))] if tool else []),
                ]
                for m in rows
                if m.family == family
            ],
            say("{family}: {help}", family=say(family), help=say(help_)),
        )
    yield Paragraph(
        say("{n:measure|measures}. rankproof measures NAME shows everything about one.", n=len(rows))
        if rows
        else say("No measure fits all that was asked.")
    )


def _about(m: Measure) -> Iterator[Block]:
    """Everything about one measure."""
    facts: list[tuple[Text, Text]] = [
        (say("name"), ", ".join((m.name, *m.also))),
        (say("what it is"), say(m.title)),
        (say("definition"), say(definition(m))),
        (say("formula"), say(m.formula)),
        (say("family"), say(m.family)),
        (say("range"), bounds(m)),
        (say("cutoff"), CUTOFFS[m.cutoff]),
        (say("not defined where"), say(NEEDS[m.needs].undefined)),
        (say("mean or total"), MEANS[m.mean]),
        (say("reads"), say(SEES[m.sees])),
        ("ties=average", TIES[ties_of(m)]),
        (say("source"), m.source or "—"),
    ]
    yield _pairs(facts)
    if m.every_setting:
        rows = [
            [cell(s.name), cell(_default(s)), cell(say(s.help))] for s in m.every_setting if s is not EMPTY
        ]
        yield Table(
            [Column(say("setting")), Column(say("default")), Column(say("what it decides"), wide=True)], rows
        )
    if m.spelt:
        yield _pairs(
            elsewhere(m),
            say(
                "Names in other tools, with what they imply. k in braces is the cutoff; what stands in [ ] may be left out"
            ),
        )
    if examples := worked(m):
        yield Table(
            [Column(say("example")), Column(say("arithmetic"), wide=True), Column(say("value"))],
            [[cell(one.call), cell(one.arithmetic), cell(one.value)] for one in examples],
            say('Grades in displayed order; "." is a doc without judgment'),
        )


def _pairs(pairs: Sequence[tuple[Text, Text]], caption: Words | str = "") -> Table:
    return Table(
        [Column(""), Column("", wide=True)], [[cell(key), cell(value)] for key, value in pairs], caption
    )


def _default(setting: Setting) -> Text:
    if setting.convention:
        return say("the convention {name}", name=setting.convention)
    return say("none") if setting.default is None else str(_plain(setting.default))
