"""Groups with as many docs that are not relevant as relevant ones: what share of their preferences is fulfilled."""

from dataclasses import dataclass

import numpy as np

from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.preferred import HIDDEN, Preferred
from rankproof.tables.rankings import ratio


@dataclass(frozen=True, eq=False)
class Balance:
    """What the groups hold, where all docs count, or those that were displayed.

    n_liked, n_others   (n_groups,) relevant docs and docs that are not, among those that count
    n_shown, n_all      (n_groups,) relevant docs that were displayed, and all relevant docs
    """

    p: Preferred
    retrieved: bool
    n_liked: Floats
    n_others: Floats
    n_shown: Floats
    n_all: Floats

    @classmethod
    def of(cls, p: Preferred, retrieved: bool) -> "Balance":
        """The groups of these preferences."""
        shown = p.place < HIDDEN
        counts = shown | (not retrieved)
        wanted = (p.relevant & counts, ~p.relevant & counts, p.relevant & shown, p.relevant)
        return cls(p, retrieved, *(p.of_groups(docs) for docs in wanted))

    @property
    def lacking(self) -> Floats:
        """(n_groups,) how many docs that are not relevant are missing."""
        return np.maximum(self.n_liked - self.n_others, 0.0)

    def fulfilled(self, limit: Floats, place: Ints) -> tuple[Floats, Floats]:
        """(n_groups,) preferences fulfilled, and preferences, with the first `limit` docs that are not relevant.

        Where the limit falls among docs of one place (tied ones, or those not displayed), they share what is
        left evenly. Of k such shares among m docs, a doc tied with them stands above (k + 1) / 2(m + 1).
        """
        share, above = np.ones(len(place)), np.full(len(place), 0.5)
        others = np.flatnonzero(~self.p.relevant)
        before, size = _standing(self.p.group_of_doc[others], place[others])
        left = np.clip(limit[self.p.group_of_doc[others]] - before, 0, size)
        share[others], above[others] = left / size, (left + 1) / (2 * (size + 1))
        counts = self.p.counted("retrieved" if self.retrieved else "all") * share[self.p.worse]
        tied = self.p.fulfilled == 0.5
        done = np.where(tied, above[self.p.worse], self.p.fulfilled)
        return self.p.of_pairs(done * counts), self.p.of_pairs(counts)


def _standing(group: Ints, place: Ints) -> tuple[Ints, Ints]:
    """(n,) how many of the group stand at earlier places, and how many at the same."""
    order = np.lexsort((place, group))
    group, place = group[order], place[order]
    new = _begins(group)
    starts = np.flatnonzero(new | _begins(place))
    size = np.diff(np.append(starts, len(group)))
    first = np.flatnonzero(new)
    before = starts - first[np.cumsum(new)[starts] - 1]
    back = np.argsort(order)
    return np.repeat(before, size)[back], np.repeat(size, size)[back]


def _begins(column: Ints) -> Bools:
    return np.append(True, column[1:] != column[:-1])[: len(column)]


def stated(b: Balance) -> Floats:
    """(n_groups,) the share of preferences fulfilled; missing docs stand below all displayed ones."""
    done, asked = b.fulfilled(b.n_liked, b.p.place)
    return ratio(done + b.n_shown * b.lacking, asked + b.n_liked * b.lacking)


def coded(b: Balance) -> Floats:
    """(n_groups,) the same as trec_eval's program computes it.

    It differs where docs are equal in place (their ids decide), where a group has more docs that are not
    relevant than relevant ones (those of a group ordered as a whole are set against each other too, and one
    ordered in parts keeps as many as it has relevant docs, displayed or not), where some are missing (each
    counts for all relevant docs), and where a group has nothing to count (the query is 0 then).
    """
    p = b.p
    limit = np.where(p.whole, b.n_liked, b.n_all)
    done, asked = b.fulfilled(limit, np.argsort(np.lexsort((p.place, p.group_of_doc))))
    done, asked = done + b.n_shown * b.lacking, asked + b.n_all * b.lacking
    against = p.whole & (b.n_others > b.n_liked)
    shown = p.of_groups(~p.relevant & (p.place < HIDDEN))
    least = np.minimum(b.n_liked, shown)
    done += against * (least * (least - 1) / 2 + (b.n_liked - least) * shown)
    asked += against * b.n_others * b.n_liked
    nothing = p.of_queries(asked == 0) > 0
    return np.where(nothing[p.query_of_group], 0.0, ratio(done, asked))
