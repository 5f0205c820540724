"""Batches as they may come, and the same data as judgments and a run: what the kernels are tried on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from laws.strategies import variants
from rankproof import (
    MEASURES,
    Conventions,
    Judgments,
    Measure,
    Measurements,
    Question,
    Questions,
    Run,
    evaluate,
)
from rankproof.batch.kernels import OFFERED

EVERY = tuple(measure for row in MEASURES if row.name in OFFERED for measure in variants(row))
SCORES = (-np.inf, -2.5, -0.0, 0.0, 0.5, 0.5, 1.0, 3.25, np.inf)
GRADES = (-3, -1, 0, 0, 0, 1, 1, 2, 3, 100)
RELEVANT = "one that can be evaluated"


@dataclass(frozen=True, eq=False)
class Batch:
    """Arrays of numpy; a grade below 0 is no judgment, and `mask` and `missed` may be None."""

    scores: np.ndarray
    grades: np.ndarray
    mask: np.ndarray | None
    missed: np.ndarray | None

    def evaluated(self, measures: Any, conventions: Conventions) -> Measurements:
        """What `evaluate` says of the same data: columns are docs, in the order of their lines."""
        n, depth = self.scores.shape
        here = np.ones((n, depth), bool) if self.mask is None else self.mask
        lines = [(q, c) for q in range(n) for c in range(depth) if here[q, c]]
        graded = [(f"q{q}", f"c{c}", int(self.grades[q, c])) for q, c in lines]
        others = [] if self.missed is None else self.missed.tolist()
        graded += [(f"q{q}", f"m{c}", g) for q, row in enumerate(others) for c, g in enumerate(row)]
        # Somebody's grade below 0 is a judgment for evaluate where a convention makes it one; a missed one is padding.
        counted = conventions.negative_grades == "zero"
        graded = [row for row in graded if row[2] >= 0 or (counted and row[1][0] == "c")]
        query, doc, grade = zip(*graded, (RELEVANT, "c0", 3), strict=True)
        run = Run.of(
            "run",
            [*(f"q{q}" for q, _ in lines), RELEVANT],
            [*(f"c{c}" for _, c in lines), "c0"],
            score=np.array([*(self.scores[q, c] for q, c in lines), 1.0], float),
        )
        asked = Questions((*(Question(f"q{q}") for q in range(n)), Question(RELEVANT)))
        judgments = Judgments.of(query, doc, [max(g, -1) for g in grade], pooled=[g < 0 for g in grade])
        return evaluate(judgments, run, measures, conventions=conventions, questions=asked)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """A few rows of a few docs: equal scores, scores that are no numbers, places without a doc, rows of zeros."""
    n, depth, missing = draw(st.integers(1, 4)), draw(st.integers(1, 9)), draw(st.integers(0, 3))

    def table(values: Any, columns: int, dtype: Any) -> np.ndarray:
        rows = st.lists(st.sampled_from(values), min_size=n * columns, max_size=n * columns)
        return np.array(draw(rows), dtype).reshape(n, columns)

    scores = table(SCORES, depth, draw(st.sampled_from((np.float32, np.float64))))
    grades = table(draw(st.sampled_from((GRADES, (0, 1), (0,), (-1, 0, 1)))), depth, np.int64)
    mask = table((True, True, False), depth, bool) if draw(st.booleans()) else None
    missed = table(GRADES, missing, np.int64) if missing else None
    return Batch(scores, grades, mask, missed)


def settled(measure: Measure, conventions: Conventions) -> bool:
    """True where the batch promises the measure by these conventions."""
    return measure.linear or conventions.ties != "average"
