"""Runs in codes: queries and docs are whole numbers, and no text is made of a doc."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankproof.errors import UsageError
from rankproof.memory.run import Found, best_first, blocks, joined
from rankproof.memory.standing import Scored, by_sorting
from rankproof.memory.ties import Tied, tied_by
from rankproof.tables.codes import Codes, appearing, code_column, same_length, score_column
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.run import Run, State

_ODD = np.uint64(0x9E3779B97F4A7C15)  # spreads neighbouring keys over a table
LARGEST = 1 << 40  # of a doc code that can be put beside the number of its list


@dataclass(frozen=True, eq=False, repr=False)
class CodedRun:
    """What a system displayed, in codes; list i is about query[i] and has the docs starts[i]:starts[i+1].

    query    (n_lists,) codes of queries, each once
    doc      (n_docs,) codes of docs
    score    (n_docs,) the scores that say the order; None where the lists stand in it

    Columns that are given are looked at and not copied.
    """

    name: str
    query: Ints
    starts: Ints
    doc: Ints
    score: Floats | None = None

    def __post_init__(self) -> None:
        query, starts, doc = (code_column(getattr(self, name), name) for name in ("query", "starts", "doc"))
        score = None if self.score is None else score_column(self.score)
        same_length({"doc": doc} | ({} if score is None else {"score": score}))
        ends = (0, len(doc)) if len(starts) else ()
        sound = len(starts) == len(query) + 1 and (int(starts[0]), int(starts[-1])) == ends
        if not sound or (starts[1:] < starts[:-1]).any():
            raise UsageError(
                "The lists of run {run} begin at {starts}; expected {n} numbers that do not fall, from 0 to {end}.",
                run=self.name,
                starts=str(starts[:6].tolist()),
                n=len(query) + 1,
                end=len(doc),
            )
        if len(np.unique(query)) < len(query):
            raise UsageError("Run {run} has two rows of one query; expected one.", run=self.name)
        for name, column in (("query", query), ("starts", starts), ("doc", doc), ("score", score)):
            object.__setattr__(self, name, column)

    @classmethod
    def of(cls, name: str, query: Any, doc: Any, score: Any = None) -> "CodedRun":
        """A run from columns, one row a displayed doc; without scores the rows of a query stand in its order.

        >>> CodedRun.of("A", [7, 7, 9], [30, 10, 10]).starts.tolist()
        [0, 2, 3]
        """
        query, doc = code_column(query, "query"), code_column(doc, "doc")
        scores = None if score is None else score_column(score)
        same_length({"query": query, "doc": doc} | ({} if scores is None else {"score": scores}))
        codes, place = appearing(query)
        if (place[1:] < place[:-1]).any():
            order = np.argsort(place, kind="stable")
            doc, scores = doc[order], None if scores is None else scores[order]
        starts = np.append(0, np.cumsum(np.bincount(place, minlength=len(codes))))
        return cls(name, codes, starts, doc, scores)

    @classmethod
    def padded(cls, name: str, doc: Any, *, query: Any = None, score: Any = None) -> "CodedRun":
        """A run from doc codes (n_queries, k), best first or with scores (n_queries, k); below 0 stands no doc.

        Row i is about the query code query[i], or i itself.

        >>> CodedRun.padded("A", [[30, 10], [10, -1]]).starts.tolist()
        [0, 2, 3]
        """
        docs = np.asarray(doc)
        scores = None if score is None else score_column(score)
        if docs.ndim != 2 or (scores is not None and scores.shape != docs.shape):
            raise UsageError(
                "The docs have shape {docs}{scores}; expected (queries, k), and the same for scores.",
                docs=docs.shape,
                scores="" if scores is None else f", the scores {scores.shape}",
            )
        codes = code_column(np.arange(len(docs)) if query is None else query, "query")
        same_length({"query": codes, "doc": docs})
        there = docs >= 0
        if there.all():
            sizes, flat = np.full(len(docs), docs.shape[1]), docs.ravel()
        else:
            sizes, flat = there.sum(axis=1), docs[there]
            scores = None if scores is None else scores[there]
        starts = np.append(0, np.cumsum(sizes))
        return cls(name, codes, starts, code_column(flat, "doc"), None if scores is None else scores.ravel())

    def __repr__(self) -> str:
        return f"CodedRun({self.name!r}, {len(self.doc)} docs, {len(self.query)} queries)"

    def table(self, judged: Judged | None = None) -> Run:
        """The run as a table of texts: queries are called as the judgments call them."""
        codes = Codes(self.query, self.doc[:0]) if judged is None or judged.codes is None else judged.codes
        names, sizes = np.array(codes.texts(self.query), object), np.diff(self.starts)
        query: list[str] = np.repeat(names, sizes).tolist()
        doc = list(map(str, self.doc.tolist()))
        states: dict[str, State] = dict.fromkeys(names[sizes == 0].tolist(), "empty")
        rank = np.arange(len(self.doc)) - np.repeat(self.starts[:-1], sizes) + 1
        return Run.of(
            self.name,
            query,
            doc,
            rank=rank.tolist() if self.score is None else None,
            score=self.score,
            states=states,
        )

    def hits(self, judged: Judged, ordering: Ordering) -> Hits:
        """The judged docs, with their ranks; `judged` is in codes too."""
        codes = judged.codes
        if codes is None:
            raise UsageError(
                "Run {run} is in codes, and the judgments are in texts. Make them ready with Judged.of_codes.",
                run=self.name,
            )
        places, sizes = codes.places(self.query), np.diff(self.starts)
        lists = np.flatnonzero((places >= 0) & (sizes > 0))
        lookup = _LookUp(self, judged, codes, ordering)
        parts = [lookup.part(places[lists[part]], lists[part]) for part in blocks(sizes[lists])]
        outside = np.flatnonzero((places < 0) & (sizes > 0))
        extra = dict(zip(codes.texts(self.query[outside]), sizes[outside].tolist(), strict=True))
        states: dict[str, State] = dict.fromkeys(sorted(codes.texts(self.query[sizes == 0])), "empty")
        columns = (places[lists], sizes[lists], *joined(parts))
        return Hits(self.name, judged, ordering, *columns, extra=extra, states=states)


class _LookUp:
    """Judged docs of blocks of lists, found by one number for each list and doc."""

    def __init__(self, run: CodedRun, judged: Judged, codes: Codes, ordering: Ordering) -> None:
        self.run, self.judged, self.ordering = run, judged, ordering
        self.doc, self.of_run = codes.doc, run.doc
        self.span = int(codes.doc.max(initial=0)) + 1
        if self.span > LARGEST:  # codes so large are counted anew
            known = np.unique(codes.doc)
            self.doc, self.span = np.searchsorted(known, codes.doc), len(known)
            at = np.minimum(np.searchsorted(known, run.doc), len(known) - 1)
            self.of_run = np.where(known[at] == run.doc, at, self.span)

    def part(self, place: Ints, lists: Ints) -> Any:
        """The hits of some lists, which are about the queries place[i]."""
        run, sizes = self.run, self.run.starts[lists + 1] - self.run.starts[lists]
        starts = np.append(0, np.cumsum(sizes))
        rows = _ranges(run.starts[lists], sizes)
        n_judged = self.judged.offsets[place + 1] - self.judged.offsets[place]
        judged = _ranges(self.judged.offsets[place], n_judged)
        number = np.arange(len(lists))
        known = np.repeat(number, n_judged) * self.span + self.doc[judged]
        of_row = np.repeat(number, sizes)
        doc = self.of_run[rows]
        key = of_row * self.span + doc
        at, position = _found(known, key)
        inside = doc[position] < self.span
        at, position = at[inside], position[inside]
        row = at + judged.start if isinstance(judged, slice) else judged[at]
        of_list = of_row[position]
        if run.score is None:
            rank = position - starts[of_list] + 1
            return best_first(Found(of_list, row, rank, rank, np.ones(len(rank), np.int64)), starts)
        row_at = np.full(len(key), -1)
        row_at[position] = row
        scored = Scored(run.score[rows], starts, self.ordering, self._tied(row_at, rows, starts))
        return best_first(Found(of_list, row, *by_sorting(scored, of_list, position)), starts)

    def _tied(self, row_at: Ints, rows: Any, starts: Ints) -> Callable[[int], Tied]:
        """What decides between equal scores."""

        def tied(at: int) -> Tied:
            own = slice(starts[at], starts[at + 1])
            docs, judgments = self.run.doc[rows][own], row_at[own]
            return tied_by(
                self.ordering,
                self.judged.grade,
                lambda positions: judgments[positions],
                lambda positions: list(map(str, docs[positions].tolist())),
            )

        return tied


def _ranges(begin: Ints, size: Ints) -> Any:
    """What stands at begin[i] : begin[i] + size[i], range by range; a slice where the ranges follow each other."""
    end = begin + size
    if len(begin) and (begin[1:] == end[:-1]).all():
        return slice(int(begin[0]), int(end[-1]))
    before = np.cumsum(size) - size
    return np.arange(int(size.sum())) + np.repeat(begin - before, size)


def _found(known: Ints, key: Ints) -> tuple[Ints, Ints]:
    """Where in `known`, which grows, a key stands, and which key that is; for those that are there."""
    if not len(known) or not len(key):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    bits = min(max(int(8 * len(known)).bit_length(), 8), 22)
    shift = np.uint64(64 - bits)
    table = np.zeros(1 << bits, bool)  # most keys are told to be nowhere by one look
    table[(known.view(np.uint64) * _ODD) >> shift] = True
    may = np.flatnonzero(table[(key.view(np.uint64) * _ODD) >> shift])
    at = np.searchsorted(known, key[may])
    at[at == len(known)] = 0
    there = known[at] == key[may]
    return at[there], may[there]
