"""Codes: queries and docs that are whole numbers, as recommenders have them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import Floats, Ints, offsets_of, whole_numbers
from rankproof.tables.judgments import NO_GRADE

Names = Sequence[str] | Mapping[int, str]


@dataclass(frozen=True, eq=False)
class Codes:
    """What judgments in codes are about.

    query   (n_queries,) the code of each query
    doc     (n_rows,) the code of each judged doc, growing within each query
    names   the text of each query code; where there is none, the number itself
    """

    query: Ints
    doc: Ints
    names: Names | None = None

    def texts(self, codes: Ints) -> list[str]:
        """The texts of some query codes."""
        listed: list[int] = codes.tolist()
        if self.names is None:
            return list(map(str, listed))
        if isinstance(self.names, Mapping):
            return [self.names.get(code, str(code)) for code in listed]
        return [self.names[code] if code < len(self.names) else str(code) for code in listed]

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.query, kind="stable")
        return self.query[order], order

    def places(self, codes: Ints) -> Ints:
        """(n,) the place of each query code; -1 for queries that nobody asked."""
        known, order = self._sorted
        if not len(known):
            return np.full(len(codes), -1)
        at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
        return np.where(known[at] == codes, order[at], -1)


def judged_codes(query: Any, doc: Any, grade: Any, names: Names | None) -> tuple[Codes, Ints, Ints]:
    """Columns of judgments, one row a judgment, as codes, the offsets of each query, and the grades.

    Of several rows of a query and doc the first one with a grade counts.
    """
    given, doc = doc, code_column(doc, "doc")
    query, grade = code_column(query, "query"), np.maximum(whole_numbers(grade, "grade"), NO_GRADE)
    same_length({"query": query, "doc": doc, "grade": grade})
    codes, place = appearing(query)
    follows = (place[1:] > place[:-1]) | ((place[1:] == place[:-1]) & (doc[1:] > doc[:-1]))
    if not follows.all():
        order = np.lexsort((grade < 0, doc, place))
        place, doc, grade = place[order], doc[order], grade[order]
        first = np.append(True, (place[1:] != place[:-1]) | (doc[1:] != doc[:-1]))[: len(place)]
        place, doc, grade = place[first], doc[first], grade[first]
    elif np.may_share_memory(doc, given):
        doc = doc.copy()  # it is kept: nobody else may change it later
    return Codes(codes, doc, names), offsets_of(place, len(codes)), grade


def appearing(column: Ints) -> tuple[Ints, Ints]:
    """The different numbers of a column in the order in which they appear, and (n,) the place of each row's."""
    begins = np.append(True, column[1:] != column[:-1])[: len(column)]
    codes = column[begins]
    place = np.cumsum(begins) - 1
    if (codes[1:] > codes[:-1]).all():
        return codes, place
    known, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    by_first = np.empty(len(order), np.int64)
    by_first[order] = np.arange(len(order))
    return known[order], by_first[inverse][place]


def code_column(values: Any, name: str) -> Ints:
    """(n,) codes: whole numbers from 0, not copied where they need not be; UsageError for anything else."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise UsageError(
            "The codes of {column} have shape {shape} and kind {kind}; expected whole numbers from 0, one a row.",
            column=name,
            shape=array.shape,
            kind=str(array.dtype),
        )
    if array.size and (int(array.min()) < 0 or int(array.max()) >= 2**62):
        raise UsageError(
            "A code of {column} is {seen}; codes are whole numbers from 0.",
            column=name,
            seen=int(array.min() if int(array.min()) < 0 else array.max()),
        )
    return array.astype(np.int64, copy=False)


def score_column(values: Any) -> Floats:
    """(n,) scores; UsageError for what is no column of numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf" and array.size:
        raise UsageError("Scores are of kind {kind}; expected numbers, one a doc.", kind=str(array.dtype))
    return array.astype(np.float64, copy=False)


def same_length(columns: Mapping[str, Any]) -> None:
    """UsageError where columns differ in their lengths."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(
            "The columns have {seen} rows; expected as many in each.",
            seen=", ".join(f"{name}: {length}" for name, length in lengths.items()),
        )
