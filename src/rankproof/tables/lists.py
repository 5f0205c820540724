"""Lists: every displayed line, for the few measures that need to know which docs were shown."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankproof.tables.columns import Ints, Texts
from rankproof.tables.known import Known


@dataclass(frozen=True, eq=False)
class Lists:
    """The lines of n queries in the order that counts; query i has the lines offsets[i]:offsets[i+1].

    doc     (n_lines,) the place of each displayed doc in `names`
    grade   (n_lines,) its judged grade, or below 0: NO_GRADE, POOLED, REPEAT
    names   (n_docs,) the docs of the run
    beside  what is known of the docs and the queries, for the measures that look at it
    """

    offsets: Ints
    doc: Ints
    grade: Ints
    names: Texts
    beside: "Beside | None" = None

    @cached_property
    def rank(self) -> Ints:
        """(n_lines,) the place in the list, from 1."""
        return np.arange(len(self.doc)) - np.repeat(self.offsets[:-1], np.diff(self.offsets)) + 1

    @cached_property
    def query(self) -> Ints:
        """(n_lines,) the query of each line, from 0."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def part(self, start: int, stop: int) -> "Lists":
        """The queries from `start` up to, not including, `stop`."""
        lines = slice(self.offsets[start], self.offsets[stop])
        offsets = self.offsets[start : stop + 1] - self.offsets[start]
        beside = self.beside.part(start, stop) if self.beside else None
        return Lists(offsets, self.doc[lines], self.grade[lines], self.names, beside)


@dataclass(frozen=True, eq=False)
class Beside:
    """What is known, beside the lists of n queries.

    user      (n_queries,) the code of each query in the history; -1 where it is not there
    judged    the judged docs of each query, in place of displayed lines
    expected  what another system displayed for the same queries, where it was given
    """

    known: Known
    user: Ints
    judged: Lists
    expected: Lists | None = None

    def part(self, start: int, stop: int) -> "Beside":
        """The queries from `start` up to, not including, `stop`."""
        expected = self.expected.part(start, stop) if self.expected else None
        return Beside(self.known, self.user[start:stop], self.judged.part(start, stop), expected)
