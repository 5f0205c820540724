"""Indexing: rows of judgments made ready for looking docs up in them."""

from collections.abc import Iterable

import numpy as np

from rankproof.formats.blocks import NotPlain
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import Index, Lines
from rankproof.tables.columns import Ints, offsets_of
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.spans import Spans, joined


def lists_in(ids: Spans) -> Ints:
    """Where each list of equal neighbours begins, and the number of ids."""
    n = len(ids)
    spans = (ids.at, ids.length)
    lines = Lines(
        ids.text, *spans, *spans, np.zeros(n, np.int32), np.zeros(n, np.int64), np.zeros(n, np.float64)
    )
    return engine().look_up(lines, _nobody()).starts.copy()


def _nobody() -> Index:
    """Judgments without a row."""
    return engine().index(Judged((), np.zeros(1, np.int64), Spans.of(()), np.empty(0, np.int64)))


def indexed(blocks: Iterable[Lines], file: str) -> Index:
    """Judgments from blocks of rows, query by query in the order in which they appear.

    NotPlain where there is no row, or a query has a doc twice.
    """
    place: dict[bytes, int] = {}
    queries, docs, grades = [], [], []
    kernels = engine()
    nobody = _nobody()
    for lines in blocks:
        starts = kernels.look_up(lines, nobody).starts
        begins = lines.query_at[starts[:-1]]
        ends = (begins + lines.query_length[starts[:-1]]).tolist()
        raw = zip(begins.tolist(), ends, strict=True)
        lists = [place.setdefault(bytes(lines.block[at:end]), len(place)) for at, end in raw]
        queries.append(np.repeat(np.array(lists, np.int64), np.diff(starts)))
        docs.append(kernels.packed(Spans(lines.block, lines.doc_at, lines.doc_length)))
        grades.append(lines.whole.copy())
    if not place:
        raise NotPlain("no row")
    query, grade, ids = np.concatenate(queries), np.concatenate(grades), joined(docs)
    if (np.diff(query) < 0).any():
        order = np.argsort(query, kind="stable")
        query, grade, ids = query[order], grade[order], ids.at_places(order)
    names = tuple(name.decode("utf-8") for name in place)
    judged = Judged(names, offsets_of(query, len(place)), ids, np.maximum(grade, NO_GRADE), file)
    index = kernels.index(judged)
    if index.n_repeated:
        raise NotPlain("a doc that is judged twice for a query")
    return index
