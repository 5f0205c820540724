"""Scores out of tables of scores by doc, as one column; what is no number is refused by its query and doc."""

import struct
from collections.abc import Mapping, Sequence
from itertools import chain, compress
from operator import methodcaller

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import Floats

_VALUES = methodcaller("values")
LONG = 50  # docs: longer lists are packed one by one
_TRUTHS = {bool, np.bool_}  # they would pass for 1 and 0


def scores_of(run: str, queries: Sequence[str], lists: Sequence[Mapping[str, float]]) -> Floats:
    """(n_docs,) the scores of every list, behind each other.

    Raises UsageError for what is no number: a text, None, True or False, a whole number past the largest float.

    >>> scores_of("run", ["q"], [{"a": 2, "b": 0.5}]).tolist()
    [2.0, 0.5]
    """
    try:
        found = _packed(lists)
    except (struct.error, TypeError, OverflowError):
        _stop_at_no_number(run, queries, lists)
        raise
    suspicious = (found == 0) | (found == 1)
    if suspicious.any():
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        some = np.zeros(len(lists), bool)
        some[np.repeat(np.arange(len(lists)), sizes)[suspicious]] = True
        doubtful = list(compress(lists, some))
        if not _TRUTHS.isdisjoint(map(type, chain.from_iterable(one.values() for one in doubtful))):
            _stop_at_no_number(run, list(compress(queries, some)), doubtful)
    return found


def _packed(lists: Sequence[Mapping[str, float]]) -> Floats:
    """(n_docs,) the scores as floats: packing takes numbers only, where a column would read "1.5" and None as some."""
    n, at = sum(map(len, lists)), 0
    if n < LONG * len(lists):
        return np.frombuffer(struct.pack(f"{n}d", *chain.from_iterable(map(_VALUES, lists))))
    found = np.empty(n)
    for scores in lists:
        struct.pack_into(f"{len(scores)}d", found.data, at, *scores.values())
        at += 8 * len(scores)
    return found


def _stop_at_no_number(run: str, queries: Sequence[str], lists: Sequence[Mapping[str, float]]) -> None:
    """UsageError for the first score that is no number."""
    for query, scores in zip(queries, lists, strict=True):
        for doc, score in scores.items():
            try:
                struct.pack("d", score)
                number = type(score) not in _TRUTHS
            except (struct.error, TypeError, OverflowError):
                number = False
            if not number:
                raise UsageError(
                    "Run {run}, query {query}: the score of doc {doc} is {seen}; a score is a number. Leave docs "
                    "without a score out, or give lists of docs in their order.",
                    run=run,
                    query=query,
                    doc=doc,
                    seen=repr(score)[:40],
                )
