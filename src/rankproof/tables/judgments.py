"""Judgments: query, doc, grade; who said so, on which version of the document, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import (
    Bools,
    Ids,
    Ints,
    Texts,
    first_of_each,
    frozen,
    is_whole,
    texts_of,
    whole_numbers,
)

# What may be known of a judgment beside its grade, in the order of the file.
DETAILS = ("rater", "basis", "doc_version", "rubric_version", "judged_at", "source")

NO_GRADE = -1


@dataclass(frozen=True, eq=False, repr=False)
class Judgments:
    """One row a judgment, as read. `grade` is a whole number >= 0.

    A row with `pooled` is in the pool and not judged: its grade is -1, it is worth nothing and never
    counts as judged. `query.names` may hold queries without a row: asked, and judged by nobody.
    `line` is the line of the file, 0 where there is none. `subtopic` says which part of the need a grade is
    about (the name "" means the whole need), and is None where every grade is about the whole need. A doc
    then has a row for each subtopic; measures that know nothing of subtopics see its highest grade.
    """

    query: Ids
    doc: Ids
    grade: Ints
    pooled: Bools
    details: Mapping[str, Texts] = field(default_factory=dict)
    line: Ints | None = None
    source: str = ""
    subtopic: Ids | None = None

    def __repr__(self) -> str:
        return f"Judgments({len(self)} rows, {len(self.query.names)} queries)"

    def __post_init__(self) -> None:
        n = len(self.query)
        set_ = object.__setattr__
        pooled = frozen(self.pooled, bool, "pooled", n)
        set_(self, "pooled", pooled)
        set_(self, "grade", frozen(np.where(pooled, NO_GRADE, self.grade), np.int64, "grade", n))
        set_(self, "details", {k: frozen(v, object, k, n) for k, v in self.details.items()})
        set_(self, "line", frozen(np.zeros(n) if self.line is None else self.line, np.int64, "line", n))
        if self.subtopic is not None:
            frozen(self.subtopic.codes, np.int64, "subtopic", n)
        wrong = np.flatnonzero((self.grade < 0) & ~self.pooled)
        if len(wrong):
            raise UsageError(
                "Judgment {row} has grade {grade}; a grade is a whole number from 0. "
                "Mark rows that are in the pool and not judged with pooled.",
                row=int(wrong[0]),
                grade=int(self.grade[wrong[0]]),
            )

    @classmethod
    def of(
        cls,
        query: Sequence[str],
        doc: Sequence[str],
        grade: Sequence[int],
        *,
        pooled: Sequence[bool] | None = None,
        details: Mapping[str, Sequence[str | None]] | None = None,
        also: Iterable[str] = (),
        subtopic: Sequence[str] | None = None,
    ) -> "Judgments":
        """Judgments from plain columns, one value a row; `also`: queries asked and judged by nobody."""
        return cls(
            Ids.of(query, also),
            Ids.of(doc),
            whole_numbers(grade, "grade"),
            np.zeros(len(query), bool) if pooled is None else np.asarray(pooled, bool),
            {name: texts_of(list(values)) for name, values in (details or {}).items()},
            subtopic=None if subtopic is None else Ids.of(subtopic),
        )

    @classmethod
    def from_dict(cls, grades: Mapping[str, Mapping[str, int]]) -> "Judgments":
        """Judgments from {query: {doc: grade}}; a query with an empty inner dict is asked and unjudged.

        >>> Judgments.from_dict({"q": {"a": 3, "b": 0}}).grade.tolist()
        [3, 0]
        """
        for query, docs in grades.items():
            if not isinstance(docs, Mapping):
                raise UsageError(
                    "The judgments of query {query} are {seen}; expected a dict of grades by doc.",
                    query=query,
                    seen=repr(docs)[:40],
                )
        rows = [(query, doc, grade) for query, docs in grades.items() for doc, grade in docs.items()]
        for query, doc, grade in rows:
            if not is_whole(grade):
                raise UsageError(
                    "The grade of doc {doc} for query {query} is {grade}; a grade is a whole number. "
                    "Map fractional grades to whole ones by a rule that you state.",
                    doc=doc,
                    query=query,
                    grade=grade,
                )
        return cls.of(
            [query for query, _, _ in rows],
            [doc for _, doc, _ in rows],
            [max(grade, NO_GRADE) for _, _, grade in rows],
            pooled=[grade < 0 for _, _, grade in rows],
            also=grades,
        )

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def pair(self) -> Ints:
        """(n_rows,) one number for each (query, doc)."""
        return self.query.codes * max(len(self.doc.names), 1) + self.doc.codes

    @cached_property
    def key(self) -> Ints:
        """(n_rows,) one number for each (query, doc, subtopic)."""
        if self.subtopic is None:
            return self.pair
        return self.pair * max(len(self.subtopic.names), 1) + self.subtopic.codes

    @cached_property
    def counts(self) -> Bools:
        """(n_rows,) True for the row that counts: the first of its key with a grade, else the first."""
        order = np.argsort(self.pooled, kind="stable")
        counts = np.zeros(len(self), bool)
        counts[order] = first_of_each(self.key[order])
        return counts

    @cached_property
    def first(self) -> Bools:
        """(n_rows,) True for one row a (query, doc): of those that count, the one of the highest grade."""
        if self.subtopic is None:
            return self.counts
        order = np.lexsort((-self.grade, ~self.counts))
        first = np.zeros(len(self), bool)
        first[order] = first_of_each(self.pair[order])
        return first

    @cached_property
    def top_grade(self) -> int:
        """The highest grade that anybody gave; 0 where there is none."""
        return int(self.grade.max(initial=0))

    def asked(self) -> Sequence[str]:
        """The queries, in the order in which they appear."""
        return self.query.in_order_of_appearance()

    def having(self, lowest: int, below: int = NO_GRADE) -> set[str]:
        """The queries with a doc of grade `lowest` or more; what is in the pool and not judged has the grade `below`."""
        rows = self.first & (np.where(self.pooled, below, self.grade) >= lowest)
        return set(self.query.names[np.unique(self.query.codes[rows])].tolist())

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what was judged how: the same for the same judgments in another order of rows."""
        rows = np.flatnonzero(self.counts)
        rows = rows[np.argsort(self.key[rows])]
        columns = [self.query.texts()[rows], self.doc.texts()[rows], self.grade[rows]]
        columns += [] if self.subtopic is None else [self.subtopic.texts()[rows]]
        from hashlib import sha256  # not loaded where nobody compares results

        digest = sha256()
        for column in columns:
            digest.update("\0".join(map(str, column.tolist())).encode())
            digest.update(b"\1")
        return digest.hexdigest()

    def asking(self, queries: Sequence[str]) -> "Judgments":
        """These judgments with `queries` asked as well, which nobody need have judged."""
        if all(query in self.query.code for query in queries):
            return self
        return replace(self, query=Ids.of(self.query.texts(), (*self.query.names.tolist(), *queries)))

    def texts(self, detail: str) -> Texts:
        """(n_rows,) a detail such as "rater"; None where it is not known."""
        return self.details.get(detail, texts_of([None] * len(self)))
