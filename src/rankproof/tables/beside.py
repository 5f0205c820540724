"""What is known, laid beside the lists of a run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankproof.tables.attributes import Document, Documents
from rankproof.tables.columns import Ids, offsets_of
from rankproof.tables.displayed import REPEAT
from rankproof.tables.judgments import NO_GRADE, Judgments
from rankproof.tables.known import History, Known
from rankproof.tables.lists import Beside, Lists
from rankproof.tables.rankings import Rankings


def beside(known: Known, queries: Sequence[str], judgments: Judgments, expected: Lists | None) -> Beside:
    """What is known, beside the lists of `queries`."""
    code = known.history.query.code if known.history else {}
    user = np.fromiter((code.get(query, -1) for query in queries), np.int64, len(queries))
    return Beside(known, user, _judged(known, queries, judgments), expected and within(expected, known.ids))


def _judged(known: Known, queries: Sequence[str], judgments: Judgments) -> Lists:
    """The judged docs of each query, in the order of their ids."""
    place = {query: at for at, query in enumerate(queries)}
    names = judgments.query.names.tolist()
    query = np.fromiter((place.get(name, -1) for name in names), np.int64, len(names))[judgments.query.codes]
    doc = judgments.doc.into(known.ids)[judgments.doc.codes]
    rows = np.flatnonzero(judgments.first & ~judgments.pooled & (query >= 0))
    rows = rows[np.lexsort((doc[rows], query[rows]))]
    offsets = offsets_of(query[rows], len(queries))
    return Lists(offsets, doc[rows], judgments.grade[rows], known.ids.names)


def within(lists: Lists, ids: Ids) -> Lists:
    """The same lists with their docs as places in other names, which have them all."""
    place = Ids(np.empty(0, np.int64), lists.names).into(ids)
    return replace(lists, doc=place[lists.doc], names=ids.names)


def laid_beside(rankings: Rankings, found: Beside) -> Rankings:
    """The rankings, with what is known beside their lists."""
    lists = rankings.lists
    return replace(rankings, lists=lists and replace(within(lists, found.known.ids), beside=found))


def beside_of(
    *shown: Sequence[str],
    documents: Iterable[str] = (),
    categories: Mapping[str, Sequence[str]] | None = None,
    groups: Mapping[str, str] | None = None,
    history: Mapping[str, Sequence[str]] | None = None,
    relevant: Iterable[str] = (),
) -> Rankings:
    """Lists written down for an example, with what is known beside them; the first one is of query q.

    >>> beside_of(["a", "b", "a"], relevant=["b"]).rank.tolist()
    [2]
    """
    categories, groups, good = categories or {}, groups or {}, set(relevant)
    every = dict.fromkeys((*documents, *categories, *groups))
    rows = (Document(d, categories=tuple(categories.get(d, ())), group=groups.get(d, "")) for d in every)
    queries = ["q", *(f"q{place}" for place in range(2, len(shown) + 1))]
    judgments = Judgments.from_dict({query: dict.fromkeys(good, 1) for query in queries})
    doc = Ids.of([doc for docs in shown for doc in docs], also=good)
    lines = [
        [REPEAT if d in docs[:i] else 1 if d in good else NO_GRADE for i, d in enumerate(docs)]
        for docs in shown
    ]
    grade = np.array([one for some in lines for one in some], np.int64)
    sizes = np.array([len(docs) for docs in shown])
    lists = Lists(np.concatenate(([0], np.cumsum(sizes))), doc.codes, grade, doc.names)
    hit = grade >= 0
    known = Known.of(Documents(tuple(rows)), History.from_dict(history) if history else None, doc)
    pool = np.arange(len(shown) + 1) * len(good), np.ones(len(shown) * len(good), np.int64)
    ranks = lists.rank[hit]
    rankings = Rankings(
        offsets_of(lists.query[hit], len(shown)),
        ranks,
        grade[hit],
        sizes,
        *pool,
        *pool,
        ranks,
        grade[hit],
        0 * ranks,
        1,
        lists=lists,
    )
    return laid_beside(rankings, beside(known, queries, judgments, None))
