"""Gathering: the blocks of a run to its hits, where queries stand together and where they do not."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from rankproof.formats.oddities import Oddities
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import Index, Looked, Rows, Tokens
from rankproof.scanning.parts import HitPart, RowPart, hits_of, rows_of
from rankproof.tables.columns import Ints
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.spans import joined

if TYPE_CHECKING:
    from concurrent.futures import Future

Block = TypeVar("Block")
Made = TypeVar("Made", HitPart, RowPart)
INLINE = 8  # blocks that are not worth a thread
MEMORY = 1 << 30  # bytes of rows held at once, where the lines of a query do not stand together


class Interleaved(Exception):
    """The lines of a query stand in more than one place of the run."""


@dataclass(frozen=True, eq=False)
class Scanning:
    """How a run is scanned: the judgments made ready, what orders its lists, how many threads, how much memory."""

    index: Index
    ordering: Ordering
    threads: int = 1
    memory: int = MEMORY


@dataclass(frozen=True, eq=False)
class Supply(Generic[Block]):
    """A run in blocks that end where the rows of a query end: from the beginning as often as it takes."""

    blocks: Callable[[], Iterator[Block]]
    tokens: Callable[[Block], Tokens]
    name: str
    file: str


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def gathered(supply: Supply[Block], scanning: Scanning) -> tuple[Hits, Oddities]:
    """The hits of a run, and what was odd in it."""
    try:
        return _together(supply, scanning)
    except Interleaved:
        return _apart(supply, scanning)


def _together(supply: Supply[Block], scanning: Scanning) -> tuple[Hits, Oddities]:
    """The hits of a run in which the rows of each query stand together."""
    kernels, oddities = engine(), Oddities()
    seen = np.zeros(len(scanning.index.judged.queries), bool)
    parts: list[HitPart] = []

    def work(block: Block) -> HitPart:
        return hits_of(kernels, supply.tokens(block), scanning.index, scanning.ordering)

    for part in _worked(supply.blocks(), work, scanning.threads):
        places = np.sort(part.place)
        if seen[places].any() or (places[1:] == places[:-1]).any():
            raise Interleaved
        seen[part.place] = True
        oddities.add(part.counts, part.odd)
        parts.append(part)
    oddities.stop_unless_usual()
    return _hits(parts, scanning, supply, oddities), oddities


def _worked(given: Iterator[Block], work: Callable[[Block], Made], threads: int) -> Iterator[Made]:
    """work(block) of each block in order; those behind the first few on some threads, and few are held at a time."""
    yield from map(work, given if threads == 1 else islice(given, INLINE))
    following = next(given, None)
    if following is None:
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for block in chain((following,), given):
                waiting.append(pool.submit(work, block))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _hits(parts: list[HitPart], scanning: Scanning, supply: Supply[Block], oddities: Oddities) -> Hits:
    """The parts put together."""
    extra: dict[str, int] = {}
    for part in parts:
        for query, n in part.extra.items():
            extra[query] = extra.get(query, 0) + n
    n_hits = _column([part.n_hits for part in parts])
    hits = [_column([part.hits[place] for part in parts]) for place in range(4)]
    return Hits(
        supply.name,
        scanning.index.judged,
        scanning.ordering,
        _column([part.place for part in parts]),
        _column([part.n_retrieved for part in parts]),
        np.concatenate(([0], np.cumsum(n_hits))),
        hits[0],
        hits[1],
        hits[2],
        hits[3],
        extra=extra,
        source=supply.file,
        tags=tuple(oddities.tags),
        n_lines=oddities.lines,
        n_repeats=sum(part.n_repeats for part in parts),
    )


def _column(parts: list[np.ndarray]) -> Ints:
    return np.concatenate([*parts, np.empty(0, np.int32)]).astype(np.int64)


def _apart(supply: Supply[Block], scanning: Scanning) -> tuple[Hits, Oddities]:
    """The hits of a run in which they do not: rows are gathered, past the memory in several passes."""
    parts = 1
    while True:
        try:
            oddities = Oddities()
            found = [_part(supply, scanning, part, parts, oddities) for part in range(parts)]
        except MemoryError:
            if parts >= 1024:
                raise
            parts *= 2
            continue
        oddities.stop_unless_usual()
        return _hits(found, scanning, supply, oddities), oddities


def _part(supply: Supply[Block], scanning: Scanning, part: int, parts: int, oddities: Oddities) -> HitPart:
    """The hits of one of `parts` equal parts of the queries. Raises MemoryError where its rows are too many."""
    kernels, held = engine(), 0
    found: list[RowPart] = []

    def work(block: Block) -> RowPart:
        return rows_of(kernels, supply.tokens(block), scanning.index, part, parts)

    for rows in _worked(supply.blocks(), work, scanning.threads):
        if part == 0:
            oddities.add(rows.counts, rows.odd)
        found.append(rows)
        held += 40 * len(rows.place) + len(rows.docs.view)
        if held > scanning.memory:
            raise MemoryError
    place = np.concatenate([rows.place for rows in found])
    order, starts = kernels.grouped(place, len(scanning.index.judged.queries))
    lists = np.flatnonzero(np.diff(starts))
    lists = lists[np.argsort(order[starts[lists]], kind="stable")] if part == 0 and parts == 1 else lists
    settled_rows = Rows(
        joined([rows.docs for rows in found]),
        np.concatenate([rows.judgment for rows in found]),
        np.concatenate([rows.hash for rows in found]),
        np.concatenate([rows.number for rows in found]),
        np.concatenate([rows.whole for rows in found]),
    )
    by_place = np.sort(lists)
    looked = Looked(
        np.append(starts[by_place], starts[-1]),
        by_place.astype(np.int32),
        settled_rows.judgment,
        settled_rows.hash,
    )
    found_hits = kernels.settle(settled_rows, looked, scanning.index, scanning.ordering, order)
    extra: dict[str, int] = {}
    for rows in found if part == 0 else ():
        for query, n in rows.extra.items():
            extra[query] = extra.get(query, 0) + n
    return HitPart(
        found[0].counts,
        (),
        extra,
        by_place.astype(np.int32),
        np.diff(looked.starts).astype(np.int32),
        found_hits.n_hits.copy(),
        int(found_hits.n_repeats.sum()),
        tuple(column.copy() for column in found_hits[:4]),
    )
