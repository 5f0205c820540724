"""Scores out of tables of scores by doc, as one column; what is no number is refused by its query and doc."""

import struct
from collections.abc import Mapping, Sequence
from itertools import chain, compress
from operator import methodcaller

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import Floats

_VALUES = methodcaller("values")
_TRUTHS = {bool, np.bool_}  # they would pass for 1 and 0


def scores_of(run: str, queries: Sequence[str], lists: Sequence[Mapping[str, float]]) -> Floats:
    """(n_docs,) the scores of every list, behind each other.

    Raises UsageError for what is no number: a text, None, True or False, a whole number past the largest float.

    >>> scores_of("run", ["q"], [{"a": 2, "b": 0.5}]).tolist()
    [2.0, 0.5]
    """
    n = sum(map(len, lists))
    try:
        # This takes nothing but numbers, where a column would read "1.5" as one and None as none.
        found = np.frombuffer(struct.pack(f"{n}d", *chain.from_iterable(map(_VALUES, lists))))
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
