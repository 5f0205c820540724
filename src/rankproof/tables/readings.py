"""Readings: what one measure of one query is under each dialect, and which choices make the difference."""

from collections.abc import Mapping
from dataclasses import dataclass

from rankproof.wording import Words


@dataclass(frozen=True)
class Difference:
    """One choice of a dialect that changes the value; `value` is what comes out with ours in its place."""

    name: str
    theirs: object
    ours: object
    value: float | None

    def as_dict(self) -> dict[str, object]:
        """The choice as plain values."""
        return {
            "name": self.name,
            "theirs": plain(self.theirs),
            "ours": plain(self.ours),
            "value_with_ours": self.value,
        }


@dataclass(frozen=True)
class Reading:
    """One dialect's value. `measure` is what its name means there, empty where the tool has none of that name.

    `value` is None with a `reason` where it is not defined, or with an `error` where the dialect stops.
    `choices` are those that change the value one by one; `together` are the names of all that differ, for
    a value that no single one of them explains.
    """

    dialect: str
    status: str
    version: str
    measure: str
    value: float | None = None
    reason: str = ""
    error: Words | None = None
    choices: tuple[Difference, ...] = ()
    together: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The reading as plain values."""
        return {
            "dialect": self.dialect,
            "status": self.status,
            "version": self.version or None,
            "measure": self.measure or None,
            "value": self.value,
            "reason": self.reason or None,
            "error": str(self.error) if self.error else None,
            "choices": [choice.as_dict() for choice in self.choices],
            "together": list(self.together),
        }


@dataclass(frozen=True)
class Readings:
    """One measure of one query of one run, under every dialect; the first row is `base`, to which they are held."""

    run: str
    query_id: str
    measure: str
    base: str
    rows: tuple[Reading, ...]

    def of(self, dialect: str) -> Reading:
        """The reading of one dialect."""
        return next(row for row in self.rows if row.dialect == dialect)

    def as_dict(self) -> dict[str, object]:
        """The readings as plain values."""
        return {
            "run": self.run,
            "query_id": self.query_id,
            "measure": self.measure,
            "base": self.base,
            "readings": [row.as_dict() for row in self.rows],
        }


def plain(value: object) -> object:
    """A choice as JSON can hold it."""
    return str(value) if isinstance(value, Mapping) else value
