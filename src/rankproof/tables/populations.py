"""Populations: which queries were asked, which can be evaluated, and how each run stands with them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

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
