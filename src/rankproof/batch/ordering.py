"""Docs of each row by falling score: what stands at each rank. Equal scores stand in the order of the columns.

A score of single precision and less, its column and its grade fit into one whole number of 64 bits. Sorting
these numbers sorts the docs, keeps the order of equal scores, and brings the grades along; no two are equal,
so that a selection of the first few is exact, too. Scores of double precision are sorted as they are.
"""

from dataclasses import dataclass
from functools import cached_property

from rankproof.batch.libraries import Array, Library
from rankproof.batch.sorting import order, smallest

UNKNOWN, ABSENT = (
    2**31 - 2,
    2**31 - 1,
)  # behind every number there is: scores that are none, places without a doc
HALF = 32  # bits for the score, and as many for the column and the grade


@dataclass(frozen=True, eq=False)
class Ordered:
    """(n, k) by rank: grades, -1 where nobody judged or no doc is; and where another score begins, if it was asked."""

    library: Library
    grade: Array
    begins: Array | None = None

    @cached_property
    def ties(self) -> tuple[Array, Array]:
        """(n, k) the rank at which the group of equal scores begins that a doc belongs to, and its size."""
        assert self.begins is not None
        xp = self.library.xp
        n, k = self.grade.shape
        flat = xp.reshape(self.begins, (-1,))
        (starts,) = xp.nonzero(flat)
        sizes = xp.concat((starts[1:], self.library.array([n * k], starts.dtype))) - starts
        group = xp.cumulative_sum(xp.astype(flat, xp.int64)) - 1
        rows = xp.expand_dims(xp.arange(n, dtype=starts.dtype, device=self.library.device) * k, axis=1)
        begin = xp.reshape(xp.take(starts, group), (n, k)) - rows + 1
        return self.library.reals(begin), self.library.reals(xp.reshape(xp.take(sizes, group), (n, k)))


def ordered(
    library: Library, scores: Array, grade: Array, mask: Array | None, *, k: int, top: int, groups: bool
) -> Ordered:
    """The first `k` ranks of each row; `top` is the highest grade of all rows, `groups` asks for equal scores."""
    bits = (top + 1).bit_length()
    narrow = library.xp.finfo(scores.dtype).bits <= HALF
    fits = bits + (scores.shape[1] - 1).bit_length() < HALF  # with the bit of the sign
    if narrow and fits and library.reads_bits:
        return _packed(library, scores, grade, mask, k, bits, groups)
    return _sorted(library, scores, grade, mask, k, groups)


def _packed(
    library: Library, scores: Array, grade: Array, mask: Array | None, k: int, bits: int, groups: bool
) -> Ordered:
    xp = library.xp
    fall = 0.0 - xp.astype(scores, xp.float32)  # no minus alone: then zeros of both signs would differ
    level = fall.view(xp.int32)
    level = level ^ ((level >> 31) & 0x7FFFFFFF)  # whole numbers in the order of the scores
    if 0 not in fall.shape and bool(xp.isnan(xp.max(fall))):  # one is no number
        level = xp.where(xp.isnan(fall), library.array(UNKNOWN, xp.int32), level)
    if mask is not None:
        level = xp.where(mask, level, library.array(ABSENT, xp.int32))
    column = xp.arange(scores.shape[1], dtype=xp.int32, device=library.device) << bits
    keys = (xp.astype(level, xp.int64) << HALF) | ((column + 1) + grade)
    keys = smallest(library, keys, k)
    found = xp.astype((keys & ((1 << bits) - 1)) - 1, xp.int32)
    if not groups:
        return Ordered(library, found)
    level = keys >> HALF
    return Ordered(library, found, _begins(library, level, level >= UNKNOWN))


def _sorted(
    library: Library, scores: Array, grade: Array, mask: Array | None, k: int, groups: bool
) -> Ordered:
    xp = library.xp
    fall = 0.0 - scores
    unknown = xp.isnan(fall)
    behind = xp.astype(unknown, xp.int8) * 2
    if mask is not None:
        behind = xp.where(mask, behind, library.array(3, xp.int8))
    infinite = library.array(xp.inf, fall.dtype)
    fall = xp.where(behind > 0, infinite, fall)
    behind = xp.where((behind == 0) & (fall == infinite), library.array(1, xp.int8), behind)
    kinds = [kind for kind in (1, 2, 3) if bool(xp.any(behind == kind))]
    if len(kinds) < 2:
        place = order(library, fall, k, settled=kinds != [3])
    else:  # first the lowest scores, then those that are no numbers, then places without a doc
        place = order(library, fall, fall.shape[1])
        among = xp.take_along_axis(behind, place, axis=1)
        again = xp.argsort(among, axis=1, stable=True)
        place = xp.take_along_axis(place, again, axis=1)[:, :k]
    found = xp.take_along_axis(grade, place, axis=1)
    if not groups:
        return Ordered(library, found)
    alone = xp.take_along_axis(behind, place, axis=1) > 1
    return Ordered(library, found, _begins(library, xp.take_along_axis(fall, place, axis=1), alone))


def _begins(library: Library, level: Array, alone: Array) -> Array:
    """(n, k) True where a doc has another score than the one before it, or a score that is no number."""
    xp = library.xp
    first = xp.ones((level.shape[0], 1), dtype=xp.bool, device=library.device)
    return xp.concat((first, level[:, 1:] != level[:, :-1]), axis=1) | alone
