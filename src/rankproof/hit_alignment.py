"""Alignment of hits: the rankings that measures see, made of the hits of a scanned run instead of its lines.

The order of each list is settled already; what conventions say of depth, gaps, repeats, pools and ideals is done
here as `alignment` does it with whole lists, and gives the same rankings.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import Bools, Floats, Ints, offsets_of
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import POOLED, REPEAT
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.rankings import Rankings

ROWS = 1 << 16  # judgments sorted together: few enough to stay near the processor
KEPT = 8  # sets of conventions and queries that judgments are kept ready for


# What a scanned run can be asked: nothing that names a doc, or that stops at one.
WITH_LINES = {
    "ties": ("error",),
    "duplicates": ("keep", "error"),
    "unjudged": ("error",),
    "negative_grades": ("error",),
}


def can_lay(conventions: Conventions) -> bool:
    """True where hits say all that the conventions ask of a run."""
    return not any(getattr(conventions, name) in values for name, values in WITH_LINES.items())


class Laying:
    """Judgments as some conventions see them, for some queries, made once for every run.

    grade        (n_judgments,) the grade that counts: below 0 for what is not judged
    wanted       (n_judged_queries,) the place of each judged query among `queries`; -1 where it is not wanted
    n_relevant   (n_queries,) how many docs are judged relevant
    place        the place of each of `queries`, where some are not those of the judgments
    """

    def __init__(
        self, judged: Judged, conventions: Conventions, queries: Sequence[str], top_grade: int
    ) -> None:
        self.judged, self.conventions, self.n, self.top_grade = judged, conventions, len(queries), top_grade
        worthless = {"zero": 0, "skip": NO_GRADE}.get(conventions.negative_grades, POOLED)
        self.grade = judged.grade
        if (judged.grade < 0).any():
            self.grade = np.where(judged.grade < 0, worthless, judged.grade)
        self.wanted = _places(judged, queries)
        whole = judged.queries == tuple(queries)
        self.place = {} if whole else {query: at for at, query in enumerate(queries)}
        if judged.queries == tuple(queries[: len(judged.queries)]) and self.grade.min(initial=0) >= 0:
            offsets = np.append(judged.offsets, np.full(self.n - len(judged.queries), len(judged)))
            self.pool = offsets, best_of_each(offsets, self.grade)
        else:
            self.pool = best_first(self.query[self.counted], self.grade[self.counted], self.n)
        self.n_relevant: Floats = np.zeros(self.n)
        filled = np.flatnonzero(np.diff(self.pool[0]))
        if len(filled):
            relevant = self.pool[1] >= conventions.rel
            self.n_relevant[filled] = np.add.reduceat(relevant, self.pool[0][filled], dtype=np.int64)

    @cached_property
    def query(self) -> Ints:
        """(n_judgments,) the place of each one's query among `queries`; -1 where it is not wanted."""
        return self.wanted[self.judged.query]

    @cached_property
    def counted(self) -> Bools:
        """(n_judgments,) True for those that are judged, of a wanted query."""
        return (self.grade >= 0) & (self.query >= 0)

    @classmethod
    def of(
        cls, judged: Judged, conventions: Conventions, queries: tuple[str, ...], top_grade: int
    ) -> "Laying":
        """The same, made once for judgments that serve several evaluations."""
        asked = ("laying", conventions, queries, top_grade)
        if asked not in judged.kept:
            judged.kept.pop(next((key for key in judged.kept if len(judged.kept) >= KEPT), None), None)
            judged.kept[asked] = cls(judged, conventions, queries, top_grade)
        found: Laying = judged.kept[asked]
        return found

    def lay(self, run: Hits, candidates: Iterable[Hits] = ()) -> Rankings:
        """The rankings of one run. `candidates` are the runs whose docs make the candidate set."""
        if run.judged is not self.judged or run.ordering != Ordering.of(self.conventions):
            raise UsageError(
                "Run {run} was scanned against other judgments or by other conventions. Scan it again.",
                run=run.name,
            )
        shown = _Shown.of(run, self)
        conventions = self.conventions
        pool, best = self.pool, self.pool
        if conventions.pool == "shown":
            unseen = self.counted & (shown.n_retrieved == 0)[self.query]  # it keeps what was judged for it
            query = np.concatenate((shown.query[shown.hit], self.query[unseen]))
            pool = best_first(query, np.concatenate((shown.grade[shown.hit], self.grade[unseen])), self.n)
            best = pool
        if conventions.ideal == "shown":
            best = best_first(shown.query[shown.hit], shown.grade[shown.hit], self.n)
        elif conventions.ideal == "candidates":
            among = self._among(candidates or (run,)) & self.counted
            best = best_first(self.query[among], self.grade[among], self.n)
        averaged = conventions.ties == "average"
        above, tied = shown.pooled(averaged)
        hit = shown.hit
        return Rankings(
            offsets_of(shown.query[hit], self.n),
            shown.rank[hit],
            shown.grade[hit],
            shown.n_retrieved,
            *pool,
            *best,
            shown.tie_start[hit],
            shown.tie_size[hit],
            above[hit],
            self.top_grade,
            averaged=averaged,
            pooled_tied=tied[hit] if averaged else None,
        )

    def _among(self, runs: Iterable[Hits]) -> Bools:
        """(n_judgments,) True where some run displayed the doc."""
        shown = np.zeros(len(self.grade), bool)
        for run in runs:
            shown[run.judgment[run.judgment >= 0]] = True
        return shown


