"""Spreads: mean and standard deviation of a measure for a query, over a set of reference runs."""

from dataclasses import dataclass

from rankproof.errors import UsageError

MOST = 1e100  # deviations that are counted; many such scores still have a sum


@dataclass(frozen=True)
class Spread:
    """The mean of what reference runs reached, and its standard deviation (0 where all reached the same)."""

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        if not (abs(self.mean) < float("inf") and 0 <= self.deviation < float("inf")):
            raise UsageError(
                "A spread has the mean {mean} and the deviation {deviation}; expected numbers, and a deviation "
                "from 0.",
                mean=self.mean,
                deviation=self.deviation,
            )

    def standard(self, value: float) -> float | None:
        """How many deviations `value` lies above the mean; None where there is next to no deviation to count in.

        >>> Spread(0.25, 0.125).standard(0.5)
        2.0
        """
        above = value - self.mean
        if abs(above) >= self.deviation * MOST:
            return 0.0 if above == 0 else None
        return above / self.deviation
