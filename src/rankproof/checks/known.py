"""Checks of what is known of docs: displayed docs without an attribute that other docs have."""

from collections.abc import Iterator

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.coverage import FIRST_PAGE
from rankproof.checks.places import all_rows
from rankproof.tables.findings import Finding, Kind
from rankproof.wording import Words, say

UNKNOWN_ATTRIBUTE = Kind(
    "unknown-attribute",
    "warning",
    "Within the first {cutoff} ranks of run {run}, {count:line shows a doc|lines show docs} without {what} "
    "({share:.1%} of those displayed), the first being doc {first_doc} for query {first_query}.",
    "Measures that look at this attribute leave the docs out, so they tell of part of each list.",
    "Fill in the attribute in the documents, or read the values knowing that they are of the other docs.",
)


def find_unknown_attributes(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Displayed docs without an attribute that some document has."""
    cutoff = inputs.cutoff or FIRST_PAGE
    for what, known in _attributes(inputs):
        for displayed in inputs.lists if known else ():
            run = displayed.run
            near = displayed.rank <= cutoff
            lacking = np.fromiter((name not in known for name in run.doc.names.tolist()), bool)
            rows = displayed.row[near & lacking[run.doc.codes[displayed.row]]]
            if len(rows):
                yield all_rows(kind, run, rows, cutoff=cutoff, what=what, share=len(rows) / int(near.sum()))


def _attributes(inputs: Inputs) -> Iterator[tuple[Words, set[str]]]:
    """Each attribute with the docs that have it."""
    table, docs = inputs.documents, inputs.documents.by_id.values()
    yield say("categories"), {row.doc_id for row in docs if row.categories}
    yield say("a group"), {row.doc_id for row in docs if row.group}
    yield say("a popularity"), {row.doc_id for row in docs if row.popularity is not None}
    if table.vectors is not None:
        here = np.flatnonzero(~np.isnan(table.vectors[:, 0]))  # a vector is known as a whole
        yield say("a vector"), {table.rows[place].doc_id for place in here.tolist()}


CHECKS = (
    Check(
        UNKNOWN_ATTRIBUTE,
        find_unknown_attributes,
        "d4 is displayed; other docs have a category, d4 has none.",
    ),
)
