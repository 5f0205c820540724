"""Ids as codes, and columns that are checked once and never changed after."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Texts = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Ids:
    """A column of ids: `codes` (n_rows,) points into `names`, which is sorted and without repeats.

    Names are in the order of their UTF-8 bytes, so comparing codes compares ids.
    `names` may hold ids that no row uses.
    """

    codes: Ints
    names: Texts

    @classmethod
    def of(cls, texts: Iterable[str], also: Iterable[str] = ()) -> "Ids":
        """Ids from texts, one a row; `also` adds names that no row uses."""
        column = list(texts)
        for value in column:
            if not isinstance(value, str):
                raise UsageError(
                    "An id is a text, but {seen} is {kind}. Turn ids into text first, so that 007 stays 007.",
                    seen=repr(value),
                    kind=type(value).__name__,
                )
        names = sorted({*column, *also})
        code = {name: place for place, name in enumerate(names)}
        codes = np.fromiter((code[value] for value in column), np.int64, len(column))
        return cls(codes, texts_of(names))

    @cached_property
    def code(self) -> dict[str, int]:
        """The place of each name."""
        return {name: place for place, name in enumerate(self.names.tolist())}

    def into(self, other: "Ids") -> Ints:
        """(n_names,) the code in `other` of each name of mine; -1 where it has none."""
        find = other.code.get
        return np.fromiter((find(name, -1) for name in self.names.tolist()), np.int64, len(self.names))

    def texts(self) -> Texts:
        """(n_rows,) the ids themselves."""
        return self.names[self.codes]

    def texts_at(self, rows: Ints) -> list[str]:
        """The ids of some rows."""
        found: list[str] = self.names[self.codes[rows]].tolist()
        return found

    def in_order_of_appearance(self) -> list[str]:
        """Names by their first row, then the names that no row uses."""
        used, first = np.unique(self.codes, return_index=True)
        appearing = self.names[used[np.argsort(first, kind="stable")]].tolist()
        unused = np.setdiff1d(np.arange(len(self.names)), used)
        return [*appearing, *self.names[unused].tolist()]

    def __len__(self) -> int:
        return len(self.codes)


def texts_of(values: Sequence[str | None]) -> Texts:
    """An object column from Python texts."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def frozen(column: NDArray[np.generic] | Sequence[object], dtype: type, name: str, length: int) -> np.ndarray:
    """`column` as a read-only array of `dtype`; an error names the column whose length is off."""
    array: np.ndarray = np.array(column, dtype=dtype)  # a copy: nobody else may change it later
    if array.shape != (length,):
        raise UsageError(
            'The column "{column}" has shape {seen}; expected ({length},), one value a row.',
            column=name,
            seen=array.shape,
            length=length,
        )
    array.setflags(write=False)
    return array


def is_whole(value: object) -> bool:
    """True for a whole number of any kind that a column can hold; False for True and False."""
    try:
        return not isinstance(value, (bool, str)) and abs(int(value)) < 2**63 and int(value) == value  # type: ignore[call-overload]  # what cannot be a number raises, and is caught
    except (TypeError, ValueError, OverflowError):
        return False


def whole_numbers(values: Sequence[int] | NDArray[Any], name: str) -> Ints:
    """(n,) whole numbers; an error names the first value that is none, so that nothing is cut unseen."""
    array = np.asarray(values)
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    listed = array.tolist()
    for row, value in enumerate(listed):
        if not is_whole(value):
            raise UsageError(
                'The column "{column}" has {seen} in row {row}; expected a whole number. '
                "Map fractions to whole numbers by a rule that you state.",
                column=name,
                seen=repr(value),
                row=row,
            )
    return np.array([int(value) for value in listed], np.int64)


def among_of(names: Iterable[str], some: Iterable[str]) -> Bools:
    """(n_names,) True for the names that are among `some`."""
    wanted, listed = set(some), list(names)
    if not wanted:
        return np.zeros(len(listed), bool)
    return np.fromiter(map(wanted.__contains__, listed), bool, len(listed))


def offsets_of(codes: Ints, n: int) -> Ints:
    """(n + 1,) where each code's rows begin, for codes that are sorted."""
    return np.searchsorted(codes, np.arange(n + 1))


def first_of_each(keys: Ints) -> Bools:
    """(n_rows,) True where a key stands for the first time."""
    first = np.zeros(len(keys), dtype=bool)
    first[np.unique(keys, return_index=True)[1]] = True
    return first


def places_of(ids: Ids, queries: Sequence[str]) -> Ints:
    """(n_names,) the place in `queries` of each name; -1 where it is not wanted."""
    place = {query: at for at, query in enumerate(queries)}
    return np.fromiter((place.get(name, -1) for name in ids.names.tolist()), np.int64, len(ids.names))


def numbers(column: Floats) -> list[float | None]:
    """Plain floats; None for each NaN, which is a value that is not defined.

    >>> numbers(np.array([0.5, np.nan]))
    [0.5, None]
    """
    found = column.astype(object)
    found[np.isnan(column)] = None
    return list(found)
