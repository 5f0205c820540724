"""Checks of tables against each other: what is asked, judged, displayed and known."""

from collections.abc import Iterator

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_queries, all_rows, each_row
from rankproof.tables.columns import Bools, Ids
from rankproof.tables.displayed import POOLED, REPEAT
from rankproof.tables.findings import Finding, Kind
from rankproof.tables.judgments import NO_GRADE

NO_COMMON_QUERY = Kind(
    "no-common-query",
    "error",
    "Run {run} has none of the {asked} queries that were asked; its first query is {first_query}, "
    "that of the asked ones is {first_asked}.",
    "Nothing can be evaluated.",
    "Check that judgments and run belong together and write query ids alike.",
)
MISSING_QUERY = Kind(
    "missing-query",
    "warning",
    "Run {run} has no list and no state for {count:judged query|judged queries} ({examples}); missing={missing} says what "
    "they count.",
    "A query without a list may be an empty answer, a failure, or a line that was lost.",
    "Run these queries, or give each of them a state: empty, failed or not_run.",
)
EXTRA_QUERY = Kind(
    "extra-query",
    "warning",
    "Run {run} has {count:query|queries} that nobody asked ({examples}); extra={extra} says what that counts.",
    "Nobody judged their docs, so they have no value.",
    "Nothing to do if the run was made for more queries; else check the query ids.",
)
JUDGED_NOT_ASKED = Kind(
    "judged-not-asked",
    "warning",
    "{count:judged query is|judged queries are} not among the questions ({examples}) and left out.",
    "Judgments that were paid for do not enter the evaluation.",
    "Add the questions, or check the query ids.",
)
UNKNOWN_JUDGED_DOC = Kind(
    "unknown-judged-doc",
    "error",
    "Query {query}: the judged doc {doc} is not among the known documents.",
    "No system can find a doc that does not exist, yet the ideal list counts on it.",
    "Remove the judgment, or add the doc to the documents.",
)
UNKNOWN_DOC = Kind(
    "unknown-doc",
    "error",
    "Query {query}: run {run} displayed doc {doc}, which is not among the known documents.",
    "The run was made on other documents, or writes ids in another way.",
    "Check the ids, or add the doc to the documents.",
)
UNJUDGED_IN_CUTOFF = Kind(
    "unjudged-in-cutoff",
    "warning",
    "Within the first {cutoff} ranks run {run} displayed {count:doc|docs} that nobody judged ({share:.1%} of those "
    "displayed), in {queries:query|queries}, the first being doc {first_doc} for query {first_query}.",
    "Nobody knows what they are worth; a new system suffers most from this.",
    "Judge these docs, or read the values knowing that such docs are worth nothing in them.",
)

# Where no measure has a cutoff, this much of a list is looked at.
FIRST_PAGE = 10


def find_no_common_query(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Runs that share no query with what was asked."""
    asked = set(inputs.asked)
    for run in inputs.runs:
        names = run.query.in_order_of_appearance()
        if asked and names and asked.isdisjoint(names):
            told = {"asked": len(asked), "first_query": names[0], "first_asked": inputs.asked[0]}
            yield Finding(kind, told, run.source, run=run.name, count=len(names))


def find_missing_queries(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judged queries of which a run says nothing at all."""
    for run in inputs.runs:
        missing = [query for query in inputs.judged if run.state(query) == "missing"]
        if missing:
            yield all_queries(kind, run, missing, missing=inputs.conventions.missing)


def find_extra_queries(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Queries of a run that were not asked, where anything was asked."""
    for run in inputs.runs if inputs.asked else ():
        extra = inputs.extra(run)
        if extra:
            yield all_queries(kind, run, extra, extra=inputs.conventions.extra)


def find_judged_not_asked(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judged queries that are not among the questions, where questions are given."""
    table, known = inputs.judgments, inputs.questions.by_id
    unasked = [query for query in table.query.in_order_of_appearance() if query not in known]
    if known and unasked:
        yield all_queries(kind, table, unasked)


def find_unknown_judged_docs(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judged docs that the documents do not have, where documents are given."""
    table = inputs.judgments
    if len(inputs.documents):
        rows = np.flatnonzero(_unknown(table.doc, inputs)[table.doc.codes] & table.first)
        yield from each_row(kind, table, rows)


def find_unknown_docs(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Displayed docs that the documents do not have, where documents are given; repeats are not told."""
    for displayed in inputs.lists if len(inputs.documents) else ():
        run = displayed.run
        rows = displayed.row[displayed.grade != REPEAT]
        yield from each_row(kind, run, rows[_unknown(run.doc, inputs)[run.doc.codes[rows]]])


def find_unjudged_in_cutoff(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Docs near the top that nobody graded, for queries that have judgments."""
    cutoff, judged = inputs.cutoff or FIRST_PAGE, set(inputs.judged)
    for displayed in inputs.lists:
        counted = np.array([query in judged for query in displayed.queries], bool)
        near = np.repeat(counted, np.diff(displayed.offsets)) & (displayed.rank <= cutoff)
        at = np.flatnonzero(near & ((displayed.grade == NO_GRADE) | (displayed.grade == POOLED)))
        if len(at):
            rows = displayed.row[at]
            queries = len(np.unique(displayed.run.query.codes[rows]))
            share = len(at) / int(near.sum())
            yield all_rows(kind, displayed.run, rows, cutoff=cutoff, share=share, queries=queries)


def _unknown(ids: Ids, inputs: Inputs) -> Bools:
    """(n_names,) True for the docs that the documents do not have."""
    known = inputs.documents.by_id
    return np.fromiter((name not in known for name in ids.names.tolist()), bool, len(ids.names))


CHECKS = (
    Check(NO_COMMON_QUERY, find_no_common_query, "The judgments ask 1 to 50, the run answers q1 to q50."),
    Check(MISSING_QUERY, find_missing_queries, "q3 is judged, and the run has no line of it."),
    Check(EXTRA_QUERY, find_extra_queries, "The run has lines of q99, which nobody asked."),
    Check(JUDGED_NOT_ASKED, find_judged_not_asked, "q9 has judgments and no row among the questions."),
    Check(UNKNOWN_JUDGED_DOC, find_unknown_judged_docs, "d7 is judged and stands in no documents table."),
    Check(UNKNOWN_DOC, find_unknown_docs, "The run displays d999, which no documents table has."),
    Check(UNJUDGED_IN_CUTOFF, find_unjudged_in_cutoff, "Nobody judged the doc at rank 2 of q1."),
)
