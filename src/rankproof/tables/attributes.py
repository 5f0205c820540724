"""What is known of queries, docs and grades beside the judgments: texts, tags, versions, meanings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError

EXPECTED = ("answer", "refuse")


@dataclass(frozen=True)
class Question:
    """One query: what was asked, what is needed, and how the set is composed."""

    query_id: str
    text: str = ""
    need: str = ""
    tags: tuple[str, ...] = ()
    weight: float = 1.0
    expected: str = "answer"
    cluster: str = ""
    line: int = 0

    def __post_init__(self) -> None:
        if self.expected not in EXPECTED:
            raise UsageError(
                'Query {query}: expected is "{seen}"; it is one of {known}.',
                query=self.query_id,
                seen=self.expected,
                known=", ".join(EXPECTED),
            )


@dataclass(frozen=True)
class Questions:
    """The queries that are asked, in order."""

    rows: tuple[Question, ...] = ()
    source: str = ""

    @cached_property
    def by_id(self) -> dict[str, Question]:
        """Each query's first row."""
        return {row.query_id: row for row in reversed(self.rows)}

    @cached_property
    def ids(self) -> list[str]:
        """Query ids in order, without repeats."""
        return list(dict.fromkeys(row.query_id for row in self.rows))

    @cached_property
    def by_tag(self) -> dict[str, tuple[str, ...]]:
        """The queries of each tag, tags in order of appearance."""
        tags = dict.fromkeys(tag for row in self.rows for tag in row.tags)
        return {tag: tuple(q for q in self.ids if tag in self.by_id[q].tags) for tag in tags}

    def text(self, query: str) -> str:
        """What was asked; empty where it is not known."""
        return self.by_id[query].text if query in self.by_id else ""

    def tags(self, query: str) -> tuple[str, ...]:
        """The tags of a query."""
        return self.by_id[query].tags if query in self.by_id else ()

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Document:
    """One doc as it stands today. `popularity` is how many interactions it had; None where that is not known."""

    doc_id: str
    version: str = ""
    title: str = ""
    text: str = ""
    valid_from: str = ""
    valid_until: str = ""
    line: int = 0
    categories: tuple[str, ...] = ()
    group: str = ""
    popularity: float | None = None


@dataclass(frozen=True)
class Documents:
    """The docs that are known; `vectors`, where given, is (n_rows, n_dimensions) with NaN where a doc has none."""

    rows: tuple[Document, ...] = ()
    source: str = ""
    vectors: NDArray[np.float64] | None = field(default=None, compare=False)

    @cached_property
    def by_id(self) -> dict[str, Document]:
        """Each doc's first row."""
        return {row.doc_id: row for row in reversed(self.rows)}

    def title(self, doc: str) -> str:
        """The title of a doc; empty where it is not known."""
        return self.by_id[doc].title if doc in self.by_id else ""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Grade:
    """What one grade means, in each language."""

    grade: int
    meaning: Mapping[str, str] = field(default_factory=dict)
    example: Mapping[str, str] = field(default_factory=dict)
    counter_example: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rubric:
    """The written rule by which people graded."""

    version: str = ""
    grades: tuple[Grade, ...] = ()
    source: str = ""

    @cached_property
    def top_grade(self) -> int:
        """The highest grade of the scale; 0 where the rubric names none."""
        return max((row.grade for row in self.grades), default=0)

    def meaning(self, grade: int, language: str) -> str:
        """The word for a grade; empty where the rubric has none."""
        words = next((row.meaning for row in self.grades if row.grade == grade), {})
        return words.get(language) or next(iter(words.values()), "")
