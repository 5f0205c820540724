"""Checks of where judgments come from: which version of a doc, which rubric, a person or a model."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_rows, each_row
from rankproof.tables.columns import Bools, Texts, texts_of
from rankproof.tables.findings import Finding, Kind
from rankproof.tables.judgments import Judgments

STALE_JUDGMENT = Kind(
    "stale-judgment",
    "warning",
    "Query {query}, doc {doc} was judged on version {judged_version} of the doc, which now has "
    "version {current_version}.",
    "The doc may no longer say what it was graded for.",
    "Judge the doc again for this query.",
)
MIXED_RUBRIC_VERSIONS = Kind(
    "mixed-rubric-versions",
    "warning",
    "The judgments follow {versions} versions of the rubric: {examples}.",
    "Under another rubric the same grade can mean something else.",
    "Judge the older ones again, or write down why the grades mean the same.",
)
OTHER_RUBRIC_VERSION = Kind(
    "other-rubric-version",
    "warning",
    "{count:judgment follows|judgments follow} another version of the rubric than the one given ({given}), the first being "
    "that of doc {first_doc} for query {first_query} ({seen}).",
    "The words that explain a grade in the report may not be those by which it was given.",
    "Give the rubric that was used, or judge again by the new one.",
)
MIXED_SOURCES = Kind(
    "mixed-sources",
    "warning",
    "The judgments come from different sources: {sources}.",
    "A model's or a click's label is not a person's, and a mean over both is a mean of neither.",
    "Evaluate each source by itself, and tell how far they agree.",
)


def find_stale_judgments(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Every pair whose counting judgment was made on another version; all are named, a gate needs each."""
    table, current = inputs.judgments, inputs.documents.by_id
    if not current or "doc_version" not in table.details:
        return
    names = table.doc.names.tolist()
    now = texts_of([current[doc].version if doc in current else "" for doc in names])[table.doc.codes]
    then = table.texts("doc_version")
    both = known(then) & known(now) & table.counts & ~table.pooled
    rows = np.flatnonzero(both & np.asarray(then != now, bool))

    def facts(place: int) -> dict[str, object]:
        return {"judged_version": then[rows[place]], "current_version": now[rows[place]]}

    yield from each_row(kind, table, rows, facts, listed=None)


def find_mixed_rubric_versions(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """More than one known version of the rubric in one file."""
    table = inputs.judgments
    counts = _counts(table, "rubric_version")
    if len(counts) > 1:
        largest = counts.most_common(1)[0][1]
        told = {"versions": len(counts), "examples": _told(counts)}
        yield Finding(kind, told, table.source, count=counts.total() - largest)


def find_other_rubric_version(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Judgments that name another version than that of the rubric given."""
    table, given = inputs.judgments, inputs.rubric.version
    others = [version for version in _counts(table, "rubric_version") if version != given]
    if not given or not others:
        return
    seen = table.texts("rubric_version")
    rows = np.flatnonzero(known(seen) & np.asarray(seen != given, bool))
    yield all_rows(kind, table, rows, given=given, seen=seen[rows[0]])


def find_mixed_sources(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Labels of people, models and clicks side by side; the rarer ones are counted."""
    table = inputs.judgments
    counts = _counts(table, "source")
    if len(counts) > 1:
        own = counts.get("human") or counts.most_common(1)[0][1]
        yield Finding(kind, {"sources": _told(counts)}, table.source, count=counts.total() - own)


def known(column: Texts) -> Bools:
    """(n_rows,) True where a detail is known."""
    return column.astype(bool)  # None and an empty text are not


def _counts(table: Judgments, detail: str) -> Counter[str]:
    """How many judgments have each known value of a detail."""
    column = table.details.get(detail, texts_of([]))
    return Counter(column[known(column)].tolist())


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{value} ({count})" for value, count in counts.most_common())


CHECKS = (
    Check(STALE_JUDGMENT, find_stale_judgments, "Judged on version 1 of a page that now has version 2."),
    Check(MIXED_RUBRIC_VERSIONS, find_mixed_rubric_versions, "Some judgments by rubric 1, some by rubric 2."),
    Check(OTHER_RUBRIC_VERSION, find_other_rubric_version, "Judged by rubric 1; rubric 2 is given."),
    Check(MIXED_SOURCES, find_mixed_sources, "100 judgments by people and 900 by a model in one file."),
)
