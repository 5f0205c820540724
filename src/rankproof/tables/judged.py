"""Judged: judgments by query, one row a doc, ready for looking docs up in them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, pairwise
from typing import Any

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.codes import Codes, Names, judged_codes
from rankproof.tables.columns import Bools, Ids, Ints, Texts, offsets_of, texts_of
from rankproof.tables.judgments import NO_GRADE, Judgments
from rankproof.tables.spans import CodeSpans, Spans, TextSpans


@dataclass(frozen=True, eq=False)
class Judged:
    """The judgments that count, query by query; query i has the rows offsets[i]:offsets[i+1].

    queries   the asked queries in the order in which they appear; some may have no row
    docs      (n_rows,) the judged docs, each once a query
    grade     (n_rows,) the judged grade, NO_GRADE for a doc that is in the pool and not judged
    source    the file they came from
    rubrics   the versions of the rubric that the judgments name
    table     the judgments as they were read, where they were read so
    codes     the queries and docs as whole numbers, where they are those

    Made once, it serves any number of runs: whatever looking up needs is made at the first run and kept.
    """

    queries: tuple[str, ...]
    offsets: Ints
    docs: Spans
    grade: Ints
    source: str = ""
    rubrics: tuple[str, ...] = ()
    table: Judgments | None = None
    codes: Codes | None = None

    @classmethod
    def of(cls, judgments: Judgments | Mapping[str, Mapping[str, int]]) -> "Judged":
        """The rows that count, of a table or of {query: {doc: grade}}: one for each query and doc.

        Where a table has several, the one of the highest grade counts. Raises what Judgments.from_dict raises.

        >>> Judged.of({"q": {"a": 3, "b": 0}}).grade.tolist()
        [3, 0]
        """
        if isinstance(judgments, Mapping):
            return cls._of_dict(judgments)
        queries = judgments.query.in_order_of_appearance()
        place = np.empty(len(judgments.query.names), np.int64)
        place[[judgments.query.code[query] for query in queries]] = np.arange(len(queries))
        rows = np.flatnonzero(judgments.first)
        rows = rows[np.argsort(place[judgments.query.codes[rows]], kind="stable")]
        used = sorted({str(v) for v in judgments.texts("rubric_version").tolist() if v is not None})
        return cls(
            tuple(queries),
            offsets_of(place[judgments.query.codes[rows]], len(queries)),
            TextSpans(judgments.doc.texts_at(rows)),
            judgments.grade[rows],
            judgments.source,
            tuple(used),
            judgments,
        )

    @classmethod
    def _of_dict(cls, grades: Mapping[str, Mapping[str, int]]) -> "Judged":
        """The same from {query: {doc: grade}}, without a look at each grade where all are plain whole numbers."""
        if not all(isinstance(docs, Mapping) for docs in grades.values()):
            return cls.of(Judgments.from_dict(grades))  # which says what is wrong
        asked = [query for query, docs in grades.items() if len(docs)]
        lists = [grades[query] for query in asked]
        values = list(chain.from_iterable(docs.values() for docs in lists))
        docs = list(chain.from_iterable(lists))
        if set(map(type, values)) - {int} or {*map(type, docs), *map(type, grades)} - {str}:
            return cls.of(Judgments.from_dict(grades))
        offsets = np.zeros(len(grades) + 1, np.int64)
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        np.cumsum(np.append(sizes, np.zeros(len(grades) - len(lists), np.int64)), out=offsets[1:])
        try:
            grade = np.array(values, np.int64)
        except OverflowError:
            return cls.of(Judgments.from_dict(grades))
        queries = asked
        if len(asked) < len(grades):
            queries = [*asked, *sorted(query for query, docs in grades.items() if not len(docs))]
        return cls(tuple(queries), offsets, TextSpans(docs), np.maximum(grade, NO_GRADE))

    @classmethod
    def of_codes(cls, query: Any, doc: Any, grade: Any, *, names: Names | None = None) -> "Judged":
        """Judgments whose queries and docs are whole numbers: columns with one row a judgment.

        No text is made of a doc. Queries are called by their numbers, or names[code] where `names` are given.
        Of several rows of a query and doc the first one with a grade counts; a grade below 0 is in the pool and
        not judged. Raises UsageError for columns that are none.

        >>> Judged.of_codes([7, 7, 9], [30, 10, 10], [1, 0, 2]).queries
        ('7', '9')
        """
        codes, offsets, graded = judged_codes(query, doc, grade, names)
        texts = tuple(codes.texts(codes.query))
        if names is not None and len(set(texts)) < len(texts):
            raise UsageError("Two queries have one name. Give each a name of its own.")
        return cls(texts, offsets, CodeSpans(codes.doc), graded, codes=codes)

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
        """The highest grade that anybody gave, in a row that does not count as well; 0 where there is none."""
        return int(self.grade.max(initial=0)) if self.table is None else self.table.top_grade

    @cached_property
    def rows_of(self) -> list[dict[str, int]]:
        """The row of each judged doc, query by query."""
        docs, edges = self.docs.texts(), self.offsets.tolist()
        return [
            dict(zip(docs[start:stop], range(start, stop), strict=True)) for start, stop in pairwise(edges)
        ]

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """What was made of these judgments for one run, and serves the next ones."""
        return {}

    @cached_property
    def whole(self) -> Judgments:
        """The judgments as a table, for what looks at more than hits."""
        if self.table is not None:
            return self.table
        return Judgments(
            Ids.of([self.queries[place] for place in self.query.tolist()], self.queries),
            Ids.of(self.docs.texts()),
            self.grade,
            self.grade < 0,
            source=self.source,
        )

    def asked(self) -> Sequence[str]:
        """The queries, in the order in which they appear."""
        return self.queries

    def having(self, lowest: int, below: int = NO_GRADE) -> set[str]:
        """The queries with a doc of grade `lowest` or more; what is in the pool and not judged has the grade `below`."""
        return set(compress(self.queries, self.have(lowest, below)))

    def have(self, lowest: int, below: int = NO_GRADE) -> Bools:
        """(n_queries,) True for the queries that `having` names."""
        return self._highest(below) >= lowest

    def _highest(self, below: int) -> Ints:
        """(n_queries,) the highest grade of each query; less than any where it has no doc."""
        asked = ("highest", below)
        if asked not in self.kept:
            grade = self.grade
            if below != NO_GRADE and grade.min(initial=0) < 0:
                grade = np.where(grade == NO_GRADE, below, grade)
            self.kept[asked] = highest = np.full(len(self.queries), NO_GRADE - 1)
            filled = np.flatnonzero(np.diff(self.offsets))
            if len(filled):
                highest[filled] = np.maximum.reduceat(grade, self.offsets[filled])
        found: Ints = self.kept[asked]
        return found

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
