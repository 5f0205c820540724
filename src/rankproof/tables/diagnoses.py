"""Diagnoses: what a conclusion hangs on beside the numbers: the cutoff, and how many queries cannot get better."""

from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise

from rankproof.tables.comparisons import Interval

SATURATED = 0.5  # where more than this share of the queries is at the ceiling, a measure tells little apart
LEAST = 5  # of fewer queries nothing is said


@dataclass(frozen=True)
class AtCutoff:
    """One candidate against the baseline at one cutoff (None: whole lists), over the queries that both have."""

    candidate: str
    measure: str
    cutoff: int | None
    n: int
    mean_baseline: float | None
    mean_candidate: float | None
    difference: float | None
    interval: Interval

    def row(self) -> dict[str, object]:
        """The row as the machine output gives it."""
        interval = {**asdict(self.interval), "reason": self.interval.reason or None}
        return {**asdict(self), "interval": interval}


@dataclass(frozen=True)
class Turn:
    """Two cutoffs, next to each other, between which the sign of the mean difference changes."""

    before: AtCutoff
    after: AtCutoff


@dataclass(frozen=True)
class Ceiling:
    """How many of n queries cannot get better: their value is the best that any order gives.

    `runs` is one run, or a candidate and the baseline, of which both are at the ceiling.
    """

    runs: tuple[str, ...]
    n: int
    reached: int

    @property
    def saturated(self) -> bool:
        """True where so many queries are at the ceiling that the measure tells little apart."""
        return self.n >= LEAST and self.reached > SATURATED * self.n

    def row(self) -> dict[str, object]:
        """The row as the machine output gives it."""
        return {
            "runs": list(self.runs),
            "n": self.n,
            "reached": self.reached,
            "saturated": self.saturated,
        }


@dataclass(frozen=True)
class Finer:
    """What another yardstick makes of the `tied` queries in which candidate and baseline are the same."""

    candidate: str
    measure: str
    tied: int
    better: int
    worse: int

    @property
    def told_apart(self) -> int:
        """How many ties it breaks."""
        return self.better + self.worse

    def row(self) -> dict[str, object]:
        """The row as the machine output gives it."""
        return {**asdict(self), "told_apart": self.told_apart}


@dataclass(frozen=True)
class Diagnosis:
    """The measure that was looked at ("" where none could be), at several cutoffs, and at its ceiling.

    `finer` holds other yardsticks where a candidate and the baseline are saturated, nothing elsewhere.
    """

    measure: str = ""
    baseline: str = ""
    cutoffs: tuple[AtCutoff, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    finer: tuple[Finer, ...] = ()

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Where the sign of the mean difference changes with the cutoff; a difference of 0 has no sign."""
        candidates = dict.fromkeys(row.candidate for row in self.cutoffs)
        signed = [[r for r in self.cutoffs if r.candidate == c and r.difference] for c in candidates]
        steps = (step for rows in signed for step in pairwise(rows))
        return tuple(Turn(a, b) for a, b in steps if ((a.difference or 0) > 0) != ((b.difference or 0) > 0))

    @property
    def saturated(self) -> tuple[Ceiling, ...]:
        """Where the measure tells little apart: candidates beside the baseline, or single runs without one."""
        size = 2 if self.baseline else 1
        return tuple(one for one in self.ceilings if len(one.runs) == size and one.saturated)

    def as_dict(self) -> dict[str, object]:
        """The diagnosis as the machine output gives it."""
        return {
            "measure": self.measure or None,
            "cutoffs": [row.row() for row in self.cutoffs],
            "ceilings": [row.row() for row in self.ceilings],
            "finer": [row.row() for row in self.finer],
        }
