"""A batch as it was given, checked once; and blocks of it, by the conventions."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankproof.batch.libraries import Array, Library, without_gradient
from rankproof.errors import UsageError
from rankproof.tables.conventions import Conventions

HIGHEST = 2**31 - 1  # grade


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a batch, by the conventions; grades are -1 where nobody judged, or where no doc is.

    listed    (n,) True where the row was given a doc
    judged    (n,) True where somebody judged a doc of the row, or one that it misses
    highest   the highest grade of the block
    """

    library: Library
    scores: Array
    grade: Array
    mask: Array | None
    pool: Array
    best: Array
    n_docs: Array
    listed: Array
    judged: Array
    highest: int


@dataclass(frozen=True, eq=False)
class Given:
    """Arrays of one library that fit together; `home` is the library that values go back to."""

    home: Library
    library: Library
    scores: Array
    grades: Array
    mask: Array | None
    missed: Array | None

    @classmethod
    def of(cls, scores: Any, grades: Any, mask: Any, missed: Any) -> "Given":
        """The arrays, once they are known to fit; an error says which one does not."""
        scores = without_gradient(scores)
        library = Library.of(scores)
        xp = library.xp
        if len(scores.shape) != 2 or not xp.isdtype(scores.dtype, "real floating"):
            raise UsageError(
                "The scores have shape {shape} and are {kind}; expected fractions, (n_queries, depth).",
                shape=tuple(scores.shape),
                kind=scores.dtype,
            )
        given = [
            None if one is None else library.array(without_gradient(one)) for one in (grades, mask, missed)
        ]
        grades, mask, missed = given
        for name, one in (("grades", grades), ("mask", mask)):
            if one is not None and tuple(one.shape) != tuple(scores.shape):
                raise UsageError(
                    "The array {name} has shape {shape}; expected {expected}, the shape of the scores.",
                    name=name,
                    shape=tuple(one.shape),
                    expected=tuple(scores.shape),
                )
        if mask is not None and not xp.isdtype(mask.dtype, "bool"):
            raise UsageError(
                "The mask is {kind}; expected True where there is a doc, else False.", kind=mask.dtype
            )
        if missed is not None and (len(missed.shape) != 2 or missed.shape[0] != scores.shape[0]):
            raise UsageError(
                "The array missed has shape {shape}; expected one row for each of {n}, with the grades of judged docs "
                "that the batch does not hold.",
                shape=tuple(missed.shape),
                n=scores.shape[0],
            )
        arrays = scores, grades, mask, missed
        if not library.near:
            return cls(library, library, *arrays)
        read = [None if one is None else library.read_by_numpy(one) for one in arrays]
        return cls(library, Library.of(read[0]), *read)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return int(self.scores.shape[0])

    def block(self, start: int, stop: int, conventions: Conventions) -> Block:
        """The rows from `start` up to, not including, `stop`."""
        library, xp = self.library, self.library.xp
        rows = slice(start, min(stop, self.n))
        scores, mask = self.scores[rows, :], None if self.mask is None else self.mask[rows, :]
        unknown = xp.isnan(scores) if mask is None else xp.isnan(scores) & mask
        if bool(xp.any(unknown)):
            raise UsageError(
                "The scores hold NaN, which puts no doc before another. Look for what made it; where there is no doc, "
                "the mask is False."
            )
        grade, lowest, highest = _whole(library, self.grades[rows, :], "grades")
        missed = None
        if self.missed is not None:
            missed, _, most = _whole(library, self.missed[rows, :], "missed")
            missed, highest = xp.clip(missed, -1, None), max(highest, most)
        if not scores.shape[1]:  # a place without a doc, so that there is something to look at
            edge = (scores.shape[0], 1)
            scores = xp.zeros(edge, dtype=scores.dtype, device=library.device)
            grade = xp.zeros(edge, dtype=xp.int32, device=library.device)
            mask = xp.zeros(edge, dtype=xp.bool, device=library.device)
        if conventions.ties == "file_last":
            scores, grade, mask = (
                None if one is None else xp.flip(one, axis=1) for one in (scores, grade, mask)
            )
        if conventions.score_width == 32:
            scores = xp.astype(scores, xp.float32)
        if lowest < 0:
            grade = xp.clip(grade, 0 if conventions.negative_grades == "zero" else -1, None)
        if mask is not None:
            grade = xp.where(mask, grade, library.array(-1, xp.int32))
        listed = self._every(scores) if mask is None else xp.any(mask, axis=1)
        if conventions.unjudged == "condense":
            mask = grade >= 0
        n_docs = (
            xp.full((scores.shape[0],), float(scores.shape[1]), dtype=library.real, device=library.device)
            if mask is None
            else library.count(mask)
        )
        pool = every = grade if missed is None else xp.concat((grade, missed), axis=1)
        judged = self._every(scores) if lowest >= 0 and mask is None else xp.any(every >= 0, axis=1)
        if conventions.pool == "shown" and missed is not None:
            seen = xp.expand_dims(n_docs > 0, axis=1)  # a query without a list keeps what was judged for it
            pool = xp.concat((grade, xp.where(seen, library.array(-1, xp.int32), missed)), axis=1)
        best = pool if conventions.ideal == "judged" else grade
        return Block(library, scores, grade, mask, pool, best, n_docs, listed, judged, max(highest, 0))

    def _every(self, scores: Array) -> Array:
        return self.library.xp.ones(
            (scores.shape[0],), dtype=self.library.xp.bool, device=self.library.device
        )


def _whole(library: Library, grades: Array, name: str) -> tuple[Array, int, int]:
    """The grades, the lowest and the highest of them; an error where one is no whole number, or too high."""
    xp = library.xp
    fractions = xp.isdtype(grades.dtype, "real floating")
    if fractions and bool(xp.any(~xp.isfinite(grades) | (xp.floor(grades) != grades))):
        raise UsageError(
            "The array {name} holds fractions; expected whole numbers. Map fractions to grades by a rule that you "
            "state.",
            name=name,
        )
    with np.errstate(invalid="ignore"):  # what does not fit is looked for in the next line
        whole = xp.astype(grades, xp.int32)
    if bool(xp.any(xp.astype(whole, grades.dtype) != grades)):
        raise UsageError(
            "The array {name} holds a grade beyond {highest}; a batch holds none as high.",
            name=name,
            highest=HIGHEST,
        )
    if 0 in grades.shape:
        return whole, 0, 0
    return whole, int(xp.min(whole)), int(xp.max(whole))
