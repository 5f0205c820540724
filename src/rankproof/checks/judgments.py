"""Checks of the judgments by themselves: repeats, conflicts, scales, and queries without an answer."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_queries, all_rows, each_row, line_or_row
from rankproof.checks.provenance import known
from rankproof.tables.columns import Bools, Ints
from rankproof.tables.findings import Finding, Kind
from rankproof.tables.judgments import NO_GRADE, Judgments
from rankproof.wording import say

DUPLICATE_JUDGMENT = Kind(
    "duplicate-judgment",
    "warning",
    "{count:judgment only repeats|judgments only repeat} an earlier one, the first being that of doc {first_doc} "
    "for query {first_query}; each pair counts once.",
    "Harmless to the numbers, but often a sign that two files were joined or an export ran twice.",
    "Keep one line for each query and doc.",
)
CONFLICTING_GRADES = Kind(
    "conflicting-grades",
    "error",
    "Query {query}, doc {doc} has the grade {first_grade} in line {first_line} and the grade {other_grade} "
    "in line {other_line}; the first counts.",
    "One of the two is wrong, and which one counts depends on the order of the lines.",
    "Decide which grade is right and remove the other line.",
)
GRADE_OFF_SCALE = Kind(
    "grade-off-scale",
    "error",
    "Query {query}, doc {doc} has the grade {grade}, which the rubric does not have; its grades are {scale}.",
    "A grade without a meaning still moves every measure that uses grades.",
    "Correct the grade, or write into the rubric what it means.",
)
NO_RELEVANT = Kind(
    "no-relevant",
    "warning",
    "{count:judged query has|judged queries have} no doc of grade {rel} or more: {examples}.",
    "Most measures are not defined for such a query; it is counted beside the means.",
    "Judge more docs for these queries, or check that no grade was lost.",
)


def find_duplicate_judgments(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """The same pair with the same grade by the same rater. Two raters who agree are no repeat."""
    table = inputs.judgments
    again, first = repeats(table)
    if not len(again):
        return
    same = (table.grade[again] == table.grade[first]) & _same_rater(table, again, first)
    if same.any():
        yield all_rows(kind, table, again[same])


def find_conflicting_grades(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """The same pair with different grades, told once a pair; a warning where two raters were named."""
    table = inputs.judgments
    again, first = repeats(table)
    differs = table.grade[again] != table.grade[first]
    again, first = again[differs], first[differs]
    _, at, counts = np.unique(first, return_index=True, return_counts=True)
    other, first = again[at], first[at]
    of_one = _same_rater(table, other, first)
    yield from _conflicts(kind, table, other[of_one], first[of_one], counts[of_one])
    for finding in _conflicts(kind, table, other[~of_one], first[~of_one], counts[~of_one]):
        yield replace(finding, severity_here="warning")


def _conflicts(kind: Kind, table: Judgments, other: Ints, first: Ints, counts: Ints) -> Iterator[Finding]:
    def facts(place: int) -> dict[str, object]:
        one, two = int(first[place]), int(other[place])
        return {
            "first_grade": _grade(table, one),
            "first_line": line_or_row(table, one),
            "other_grade": _grade(table, two),
            "other_line": line_or_row(table, two),
        }

    yield from each_row(kind, table, other, facts, counts)


def find_grades_off_scale(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Grades that the rubric does not name, where a rubric is given."""
    table, scale = inputs.judgments, sorted(row.grade for row in inputs.rubric.grades)
    if not scale:
        return
    rows = np.flatnonzero(~np.isin(table.grade, scale) & ~table.pooled)
    known = ", ".join(map(str, scale))
    yield from each_row(kind, table, rows, lambda at: {"grade": int(table.grade[rows[at]]), "scale": known})


def find_no_relevant(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judged queries none of whose judgments reaches the grade from which a doc is relevant."""
    table, rel = inputs.judgments, inputs.conventions.rel
    reaching = table.query.codes[table.first & (table.grade >= rel)]
    answered = set(table.query.names[np.unique(reaching)].tolist())
    without = [query for query in inputs.judged if query not in answered]
    if without:
        yield all_queries(kind, table, without, rel=rel)


def repeats(table: Judgments) -> tuple[Ints, Ints]:
    """The rows whose pair (and subtopic) was judged before, and for each the first row of that pair."""
    again, kept = np.flatnonzero(~table.counts), np.flatnonzero(table.counts)
    if not len(again):
        return again, again
    kept = kept[np.argsort(table.key[kept])]
    return again, kept[np.searchsorted(table.key[kept], table.key[again])]


def _same_rater(table: Judgments, again: Ints, first: Ints) -> Bools:
    """(n,) True where both rows name the same rater, or one of them names none."""
    one, two = table.texts("rater")[again], table.texts("rater")[first]
    same: Bools = ~(known(one) & known(two)) | np.asarray(one == two, bool)
    return same


def _grade(table: Judgments, row: int) -> object:
    grade = int(table.grade[row])
    return say("pooled") if grade == NO_GRADE else grade


CHECKS = (
    Check(DUPLICATE_JUDGMENT, find_duplicate_judgments, '"q1 0 d1 2" stands twice.'),
    Check(CONFLICTING_GRADES, find_conflicting_grades, '"q1 0 d1 2" in line 4, "q1 0 d1 1" in line 5.'),
    Check(GRADE_OFF_SCALE, find_grades_off_scale, "A grade 5 where the rubric knows 0, 1, 2 and 3."),
    Check(NO_RELEVANT, find_no_relevant, "All docs that were judged for q1 have the grade 0."),
)
