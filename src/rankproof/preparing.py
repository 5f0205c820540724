"""Preparing: what `evaluate` is given becomes tables, or judgments made ready and runs that become hits."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankproof.hit_alignment import can_lay
from rankproof.measures.combining import parts_of
from rankproof.measures.dialects import conventions_for
from rankproof.measures.measure import Measure
from rankproof.measuring import Given, sees_hits
from rankproof.memory.run import InMemory
from rankproof.tables.conventions import Conventions
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

if TYPE_CHECKING:
    from rankproof.tables.preferences import Preferences

    Evidence = Judgments | Preferences | Judged
Runs = Sequence[Run | Hits | InMemory]


def prepared(
    judgments: "Evidence | Mapping[str, Mapping[str, int]]",
    runs: Runs,
    chosen: Sequence[Measure],
    conventions: Conventions,
    given: Given,
) -> "tuple[Evidence, Runs]":
    """Judgments and runs that go together: all of them tables; or judgments made ready, and runs that become hits.

    Runs in memory become hits where nothing is kept and hits tell all that is asked for; else everything is laid
    out in tables.
    """
    ready = judgments if isinstance(judgments, Judged) else None
    in_memory = [run for run in runs if not isinstance(run, (Run, Hits))]
    if not in_memory:
        if isinstance(judgments, Mapping):
            return Judgments.from_dict(judgments), runs
        whole = ready is not None and all(isinstance(run, Run) for run in runs)
        return ready.whole if ready is not None and whole else judgments, runs
    from rankproof.memory.coded import CodedRun  # not loaded where no run is in memory

    beside = (
        given.fixed_candidates
        or given.preferences is not None
        or not isinstance(judgments, (Mapping, Judgments, Judged))
    )
    apart = ready is None or ready.codes is None  # from runs in codes
    more = (
        given.keep
        or beside
        or any(isinstance(run, Run) or (apart and isinstance(run, CodedRun)) for run in runs)
    )
    scanned = any(isinstance(run, Hits) for run in runs)  # there is no table of those
    if not scanned and (more or orderings(chosen, conventions) is None):
        tables = [run if isinstance(run, (Run, Hits)) else run.table(ready) for run in runs]
        if isinstance(judgments, Mapping):
            return Judgments.from_dict(judgments), tables
        return ready.whole if ready is not None else judgments, tables
    return Judged.of(judgments) if isinstance(judgments, (Mapping, Judgments)) else judgments, runs


def as_hits(judgments: "Evidence", runs: Runs, conventions: Conventions) -> Any:
    """The same runs; those in memory as hits, ordered as the conventions say."""
    if not isinstance(judgments, Judged):
        return runs
    ordering = Ordering.of(conventions)
    return [run if isinstance(run, (Run, Hits)) else run.hits(judgments, ordering) for run in runs]


def orderings(chosen: Iterable[Measure], conventions: Conventions) -> set[Ordering] | None:
    """The orderings of lists that some measures need by some conventions; None where hits do not tell enough."""
    parts = list(parts_of(list(chosen)))
    sets = {conventions_for(conventions, m.name, m.at, m.full_name) for m in parts} | {conventions}
    enough = all(map(can_lay, sets)) and all(map(sees_hits, parts))
    return {Ordering.of(one) for one in sets} if enough else None


def one_ordering(measures: Iterable[Measure], conventions: Conventions) -> Ordering | None:
    """The ordering of lists that serves all measures; None where hits do not, or there are several."""
    found = orderings([measure.under(conventions) for measure in measures], conventions)
    return next(iter(found)) if found is not None and len(found) == 1 else None
