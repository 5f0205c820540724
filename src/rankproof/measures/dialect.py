"""What a dialect is: the choices by which another tool computes, how they were checked, and what bites."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rankproof.tables.conventions import Conventions


@dataclass(frozen=True)
class Dialect:
    """A named set of conventions, how it was checked, and what to be careful of.

    `settings` are what a measure's name means there where it leaves something open, as texts:
    {"AP": {"denominator": "min_k"}}. `exceptions` are the choices that the tool makes otherwise for one
    measure: {"RR": {"ties": "doc_id_asc"}}; never `extra`, which says what queries there are. `covers` are the measures that the tool has. In all three "AP@"
    is AP with a cutoff, "AP" is AP with or without one. `decimals` is to how many places
    it rounds what it shows: values here are never rounded, so compare with its output to that many.
    """

    name: str
    conventions: Conventions
    status: str  # "own", "run" (values recorded from the tool itself) or "from source" (formula read)
    version: str
    cautions: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    exceptions: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    covers: tuple[str, ...] = ()  # empty where it is every one
    decimals: int | None = None

    def has(self, measure: str, at: int | None) -> bool:
        """True where the tool has a measure of that name, with or without a cutoff."""
        return not self.covers or measure in self.covers or (at is not None and f"{measure}@" in self.covers)
