"""Gathering: the blocks of a run to its hits, where queries stand together and where they do not."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from rankproof.formats.blocks import NotPlain
from rankproof.formats.oddities import Oddities
from rankproof.scanning.engine import engine
from rankproof.scanning.growing import TooMuch, settled_rows
from rankproof.scanning.lines import Index, Tokens, TooBrief
from rankproof.scanning.parts import Block, HitPart, RowPart, Wanted, hits_of, rows_of
from rankproof.tables.columns import Ints
from rankproof.tables.hits import Hits, Ordering

if TYPE_CHECKING:
    from concurrent.futures import Future

Given = TypeVar("Given")
Made = TypeVar("Made")
MOST_PASSES = 1024
INLINE = 8  # blocks that are not worth a thread
FOR_ONE = 1 << 31  # bytes of a run for which one thread is enough
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
class Supply(Generic[Given]):
    """A run in blocks that end where the rows of a query end: from the beginning as often as it takes."""

    blocks: Callable[[], Iterator[Given]]
    tokens: Callable[[Given], Tokens]
    name: str
    file: str
    times: float = 1.0  # how many blocks like the first are expected


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worth_threads(size: int) -> int:
    """How many threads a run of so many bytes is worth; 0 bytes where nobody knows.

    Each costs processor time of its own, as a block is fetched by one and worked on by another: a second one saves
    little before there are seconds to save.
    """
    return min(processors(), 2 if not size else 1 + size // FOR_ONE)


def gathered(supply: Supply[Given], scanning: Scanning) -> tuple[Hits, Oddities]:
    """The hits of a run, and what was odd in it."""
    with suppress(Interleaved):  # then the rows are gathered
        return _together(supply, scanning)
    return _apart(supply, scanning)  # out here, where nothing of the first try is held any more


def _together(supply: Supply[Given], scanning: Scanning) -> tuple[Hits, Oddities]:
    """The hits of a run in which the rows of each query stand together."""
    kernels, oddities = engine(), Oddities()
    seen = np.zeros(len(scanning.index.judged.queries), bool)
    parts: list[HitPart] = []

    def work(given: Given) -> Block[HitPart]:
        return hits_of(kernels, supply.tokens(given), scanning.index, scanning.ordering)

    for block in _worked(supply.blocks(), work, scanning.threads):
        places = np.sort(block.part.place)
        if seen[places].any() or (places[1:] == places[:-1]).any():
            raise Interleaved
        seen[places] = True
        oddities.add(block)
        parts.append(block.part)
    return _hits(parts, scanning, supply, oddities), oddities


def _worked(given: Iterator[Given], work: Callable[[Given], Made], threads: int) -> Iterator[Made]:
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


def _hits(parts: list[HitPart], scanning: Scanning, supply: Supply[Given], oddities: Oddities) -> Hits:
    """The parts put together."""
    oddities.stop_unless_usual()
    n_hits = _column([part.n_hits for part in parts])
    judgment, rank, tie_start, tie_size = (
        _column([part.hits[place] for part in parts]) for place in range(4)
    )
    return Hits(
        supply.name,
        scanning.index.judged,
        scanning.ordering,
        _column([part.place for part in parts]),
        _column([part.n_retrieved for part in parts]),
        np.concatenate(([0], np.cumsum(n_hits))),
        judgment,
        rank,
        tie_start,
        tie_size,
        extra=oddities.extra,
        source=supply.file,
        tags=tuple(oddities.tags),
        n_repeats=sum(part.n_repeats for part in parts),
    )


def _column(parts: list[np.ndarray]) -> Ints:
    return np.concatenate([*parts, np.empty(0, np.int32)]).astype(np.int64)


def _apart(supply: Supply[Given], scanning: Scanning) -> tuple[Hits, Oddities]:
    """The hits of a run in which they do not: rows are gathered, past the memory in several passes.

    They are held in brief; whole where ranks order the lists, and one needs more than its ranks.
    """
    parts, brief, by_rank = 1, True, scanning.ordering.order == "displayed"
    while True:
        oddities = Oddities()
        try:
            passes = (Wanted(part, parts, by_rank, brief) for part in range(parts))
            found = [_settled(supply, scanning, wanted, oddities) for wanted in passes]
            return _hits(found, scanning, supply, oddities), oddities
        except TooBrief:
            brief = False
        except TooMuch:
            if parts >= MOST_PASSES:
                raise NotPlain("a list too long for the memory") from None
            parts *= 2


def _settled(supply: Supply[Given], scanning: Scanning, wanted: Wanted, oddities: Oddities) -> HitPart:
    """The hits of the queries of one pass; the first pass tells what is odd."""
    kernels = engine()

    def work(given: Given) -> Block[RowPart]:
        return rows_of(kernels, supply.tokens(given), scanning.index, wanted)

    def rows() -> Iterator[RowPart]:
        for block in _worked(supply.blocks(), work, scanning.threads):
            if wanted.part == 0:
                oddities.add(block)
            yield block.part

    return settled_rows(
        kernels, rows(), scanning.index, scanning.ordering, scanning.memory, 1.02 * supply.times
    )
