"""What evaluate is given beside tables of its own: tables in memory that hand out their columns as Arrow does."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from rankproof.errors import UsageError
from rankproof.memory.shapes import runs_of
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import Judgments

Table: TypeAlias = Any  # what hands out its columns as Arrow does; no class of ours


def is_table(given: object) -> bool:
    """True for a table that hands out its columns as Arrow does, or a single batch of one."""
    return hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")


def has_tables(judgments: object, runs: Any) -> bool:
    """True where the judgments are such a table, or a run is, by itself or among several."""
    if is_table(judgments) or is_table(runs):
        return True
    several = isinstance(runs, Sequence) and not isinstance(runs, str)
    return (several or isinstance(runs, Mapping)) and any(is_table(run) for _, run in _named(runs))


def taken(judgments: Any, runs: Any, ordering: Ordering | None) -> tuple[Any, list[Any]]:
    """Judgments and runs as tables of ours, or as hits where an `ordering` says that hits are enough.

    Tables go by their names in a mapping or in pairs (name, table), else they are "run", or "run 1", "run 2" and
    so on. Raises StrictStop at the first error-level finding: read_judgments and read_run tell all of them.
    """
    if isinstance(judgments, Mapping):
        judgments = Judgments.from_dict(judgments)
    judgments, named = _repeatable(judgments), [(name, _repeatable(run)) for name, run in _named(runs)]
    if ordering is not None and all(is_table(run) for _, run in named):
        from rankproof.formats.blocks import NotPlain

        try:
            return _scanned(judgments, named, ordering)
        except NotPlain:  # careful readers know what to do
            pass
    if isinstance(judgments, Judged):
        judgments = _table_of(judgments)
    return _read(judgments), [_read_run(run, name) for name, run in named]


def _named(runs: Any) -> list[tuple[str, Any]]:
    """Each run with its name: of a mapping or of pairs (name, run), else a number."""
    if isinstance(runs, Mapping) and not any(map(is_table, runs.values())):
        return [(run.name, run) for run in runs_of(runs)]
    if isinstance(runs, Mapping):
        return list(runs.items())
    if is_table(runs) or not isinstance(runs, Sequence):
        return [("run", runs)]
    names = ["run"] if len(runs) == 1 else [f"run {place}" for place in range(1, len(runs) + 1)]
    return [
        (run[0], run[1]) if isinstance(run, tuple) and len(run) == 2 else (name, run)
        for name, run in zip(names, runs, strict=True)
    ]


def _repeatable(given: Any) -> Any:
    """What can be looked at twice: a reader that hands out each batch once is read into memory."""
    if not is_table(given) or not hasattr(given, "__next__"):
        return given
    import polars as pl

    return pl.DataFrame(given)


def _scanned(
    judgments: Any, named: Sequence[tuple[str, Any]], ordering: Ordering
) -> tuple[Judged, list[Hits]]:
    """Judgments made ready, and the hits of each run; NotPlain where careful readers are needed."""
    from rankproof.formats.arrow_ids import stop_unless_plain
    from rankproof.formats.columnar import scan_run_columns, table_of
    from rankproof.formats.gathering import Scanning, processors

    index = _index(judgments)
    stop_unless_plain(index.judged.names)  # that nobody else asks for a query whose blanks were removed
    scanning = Scanning(index, ordering, processors())
    return index.judged, [scan_run_columns(table_of(run), scanning, name)[0] for name, run in named]


def _index(judgments: Any) -> Any:
    from rankproof.formats.blocks import NotPlain
    from rankproof.formats.columnar import scan_judgment_columns, table_of
    from rankproof.scanning.engine import engine

    if is_table(judgments):
        try:
            return scan_judgment_columns(table_of(judgments))
        except NotPlain:
            judgments = _read(judgments)
    if not isinstance(judgments, (Judgments, Judged)):
        raise NotPlain("no judgments")
    return engine().index(judgments if isinstance(judgments, Judged) else Judged.of(judgments))


def _read(judgments: Any) -> Any:
    if not is_table(judgments):
        return judgments
    from rankproof.formats.reading import read_judgments

    return read_judgments(judgments, strict=True)[0]


def _read_run(run: Any, name: str) -> Any:
    """A run of ours; what is no table goes as it is, with its name where it has none."""
    if not is_table(run):
        return (name, run) if isinstance(run, Mapping) else run
    from rankproof.formats.reading import read_run

    return read_run(run, name=name, strict=True)[0]


def _table_of(judged: Judged) -> Judgments:
    if judged.table is None:
        raise UsageError(
            "The judgments are made ready for looking docs up, and a run has to be read whole. Give the judgments "
            "as they were read: read_judgments."
        )
    return judged.table
