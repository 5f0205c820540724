"""Checks of runs against each other: did they order the same docs, and are they two runs at all?"""

from collections.abc import Iterator

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import examples
from rankproof.tables.displayed import Displayed
from rankproof.tables.findings import Finding, Kind

CANDIDATE_SETS_DIFFER = Kind(
    "candidate-sets-differ",
    "error",
    "Query {query}: run {run} lacks {lacking} docs that run {other} displayed and displayed {added} that the "
    "other did not ({examples}), although the candidates are fixed.",
    "Over different docs two systems are not compared by their order.",
    "Give both systems the same candidates, or declare the candidates open.",
)
ALL_RUNS_IDENTICAL = Kind(
    "all-runs-identical",
    "warning",
    "Run {run} displays exactly the same lists as run {other}.",
    "Two systems rarely agree in every place; one file may have been given twice.",
    "Check that the right files were given.",
)


def find_differing_candidate_sets(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Queries whose docs differ from one run to another; only where candidates are fixed.

    A run without a list for a query is told of elsewhere and not held against its docs.
    """
    for place, query in enumerate(inputs.asked if inputs.fixed_candidates else ()):
        sets = [(displayed, set(displayed.docs(place))) for displayed in inputs.lists]
        shown = [(displayed, docs) for displayed, docs in sets if docs]
        for displayed, docs in shown[1:]:
            other, expected = shown[0]
            if docs != expected:
                yield _difference(kind, displayed, place, query, docs, other, expected)
                break


def find_identical_runs(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Runs whose lists are all the same as those of an earlier run."""
    n = len(inputs.asked)
    for place, displayed in enumerate(inputs.lists):
        for earlier in inputs.lists[:place]:
            if _identical(earlier, displayed, n):
                yield Finding(
                    kind, {"other": earlier.run.name}, displayed.run.source, run=displayed.run.name, count=n
                )
                break


def _difference(
    kind: Kind,
    displayed: Displayed,
    place: int,
    query: str,
    docs: set[str],
    other: Displayed,
    expected: set[str],
) -> Finding:
    run = displayed.run
    facts = {
        "other": other.run.name,
        "lacking": len(expected - docs),
        "added": len(docs - expected),
        "examples": examples(sorted(docs ^ expected)),
    }
    first = displayed.row[displayed.rows(place)][0]
    line = 0 if run.line is None else int(run.line[first])
    return Finding(kind, facts, run.source, line, run.name, query, count=len(docs ^ expected))


def _identical(one: Displayed, other: Displayed, n: int) -> bool:
    """True where the first `n` lists hold the same docs in the same order, and any at all."""
    end = int(one.offsets[n])
    if not end or not np.array_equal(one.offsets[: n + 1], other.offsets[: n + 1]):
        return False
    tops = one.offsets[:n][np.diff(one.offsets[: n + 1]) > 0]  # most runs already differ at the top
    if one.run.doc.texts_at(one.row[tops]) != other.run.doc.texts_at(other.row[tops]):
        return False
    return one.run.doc.texts_at(one.row[:end]) == other.run.doc.texts_at(other.row[:end])


CHECKS = (
    Check(CANDIDATE_SETS_DIFFER, find_differing_candidate_sets, "Run A orders d1, d2, d3; run B d1, d2, d4."),
    Check(ALL_RUNS_IDENTICAL, find_identical_runs, "The same file was given as baseline and as candidate."),
)
