"""Columns scanned: judgments and runs in Arrow batches straight to what measures need.

Only plain tables are read so: texts or whole numbers as ids, numbers as ranks, scores and grades, and nothing
that is a finding. For any other NotPlain is raised, and the readers in `reading` take it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankproof.formats.arrow import Batch
from rankproof.formats.arrow_ids import ids_of, scores_of, stop_unless_plain, wholes_of
from rankproof.formats.blocks import NotPlain
from rankproof.formats.gathering import Scanning, Supply, gathered
from rankproof.formats.headings import JUDGMENT_COLUMNS, RUN_COLUMNS, columns_by_role
from rankproof.formats.indexing import indexed, lists_in
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import TAGS
from rankproof.formats.roles import role_of_headings
from rankproof.scanning.lines import Counts, Index, Lines, Tokens
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits
from rankproof.tables.spans import Spans, joined

STEP = 1 << 16  # rows looked at together: what is put aside for them stays in the processor's cache


@dataclass(frozen=True, eq=False)
class Table:
    """A table in batches: the names of its columns, and the batches of some of them as often as it takes."""

    names: Sequence[str]
    batches: Callable[[Sequence[str]], Iterator[Batch]]
    file: str = ""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of a run or of judgments; ids stand in the order of their texts."""

    queries: Spans
    docs: Spans
    whole: Ints
    number: Floats

    def within(self, low: int, high: int) -> "_Rows":
        return _Rows(
            self.queries.within(low, high),
            self.docs.within(low, high),
            self.whole[low:high],
            self.number[low:high],
        )


def scan_judgment_columns(table: Table) -> Index:
    """Judgments made ready for scanning runs; NotPlain where anything is odd."""
    roles = columns_by_role(table.names, JUDGMENT_COLUMNS)
    roles |= {
        "grade": name for name in columns_by_role(table.names, ("score",)).values() if "grade" not in roles
    }
    seen = role_of_headings(list(table.names), table.file)
    if set(roles) != {"query_id", "doc_id", "grade"} or seen in ("run", "preferences"):
        raise NotPlain("more than a grade of each doc")
    index = indexed(_judgment_lines(table, roles), table.file)
    stop_unless_plain(index.judged.names)
    return index


def _judgment_lines(table: Table, roles: dict[str, str]) -> Iterator[Lines]:
    for batch in _pieces(table, roles):
        docs = ids_of(batch["doc_id"])
        grade = wholes_of(batch["grade"], len(docs))
        if len(grade) and grade.min() < 0:
            raise NotPlain("a grade below 0")
        yield _lines([_Rows(ids_of(batch["query_id"], checked=False), docs, grade, np.zeros(len(grade)))])


def scan_run_columns(table: Table, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a run, and a finding where it has several tags; NotPlain where anything else is odd."""
    roles = columns_by_role(table.names, RUN_COLUMNS)
    seen = role_of_headings(list(table.names), table.file)
    if not {"query_id", "doc_id"} <= set(roles) or "state" in roles or seen in ("judgments", "preferences"):
        raise NotPlain("more than docs of queries")
    tags: dict[str, None] = {}
    ordering = scanning.ordering
    if "score" not in roles:  # the order of the rows stands in for scores, and ranks go before it
        ordering = replace(ordering, order="displayed", score_width=64)
    supply = Supply(lambda: _blocks(_run_rows(table, roles, tags)), _tokens, name, table.file)
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
            _add_tags(batch, tags)
        before += len(docs)
        yield _Rows(ids_of(batch["query_id"], checked=False), docs, whole, number)


def _add_tags(batch: Batch, tags: dict[str, None]) -> None:
    found = ids_of(batch["run"], checked=False)
    tags |= dict.fromkeys(found.at_places(lists_in(found)[:-1]).texts())


def _pieces(table: Table, roles: dict[str, str]) -> Iterator[Batch]:
    """Some rows at a time, each column by its role."""
    for batch in table.batches(list(roles.values())):
        n = next(iter(batch.values())).n
        for low in range(0, n, STEP):
            yield {role: batch[name].rows(low, min(low + STEP, n)) for role, name in roles.items()}


def _blocks(given: Iterable[_Rows]) -> Iterator[list[_Rows]]:
    """Rows cut where a query ends; those behind the cut wait for what follows."""
    held: list[_Rows] = []
    for rows in given:
        cut = _cut(rows.queries)
        if not cut and held and rows.queries.raw(0) != held[-1].queries.raw(len(held[-1].queries) - 1):
            yield held
            held = []
        elif cut:
            yield [*held, rows.within(0, cut)]
            held = []
        held.append(rows.within(cut, len(rows.queries)))
    if held:
        yield held


def _cut(queries: Spans) -> int:
    """Where a query begins that differs from the one before, near the end; 0 where all are the same."""
    high = len(queries) - 1
    query, step, low = queries.raw(high), 64, high
    while low:  # backwards in growing steps to another query, or to the beginning
        low = max(high - step, 0)
        if queries.raw(low) != query:
            break
        high, step = low, step * 4
    else:
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if queries.raw(middle) == query else (middle, high)
    return high


def _lines(rows: Sequence[_Rows]) -> Lines:
    """Rows behind each other, with all their texts in one block."""
    n = sum(len(one.docs) for one in rows)
    ids = joined([*(one.queries for one in rows), *(one.docs for one in rows)])
    return Lines(
        ids.text,
        ids.at[:n],
        ids.length[:n],
        ids.at[n:],
        ids.length[n:],
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
