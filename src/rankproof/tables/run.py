"""A run: what one system displayed, in order, with its score if it had one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.columns import Floats, Ids, Ints, frozen, whole_numbers
from rankproof.tables.scores import scores_of

# Why a query has no list. A query that the run does not name at all is "missing".
State = Literal["ok", "empty", "failed", "not_run", "missing"]
STATES: tuple[State, ...] = ("ok", "empty", "failed", "not_run")


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """One row a displayed doc, in file order. `rank` and `score` are None where the file had no such column.

    `states` names the queries that have no list, and why: "empty", "failed" or "not_run".
    """

    name: str
    query: Ids
    doc: Ids
    rank: Ints | None = None
    score: Floats | None = None
    states: Mapping[str, State] = field(default_factory=dict)
    line: Ints | None = None
    source: str = ""
    tags: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {len(self)} rows, {len(self.query.names)} queries)"

    def __post_init__(self) -> None:
        n = len(self.query)
        set_ = object.__setattr__
        frozen(self.doc.codes, np.int64, "doc", n)
        if self.rank is not None:
            set_(self, "rank", frozen(self.rank, np.int64, "rank", n))
        if self.score is not None:
            set_(self, "score", frozen(self.score, np.float64, "score", n))
        set_(self, "line", frozen(np.zeros(n) if self.line is None else self.line, np.int64, "line", n))
        for query, state in self.states.items():
            if state not in STATES:
                raise UsageError(
                    'Run {run}, query {query}: the state "{state}" is not one of {known}.',
                    run=self.name,
                    query=query,
                    state=state,
                    known=", ".join(STATES),
                )

    @classmethod
    def of(
        cls,
        name: str,
        query: Sequence[str],
        doc: Sequence[str],
        *,
        rank: Sequence[int] | None = None,
        score: Sequence[float] | Floats | None = None,
        states: Mapping[str, State] | None = None,
    ) -> "Run":
        """A run from plain columns, one value a displayed doc."""
        states = dict(states or {})
        return cls(
            name,
            Ids.of(query, also=states),
            Ids.of(doc),
            None if rank is None else whole_numbers(rank, "rank"),
            None if score is None else np.asarray(score, np.float64),
            states,
        )

    @classmethod
    def from_dict(cls, name: str, lists: Mapping[str, Sequence[str] | Mapping[str, float]]) -> "Run":
        """A run from {query: [doc, ...]} (displayed order) or {query: {doc: score}}.

        A query with nothing inside has the state "empty".

        >>> Run.from_dict("A", {"q": ["b", "a"]}).rank.tolist()
        [1, 2]
        """
        by_score = stop_unless_lists(name, lists)
        states: dict[str, State] = {query: "empty" for query, docs in lists.items() if not len(docs)}
        rows = [(query, doc, place) for query, docs in lists.items() for place, doc in enumerate(docs, 1)]
        query, doc = [q for q, _, _ in rows], [d for _, d, _ in rows]
        if not by_score:
            return cls.of(name, query, doc, rank=[place for _, _, place in rows], states=states)
        scored = {query: docs for query, docs in lists.items() if isinstance(docs, Mapping)}
        score = scores_of(name, list(scored), list(scored.values()))
        return cls.of(name, query, doc, score=score, states=states)

    def __len__(self) -> int:
        return len(self.query)

    def appearing(self) -> Sequence[str]:
        """The queries that have a list or a state, in the order in which they appear."""
        return self.query.in_order_of_appearance()

    def state(self, query: str) -> State:
        """How the run stands with `query`."""
        if query in self.states:
            return self.states[query]
        return "ok" if query in self.query.code else "missing"


def stop_unless_lists(run: str, lists: Mapping[str, Sequence[str] | Mapping[str, float]]) -> bool:
    """True where all lists are tables of scores, False where none is; UsageError for both, and for what is no list."""
    for asked, given in lists.items():
        if type(given) in (dict, list):
            continue
        if given is None or isinstance(given, (str, bytes, set, frozenset)) or not hasattr(given, "__len__"):
            raise UsageError(
                "Run {run}, query {query}: {seen} is no list of docs in an order. Give a list of ids, or "
                "a table of scores by id.",
                run=run,
                query=asked,
                seen=repr(given)[:40],
            )
    kinds = {type(docs) for docs in lists.values() if len(docs)}
    scored = {issubclass(kind, Mapping) for kind in kinds}
    if len(scored) > 1:
        raise UsageError("Run {run}: give either lists or scores for all queries.", run=run)
    return True in scored
