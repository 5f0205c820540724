"""Findings with their places: one for each query and doc, or one for many that names the first."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankproof.tables.columns import Ids, Ints
from rankproof.tables.findings import Finding, Kind
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

# So many docs of one table are named one by one; the rest are counted, query by query.
LISTED = 1000
MORE = "Query {query}: {count:more doc|more docs} with the same problem, the first being {doc}."

# So many ids stand in one sentence.
NAMED = 5

Facts = Callable[[int], Mapping[str, object]]


def each_row(
    kind: Kind,
    table: Judgments | Run,
    rows: Ints,
    facts: Facts = lambda _: {},
    counts: Ints | None = None,
    listed: int | None = LISTED,
) -> Iterator[Finding]:
    """A finding for each of `rows`, with query and doc; beyond `listed`, one for each query.

    `facts` is told the place in `rows`. A wrong table can have a million offending rows: every query
    still bears a finding, and the counts still add up.
    """
    counts = np.ones(len(rows), np.int64) if counts is None else counts
    for place, row in enumerate(rows[:listed].tolist()):
        yield replace(_at(kind, table, row), facts=facts(place), count=int(counts[place]))
    if listed is None or len(rows) <= listed:
        return
    more = replace(kind, message=MORE)
    rest, weight = rows[listed:], counts[listed:]
    query = table.query.codes[rest]
    _, first = np.unique(query, return_index=True)
    total = np.bincount(query, weights=weight)
    for place in np.sort(first).tolist():
        yield replace(_at(more, table, int(rest[place])), count=int(total[query[place]]))


def all_rows(kind: Kind, table: Judgments | Run, rows: Ints, **facts: object) -> Finding:
    """One finding for all of `rows`; `first_query` and `first_doc` are those of the first."""
    first = _at(kind, table, int(rows[0]))
    named = {"first_query": first.query_id, "first_doc": first.doc_id}
    return replace(first, query_id="", doc_id="", count=len(rows), facts={**named, **facts})


def all_queries(kind: Kind, table: Judgments | Run, queries: Sequence[str], **facts: object) -> Finding:
    """One finding for all of `queries`; `examples` names the first ones, `queries` holds all."""
    named = {"first_query": queries[0], "examples": examples(queries), "queries": tuple(queries)}
    line = _line(table, first_row(table.query, queries[0]))
    run = table.name if isinstance(table, Run) else ""
    return Finding(kind, {**named, **facts}, table.source, line, run, count=len(queries))


def examples(ids: Sequence[str]) -> str:
    """The first ids, and a mark where there are more."""
    return ", ".join(ids[:NAMED]) + (", ..." if len(ids) > NAMED else "")


def line_or_row(table: Judgments | Run, row: int) -> int:
    """The line of a row; its number, counted from 1, where it came from no file."""
    return _line(table, row) or row + 1


def first_row(ids: Ids, name: str) -> int | None:
    """The first row of an id; None where no row has it."""
    rows = np.flatnonzero(ids.codes == ids.code.get(name, -1))
    return int(rows[0]) if len(rows) else None


def _at(kind: Kind, table: Judgments | Run, row: int) -> Finding:
    query = table.query.names[table.query.codes[row]]
    doc = table.doc.names[table.doc.codes[row]]
    run = table.name if isinstance(table, Run) else ""
    return Finding(kind, {}, table.source, _line(table, row), run, str(query), str(doc))


def _line(table: Judgments | Run, row: int | None) -> int:
    return 0 if row is None or table.line is None else int(table.line[row])
