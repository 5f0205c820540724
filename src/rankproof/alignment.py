"""Alignment: a run laid over judgments. Order, ties, repeats and gaps are settled here and only here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.beside import laid_beside
from rankproof.tables.columns import Bools, Floats, Ints, first_of_each, offsets_of, places_of
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import POOLED, REPEAT, Displayed
from rankproof.tables.judgments import NO_GRADE, Judgments
from rankproof.tables.lists import Beside, Lists
from rankproof.tables.rankings import Rankings
from rankproof.tables.run import Run
from rankproof.tables.subtopics import Subtopics


@dataclass(frozen=True, eq=False)
class Aligned:
    """A run laid over judgments: what measures see, and the lists from which it was made.

    n_relevant   (n_queries,) how many docs are judged relevant, whatever the convention pool says
    """

    rankings: Rankings
    displayed: Displayed
    n_relevant: Floats


def align(
    judgments: Judgments,
    run: Run,
    conventions: Conventions,
    queries: Sequence[str] | None = None,
    *,
    candidates: Iterable[Run] = (),
    top_grade: int | None = None,
    known: Beside | None = None,
) -> Aligned:
    """`run` laid over `judgments` for `queries` (all judged ones by default), by `conventions`.

    `candidates` are the runs whose docs make the candidate set where ideal=candidates; `known` is laid
    beside the lists.
    """
    queries = tuple(judgments.query.in_order_of_appearance() if queries is None else queries)
    grades = _Grades(judgments, conventions, queries)
    displayed = _displayed(grades, run, conventions, queries)
    hit = displayed.grade >= 0
    sizes = np.diff(displayed.offsets)
    of_hit = np.repeat(np.arange(len(queries)), sizes)[hit]
    pool = _best_first(grades.query, grades.grade, len(queries))
    if conventions.pool == "shown":
        unseen = sizes[grades.query] == 0  # a query without a list keeps what was judged for it
        query = np.concatenate((of_hit, grades.query[unseen]))
        pool = _best_first(query, np.concatenate((displayed.grade[hit], grades.grade[unseen])), len(queries))
    if conventions.ideal == "shown":
        best = _best_first(of_hit, displayed.grade[hit], len(queries))
    elif conventions.ideal == "candidates":
        among = grades.among(candidates or (run,), queries)
        best = _best_first(grades.query[among], grades.grade[among], len(queries))
    else:
        best = pool
    tie_start, tie_size = free(displayed, conventions)
    averaged = conventions.ties == "average"
    pooled_above, pooled_tied = displayed.pooled(
        *((tie_start, tie_size) if averaged else (displayed.rank, 1))
    )
    rankings = Rankings(
        offsets_of(of_hit, len(queries)),
        displayed.rank[hit],
        displayed.grade[hit],
        sizes,
        *pool,
        *best,
        tie_start[hit],
        tie_size[hit],
        pooled_above[hit],
        judgments.top_grade if top_grade is None else top_grade,
        averaged=averaged,
        lists=Lists(displayed.offsets, run.doc.codes[displayed.row], displayed.grade, run.doc.names),
        subtopics=grades.subtopics(displayed, conventions.ideal, candidates or (run,)),
        pooled_tied=pooled_tied[hit] if averaged else None,
    )
    relevant = grades.query[grades.grade >= conventions.rel]
    n_relevant = np.bincount(relevant, minlength=len(queries)).astype(np.float64)
    return Aligned(laid_beside(rankings, known) if known else rankings, displayed, n_relevant)


def free(displayed: Displayed, conventions: Conventions) -> tuple[Ints, Ints]:
    """(n_lines,) the tie groups whose lines stand in no order; a line that a rank puts in its place is alone."""
    run = displayed.run
    place = places_of(run.query, displayed.queries)[run.query.codes]
    rows = np.flatnonzero(place >= 0)  # those below the depth as well: they had a say in what decides
    by_rank = np.zeros(len(displayed.queries), bool)
    by_rank[place[rows[_by_rank(run, conventions, rows, place[rows])]]] = True
    ranked = np.repeat(by_rank, np.diff(displayed.offsets))
    start = np.where(ranked, displayed.rank, displayed.tie_start)
    return start, np.where(ranked, 1, displayed.tie_size)


class _Grades:
    """The judgments that count, for the wanted queries: one a (query, doc), sorted by it."""

    def __init__(self, judgments: Judgments, conventions: Conventions, queries: Sequence[str]) -> None:
        wanted = places_of(judgments.query, queries)
        query, grade = wanted[judgments.query.codes], judgments.grade
        if conventions.negative_grades == "error" and judgments.pooled.any():
            row = int(np.flatnonzero(judgments.pooled)[0])
            raise UsageError(
                "The judgment of doc {doc} for query {query} is below 0, and negative_grades=error was asked.",
                doc=judgments.doc.names[judgments.doc.codes[row]],
                query=judgments.query.names[judgments.query.codes[row]],
            )
        self.worthless = worthless = {"zero": 0, "skip": NO_GRADE}.get(conventions.negative_grades, POOLED)
        self.judgments, self.place = judgments, query
        self.ids = judgments.doc
        self.n_docs = max(len(judgments.doc.names), 1)
        rows = np.flatnonzero(judgments.first & (query >= 0))
        key = query[rows] * self.n_docs + judgments.doc.codes[rows]
        order = np.argsort(key)
        rows = rows[order]
        self.key = key[order]
        self.every_grade = np.where(judgments.pooled[rows], worthless, grade[rows])
        judged = self.every_grade >= 0
        self.query, self.grade, self.doc = (
            query[rows][judged],
            self.every_grade[judged],
            judgments.doc.codes[rows][judged],
        )

    def of(self, query: Ints, doc: Ints) -> Ints:
        """(n,) the grade of each (query, doc), NO_GRADE where there is none; doc -1 is nobody's doc."""
        key = query * self.n_docs + doc
        at = np.searchsorted(self.key, key)
        at[at == len(self.key)] = 0
        if not len(self.key):
            return np.full(len(key), NO_GRADE)
        return np.where((self.key[at] == key) & (doc >= 0), self.every_grade[at], NO_GRADE)

    def among(self, runs: Iterable[Run], queries: Sequence[str]) -> Bools:
        """(n,) True where some run displayed the doc for the query."""
        key = self.query * self.n_docs + self.doc
        shown = np.zeros(len(key), bool)
        for run in runs:
            query, doc = places_of(run.query, queries)[run.query.codes], run.doc.into(self.ids)[run.doc.codes]
            known = (query >= 0) & (doc >= 0)
            shown |= np.isin(key, query[known] * self.n_docs + doc[known])
        return shown

    def subtopics(self, displayed: Displayed, ideal: str, candidates: Iterable[Run]) -> Subtopics | None:
        """What hits and judged docs cover; None where the judgments are of the whole need."""
        if self.judgments.subtopic is None:
            return None
        among = self.among(candidates, displayed.queries) if ideal == "candidates" else ideal != "shown"
        pool = self.query, self.doc
        return Subtopics.of(self.judgments, self.place, self.worthless, displayed, pool, among)


