"""Decisions: gates as they were written beforehand, and what the evidence says to each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rankproof.wording import LANGUAGES, Words

Verdict = Literal["accepted", "rejected", "inconclusive"]


@dataclass(frozen=True)
class Gate:
    """One rule, as the plan has it. What a kind of gate does not use stays None."""

    kind: str
    measure: str | None = None
    tag: str | None = None
    margin: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    beyond: float | None = None
    min_queries: int | None = None


@dataclass(frozen=True)
class GateResult:
    """What the evidence says to one gate for one candidate (empty where it is about the inputs)."""

    gate: Gate
    candidate: str
    text: Words
    verdict: Verdict
    measured: float | None
    wanted: str
    settles: Words | None = None

    def row(self) -> dict[str, object]:
        """The result as the machine output gives it."""
        return {
            "text": {language: self.text.to(language) for language in LANGUAGES},
            "kind": self.gate.kind,
            "candidate": self.candidate or None,
            "verdict": self.verdict,
            "measured": self.measured,
            "wanted": self.wanted,
            "settles": {x: self.settles.to(x) for x in LANGUAGES} if self.settles else None,
        }


@dataclass(frozen=True)
class Decision:
    """The verdict of all gates together, and the sentence that says why."""

    verdict: Verdict
    sentence: Words
    gates: Sequence[GateResult]

    def as_dict(self) -> dict[str, object]:
        """The decision as the machine output gives it."""
        return {
            "verdict": self.verdict,
            "sentence": {language: self.sentence.to(language) for language in LANGUAGES},
            "gates": [result.row() for result in self.gates],
        }
