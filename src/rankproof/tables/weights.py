"""Weights: over which of all ways to weigh several goals one system is better than another."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Move:
    """How much of all weight, moved from one part to another, turns the sign of the difference."""

    taken_from: str
    given_to: str
    weight: float


@dataclass(frozen=True)
class Sensitivity:
    """One candidate against the baseline in several measures, whatever their weights.

    parts, weights, differences   the measures, the given weights as shares of their sum, and the mean
                                  differences, candidate minus baseline, over the `n` queries that have a value
                                  in every part and both systems
    difference                    the weighed mean difference, by the given weights as shares
    better, worse                 the share of all ways to weigh in which the candidate has the higher mean, or the
                                  lower one; exact
    pareto                        "better" (no part worse, one better), "worse", "same", "trade-off", "undefined"
    break_even                    of two parts, the share of the weight of the first where the two systems are even
    moves                         what turns the sign, the least first
    surely_better, surely_worse, undecided
                                  the share of all ways to weigh in which the paired-t interval at `level` lies
                                  above 0, below 0, or neither; counted on a lattice with the step `step`
    """

    candidate: str
    measure: str
    parts: tuple[str, ...]
    weights: tuple[float, ...]
    n: int
    differences: tuple[float, ...] = ()
    difference: float | None = None
    better: float | None = None
    worse: float | None = None
    pareto: str = "undefined"
    break_even: float | None = None
    moves: tuple[Move, ...] = ()
    surely_better: float | None = None
    surely_worse: float | None = None
    undecided: float | None = None
    step: float = 0.0
    level: float = 0.95
    reason: str = ""

    def row(self) -> dict[str, object]:
        """The sensitivity as the machine output gives it."""
        differences = self.differences or (None,) * len(self.parts)
        parts = zip(self.parts, self.weights, differences, strict=True)
        return {
            "candidate": self.candidate,
            "measure": self.measure,
            "n": self.n,
            "parts": [{"measure": m, "weight": w, "difference": d} for m, w, d in parts],
            "difference": self.difference,
            "pareto": self.pareto,
            "better": self.better,
            "worse": self.worse,
            "break_even": self.break_even,
            "moves": [
                {"from": move.taken_from, "to": move.given_to, "weight": move.weight} for move in self.moves
            ],
            "interval": {
                "level": self.level,
                "better": self.surely_better,
                "worse": self.surely_worse,
                "undecided": self.undecided,
                "step": self.step,
                "reason": self.reason or None,
            },
        }
