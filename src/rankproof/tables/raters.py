"""Judgments and runs parted by rater: each rater of a query becomes a query of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankproof.tables.columns import Ids, Ints, offsets_of, places_of, texts_of
from rankproof.tables.judgments import Judgments
from rankproof.tables.preferred import ranges
from rankproof.tables.run import Run


@dataclass(frozen=True, eq=False)
class Parted:
    """Query i was judged by the raters offsets[i]:offsets[i+1], each a query of `judgments`, by that number.

    `query` (n_parts,) is the query of each part, from 0; `queries` are the names of all queries.
    """

    judgments: Judgments
    offsets: Ints
    query: Ints
    queries: tuple[str, ...]

    @property
    def parts(self) -> list[str]:
        """The names of the parts, in order."""
        names: list[str] = self.judgments.query.names.tolist()
        return names

    def run(self, run: Run) -> Run:
        """The run with each list once for every rater of its query."""
        place = places_of(run.query, self.queries)[run.query.codes]
        rows = np.argsort(place, kind="stable")
        edges = offsets_of(place[rows], len(self.queries))
        sizes = np.diff(edges)[self.query]
        taken = rows[ranges(edges[:-1][self.query], sizes)]
        part = np.repeat(np.arange(len(self.query)), sizes)
        return replace(
            run,
            query=Ids(part, self.judgments.query.names),
            doc=Ids(run.doc.codes[taken], run.doc.names),
            rank=None if run.rank is None else run.rank[taken],
            score=None if run.score is None else run.score[taken],
            line=None if run.line is None else run.line[taken],
            states={},
        )


def parted(judgments: Judgments, queries: Sequence[str]) -> Parted:
    """`judgments` for `queries` by rater; judgments that name no rater are those of one more."""
    place = places_of(judgments.query, queries)[judgments.query.codes]
    rows = np.flatnonzero(place >= 0)
    rater = Ids.of(name or "" for name in judgments.texts("rater")[rows].tolist())
    key = place[rows] * max(len(rater.names), 1) + rater.codes
    used, part = np.unique(key, return_inverse=True)
    query = used // max(len(rater.names), 1)
    names = texts_of([f"{n:09}" for n in range(len(used))])
    by_rater = Judgments(
        Ids(part, names),
        Ids(judgments.doc.codes[rows], judgments.doc.names),
        judgments.grade[rows],
        judgments.pooled[rows],
        subtopic=judgments.subtopic
        and Ids(judgments.subtopic.codes[rows], judgments.subtopic.names),  # so that the highest grade counts
    )
    return Parted(by_rater, offsets_of(query, len(queries)), query, tuple(queries))
