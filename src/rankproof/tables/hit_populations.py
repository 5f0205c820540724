"""Populations of hits: the same as `populate` finds, query by query in whole columns."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import cast

import numpy as np

from rankproof.tables.columns import Bools
from rankproof.tables.conventions import Conventions
from rankproof.tables.hits import Hits
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.later import Later
from rankproof.tables.populations import Populations, RunPopulation
from rankproof.tables.run import State


def populate_hits(judged: Judged, runs: Sequence[Hits], conventions: Conventions) -> Populations:
    """Which queries of the judgments can be evaluated, and how each run stands with them."""
    evaluable, no_relevant, unjudged, has_relevant = _parts(judged, conventions)
    by_run = {run.name: _standing(judged, run, evaluable, has_relevant) for run in runs}
    return Populations(evaluable, no_relevant, unjudged, runs=by_run)


def _parts(
    judged: Judged, conventions: Conventions
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Bools]:
    """The queries with a relevant doc, with judged docs only, with neither; and (n_queries,) True for the first."""
    below = 0 if conventions.negative_grades == "zero" else NO_GRADE
    valued = conventions.no_relevant in ("zero", "one") and conventions.negative_grades != "skip"
    relevant = judged.have(conventions.rel, below)
    graded = judged.have(NO_GRADE if valued else 0, below)
    every = judged.queries
    if relevant.all():
        return every, (), (), relevant
    return (
        tuple(compress(every, relevant)),
        tuple(compress(every, graded & ~relevant)),
        tuple(compress(every, ~graded & ~relevant)),
        relevant,
    )


def _standing(judged: Judged, run: Hits, evaluable: tuple[str, ...], has_relevant: Bools) -> RunPopulation:
    def states() -> Mapping[str, State]:
        listed = np.zeros(len(judged.queries), bool)
        listed[run.place] = True
        found: dict[str, State] = dict.fromkeys(evaluable, "ok")
        found |= dict.fromkeys(compress(judged.queries, has_relevant & ~listed), "missing")
        return found | {query: state for query, state in run.states.items() if query in found}

    extra = dict.fromkeys(run.extra)
    if run.states:
        extra |= dict.fromkeys(query for query in run.states if query not in judged.place)
    return RunPopulation(cast(Mapping[str, State], Later(states)), tuple(extra))
