"""Scanning files: TREC judgments and runs straight to what measures need, in blocks, without a table of all lines.

Only plain files are read so; where anything asks for more care, NotPlain is raised and the readers in
`reading` do it. What is odd in a line becomes the finding that they would give.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from rankproof.formats.blocks import SIZE, NotPlain, blocks
from rankproof.formats.looks import stop_unless_judgments, stop_unless_run
from rankproof.formats.noticing import Problems
from rankproof.formats.oddities import Oddities
from rankproof.formats.sources import Source
from rankproof.formats.unpacking import Damaged
from rankproof.scanning.engine import engine
from rankproof.scanning.gathering import TooMuch, gathered
from rankproof.scanning.lines import JUDGMENTS, RUN, Engine, Index, Layout, Tokens
from rankproof.scanning.parts import Block, HitPart, RowPart, drained, hits_of, rows_of
from rankproof.tables.columns import Ints, offsets_of
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.spans import Spans

if TYPE_CHECKING:
    from concurrent.futures import Future

Made = TypeVar("Made")
_LOOKS = {RUN: stop_unless_run, JUDGMENTS: stop_unless_judgments}
INLINE = 8  # blocks that are not worth a thread
MOST_PASSES = 1024
MEMORY = 1 << 30  # bytes of rows held at once, where the lines of a query do not stand together


class Interleaved(Exception):
    """The lines of a query stand in more than one place of the file."""


@dataclass(frozen=True, eq=False)
class Scanning:
    """How a run is scanned: the judgments made ready, what orders its lists, how many threads, how much memory."""

    index: Index
    ordering: Ordering
    threads: int = 1
    memory: int = MEMORY


def scan_judgments(source: Source) -> tuple[Index, Findings]:
    """Judgments from a TREC file, made ready for scanning runs; NotPlain where anything but a grade below 0 is odd."""
    place: dict[bytes, int] = {}
    queries, docs, grades = [], [], []
    kernels, oddities = engine(), Oddities()
    nobody = kernels.index(Judged((), np.zeros(1, np.int64), Spans.of(()), np.empty(0, np.int64)))
    for block in _plain_blocks(source, JUDGMENTS):
        tokens = kernels.tokenise(block, len(block), JUDGMENTS)
        if tokens is None or drained(tokens) or tokens.counts.odd:
            raise NotPlain("something that is to be told line by line")
        lines = tokens.lines
        oddities.add(Block(None, tokens.counts, (), {}))
        starts = kernels.look_up(lines, nobody).starts
        begins = lines.query_at[starts[:-1]]
        ends = (begins + lines.query_length[starts[:-1]]).tolist()
        lists = [
            place.setdefault(block[at:end], len(place)) for at, end in zip(begins.tolist(), ends, strict=True)
        ]
        queries.append(np.repeat(np.array(lists, np.int64), np.diff(starts)))
        docs.append(kernels.packed(Spans(block, lines.doc_at, lines.doc_length)))
        grades.append(lines.whole.copy())
        below = np.flatnonzero(lines.whole < 0)
        if len(below):
            oddities.negative(lines, int(below[0]), len(below), tokens.counts)
    if not place:
        raise NotPlain("no row")
    query, grade = np.concatenate(queries), np.concatenate(grades)
    ids, order = _joined(docs), None
    if (np.diff(query) < 0).any():
        order = np.argsort(query, kind="stable")
        query, grade, ids = query[order], grade[order], ids.at_places(order)
    offsets = offsets_of(query, len(place))
    names = tuple(name.decode("utf-8") for name in place)
    index = kernels.index(Judged(names, offsets, ids, np.maximum(grade, NO_GRADE), source.file))
    if index.n_repeated:
        raise NotPlain("a doc that is judged twice for a query")
    return index, oddities.findings(Problems(source.file))


def _joined(parts: list[Spans]) -> Spans:
    """Spans of texts of their own, each from its beginning, as spans of one text."""
    text = np.concatenate([np.frombuffer(part.view, np.uint8) for part in parts])
    length = np.concatenate([part.length for part in parts])
    ends = np.cumsum(length, dtype=np.int64)
    return Spans(text, ends - length, length)


def scan_run(source: Source, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a run in a TREC file; NotPlain where careful readers are needed."""
    try:
        return _together(source, scanning, name)
    except Interleaved:
        return _apart(source, scanning, name)


