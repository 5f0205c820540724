"""Populations: which queries were asked, which can be evaluated, and how each run stands with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rankproof.tables.attributes import Questions
from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.run import State

RUN_STATES: tuple[State, ...] = ("ok", "missing", "empty", "failed", "not_run")


@dataclass(frozen=True)
class RunPopulation:
    """How one run stands with the evaluable queries, and the queries that nobody asked about."""

    states: Mapping[str, State]
    extra: tuple[str, ...] = ()

    def of(self, state: State) -> tuple[str, ...]:
        """The evaluable queries in that state."""
        return tuple(query for query, is_ in self.states.items() if is_ == state)


@dataclass(frozen=True)
class Populations:
    """asked = evaluable + no_relevant + unjudged + refuse; the same for every run.

    `anomalous` queries bear an error-level finding: an overlay, not a part of the sum.
    """

    evaluable: tuple[str, ...] = ()
    no_relevant: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    refuse: tuple[str, ...] = ()
    runs: Mapping[str, RunPopulation] = field(default_factory=dict)
    anomalous: tuple[str, ...] = ()

    @property
    def asked(self) -> int:
        """How many queries were asked."""
        return len(self.evaluable) + len(self.no_relevant) + len(self.unjudged) + len(self.refuse)

    def marked(self, anomalous: Iterable[str]) -> "Populations":
        """The same populations, with the queries marked that bear an error-level finding."""
        asked = (*self.evaluable, *self.no_relevant, *self.unjudged, *self.refuse)
        extra = (query for run in self.runs.values() for query in run.extra)
        known = dict.fromkeys((*asked, *extra))
        marks = set(anomalous)
        return replace(self, anomalous=tuple(query for query in known if query in marks))

    def as_dict(self) -> dict[str, object]:
        """Numbers, with the lists of query ids beside each."""
        parts = {
            "evaluable": self.evaluable,
            "no_relevant": self.no_relevant,
            "unjudged": self.unjudged,
            "refuse": self.refuse,
            "anomalous": self.anomalous,
        }
        counts: dict[str, object] = {"asked": self.asked}
        counts |= {name: len(queries) for name, queries in parts.items()}
        counts["queries"] = {name: list(queries) for name, queries in parts.items()}
        counts["runs"] = {
            name: {state: len(run.of(state)) for state in RUN_STATES}
            | {"extra": len(run.extra)}
            | {
                "queries": {state: list(run.of(state)) for state in RUN_STATES[1:]}
                | {"extra": list(run.extra)}
            }
            for name, run in self.runs.items()
        }
        return counts


class Listing(Protocol):
    """A run, whole or as hits: which queries it has."""

    @property
    def name(self) -> str:
        """The name of the run."""

    def appearing(self) -> Sequence[str]:
        """The queries that have a list or a state, in the order in which they appear."""

    @property
    def states(self) -> Mapping[str, State]:
        """Why a query has no list, where the run says so."""

    def state(self, query: str) -> State:
        """How the run stands with `query`."""


class Judging(Protocol):
    """Judgments, whole or ready for looking docs up: which queries they are of."""

    def asked(self) -> Sequence[str]:
        """The queries, in the order in which they appear."""

    def having(self, lowest: int, below: int = NO_GRADE) -> set[str]:
        """The queries with a doc of grade `lowest` or more; what is not judged has the grade `below`."""


def populate(
    judgments: Judging, runs: Sequence[Listing], conventions: Conventions, questions: Questions
) -> Populations:
    """Which queries were asked, which can be evaluated, and how each run stands with them."""
    asked = questions.ids or judgments.asked()
    refuse = {q for q in questions.by_id if questions.by_id[q].expected == "refuse"}
    below = 0 if conventions.negative_grades == "zero" else NO_GRADE
    # Where a query without a relevant doc has a value, so has one that has nothing but grades below 0.
    valued = conventions.no_relevant in ("zero", "one") and conventions.negative_grades != "skip"
    judged = judgments.having(NO_GRADE if valued else 0, below)
    relevant = judgments.having(conventions.rel, below)
    parts: dict[str, list[str]] = {"evaluable": [], "no_relevant": [], "unjudged": [], "refuse": []}
    for query in asked:
        if query in refuse:
            part = "refuse"
        elif query in relevant:
            part = "evaluable"
        else:
            part = "no_relevant" if query in judged else "unjudged"
        parts[part].append(query)
    known = set(asked)
    by_run = {run.name: _population(run, parts["evaluable"], known) for run in runs}
    return Populations(**{name: tuple(queries) for name, queries in parts.items()}, runs=by_run)


def _population(run: Listing, evaluable: Sequence[str], asked: set[str]) -> RunPopulation:
    """How one run stands with the evaluable queries, and which it has that nobody asked."""
    appearing = run.appearing()
    named = set(appearing)
    if not run.states and named.issuperset(evaluable):  # the usual, told without asking for each
        states = dict.fromkeys(evaluable, RUN_STATES[0])
    else:
        states = {query: run.state(query) for query in evaluable}
    extra = () if named <= asked else tuple(query for query in appearing if query not in asked)
    return RunPopulation(states, extra)
