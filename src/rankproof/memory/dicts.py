"""Dicts: judged docs are looked up in lists of docs and tables of scores, and all others are only counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankproof.memory.looking_up import in_lists, in_scores
from rankproof.memory.run import best_first, blocks, joined, starts_of
from rankproof.tables.columns import Ids
from rankproof.tables.hits import Hits, Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.run import Run, State, stop_unless_lists


@dataclass(frozen=True, eq=False)
class DictRun:
    """A run as {query: [doc, ...]}, in the displayed order, or {query: {doc: score}}."""

    name: str
    lists: Mapping[str, Sequence[str] | Mapping[str, float]]
    _found: dict[Ordering, Hits] = field(default_factory=dict, repr=False)

    def table(self, judged: Judged | None = None) -> Run:  # noqa: ARG002 - who calls it knows no kinds of runs
        """The run as a table of all its docs."""
        return Run.from_dict(self.name, self.lists)

    def hits(self, judged: Judged, ordering: Ordering) -> Hits:
        """The judged docs, with their ranks.

        Lists of queries that nobody asked are only counted. Raises what Run.from_dict raises.
        """
        known = self._found.get(ordering)
        if known is None or known.judged is not judged:
            known = self._found[ordering] = self._looked_up(judged, ordering)
        return known

    def _looked_up(self, judged: Judged, ordering: Ordering) -> Hits:
        scored = stop_unless_lists(self.name, self.lists)
        if not {str}.issuperset(map(type, self.lists)):
            Ids.of(self.lists)  # texts of other kinds are texts as well
        every = list(map(self.lists.get, judged.queries))
        asked = [at for at, one in enumerate(every) if one is not None and len(one)]
        lists: list[Any] = [_plain(every[at], scored) for at in asked]
        place = np.array(asked, np.int64)
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        parts = []
        for part in blocks(sizes):
            some = (lists[part], place[part], sizes[part], judged)
            found = in_scores(self.name, *some, ordering) if scored else in_lists(*some)
            parts.append(best_first(found, starts_of(sizes[part])))
        extra: dict[str, int] = {}
        if len(self.lists) > sum(one is not None for one in every):
            extra = {q: len(one) for q, one in self.lists.items() if q not in judged.place and len(one)}
        empty = sorted(query for query, one in self.lists.items() if not len(one))
        states: dict[str, State] = dict.fromkeys(empty, "empty")
        return Hits(self.name, judged, ordering, place, sizes, *joined(parts), extra=extra, states=states)


def _plain(shown: Any, scored: bool) -> Any:
    """The same docs as a dict or a list, where they are in something else."""
    kind: type = dict if scored else list
    return shown if type(shown) is kind else kind(shown)
