"""Comparisons: the baseline against each candidate, query by query and on average."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rankproof.tables.conventions import Conventions
from rankproof.tables.populations import Populations
from rankproof.tables.weights import Sensitivity


@dataclass(frozen=True)
class Interval:
    """Where the mean difference may lie; null with a reason where it cannot be told."""

    level: float
    lower: float | None
    upper: float | None
    method: str
    reason: str = ""


@dataclass(frozen=True)
class QueryDifference:
    """One query: candidate minus baseline; null with a reason where either is not defined."""

    query_id: str
    baseline: float | None
    candidate: float | None
    difference: float | None
    reason: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """One candidate against the baseline under one measure, over all queries or those of one tag.

    Differences are candidate minus baseline; `n` counts the queries where both are defined. `detectable`
    is the smallest difference that this many queries would show in 80 of 100 cases.
    """

    candidate: str
    measure: str
    n: int
    mean_baseline: float | None
    mean_candidate: float | None
    difference: float | None
    interval: Interval
    p: float | None
    p_adjusted: float | None
    p_floor: float | None
    method: str
    detectable: float | None
    wins: int
    ties: int
    losses: int
    queries: tuple[QueryDifference, ...]
    tag: str = ""
    reason: str = ""
    deviation: float | None = None

    @cached_property
    def worst(self) -> tuple[QueryDifference, ...]:
        """The queries that got worse, the worst first."""
        worse = [row for row in self.queries if row.difference is not None and row.difference < 0]
        return tuple(sorted(worse, key=lambda row: (row.difference or 0.0, row.query_id)))

    @cached_property
    def best(self) -> tuple[QueryDifference, ...]:
        """The queries that got better, the best first."""
        better = [row for row in self.queries if row.difference is not None and row.difference > 0]
        return tuple(sorted(better, key=lambda row: (-(row.difference or 0.0), row.query_id)))

    @property
    def verdict(self) -> str:
        """ "better", "worse", "same", "unclear" or "undefined", as interval and (adjusted) test allow."""
        if self.difference is None:
            return "undefined"
        if self.wins == self.losses == 0:
            return "same"
        p = self.p if self.p_adjusted is None else self.p_adjusted
        certain = p is not None and p <= 1 - self.interval.level + 1e-12 and self.outside_zero
        if not certain:
            return "unclear"
        return "better" if self.difference > 0 else "worse"

    @property
    def outside_zero(self) -> bool:
        """True where the interval does not hold 0."""
        lower, upper = self.interval.lower, self.interval.upper
        return lower is not None and upper is not None and (lower > 0 or upper < 0)

    def row(self) -> dict[str, object]:
        """The comparison as the machine output gives it."""
        return {
            "candidate": self.candidate,
            "measure": self.measure,
            "n": self.n,
            "mean_baseline": self.mean_baseline,
            "mean_candidate": self.mean_candidate,
            "difference": self.difference,
            "interval": {
                "level": self.interval.level,
                "lower": self.interval.lower,
                "upper": self.interval.upper,
                "method": self.interval.method,
                "reason": self.interval.reason or None,
            },
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "p_floor": self.p_floor,
            "method": self.method,
            "detectable": self.detectable,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "bounds": None,
            "tag": self.tag or None,
            "reason": self.reason or None,
            "queries": [
                {
                    "query_id": row.query_id,
                    "baseline": row.baseline,
                    "candidate": row.candidate,
                    "difference": row.difference,
                    "reason": row.reason or None,
                    "tags": list(row.tags),
                }
                for row in self.queries
            ],
        }


@dataclass(frozen=True, repr=False)
class Comparisons:
    """Every candidate against one baseline."""

    baseline: str
    candidates: tuple[str, ...]
    conventions: Conventions
    populations: Populations
    rows: tuple[Comparison, ...]
    seed: int = 0
    level: float = 0.95
    weights: tuple[Sensitivity, ...] = ()  # of each candidate and combination

    def __repr__(self) -> str:
        return f"Comparisons(baseline={self.baseline!r}, candidates={list(self.candidates)}, {len(self.rows)} rows)"

    def of(self, candidate: str, measure: str, tag: str = "") -> Comparison | None:
        """The comparison of one candidate under one measure; None where there is none."""
        fitting = (r for r in self.rows if (r.candidate, r.measure, r.tag) == (candidate, measure, tag))
        return next(fitting, None)

    def overall(self) -> Sequence[Comparison]:
        """The comparisons over all queries."""
        return [row for row in self.rows if not row.tag]

    def as_dict(self) -> dict[str, object]:
        """The comparisons as the machine output gives them."""
        return {
            "baseline": self.baseline,
            "candidates": list(self.candidates),
            "conventions": self.conventions.as_dict(),
            "dialect": self.conventions.dialect,
            "seed": self.seed,
            "populations": self.populations.as_dict(),
            "comparisons": [row.row() for row in self.rows],
            "weights": [row.row() for row in self.weights],
        }
