"""Judged: judgments by query, one row a doc, ready for looking docs up in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from rankproof.tables.columns import Ints, Texts, offsets_of, texts_of
from rankproof.tables.judgments import NO_GRADE, Judgments
from rankproof.tables.spans import Spans


@dataclass(frozen=True, eq=False)
class Judged:
    """The judgments that count, query by query; query i has the rows offsets[i]:offsets[i+1].

    queries   the asked queries in the order in which they appear; some may have no row
    docs      (n_rows,) the judged docs, each once a query
    grade     (n_rows,) the judged grade, NO_GRADE for a doc that is in the pool and not judged
    source    the file they came from
    rubrics   the versions of the rubric that the judgments name
    table     the judgments as they were read, where they were read so
    """

    queries: tuple[str, ...]
    offsets: Ints
    docs: Spans
    grade: Ints
    source: str = ""
    rubrics: tuple[str, ...] = ()
    table: Judgments | None = None

    @classmethod
    def of(cls, judgments: Judgments) -> "Judged":
        """The rows of a table that count: one for each query and doc, of the highest grade where it has several.

        >>> Judged.of(Judgments.from_dict({"q": {"a": 3, "b": 0}})).grade.tolist()
        [3, 0]
        """
        queries = judgments.query.in_order_of_appearance()
        place = np.empty(len(judgments.query.names), np.int64)
        place[[judgments.query.code[query] for query in queries]] = np.arange(len(queries))
        rows = np.flatnonzero(judgments.first)
        rows = rows[np.argsort(place[judgments.query.codes[rows]], kind="stable")]
        known = Spans.of(judgments.doc.names.tolist())
        used = sorted({str(v) for v in judgments.texts("rubric_version").tolist() if v is not None})
        return cls(
            tuple(queries),
            offsets_of(place[judgments.query.codes[rows]], len(queries)),
            known.at_places(judgments.doc.codes[rows]),
            judgments.grade[rows],
            judgments.source,
            tuple(used),
            judgments,
        )

    def __len__(self) -> int:
        return len(self.grade)

    @cached_property
    def names(self) -> Spans:
        """(n_queries,) the queries as spans."""
        return Spans.of(self.queries)

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each query."""
        return {query: at for at, query in enumerate(self.queries)}

    @cached_property
    def query(self) -> Ints:
        """(n_rows,) the place of each row's query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.offsets))

    @cached_property
    def top_grade(self) -> int:
        """The highest grade that anybody gave; 0 where there is none."""
        return int(self.grade.max(initial=0))

    def asked(self) -> Sequence[str]:
        """The queries, in the order in which they appear."""
        return self.queries

    def having(self, lowest: int, below: int = NO_GRADE) -> set[str]:
        """The queries with a doc of grade `lowest` or more; what is in the pool and not judged has the grade `below`."""
        grade = np.where(self.grade == NO_GRADE, below, self.grade)
        before = np.concatenate(([0], np.cumsum(grade >= lowest)))
        has = np.diff(before[self.offsets]) > 0
        return set(compress(self.queries, has.tolist()))

    def texts(self, detail: str) -> Texts:
        """A detail such as "rubric_version", each value once."""
        return texts_of(list(self.rubrics) if detail == "rubric_version" else [])

    @cached_property
    def fingerprint(self) -> str:
        """The hash that the table of judgments has: of queries, docs and grades, sorted."""
        if self.table is not None:
            return self.table.fingerprint
        docs = self.docs.texts()
        rows = sorted(range(len(self)), key=lambda row: (self.queries[self.query[row]], docs[row]))
        from hashlib import sha256  # not loaded where nobody compares results

        digest = sha256()
        columns = (
            [self.queries[place] for place in self.query[rows].tolist()],
            [docs[row] for row in rows],
            [str(grade) for grade in self.grade[rows].tolist()],
        )
        for column in columns:
            digest.update("\0".join(column).encode())
            digest.update(b"\1")
        return digest.hexdigest()
