"""Scanning files: TREC judgments and runs straight to what measures need, in blocks, without a table of all lines.

Only plain files are read so; where anything asks for more care, NotPlain is raised and the readers in
`reading` do it. What is odd in a line becomes the finding that they would give.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from rankproof.formats.blocks import NotPlain, blocks
from rankproof.formats.looks import stop_unless_judgments, stop_unless_run
from rankproof.formats.noticing import Problems
from rankproof.formats.oddities import Oddities
from rankproof.formats.sources import Source
from rankproof.formats.unpacking import Damaged
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import JUDGMENTS, RUN, Index, Layout, Looked, Rows
from rankproof.scanning.parts import HitPart, RowPart, drained, hits_of, read, rows_of
from rankproof.tables.columns import Ints, offsets_of
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.spans import Lengths, Spans

Made = TypeVar("Made", HitPart, RowPart)
_LOOKS = {RUN: stop_unless_run, JUDGMENTS: stop_unless_judgments}
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


def index_of(judged: Judged) -> Index:
    """Judgments made ready for scanning runs against them."""
    return engine().index(judged)


def scan_judgments(source: Source) -> tuple[Judged, Findings]:
    """Judgments from a TREC file without anything odd in it but grades below 0; NotPlain for any other."""
    place: dict[bytes, int] = {}
    queries, docs, grades = [], [], []
    kernels, oddities = engine(), Oddities()
    for block in _plain_blocks(source, JUDGMENTS):
        tokens = read(kernels, block, JUDGMENTS)
        if tokens is None or drained(tokens) or tokens.counts.odd:
            raise NotPlain("something that is to be told line by line")
        lines = tokens.lines
        oddities.add(tokens.counts, ())
        queries.append(_places(lines.block, lines.query_at, lines.query_length, place))
        docs.append(kernels.packed(Spans(block, lines.doc_at, lines.doc_length)))
        grades.append(lines.whole.copy())
        below = np.flatnonzero(lines.whole < 0)
        if len(below):
            oddities.negative(lines, int(below[0]), len(below), tokens.counts)
    if not place:
        raise NotPlain("no row")
    query, grade = np.concatenate(queries), np.concatenate(grades)
    ids, order = joined(docs), None
    if (np.diff(query) < 0).any():
        order = np.argsort(query, kind="stable")
        query, grade, ids = query[order], grade[order], ids.at_places(order)
    offsets = offsets_of(query, len(place))
    if (kernels.repeats(ids, offsets) != np.arange(len(grade))).any():
        raise NotPlain("a doc that is judged twice for a query")
    names = tuple(name.decode("utf-8") for name in place)
    judged = Judged(names, offsets, ids, np.maximum(grade, NO_GRADE), source.file)
    return judged, oddities.findings(Problems(source.file))


def _places(block: bytes, at: Ints, length: Lengths, place: dict[bytes, int]) -> Ints:
    """(n,) the place of each row's query, by the order in which they appear; neighbours that are alike are asked once."""
    spans = Spans(block, at, length)
    begins = np.flatnonzero(~same_as_before(spans))
    known = [place.setdefault(spans.raw(row), len(place)) for row in begins.tolist()]
    return np.repeat(np.array(known, np.int64), np.diff(np.append(begins, len(at))))


def same_as_before(ids: Spans) -> np.ndarray:
    """(n,) True where an id equals the one before it."""
    n = len(ids)
    if not n:
        return np.zeros(0, bool)
    same = np.append(False, ids.length[1:] == ids.length[:-1])
    text = np.frombuffer(ids.text, np.uint8)
    rows = np.flatnonzero(same)
    for place in range(int(ids.length.max())):
        rows = rows[ids.length[rows] > place]
        differs = text[ids.at[rows] + place] != text[ids.at[rows - 1] + place]
        same[rows[differs]] = False
        rows = rows[~differs]
    return same


def joined(parts: list[Spans]) -> Spans:
    """Spans behind each other, each part in a text of its own, as spans of one text."""
    sizes = np.array([len(part.view) for part in parts], np.int64)
    shifts = np.cumsum(sizes) - sizes
    at = [part.at + shift for part, shift in zip(parts, shifts.tolist(), strict=True)]
    text = np.concatenate([np.frombuffer(part.view, np.uint8) for part in parts])
    return Spans(text, np.concatenate(at), np.concatenate([part.length for part in parts]))


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

    def work(block: bytes) -> HitPart:
        tokens = read(kernels, block, RUN)
        if tokens is None:
            raise NotPlain("too much that is odd")
        return hits_of(kernels, tokens, scanning.index, scanning.ordering)

    for part in _worked(_plain_blocks(source, RUN), work, scanning.threads):
        if seen[part.place].any() or len(np.unique(part.place)) < len(part.place):
            raise Interleaved
        seen[part.place] = True
        oddities.add(part.counts, part.odd)
        parts.append(part)
    oddities.stop_unless_usual()
    return _hits(parts, scanning, name, source, oddities), oddities.findings(Problems(source.file))


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


def _worked(given: Iterable[bytes], work: Callable[[bytes], Made], threads: int) -> Iterator[Made]:
    """work(block) of each block in order, on some threads; few blocks are held at a time."""
    if threads == 1:
        yield from map(work, given)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for block in given:
                waiting.append(pool.submit(work, block))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _hits(parts: list[HitPart], scanning: Scanning, name: str, source: Source, oddities: Oddities) -> Hits:
    """The parts put together."""
    extra: dict[str, int] = {}
    for part in parts:
        for query, n in part.extra.items():
            extra[query] = extra.get(query, 0) + n
    n_hits = _column([part.n_hits for part in parts])
    hits = [_column([part.hits[place] for part in parts]) for place in range(4)]
    return Hits(
        name,
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
        source=source.file,
        tags=tuple(oddities.tags),
        n_lines=oddities.lines,
        n_repeats=sum(part.n_repeats for part in parts),
    )


def _column(parts: list[np.ndarray]) -> Ints:
    return np.concatenate([*parts, np.empty(0, np.int32)]).astype(np.int64)


def _apart(source: Source, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a file in which they do not: rows are gathered, past the memory in several passes."""
    parts = 1
    while True:
        try:
            oddities = Oddities()
            found = [_gathered(source, scanning, part, parts, oddities) for part in range(parts)]
        except MemoryError:
            if parts >= 1024:
                raise
            parts *= 2
            continue
        oddities.stop_unless_usual()
        return _hits(found, scanning, name, source, oddities), oddities.findings(Problems(source.file))


def _gathered(source: Source, scanning: Scanning, part: int, parts: int, oddities: Oddities) -> HitPart:
    """The hits of one of `parts` equal parts of the queries. Raises MemoryError where its rows are too many."""
    kernels, held = engine(), 0
    found: list[RowPart] = []

    def work(block: bytes) -> RowPart:
        tokens = read(kernels, block, RUN)
        if tokens is None:
            raise NotPlain("too much that is odd")
        return rows_of(kernels, tokens, scanning.index, part, parts)

    for rows in _worked(_plain_blocks(source, RUN), work, scanning.threads):
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