def _together(source: Source, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a file in which the lines of each query stand together."""
    kernels, oddities = engine(), Oddities()
    seen = np.zeros(len(scanning.index.judged.queries), bool)
    parts: list[HitPart] = []

    def work(block: bytes) -> Block[HitPart]:
        return hits_of(kernels, _tokens(kernels, block), scanning.index, scanning.ordering)

    for block in _worked(_plain_blocks(source, RUN), work, scanning.threads):
        places = np.sort(block.part.place)
        if seen[places].any() or (places[1:] == places[:-1]).any():
            raise Interleaved
        seen[places] = True
        oddities.add(block)
        parts.append(block.part)
    return _hits(parts, scanning, name, source, oddities)


def _apart(source: Source, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a file in which they do not: rows are gathered, past the memory in several passes."""
    parts, kernels = 1, engine()
    while True:
        oddities = Oddities()
        try:
            found = [
                gathered(
                    kernels,
                    _rows(source, scanning, part, parts, oddities),
                    scanning.index,
                    scanning.ordering,
                    scanning.memory,
                    1.02 * (source.size // SIZE + 1),
                )
                for part in range(parts)
            ]
            return _hits(found, scanning, name, source, oddities)
        except TooMuch:
            if parts >= MOST_PASSES:
                raise NotPlain("a list too long for the memory") from None
            parts *= 2


def _rows(source: Source, scanning: Scanning, part: int, parts: int, oddities: Oddities) -> Iterator[RowPart]:
    """The rows of one of `parts` equal parts of the queries; the first pass tells what is odd."""
    kernels = engine()

    def work(block: bytes) -> Block[RowPart]:
        return rows_of(kernels, _tokens(kernels, block), scanning.index, part, parts)

    for block in _worked(_plain_blocks(source, RUN), work, scanning.threads):
        if part == 0:
            oddities.add(block)
        yield block.part


def _tokens(kernels: Engine, block: bytes) -> Tokens:
    tokens = kernels.tokenise(block, len(block), RUN)
    if tokens is None:
        raise NotPlain("too much that is odd")
    return tokens


def _plain_blocks(source: Source, layout: Layout) -> Iterator[bytes]:
    """The blocks of a file that looks as it should."""
    looked = False
    try:
        for block in blocks(source.pieces(), layout):
            if not looked:
                _LOOKS[layout](source.path.name, block)
                looked = True
            yield block
    except Damaged as error:
        raise NotPlain(str(error)) from error


def _worked(given: Iterator[bytes], work: Callable[[bytes], Made], threads: int) -> Iterator[Made]:
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


def _hits(
    parts: list[HitPart], scanning: Scanning, name: str, source: Source, oddities: Oddities
) -> tuple[Hits, Findings]:
    """The parts put together, and what was odd."""
    oddities.stop_unless_usual()
    n_hits = _column([part.n_hits for part in parts])
    judgment, rank, tie_start, tie_size = (
        _column([part.hits[place] for part in parts]) for place in range(4)
    )
    hits = Hits(
        name,
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
        source=source.file,
        tags=tuple(oddities.tags),
        n_lines=oddities.lines,
        n_repeats=sum(part.n_repeats for part in parts),
    )
    return hits, oddities.findings(Problems(source.file))


def _column(parts: list[np.ndarray]) -> Ints:
    return np.concatenate([*parts, np.empty(0, np.int32)]).astype(np.int64)