def _best_first(query: Ints, grade: Ints, n: int) -> tuple[Ints, Ints]:
    order = np.lexsort((-grade, query))
    return offsets_of(query[order], n), grade[order]


class _Rows(NamedTuple):
    """Displayed rows, query by query in the order that counts."""

    row: Ints
    query: Ints
    grade: Ints
    score: Floats

    def at(self, places: Ints | Bools) -> "_Rows":
        return _Rows(self.row[places], self.query[places], self.grade[places], self.score[places])


def _displayed(grades: _Grades, run: Run, conventions: Conventions, queries: Sequence[str]) -> Displayed:
    query = places_of(run.query, queries)[run.query.codes]
    rows = np.flatnonzero(query >= 0)
    query, doc = query[rows], run.doc.codes[rows]
    grade = grades.of(query, run.doc.into(grades.ids)[doc])
    found = _Rows(rows, query, grade, _scores(run, conventions)[rows])
    found = _cut(found.at(_order(run, conventions, found, doc)), conventions.depth, len(queries))
    repeat = ~first_of_each(found.query * max(len(run.doc.names), 1) + run.doc.codes[found.row])
    _stop_where_asked(run, conventions, found, repeat)
    keep = found.grade >= 0 if conventions.unjudged == "condense" else np.ones(len(repeat), bool)
    if conventions.duplicates == "first":
        found = found._replace(grade=np.where(repeat, REPEAT, found.grade))
    found = found.at(keep)
    offsets = offsets_of(found.query, len(queries))
    ties = _ties(found.query, found.score, offsets)
    return Displayed(run, tuple(queries), offsets, found.row, found.grade, *ties)


