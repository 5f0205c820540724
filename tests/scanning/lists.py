"""Lists of lines as an engine settles them, and as the alignment of tables does."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from rankproof import Judgments, Run
from rankproof.alignment import align, free
from rankproof.scanning.lines import RUN, Brief, Engine, Looked, Rows
from rankproof.scanning.parts import ranked, scored
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import REPEAT
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans
from scanning.blocks import DOCS, QUERIES

TIES = ("file", "file_last", "doc_id_desc", "doc_id_asc", "optimistic", "pessimistic")
IDS = (*DOCS, *(f"doc-{n}" for n in range(30)))
SCORES = (
    "1",
    "1",
    "2",
    "0",
    "-0",
    "0.1",
    "0.10000000000000002",
    "0.100000001",
    "nan",
    "inf",
    "-inf",
    "-3.5",
    "1e39",
    "2e39",
    "x",
)


class Line(NamedTuple):
    """One displayed doc; a rank of None is written as a word."""

    query: str
    doc: str
    rank: int | None
    score: str


def orderings() -> st.SearchStrategy[Ordering]:
    """Every rule for order and ties."""
    return st.builds(
        Ordering,
        st.sampled_from(("displayed", "score")),
        st.sampled_from(TIES),
        st.sampled_from((64, 32)),
        st.sampled_from(("pooled", "zero", "skip")),
    )


def judgments() -> st.SearchStrategy[Judgments]:
    """Grades of some docs; -1 is in the pool and not judged."""
    docs = st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), max_size=12)
    return st.dictionaries(st.sampled_from(QUERIES), docs, max_size=4).map(Judgments.from_dict)


@st.composite
def lines(draw: st.DrawFn, *, together: bool = False) -> list[Line]:
    """Lists with ranks that rise, repeat, start anywhere or are no numbers; `together`: list after list."""
    found: list[Line] = []
    for query in draw(st.lists(st.sampled_from(QUERIES), max_size=5, unique=together)):
        docs = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=30, unique=draw(st.booleans())))
        scores = draw(st.lists(st.sampled_from(SCORES), min_size=len(docs), max_size=len(docs)))
        if draw(st.booleans()):
            scores = [str(score) for score in sorted(map(len, scores), reverse=True)]
        first, how = draw(st.integers(-2, 2)), draw(st.sampled_from(("rise", "fall", "any", "mixed", "none")))
        some = st.none() | st.integers(-3, 40)
        rank = {
            "rise": list(range(first, first + len(docs))),
            "fall": list(range(first + len(docs), first, -1)),
            "any": draw(st.permutations(range(len(docs)))),
            "mixed": draw(st.lists(some, min_size=len(docs), max_size=len(docs))),
            "none": [0] * len(docs),
        }[how]
        found += [Line(query, *rest) for rest in zip(docs, rank, scores, strict=True)]
    return found if together or draw(st.booleans()) else draw(st.permutations(found))


def block_of(displayed: Sequence[Line]) -> bytes:
    """The lines as a file."""
    written = (f"{q} Q0 {d} {'none' if r is None else r} {s} tag\n" for q, d, r, s in displayed)
    return "".join(written).encode()


def settled(
    engine: Engine,
    judged: Judged,
    displayed: Sequence[Line],
    ordering: Ordering,
    *,
    gathered: bool,
    brief: bool = False,
) -> list[tuple[Any, ...]]:
    """(place, n_repeats, hits) of each list whose query was asked; `gathered`: lists are put together from anywhere."""
    block = block_of(displayed)
    index = engine.index(judged)
    tokens = engine.tokenise(block, len(block), RUN)
    assert tokens is not None
    lines = tokens.lines
    number = lines.number.copy()
    for _, _, at, length, row in tokens.events[tokens.events[:, 0] == 3].tolist():
        text = block[at : at + length]
        number[row] = np.nan if text == b"x" else float(text)
    looked, order = engine.look_up(lines, index), None
    if gathered:
        n = len(judged.queries)
        place = np.repeat(np.where(looked.place < 0, n, looked.place), np.diff(looked.starts)).astype(
            np.int32
        )
        order, starts = engine.grouped(place, n + 1)
        looked = Looked(starts, np.array([*range(n), -1], np.int32), looked.judgment, looked.hash)
    docs = Spans(block, lines.doc_at, lines.doc_length)
    rows: Rows | Brief = Rows(docs, looked.judgment, looked.hash, number, lines.whole)
    if brief:
        by_rank = ordering.order == "displayed"
        of = looked.judgment, looked.hash
        rows = ranked(*of, lines.whole) if by_rank else scored(*of, number, engine.packed(docs))
    found = engine.settle(rows, looked, index, ordering, order)
    hits = list(zip(*(column.tolist() for column in found[:4]), strict=True))
    at, said = 0, []
    for place, n_hits, n_repeats in zip(
        looked.place.tolist(), found.n_hits.tolist(), found.n_repeats.tolist(), strict=True
    ):
        said.append((place, n_repeats, hits[at : at + n_hits]))
        at += n_hits
    assert at == len(hits)
    return said


def aligned(
    judged: Judged, table: Judgments, displayed: Sequence[Line], ordering: Ordering
) -> dict[int, Any]:
    """{place: (n_repeats, hits)} as the alignment of tables says it."""
    conventions = Conventions(
        order=ordering.order,
        ties=ordering.ties,
        score_width=ordering.score_width,
        negative_grades=ordering.negative_grades,
    )
    # A list with a rank that is none is ordered by its scores, as one with equal ranks is.
    without = {line.query for line in displayed if line.rank is None}
    run = Run.of(
        "run",
        [line.query for line in displayed],
        [line.doc for line in displayed],
        rank=[0 if line.query in without else line.rank for line in displayed],
        score=[np.nan if line.score == "x" else float(line.score) for line in displayed],
    )
    # One line alone with a rank of 0 has no equal rank; its place is the same either way.
    shown = align(table, run, conventions, judged.queries).displayed
    start, size = free(shown, conventions)
    docs = judged.docs.texts()
    known = {
        (q, docs[row]): row for q in range(len(judged.queries)) for row in range(*judged.offsets[q : q + 2])
    }
    found = {}
    for place in range(len(judged.queries)):
        rows = range(int(shown.offsets[place]), int(shown.offsets[place + 1]))
        hits, repeats = [], 0
        for row in rows:
            judgment = known.get((place, displayed[shown.row[row]].doc))
            repeat = shown.grade[row] == REPEAT
            repeats += int(repeat)
            if judgment is not None:
                said = -1 - judgment if repeat else judgment
                hits.append((said, row - rows.start + 1, int(start[row]), int(size[row])))
        found[place] = (repeats, hits)
    return found


def looked_up(judged: Judged, displayed: Sequence[Line]) -> tuple[list[int], list[int], list[int]]:
    """(starts, place, judgment) as dictionaries say it."""
    docs = judged.docs.texts()
    known = {
        (q, docs[row]): row for q in range(len(judged.queries)) for row in range(*judged.offsets[q : q + 2])
    }
    starts = [i for i, line in enumerate(displayed) if not i or line.query != displayed[i - 1].query]
    place = [judged.place.get(displayed[i].query, -1) for i in starts]
    judgment = [known.get((judged.place.get(line.query, -1), line.doc), -1) for line in displayed]
    return [*starts, len(displayed)], place, judgment