class _Shown:
    """The judged docs that a run displayed, query by query and best first, as far as the conventions look.

    grade   below 0 for a doc that is not judged, or stands higher already; `hit` says which are the others
    """

    def __init__(
        self, query: Ints, rank: Ints, grade: Ints, ties: tuple[Ints, Ints], n_retrieved: Ints
    ) -> None:
        self.query, self.rank, self.grade, self.n_retrieved = query, rank, grade, n_retrieved
        self.tie_start, self.tie_size = ties
        hit = grade >= 0
        self.hit: Bools | slice = slice(None) if hit.all() else hit

    @classmethod
    def of(cls, run: Hits, laying: Laying) -> "_Shown":
        conventions = laying.conventions
        n_retrieved = np.zeros(laying.n, np.int64)
        of_list = laying.wanted[run.place]
        wanted = of_list >= 0
        n_retrieved[of_list[wanted]] = run.n_retrieved[wanted]
        for name, n in run.extra.items():
            if name in laying.place:
                n_retrieved[laying.place[name]] = n
        query = np.repeat(of_list, np.diff(run.offsets))
        rows: Ints | slice = slice(None)
        if not wanted.all() or conventions.depth is not None:
            rows = np.flatnonzero((query >= 0) & (run.rank <= (conventions.depth or run.rank)))
        if (np.diff(of_list[wanted]) < 0).any():
            rows = np.arange(len(query))[rows]
            rows = rows[np.argsort(query[rows], kind="stable")]
        if conventions.depth is not None:
            n_retrieved = np.minimum(n_retrieved, conventions.depth)
        judgment = run.judgment[rows]
        repeat = judgment < 0
        grade = laying.grade[np.where(repeat, -1 - judgment, judgment) if repeat.any() else judgment]
        columns = query, run.rank, run.tie_start, run.tie_size
        place, rank, start, size = (column[rows] for column in columns)
        if conventions.unjudged == "condense":  # a repeat of a judged doc keeps its place
            keep = grade >= 0
            place, rank, start, size = (column[keep] for column in (place, rank, start, size))
            repeat, grade = repeat[keep], grade[keep]
        if conventions.depth is not None:
            size = np.minimum(start + size - 1, conventions.depth) - start + 1
        if conventions.unjudged == "condense":
            n_retrieved = np.bincount(place, minlength=laying.n)
            rank, start, size = _closed_up(place, start, laying.n)
        grade = np.where(repeat, REPEAT, grade) if repeat.any() else grade
        return cls(place, rank, grade, (start, size), n_retrieved)

    def pooled(self, averaged: bool) -> tuple[Ints, Ints]:
        """(n_rows,) how many docs that are in the pool and not judged stand above each row, and in its tie group.

        Where ties are averaged, above the group.
        """
        pooled = self.grade == POOLED
        if not pooled.any():
            none = np.zeros(len(pooled), np.int64)
            return none, none
        before = np.concatenate(([0], np.cumsum(pooled)))
        top = before[np.searchsorted(self.query, self.query)]
        if not averaged:
            return before[:-1] - top, np.zeros(len(pooled), np.int64)
        deepest = int(max(self.rank.max(), (self.tie_start + self.tie_size).max())) + 1
        key = self.query * deepest + self.rank
        above = before[np.searchsorted(key, self.query * deepest + self.tie_start)]
        end = before[np.searchsorted(key, self.query * deepest + self.tie_start + self.tie_size)]
        return above - top, end - above


def _places(judged: Judged, queries: Sequence[str]) -> Ints:
    """(n_judged_queries,) the place of each judged query among `queries`; -1 where it is not wanted."""
    if judged.queries == tuple(queries[: len(judged.queries)]):
        return np.arange(len(judged.queries))
    place = {query: at for at, query in enumerate(queries)}
    return np.fromiter((place.get(query, -1) for query in judged.queries), np.int64, len(judged.queries))


def _closed_up(query: Ints, start: Ints, n: int) -> tuple[Ints, Ints, Ints]:
    """Rank and tie group of rows that close up where others are left out; those of one group had one start."""
    rank = np.arange(len(query)) - offsets_of(query, n)[query] + 1
    if not len(query):
        return rank, rank, rank
    begins = np.concatenate(([True], (query[1:] != query[:-1]) | (start[1:] != start[:-1])))
    group, firsts = np.cumsum(begins) - 1, np.flatnonzero(begins)
    return rank, rank[firsts][group], np.diff(np.append(firsts, len(query)))[group]


def best_first(query: Ints, grade: Ints, n: int) -> tuple[Ints, Ints]:
    """Where the grades of each of n queries begin, and the grades, best first."""
    top = int(grade.max(initial=0)) + 1
    if n * top >= 2**62:
        order = np.lexsort((-grade, query))
        return offsets_of(query[order], n), grade[order]
    key = query * top + (top - 1 - grade)  # one number for both: sorting numbers is the fastest sort
    if (key[1:] >= key[:-1]).all():
        return offsets_of(query, n), grade
    key.sort()
    query = key // top
    return offsets_of(query, n), top - 1 - (key - query * top)


def best_of_each(offsets: Ints, grade: Ints) -> Ints:
    """The grades of each query, which are offsets[i]:offsets[i+1], best first; some queries at a time."""
    best = np.empty(len(grade), np.int64)
    start, n = 0, len(offsets) - 1
    while start < n:
        stop = max(int(np.searchsorted(offsets, offsets[start] + ROWS, "right")) - 1, start + 1)
        rows = slice(offsets[start], offsets[stop])
        query = np.repeat(np.arange(stop - start), np.diff(offsets[start : stop + 1]))
        best[rows] = best_first(query, grade[rows], stop - start)[1]
        start = stop
    return best
