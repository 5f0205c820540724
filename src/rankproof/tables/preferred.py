"""Preferred: which doc was preferred to which, for n queries, and where the docs stand in the displayed lists."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.tables.columns import Bools, Floats, Ints

HIDDEN = np.iinfo(np.int64).max  # the place of a doc that was not displayed: below every other


@dataclass(frozen=True, eq=False)
class Preferred:
    """Preferences of n queries, group by group; a group is what one person thought at one time.

    groups         query i has the groups groups[i]:groups[i+1]
    docs           group g has the docs docs[g]:docs[g+1], in the order of their ids
    pairs          group g has the preferences pairs[g]:pairs[g+1], those that follow from others included
    doc            (n_docs,) a number for each doc; the same doc has the same number in every group
    relevant       (n_docs,) True where the doc is worth more than 0 to the group
    better, worse  (n_pairs,) places among the docs: the one is preferred to the other
    whole          (n_groups,) True where one subgroup ordered all docs of the group
    place          (n_docs,) the rank of each doc, or the first of its tied ones where ties are averaged
    """

    groups: Ints
    docs: Ints
    pairs: Ints
    doc: Ints
    relevant: Bools
    better: NDArray[np.int32]
    worse: NDArray[np.int32]
    whole: Bools
    place: Ints

    @cached_property
    def query_of_group(self) -> Ints:
        """(n_groups,) the query of each group, from 0."""
        return np.repeat(np.arange(len(self.groups) - 1), np.diff(self.groups))

    @cached_property
    def group_of_doc(self) -> Ints:
        """(n_docs,) the group of each doc, from 0."""
        return np.repeat(np.arange(len(self.docs) - 1), np.diff(self.docs))

    @cached_property
    def n_groups(self) -> Ints:
        """(n_queries,) how many groups a query has."""
        return np.diff(self.groups)

    @cached_property
    def n_pairs(self) -> Floats:
        """(n_queries,) how many preferences a query has."""
        return self.of_queries(np.diff(self.pairs))

    @cached_property
    def n_relevant(self) -> Floats:
        """(n_queries,) how many docs are worth more than 0, counted in every group."""
        return self.of_queries(self.of_groups(self.relevant))

    @cached_property
    def fulfilled(self) -> Floats:
        """(n_pairs,) 1 where the better doc stands above the other or is displayed alone, ½ where the two are tied."""
        above, below = self.place[self.better], self.place[self.worse]
        return np.where(above < below, 1.0, 0.5 * ((above == below) & (above < HIDDEN)))

    def counted(self, counting: str) -> Floats:
        """(n_pairs,) 1 for a preference that counts: "all", those with a doc displayed ("implied"), or with both."""
        if counting == "all":
            return np.ones(len(self.better))
        better, worse = self.place[self.better] < HIDDEN, self.place[self.worse] < HIDDEN
        return (better | worse if counting == "implied" else better & worse).astype(np.float64)

    @cached_property
    def together(self) -> Ints:
        """(n_pairs,) how many preferences of the query are about the same two docs."""
        if (self.n_groups < 2).all():
            return np.ones(len(self.better), np.int64)
        n = int(self.doc.max(initial=0)) + 1
        query = self.query_of_group[self.group_of_doc[self.better]]
        two = np.stack((self.doc[self.better], self.doc[self.worse]))
        key = (query * n + two.min(axis=0)) * n + two.max(axis=0)
        _, which, counts = np.unique(key, return_inverse=True, return_counts=True)
        times: Ints = counts[which]
        return times

    def of_queries(self, column: NDArray[Any]) -> Floats:
        """(n_queries,) a column of the groups, added up over each query."""
        return np.bincount(self.query_of_group, weights=column, minlength=len(self.groups) - 1).astype(float)

    def of_groups(self, column: NDArray[Any]) -> Floats:
        """(n_groups,) a column of the docs, added up over each group."""
        return np.bincount(self.group_of_doc, weights=column, minlength=len(self.docs) - 1).astype(float)

    def of_pairs(self, column: NDArray[Any]) -> Floats:
        """(n_groups,) a column of the preferences, added up over each group."""
        group = np.repeat(np.arange(len(self.pairs) - 1), np.diff(self.pairs))
        return np.bincount(group, weights=column, minlength=len(self.pairs) - 1).astype(float)

    def displayed(self, place: Ints) -> "Preferred":
        """The same preferences over a displayed list: the place of each doc, HIDDEN where it was not displayed."""
        return replace(self, place=place)

    def part(self, start: int, stop: int) -> "Preferred":
        """The queries from `start` up to, not including, `stop`."""
        first, last = int(self.groups[start]), int(self.groups[stop])
        docs = slice(self.docs[first], self.docs[last])
        pairs = slice(self.pairs[first], self.pairs[last])
        before = np.int32(docs.start)
        return Preferred(
            self.groups[start : stop + 1] - first,
            self.docs[first : last + 1] - docs.start,
            self.pairs[first : last + 1] - pairs.start,
            self.doc[docs],
            self.relevant[docs],
            self.better[pairs] - before,
            self.worse[pairs] - before,
            self.whole[first:last],
            self.place[docs],
        )

    def of_the_queries(self, places: Ints) -> "Preferred":
        """The queries at these places, in this order; a place of -1 is a query without preferences."""
        if np.array_equal(places, np.arange(len(self.groups) - 1)):
            return self
        known = np.where(places < 0, len(self.groups) - 1, places)
        sizes = np.append(np.diff(self.groups), 0)[known]
        groups, docs, pairs = _edges(sizes), np.diff(self.docs), np.diff(self.pairs)
        taken = ranges(np.append(self.groups[:-1], 0)[known], sizes)
        at, pair = ranges(self.docs[taken], docs[taken]), ranges(self.pairs[taken], pairs[taken])
        new_docs, new_pairs = _edges(docs[taken]), _edges(pairs[taken])
        moved = np.repeat((new_docs[:-1] - self.docs[taken]).astype(np.int32), pairs[taken])
        return Preferred(
            groups,
            new_docs,
            new_pairs,
            self.doc[at],
            self.relevant[at],
            self.better[pair] + moved,
            self.worse[pair] + moved,
            self.whole[taken],
            self.place[at],
        )


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """starts[0], starts[0] + 1, ... (sizes[0] of them), then from starts[1] on, and so forth."""
    before = np.cumsum(sizes) - sizes
    places: Ints = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return places


def _edges(sizes: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(sizes)))
