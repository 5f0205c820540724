"""What a check is: one kind of finding, and a function that looks for it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankproof.alignment import align
from rankproof.checks.ranked import Ranked
from rankproof.measures.measure import Measure
from rankproof.tables.attributes import Documents, Questions, Rubric
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import Displayed
from rankproof.tables.findings import Finding, Kind
from rankproof.tables.judgments import NO_GRADE, Judgments
from rankproof.tables.run import Run


@dataclass(frozen=True, eq=False)
class Inputs:
    """All that was given, for checks to look at."""

    judgments: Judgments = field(default_factory=lambda: Judgments.of([], [], []))
    runs: Sequence[Run] = ()
    questions: Questions = field(default_factory=Questions)
    documents: Documents = field(default_factory=Documents)
    rubric: Rubric = field(default_factory=Rubric)
    conventions: Conventions = field(default_factory=Conventions)
    fixed_candidates: bool = False
    cutoff: int | None = None  # the smallest cutoff of the measures asked for; None where there is none
    measures: Sequence[Measure] = ()

    @cached_property
    def asked(self) -> list[str]:
        """The queries that were asked: the questions, or every query of the judgments."""
        return self.questions.ids or self.judgments.query.in_order_of_appearance()

    @cached_property
    def judged(self) -> list[str]:
        """The asked queries for which somebody graded a doc and that are meant to have an answer."""
        lowest = NO_GRADE if self.conventions.negative_grades == "zero" else 0
        graded = self.judgments.query.codes[self.judgments.grade >= lowest]
        names = set(self.judgments.query.names[np.unique(graded)].tolist())
        refuse = {row.query_id for row in self.questions.by_id.values() if row.expected == "refuse"}
        return [query for query in self.asked if query in names and query not in refuse]

    @cached_property
    def lists(self) -> tuple[Displayed, ...]:
        """Each run's lists in the order that counts: those of the asked queries, then all others."""
        return tuple(
            align(self.judgments, run, self.plain, [*self.asked, *self.extra(run)]).displayed
            for run in self.runs
        )

    @cached_property
    def plain(self) -> Conventions:
        """The conventions without those that stop or that hide lines: a check tells of what they would do."""
        stop = "error"
        return self.conventions.but(
            unjudged="zero",
            duplicates="first",
            depth=None,
            ties="file" if self.conventions.ties == stop else self.conventions.ties,
            negative_grades="pooled"
            if self.conventions.negative_grades == stop
            else self.conventions.negative_grades,
        )

    @cached_property
    def ranked(self) -> tuple[Ranked, ...]:
        """The rank column of each run that has one."""
        width = self.conventions.score_width
        return tuple(Ranked.of(run, width) for run in self.runs if run.rank is not None)

    def extra(self, run: Run) -> list[str]:
        """The queries of a run that nobody asked."""
        asked = set(self.asked)
        return [query for query in run.query.names.tolist() if query not in asked]


@dataclass(frozen=True)
class Check:
    """One check. `find` yields findings of `kind`; an example of what it finds stands in `example`."""

    kind: Kind
    find: Callable[[Kind, Inputs], Iterator[Finding]]
    example: str = ""
