"""Ranked rows: all that a measure of a batch sees. What Rankings are to queries of any length, in padded form."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankproof.batch.libraries import Array, Library
from rankproof.batch.ordering import Ordered
from rankproof.batch.sorting import smallest
from rankproof.measures.gains import worth
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.conventions import GainTable


@dataclass(frozen=True, eq=False)
class Ranked:
    """n rows, each with at most `depth` docs; grades are -1 where nobody judged, or where no doc is.

    ranked      (n, k) grades by rank, as deep as the measures look
    pool        (n, m) grades of the judged docs of each row, in any order: those that n_relevant counts
    best        (n, m) grades of which the ideal list is made, in any order
    n_docs      (n,) how many docs a row has
    top_grade   the highest grade of the scale, where it is known
    highest     the highest grade in the batch
    averaged    equal scores stand in no order
    """

    ranked: Ordered
    pool: Array
    best: Array
    n_docs: Array
    top_grade: int | None
    highest: int
    averaged: bool
    _counts: dict[int, Array] = field(default_factory=dict)
    _inverse: dict[tuple[int, int | None], Array] = field(default_factory=dict)

    @property
    def library(self) -> Library:
        """Where everything is computed."""
        return self.ranked.library

    def grade(self, cutoff: int | None) -> Array:
        """(n, c) the grades down to the cutoff; where equal scores are averaged, down to the last doc."""
        grade = self.ranked.grade
        return grade if self.averaged or cutoff is None else grade[:, : min(cutoff, grade.shape[1])]

    def rank(self, cutoff: int | None) -> Array:
        """(c,) the ranks down to the cutoff."""
        deepest = self.grade(cutoff).shape[1]
        return self.library.xp.arange(1, deepest + 1, dtype=self.library.real, device=self.library.device)

    def relevant(self, rel: int, cutoff: int | None) -> Array:
        """(n, c) True where the grade is at least `rel`."""
        return self.grade(cutoff) >= rel

    def inverse_rank(self, rel: int, cutoff: int | None) -> Array:
        """(n, c) 1 / rank of each relevant doc, 0 of the others; computed once for each cutoff."""
        key = rel, cutoff
        if key not in self._inverse:
            self._inverse[key] = self.library.reals(self.relevant(rel, cutoff)) / self.rank(cutoff)
        return self._inverse[key]

    def n_found(self, rel: int, cutoff: int | None) -> Array:
        """(n,) how many docs of grade `rel` and more stand in the cutoff; their mean over orders of equal scores."""
        hit = self.relevant(rel, cutoff)
        if not self.averaged or cutoff is None:
            return self.library.count(hit)
        return self.library.total(self.library.reals(hit) * self.within(cutoff))

    def within(self, cutoff: int | Array) -> Array:
        """(n, k) how much of the group of equal scores of a doc stands in the cutoff, which each row may have of its own."""
        begin, size = self.ranked.ties
        return self.library.xp.clip((cutoff - begin + 1) / size, 0.0, 1.0)

    def placed(self, place: Callable[[Ints], Floats], cutoff: int | None) -> Array:
        """(c,) what places are worth down to the cutoff; where equal scores are averaged, (n, k) what each doc's is."""
        if not self.averaged:
            return self.library.array(place(np.arange(1, self.grade(cutoff).shape[1] + 1)), self.library.real)
        worths = place(np.arange(1, self.ranked.grade.shape[1] + 1))
        worths[len(worths) if cutoff is None else cutoff :] = 0.0
        sums = self.library.array(np.concatenate(([0.0], np.cumsum(worths))), self.library.real)
        begin, size = self.ranked.ties
        xp = self.library.xp
        before = xp.astype(begin, xp.int64) - 1
        after = before + xp.astype(size, xp.int64)
        first = self._at(self.library.array(worths, self.library.real), before)
        return xp.where(size == 1, first, (self._at(sums, after) - self._at(sums, before)) / size)

    def _at(self, column: Array, places: Array) -> Array:
        """What stands at places of a column, in the shape of the places."""
        xp = self.library.xp
        return xp.reshape(xp.take(column, xp.reshape(places, (-1,))), places.shape)

    def n_relevant(self, rel: int) -> Array:
        """(n,) how many judged docs have the grade `rel` or more; counted once for each."""
        if rel not in self._counts:
            self._counts[rel] = self.library.count(self.pool >= rel)
        return self._counts[rel]

    def n_shown(self, cutoff: int | None) -> Array:
        """(n,) how many docs stand in the cutoff."""
        return self.n_docs if cutoff is None else self.library.xp.clip(self.n_docs, None, float(cutoff))

    @cached_property
    def peak(self) -> Array:
        """(n,) the highest grade of the judged docs of each row; 0 where there is none."""
        return self.library.reals(self.library.xp.clip(self.library.xp.max(self.pool, axis=1), 0, None))

    def worth(self, grade: Array, gain: str | GainTable) -> Array:
        """What each grade is worth, in the shape of the grades; nothing where nobody judged."""
        xp, real = self.library.xp, self.library.reals
        if gain == "linear":
            return real(xp.clip(grade, 0, None))
        if gain == "binary":
            return real(grade >= 1)
        if isinstance(gain, Mapping):
            gains = real(xp.clip(grade, 0, None))
            for level, worth_of_it in gain.items():
                gains = xp.where(grade == level, self.library.array(worth_of_it, self.library.real), gains)
            return gains
        levels = np.concatenate(([0.0], worth(np.arange(self.highest + 1), gain)))
        return self._at(self.library.array(levels, self.library.real), xp.astype(grade, xp.int64) + 1)

    def ideal_gains(self, gain: str | GainTable, cutoff: int | None) -> Array:
        """(n, c) what the docs of the best possible list are worth, best first, down to the cutoff."""
        xp, best = self.library.xp, self.best
        places = best.shape[1] if cutoff is None else min(cutoff, best.shape[1])
        if isinstance(gain, Mapping):  # it may value grades in another order than their own
            return -xp.sort(-self.worth(best, gain), axis=1)[:, :places]
        return self.worth(-smallest(self.library, -best, places), gain)
