"""Checks of judgments that say which subtopic a grade is about."""

from collections.abc import Iterator

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_rows, examples
from rankproof.tables.columns import Ids
from rankproof.tables.findings import Finding, Kind

SUBTOPIC_UNCOVERED = Kind(
    "subtopic-uncovered",
    "warning",
    "{count:subtopic has|subtopics have} no doc of grade {rel} or more: {examples}.",
    "No measure counts such a subtopic, so a list that cannot cover it loses nothing.",
    "Judge more docs for these subtopics, or leave them out of the judgments.",
)
ONE_SUBTOPIC = Kind(
    "one-subtopic",
    "warning",
    "Every subtopic that {count:judgment names|judgments name} is {subtopic}.",
    "Where it is no subtopic but an iteration (mostly 0), a measure of diversity says nothing of diversity.",
    "Check that the column of subtopics is the right one.",
)
NO_SUBTOPIC = Kind(
    "no-subtopic",
    "info",
    "{count:judgment names|judgments name} no subtopic, the first being that of doc {first_doc} for query "
    "{first_query}; they are about the whole need.",
    "Measures of diversity do not see them; the others do.",
    "Nothing to do, if these grades are about no subtopic.",
)


def find_uncovered_subtopics(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Subtopics of judged queries that no judged doc covers."""
    table, rel = inputs.judgments, inputs.conventions.rel
    if table.subtopic is None:
        return
    subtopic, width = table.subtopic, len(table.subtopic.names)
    named = subtopic.codes != subtopic.code.get("", -1)
    key = table.query.codes * width + subtopic.codes
    covered = key[table.counts & (table.grade >= rel)]
    rows = np.flatnonzero(named & ~np.isin(key, covered))
    rows = rows[np.sort(np.unique(key[rows], return_index=True)[1])]
    if len(rows):
        listed = [f"{query} {name}" for query, name in _named(table.query, subtopic, rows[:6])]
        told = all_rows(kind, table, rows, rel=rel, examples=examples(listed))
        yield told


def _named(query: Ids, subtopic: Ids, rows: np.ndarray) -> Iterator[tuple[str, str]]:
    return zip(query.texts_at(rows), subtopic.texts_at(rows), strict=True)


def find_one_subtopic(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judgments of several queries that all name the same subtopic."""
    table = inputs.judgments
    if table.subtopic is None:
        return
    rows = np.flatnonzero(table.subtopic.codes != table.subtopic.code.get("", -1))
    used = np.unique(table.subtopic.codes[rows])
    if len(used) == 1 and len(np.unique(table.query.codes[rows])) > 1:
        yield all_rows(kind, table, rows, subtopic=str(table.subtopic.names[used[0]]))


def find_no_subtopic(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judgments without a subtopic among others that have one."""
    table = inputs.judgments
    if table.subtopic is None:
        return
    rows = np.flatnonzero(table.subtopic.codes == table.subtopic.code.get("", -1))
    if len(rows):
        yield all_rows(kind, table, rows)


CHECKS = (
    Check(
        SUBTOPIC_UNCOVERED,
        find_uncovered_subtopics,
        "Every doc that was judged for subtopic 4 of q1 has the grade 0.",
    ),
    Check(ONE_SUBTOPIC, find_one_subtopic, 'Every line is as "q1 0 d1 2", and subtopics were asked for.'),
    Check(NO_SUBTOPIC, find_no_subtopic, "The cell of the subtopic is blank for d7 of q1."),
)
