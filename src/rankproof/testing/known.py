"""What is known of docs and users in the cases: it follows from the number of a doc alone, so that any case can be laid out.

Of some docs nothing is known, some are known and never displayed, and some users met nothing before.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import numpy as np

from rankproof.tables.attributes import Document, Documents
from rankproof.tables.known import History
from rankproof.tables.preferences import Preferences
from rankproof.tables.run import Run
from rankproof.testing.cases import N_DOCS, Query

GROUPS = ("left", "right", "")
CATEGORIES = ("news", "sport", "art")
SUBTOPICS = ("one", "two", "three")
COMPARED = 30  # nobody compares more docs of a query with each other

Rows = Iterable[tuple[str, Query]]
Named = Callable[[int], str]


def covered(doc: int) -> tuple[str, ...]:
    """The subtopics that a relevant doc covers, one at least.

    >>> covered(0), covered(5)
    (('one',), ('two', 'three'))
    """
    return tuple(name for bit, name in enumerate(SUBTOPICS) if (doc % 7 + 1) >> bit & 1)


def documents(asked: Rows, named: Named) -> Documents:
    """The docs that could be shown: all but every sixth, and two that no case displays."""
    used = {doc for _, query in asked for doc in query.numbers} | set(range(N_DOCS + 2))
    docs = [doc for doc in sorted(used) if doc % 6 != 5]
    rows = [
        Document(
            named(doc),
            categories=tuple(name for bit, name in enumerate(CATEGORIES) if doc % 8 >> bit & 1),
            group=GROUPS[doc % 3],
            popularity=None if doc % 7 == 6 else float(doc * 13 % 11),
        )
        for doc in docs
    ]
    vectors = np.array([[doc % 5 - 2.0, doc % 3, 1.0] if doc % 9 != 8 else [np.nan] * 3 for doc in docs])
    return Documents(tuple(rows), vectors=vectors)


def history(asked: Rows, named: Named) -> History:
    """What each user met before: every fourth of the docs of the query, every seventh twice, and one more."""
    met = {
        query: [doc for doc in case.numbers for times in (4, 7) if doc % times == 0] + [N_DOCS]
        for query, case in asked
        if len(case.numbers) % 5
    }
    everywhere = {"somebody else": list(range(0, N_DOCS, 2))}
    pairs = [(query, named(doc)) for query, docs in {**met, **everywhere}.items() for doc in docs]
    return History.of([query for query, _ in pairs], [doc for _, doc in pairs])


def expected(asked: Rows, named: Named) -> Run:
    """What another system displays: the lower half of each list, from below."""
    lists = {query: case.numbers[: len(case.shown)][: -len(case.shown) // 2 : -1] for query, case in asked}
    rows = [(query, named(doc), rank) for query, docs in lists.items() for rank, doc in enumerate(docs, 1)]
    query, doc, rank = ([row[place] for row in rows] for place in range(3))
    return Run.of("expected", query, doc, rank=rank)  # type: ignore[arg-type]  # columns of one kind each


def preferences(asked: Rows, named: Named, shuffle: int | None = None) -> Preferences:
    """Two people's preferences: one goes by the grades, the other by the numbers of the docs, in two parts.

    `shuffle` mixes the rows.
    """
    rows = [
        (query, group, part, named(doc), value)
        for query, case in asked
        for group, part, doc, value in _preferred(list(_judged(case))[:COMPARED])
    ]
    if shuffle is not None:
        Random(shuffle).shuffle(rows)
    columns = ([row[place] for row in rows] for place in range(5))
    query, group, subgroup, doc, value = columns
    return Preferences.of(query, doc, value, group=group, subgroup=subgroup)  # type: ignore[arg-type]  # columns of one kind each


def _judged(case: Query) -> Iterator[tuple[int, int]]:
    grades = (*case.shown, *case.missed)
    return ((doc, grade) for doc, grade in zip(case.numbers, grades, strict=True) if grade >= 0)


def _preferred(judged: Sequence[tuple[int, int]]) -> Iterator[tuple[str, str, int, float]]:
    for doc, grade in judged:
        yield "by grade", "all", doc, float(grade)
        if len(judged) > 3:
            for times in (2, 3):
                if doc % times:
                    yield "by number", str(times), doc, float(doc % 5)
