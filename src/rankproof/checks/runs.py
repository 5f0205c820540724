"""Checks of each run by itself: repeats, short lists, queries without a list."""

from collections.abc import Iterator

import numpy as np

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import Facts, all_queries, each_row
from rankproof.tables.columns import Ints
from rankproof.tables.displayed import REPEAT
from rankproof.tables.findings import Finding, Kind

DUPLICATE_DOC = Kind(
    "duplicate-doc",
    "error",
    "Run {run}, query {query}: doc {doc} is displayed at rank {first_rank} and again at rank {again_rank}; the first "
    "showing counts, the repeat keeps its place and is worth nothing.",
    "A relevant doc that counts twice lifts every measure, in some tools above 1.",
    "Remove the repeat where the run is made.",
)
SHORT_LIST = Kind(
    "short-list",
    "info",
    "Run {run}: in {count:query|queries} fewer docs were displayed than the cutoff {cutoff} ({examples}).",
    "The places that are left empty count as not relevant.",
    "Nothing to do if the system found no more; else ask it for longer lists.",
)
RUN_STATE = Kind(
    "run-state",
    "warning",
    "Run {run}: {count:query has|queries have} no list: {empty} answered with nothing, {failed} failed, {not_run} not run.",
    "An empty answer is a result; a failure is none.",
    "Run the failed queries and those not run again before you compare.",
)
INTERLEAVED_QUERIES = Kind(
    "interleaved-queries",
    "info",
    "Run {run}: the lines of {count:query|queries} do not stand together ({examples}); they were put together by query.",
    "Often a sign that two files were joined; some tools read only the first part.",
    "Nothing to do, if all lines belong to the same run.",
)


def find_duplicate_docs(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """The same doc twice in one list, told once for each query and doc."""
    for displayed in inputs.lists:
        run, at = displayed.run, np.flatnonzero(displayed.grade == REPEAT)
        if not len(at):
            continue
        shown = (run.query.codes * len(run.doc.names) + run.doc.codes)[displayed.row]
        _, once, counts = np.unique(shown[at], return_index=True, return_counts=True)
        order = np.argsort(once)
        at, counts = at[once[order]], counts[order]
        first = _first_showings(shown, shown[at])
        facts = _ranks(displayed.rank[first], displayed.rank[at])
        yield from each_row(kind, run, displayed.row[at], facts, counts)


def find_short_lists(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Lists of asked queries that end before the cutoff; a query without a list is not short."""
    for displayed in inputs.lists if inputs.cutoff else ():
        sizes = np.diff(displayed.offsets)[: len(inputs.asked)]
        short = np.flatnonzero((sizes > 0) & (sizes < (inputs.cutoff or 0)))
        if len(short):
            queries = [displayed.queries[place] for place in short.tolist()]
            yield all_queries(kind, displayed.run, queries, cutoff=inputs.cutoff)


def find_run_states(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Queries of which the run itself says that they have no list."""
    for run in inputs.runs:
        without = [query for query, state in run.states.items() if state != "ok"]
        if without:
            by_state = {s: [q for q in without if run.states[q] == s] for s in ("empty", "failed", "not_run")}
            counts = {state: len(queries) for state, queries in by_state.items()}
            lists = {f"{state}_queries": tuple(queries) for state, queries in by_state.items()}
            yield all_queries(kind, run, without, **counts, **lists)


def find_interleaved_queries(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Queries whose lines stand in more than one place of the file."""
    for run in inputs.runs:
        codes = run.query.codes
        begins = np.flatnonzero(np.diff(codes, prepend=-1))
        parts = np.bincount(codes[begins], minlength=len(run.query.names))
        parted = parts[codes[begins]] > 1
        if parted.any():
            queries = list(dict.fromkeys(run.query.texts_at(begins[parted])))
            yield all_queries(kind, run, queries)


def _first_showings(pairs: Ints, wanted: Ints) -> Ints:
    """(n_wanted,) where each wanted pair stands first."""
    found, first = np.unique(pairs, return_index=True)
    return first[np.searchsorted(found, wanted)]


def _ranks(first: Ints, again: Ints) -> Facts:
    return lambda place: {"first_rank": int(first[place]), "again_rank": int(again[place])}


CHECKS = (
    Check(DUPLICATE_DOC, find_duplicate_docs, "d1 stands at rank 1 and at rank 7 of the same list."),
    Check(SHORT_LIST, find_short_lists, "nDCG@10 is asked for, and a list has 4 docs."),
    Check(RUN_STATE, find_run_states, "The row of q7 has the state failed."),
    Check(INTERLEAVED_QUERIES, find_interleaved_queries, "Lines of q1, then of q2, then of q1 again."),
)
