"""Displayed lines of which something is known: what measures beyond relevance add up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.displayed import REPEAT
from rankproof.tables.rankings import Rankings

if TYPE_CHECKING:
    from rankproof.tables.lists import Beside, Lists


@dataclass(frozen=True, eq=False)
class Lines:
    """Docs displayed for n queries, query by query and by rank; each at the first place where it stands.

    doc    (n_lines,) the place of each doc in the names of the lists
    grade  (n_lines,) its judged grade, or below 0 without one
    """

    n_queries: int
    query: Ints
    rank: Ints
    doc: Ints
    grade: Ints

    @classmethod
    def of(cls, r: Rankings, cutoff: int | None, known: Bools | None = None) -> "Lines":
        """The lines down to `cutoff`; where `known` is given, (n_docs,), those of the docs that are True there."""
        return cls.of_lists(lists_of(r), cutoff, known)

    @classmethod
    def of_lists(cls, lists: "Lists", cutoff: int | None, known: Bools | None = None) -> "Lines":
        """The same of lists that stand alone."""
        here = lists.grade != REPEAT
        here &= True if cutoff is None else lists.rank <= cutoff
        here &= True if known is None else known[lists.doc]
        n = len(lists.offsets) - 1
        return cls(n, lists.query[here], lists.rank[here], lists.doc[here], lists.grade[here])

    def total(self, column: NDArray[Any]) -> Floats:
        """(n_queries,) the sum of a column over each query."""
        return np.bincount(self.query, weights=column, minlength=self.n_queries).astype(np.float64)

    @cached_property
    def n(self) -> Floats:
        """(n_queries,) how many lines a query has."""
        return np.bincount(self.query, minlength=self.n_queries).astype(np.float64)

    def of_each_doc(self, column: NDArray[Any], n_docs: int) -> Floats:
        """(n_docs,) the sum of a column over all lines of each doc, to the last bit whatever the order of queries."""
        rising = np.lexsort((column, self.doc))
        added: Floats = np.bincount(self.doc[rising], weights=column[rising], minlength=n_docs).astype(float)
        return added


def lists_of(r: Rankings) -> "Lists":
    """Every displayed line; an error where the rankings were made without them."""
    if r.lists is None:
        raise UsageError("These rankings hold no lists. Measure through evaluate, which lays them out.")
    return r.lists


def beside(r: Rankings) -> "Beside":
    """What is known beside the lists; an error where the rankings were made without it."""
    found = lists_of(r).beside
    if found is None:
        raise UsageError(
            "These rankings hold nothing beside the lists. Measure through evaluate, which lays it beside them."
        )
    return found


Settings = Mapping[str, object]


def popular(r: Rankings, values: Settings) -> Bools:
    """(n_docs,) True where the popularity is known; of a share of users it always is, as the history counts them."""
    if values.get("share") == "users":
        return np.ones(len(beside(r).known), bool)
    return ~np.isnan(beside(r).known.popularity)


def expectable(r: Rankings, values: Settings) -> Bools:
    """(n_docs,) True where it is known whether a doc was to be expected."""
    by_run = values.get("expected") == "run"
    return np.ones(len(beside(r).known), bool) if by_run else popular(r, {})


def comparable(r: Rankings, values: Settings) -> Bools:
    """(n_docs,) True where a doc has that of which the distance is: categories, or a vector."""
    known = beside(r).known
    if values.get("distance") == "jaccard":
        return categorised(r, values)
    return ~np.isnan(known.vectors[:, 0])  # a vector is known as a whole


def categorised(r: Rankings, values: Settings) -> Bools:  # noqa: ARG001 - every attribute is asked alike
    """(n_docs,) True where a doc has a category."""
    bits = beside(r).known.categories
    some: Bools = np.bitwise_or.reduce(bits, axis=1) > 0
    return some


def grouped(r: Rankings, values: Settings) -> Bools:  # noqa: ARG001 - every attribute is asked alike
    """(n_docs,) True where a doc has a group."""
    return beside(r).known.group >= 0


Need = Callable[[Rankings, Settings, int | None], Bools]


class AtLeast:
    """A test of each query: at least `n` displayed docs of which an attribute is known."""

    def __init__(self, n: int, attribute: Callable[[Rankings, Settings], Bools]) -> None:
        self.n, self.attribute = n, attribute

    def __call__(self, r: Rankings, values: Settings, at: int | None) -> Bools:
        """(n_queries,) True where there are enough."""
        return Lines.of(r, at, self.attribute(r, values)).n >= self.n


def listed_and_expected(r: Rankings, values: Settings, at: int | None) -> Bools:
    """(n_queries,) True where a doc was displayed, and another system that tells what is expected displayed one."""
    enough = Lines.of(r, at, expectable(r, values)).n > 0
    if values.get("expected") != "run":
        return enough
    return enough & (np.diff(expected_lists(r).offsets) > 0)


def targeted(r: Rankings, values: Settings, at: int | None) -> Bools:
    """(n_queries,) True where a doc with a group was displayed, and the target says something."""
    enough = Lines.of(r, at, grouped(r, values)).n > 0
    if values.get("target") != "relevant":
        return enough
    judged, group = beside(r).judged, beside(r).known.group
    hit = (judged.grade >= int(str(values.get("rel", 1)))) & (group[judged.doc] >= 0)
    return enough & (np.bincount(judged.query[hit], minlength=r.n_queries) > 0)


def expected_lists(r: Rankings) -> "Lists":
    """What another system displayed; an error where it was not given."""
    found = beside(r).expected
    if found is None:
        raise UsageError(
            "A measure with expected=run was asked for, and no such run was given. Give the run that shows "
            "what users expect (--expected FILE, in a study the key expected), or leave the setting out to expect the most popular docs."
        )
    return found
