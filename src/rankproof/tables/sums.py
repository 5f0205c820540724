"""A measure's values as they came about: terms, added up and divided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.tables.columns import Floats
from rankproof.tables.rankings import Rankings, ratio


@dataclass(frozen=True, eq=False)
class Sum:
    """One term a hit, added up over each query and divided by `over`.

    terms     (n_rows,) what each hit adds
    over      (n_queries,) what the sum is divided by
    factors   (n_rows,) columns from which a term is made, by name, for those who follow with a pencil
    ideal     the sum of the best possible list, where the measure divides by it
    parts     (n_queries,) numbers of the query from which the value was made, by name
    texts     (n_queries,) what a measure says that is a text and no number; else nothing
    whole     the value, where it is of the whole run and no query has one; None where it is not defined

    A measure that returns this cannot be explained otherwise than it was computed.
    """

    rankings: Rankings
    terms: NDArray[Any]
    over: Floats | float = 1.0
    factors: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    ideal: "Sum | None" = None
    parts: Mapping[str, Floats] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    whole: float | None = None

    @classmethod
    def each(cls, rankings: Rankings, value: Floats, parts: Mapping[str, Floats] | None = None) -> "Sum":
        """A value that is no sum over the hits: one row a query, with the numbers it was made of as `parts`."""
        return cls(rankings.one_row_each(), value, parts=parts or {})

    @classmethod
    def of_the_run(
        cls, rankings: Rankings, value: float | None, parts: Mapping[str, float] | None = None
    ) -> "Sum":
        """A value of the whole run, with the numbers it was made of; every query shows the same `parts`."""
        n = rankings.n_queries
        shown = {name: np.full(n, float(part)) for name, part in (parts or {}).items()}
        return cls(rankings.one_row_each(), np.zeros(n), parts=shown, whole=value)

    @cached_property
    def added(self) -> Floats:
        """(n_queries,) the terms added up."""
        return self.rankings.total(self.terms)

    @cached_property
    def divisor(self) -> Floats:
        """(n_queries,) what each sum is divided by."""
        return np.broadcast_to(np.asarray(self.over, np.float64), (self.rankings.n_queries,))

    @cached_property
    def value(self) -> Floats:
        """(n_queries,) the terms added up and divided; 0 where there is nothing to divide by."""
        return ratio(self.added, self.divisor)
