"""The rank column of a run, query by query: what every check of ranks looks at, sorted once."""

from dataclasses import dataclass

import numpy as np

from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.run import Run

# A reader puts this rank on every doc of a query with an unreadable rank, and tells of it itself.
SET_ASIDE = -1


@dataclass(frozen=True, eq=False)
class Ranked:
    """One value for each query with readable ranks: do they repeat, where do they begin and end?"""

    run: Run
    query: Ints  # codes into the names of the run's queries
    row: Ints  # the first row in the file
    repeats: Bools
    lowest: Ints
    highest: Ints
    size: Ints
    rises: Bools  # a score is higher than that of the rank above it

    @classmethod
    def of(cls, run: Run, score_width: int) -> "Ranked":
        """The ranks of a run that has some; scores are compared as wide as the conventions say."""
        ranks = np.zeros(len(run), np.int64) if run.rank is None else run.rank
        order = np.lexsort((ranks, run.query.codes))
        query, rank = run.query.codes[order], ranks[order]
        within = query[1:] == query[:-1]
        first = np.flatnonzero(np.concatenate(([True], ~within)))[: len(query)]
        last = np.append(first[1:], len(query))[: len(first)] - 1
        repeats = np.append(within & (rank[1:] == rank[:-1]), False)[: len(query)]
        rises = np.zeros(len(query), bool)
        if run.score is not None:
            score = compared(run.score, score_width)[order]
            rises = np.append(within & (score[1:] > score[:-1]), False)[: len(query)]
        read = ~((rank[first] == SET_ASIDE) & (rank[last] == SET_ASIDE))
        return cls(
            run,
            query[first][read],
            _each(np.minimum, order, first)[read],
            _each(np.logical_or, repeats, first)[read],
            rank[first][read],
            rank[last][read],
            (last - first + 1)[read],
            _each(np.logical_or, rises, first)[read],
        )

    def names(self, which: Bools) -> list[str]:
        """The queries that are meant, by their first line in the file."""
        by_line = np.argsort(self.row[which])
        found: list[str] = self.run.query.names[self.query[which][by_line]].tolist()
        return found


def compared(score: Floats, width: int) -> Floats:
    """Scores as wide as they are compared."""
    if width == 64:
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32).astype(np.float64)


def _each(how: np.ufunc, column: Ints | Bools, first: Ints) -> np.ndarray:
    """(n_queries,) the column drawn together from one first row to the next."""
    return how.reduceat(column, first) if len(first) else column[:0]