def _cut(found: _Rows, depth: int | None, n: int) -> _Rows:
    """The rows down to rank `depth`; all of them without one."""
    if depth is None:
        return found
    before = offsets_of(found.query, n)[found.query]
    return found.at(np.arange(len(before)) - before < depth)


def _stop_where_asked(run: Run, conventions: Conventions, found: _Rows, repeat: Bools) -> None:
    unjudged = (found.grade == NO_GRADE) | (found.grade == POOLED)
    if conventions.duplicates == "error" and repeat.any():
        row = found.row[repeat][:1]
        raise UsageError(
            "Run {run}, query {query}: doc {doc} stands twice, and duplicates=error was asked.",
            run=run.name,
            query=run.query.texts_at(row)[0],
            doc=run.doc.texts_at(row)[0],
        )
    if conventions.unjudged == "error" and unjudged.any():
        row = found.row[unjudged][:1]
        raise UsageError(
            "Run {run}, query {query}: nobody judged doc {doc}, and unjudged=error was asked.",
            run=run.name,
            query=run.query.texts_at(row)[0],
            doc=run.doc.texts_at(row)[0],
        )


def _scores(run: Run, conventions: Conventions) -> Floats:
    """(n_rows,) scores as wide as they are compared; a run without scores has none that are equal."""
    if run.score is None:
        return -np.arange(len(run), dtype=np.float64)
    if conventions.score_width == 32:
        with np.errstate(over="ignore"):
            return run.score.astype(np.float32).astype(np.float64)
    return run.score


def _order(run: Run, conventions: Conventions, found: _Rows, doc: Ints) -> Ints:
    """(n_rows,) the rows query by query in the order that counts."""
    rows, query, grade, score = found
    unknown = np.isnan(score)  # a score that is no number comes last
    fall = np.where(unknown, np.inf, -score)
    tie = {
        "file_last": -rows,
        "doc_id_desc": -doc,
        "doc_id_asc": doc,
        "optimistic": -grade,
        "pessimistic": grade,
    }.get(conventions.ties, rows)
    ranked = _by_rank(run, conventions, rows, query)
    if run.rank is not None and ranked.any():
        fall = np.where(ranked, run.rank[rows], fall)
        tie = np.where(ranked, rows, tie)
    order = np.lexsort((rows, tie, unknown, fall, query))
    if conventions.ties == "error":
        _stop_at_tie(run, rows[order], query[order], fall[order])
    return order


def _by_rank(run: Run, conventions: Conventions, rows: Ints, query: Ints) -> Bools:
    """(n_rows,) True where the rank column says the order."""
    if run.rank is None or (conventions.order == "score" and run.score is not None):
        return np.zeros(len(rows), bool)
    return _strictly_ranked(run.rank[rows], query)


def _strictly_ranked(rank: Ints, query: Ints) -> Bools:
    """(n_rows,) True for the rows of queries whose ranks are all different."""
    order = np.lexsort((rank, query))
    again = (np.diff(rank[order]) == 0) & (np.diff(query[order]) == 0)
    repeated = np.zeros(int(query.max(initial=-1)) + 1, bool)
    repeated[query[order][1:][again]] = True
    return ~repeated[query]


def _stop_at_tie(run: Run, rows: Ints, query: Ints, fall: Floats) -> None:
    tied = np.flatnonzero((fall[1:] == fall[:-1]) & (query[1:] == query[:-1]))
    if len(tied):
        row = rows[tied[0]]
        raise UsageError(
            "Run {run}, query {query}: docs have equal scores, and ties=error was asked.",
            run=run.name,
            query=run.query.names[run.query.codes[row]],
        )


def _ties(query: Ints, score: Floats, offsets: Ints) -> tuple[Ints, Ints]:
    """(n_rows,) the rank at which a group of neighbours with equal scores begins, and its size."""
    if not len(query):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    begins = np.concatenate(([True], (query[1:] != query[:-1]) | (score[1:] != score[:-1])))
    group = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    size = np.diff(np.append(starts, len(query)))
    return (starts - offsets[query[starts]] + 1)[group], size[group]
