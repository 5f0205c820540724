"""Columns scanned: judgments and runs in Arrow batches straight to what measures need.

Only plain tables are read so: texts or whole numbers as ids, numbers as ranks, scores and grades, and nothing
that is a finding. For any other NotPlain is raised, and the readers in `reading` take it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankproof.formats.arrow import Batch, batches
from rankproof.formats.arrow_ids import ids_of, lists_of, scores_of, stop_unless_plain, wholes_of
from rankproof.formats.blocks import NotPlain
from rankproof.formats.gathering import Scanning, Supply, gathered
from rankproof.formats.indexing import indexed
from rankproof.formats.noticing import Problems
from rankproof.formats.plain_roles import judgment_roles, ordering_of, run_roles
from rankproof.formats.problems import TAGS
from rankproof.scanning.lines import Counts, Index, Lines, Tokens
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits
from rankproof.tables.spans import Spans, joined

STEP = 1 << 16  # rows looked at together: what is put aside for them stays in the processor's cache


@dataclass(frozen=True, eq=False)
class Table:
    """A table in batches: the names of its columns, the batches of some of them as often as it takes, how many rows."""

    names: Sequence[str]
    batches: Callable[[Sequence[str]], Iterator[Batch]]
    n: int
    file: str = ""


def table_of(given: Any) -> Table:
    """A table in memory that hands out its columns as Arrow does."""
    held = list(batches(given))
    names = list(held[0]) if held else []
    return Table(names, lambda _: iter(held), sum(batch[names[0]].n for batch in held if names))


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of a run or of judgments.

    starts   (n_lists,) where each list of neighbours of one query begins
    queries  (n_lists,) its query
    docs     (n_rows,) in the order in which they stand in their text
    """

    starts: Ints
    queries: Spans
    docs: Spans
    whole: Ints
    number: Floats

    def lists(self, low: int, high: int) -> "_Rows":
        """The rows of the lists low:high."""
        ends = np.append(self.starts, len(self.docs))
        first, last = int(ends[low]), int(ends[high])
        return _Rows(
            self.starts[low:high] - first,
            self.queries.at_places(np.arange(low, high)),
            self.docs.within(first, last),
            self.whole[first:last],
            self.number[first:last],
        )


def scan_judgment_columns(table: Table) -> Index:
    """Judgments made ready for scanning runs; NotPlain where anything is odd."""
    roles = judgment_roles(table.names, table.file)
    index = indexed(_judgment_lines(table, roles), table.file)
    stop_unless_plain(index.judged.names)
    return index


def _judgment_lines(table: Table, roles: dict[str, str]) -> Iterator[Lines]:
    for batch in _pieces(table, roles):
        docs = ids_of(batch["doc_id"])
        grade = wholes_of(batch["grade"], len(docs))
        if len(grade) and grade.min() < 0:
            raise NotPlain("a grade below 0")
        yield _lines([_Rows(*lists_of(batch["query_id"]), docs, grade, np.zeros(len(grade)))])


def scan_run_columns(table: Table, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a run, and a finding where it has several tags; NotPlain where anything else is odd."""
    roles = run_roles(table.names, table.file)
    tags: dict[str, None] = {}
    ordering = ordering_of(scanning.ordering, "score" in roles)
    times = table.n / STEP
    supply = Supply(lambda: _blocks(_run_rows(table, roles, tags)), _tokens, name, table.file, times)
    hits, _ = gathered(supply, replace(scanning, ordering=ordering))
    stop_unless_plain(Spans.of(hits.extra))  # those that were asked are as the judgments have them
    problems = Problems(table.file)
    if len(tags) > 1:
        problems.add(TAGS, count=len(tags), tags=", ".join(list(tags)[:5]))
    return replace(hits, ordering=scanning.ordering, tags=tuple(tags)), problems.findings()


def _run_rows(table: Table, roles: dict[str, str], tags: dict[str, None]) -> Iterator[_Rows]:
    before = 0
    for batch in _pieces(table, roles):
        docs = ids_of(batch["doc_id"])
        whole = wholes_of(batch.get("rank"), len(docs))
        if "score" in batch:
            number = scores_of(batch["score"], "rank" in batch)
        else:
            number = -np.arange(before, before + len(docs), dtype=np.float64)
        if "run" in batch:
            tags |= dict.fromkeys(lists_of(batch["run"])[1].texts())
        before += len(docs)
        yield _Rows(*lists_of(batch["query_id"]), docs, whole, number)


def _pieces(table: Table, roles: dict[str, str]) -> Iterator[Batch]:
    """Some rows at a time, each column by its role."""
    for batch in table.batches(list(roles.values())):
        n = next(iter(batch.values())).n
        for low in range(0, n, STEP):
            yield {role: batch[name].rows(low, min(low + STEP, n)) for role, name in roles.items()}


def _blocks(given: Iterable[_Rows]) -> Iterator[list[_Rows]]:
    """Rows cut where a query ends; those of the last query wait for what follows."""
    held: list[_Rows] = []
    for rows in given:
        if held and rows.queries.raw(0) != held[-1].queries.raw(0):
            held, whole = [], held
            yield whole
        last = len(rows.starts) - 1
        if last:
            yield [*held, rows.lists(0, last)]
            held = []
        held.append(rows.lists(last, last + 1))
    if held:
        yield held


def _lines(rows: Sequence[_Rows]) -> Lines:
    """Rows behind each other, with all their texts in one block."""
    ids = joined([one.docs for one in rows] + [one.queries for one in rows])
    sizes = np.concatenate([np.diff(one.starts, append=len(one.docs)) for one in rows])
    n = int(sizes.sum())
    return Lines(
        ids.text,
        np.repeat(ids.at[n:], sizes),
        np.repeat(ids.length[n:], sizes),
        ids.at[:n],
        ids.length[:n],
        np.arange(n, dtype=np.int32),
        _column([one.whole for one in rows]),
        _column([one.number for one in rows]),
    )


def _column(parts: list[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _tokens(rows: Sequence[_Rows]) -> Tokens:
    lines = _lines(rows)
    n = len(lines.line)
    return Tokens(lines, Counts(n, n, 0, 0, 0, 0, 0, 0), np.empty((0, 5), np.int64))
