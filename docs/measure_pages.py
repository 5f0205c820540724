"""The reference of measures and of their names in other tools, called by cog."""

from collections.abc import Iterable, Iterator

from pieces import choice, code, facts, fenced, first_and_example, listed, paragraphs, table

import rankproof
from rankproof.measures.spelling import TOOLS, shown, tools_of
from rankproof.reports.measure_reference import CUTOFFS, MEANS, SEES, TIES, bounds, ties_of


def families() -> dict[str, list[rankproof.Measure]]:
    """The measures by family, in the order of the list."""
    found: dict[str, list[rankproof.Measure]] = {}
    for row in rankproof.MEASURES:
        found.setdefault(row.family, []).append(row)
    return found


def measure_index() -> str:
    """All measures in a table a family, with their families as a table of contents before them."""

    def told() -> Iterator[str]:
        yield ", ".join(
            f"[{family}](#{_anchor(family)}) ({len(rows)})" for family, rows in families().items()
        )
        for family, rows in families().items():
            yield f"**{family}**: {rankproof.FAMILIES[family]}"
            yield table(("measure", "what it is", "formula", "settings"), map(_line, rows))

    return paragraphs(told())


def _line(m: rankproof.Measure) -> tuple[str, ...]:
    settings = listed(s.name for s in m.settings if s.in_name)
    return f"[{m.name}](#{_anchor(m.name)})", m.title, m.formula, settings


def _anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def measures() -> str:
    """Every measure with its facts, family by family."""

    def told() -> Iterator[str]:
        for family, rows in families().items():
            yield f"## {family}"
            yield rankproof.FAMILIES[family]
            for row in rows:
                yield from _entry(row)

    return paragraphs(told())


def _entry(row: rankproof.Measure) -> Iterator[str]:
    lead, example = first_and_example(row.function.__doc__ or "")
    yield f"### {row.name}"
    title = f"{row.title[0].upper()}{row.title[1:]}."
    yield title if lead == title else f"{title} {lead}"
    yield facts(_facts(row))
    settings = [setting for setting in row.settings if setting.in_name]
    if settings:
        yield table(
            ("setting", "default", "what it decides"),
            ((code(s.name), choice(s.default), s.help) for s in settings),
        )
    if example:
        yield "Grades in displayed order, `.` for an unjudged doc:"
        yield fenced(example, "pycon")


def _facts(row: rankproof.Measure) -> Iterator[tuple[str, str]]:
    yield "formula", row.formula
    yield "range", bounds(row).replace("..", "to")
    yield "cutoff", str(CUTOFFS[row.cutoff])
    yield "mean or total", str(MEANS[row.mean])
    yield "not defined where", rankproof.NEEDS[row.needs].undefined
    yield "reads", str(SEES.get(row.sees, row.sees))
    yield "`ties=average`", str(TIES[ties_of(row)])
    if row.also:
        yield "also read as", listed(row.also)
    for tool, found in tools_of(row.spelt).items():
        yield f"in {tool}", _names(found)
    if row.source:
        yield "source", row.source


def _names(rows: Iterable[rankproof.Spelling]) -> str:
    """The names in one tool as code, each with what it implies."""
    parts = (one.partition(" (") for one in shown(list(rows)))
    return ", ".join(f"{code(name)}{f' ({implied}' if implied else ''}" for name, _, implied in parts)


KINDS = {
    "retrieval": "Tools of retrieval",
    "recommendation": "Tools of recommendation",
    "learning": "Tools of machine learning",
    "": "Other tools",
}


def names() -> str:
    """What each tool calls each measure: a table for each kind of tool."""

    def told() -> Iterator[str]:
        present = rankproof.tools_with_measures()
        listed_ = {tool for tools in TOOLS.values() for tool in tools}
        kinds = {**TOOLS, "": tuple(tool for tool in present if tool not in listed_)}
        for kind, tools in kinds.items():
            columns = [tool for tool in tools if tool in present]
            if columns:
                yield f"## {KINDS[kind]}"
                yield table(("measure", *columns), _named_rows(columns))

    return paragraphs(told())


def _named_rows(columns: list[str]) -> Iterator[tuple[str, ...]]:
    for row in rankproof.MEASURES:
        found = tools_of(row.spelt)
        if found.keys() & set(columns):
            cells = (_names(found.get(tool, [])) for tool in columns)
            yield f"[{row.name}](measures.md#{_anchor(row.name)})", *cells


# What stands in the places of a name for the sake of an example, where the default would not do.
EXAMPLES = {"rel": 2, "digits": 95, "gain": "1=3", "max_grade": 3}


def apart() -> str:
    """The names that are read otherwise than a tool means them, since another one means something else."""

    def told() -> Iterator[tuple[str, ...]]:
        for row in rankproof.MEASURES:
            for one in (found for rows in tools_of(row.spelt).values() for found in rows):
                text = one.example({"k": 10, **{s.name: s.default for s in row.settings}, **EXAMPLES})
                (given,) = one.read(text)
                at = given.pop("k", None)
                meant = row.with_(None if at is None else int(at), **given)
                read = rankproof.parse_measure(text)
                if meant.full_name != read.full_name:
                    yield code(text), code(read.full_name), one.tool, code(meant.full_name)

    return paragraphs([table(("name", "is read as", "in", "means"), sorted(told()))])
