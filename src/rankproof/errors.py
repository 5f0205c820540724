"""Every error of rankproof: what was seen, what was expected, how to mend it.

    RankproofError(ValueError)
    ├── UsageError            wrong use: an argument or a setting that cannot be
    │   └── UnknownName       a name that no list knows; the nearest known ones are in the message
    ├── MissingExtra          a feature whose packages are not installed; an ImportError, too
    ├── UnreadableInput       a file that cannot be read at all
    ├── StrictStop            the first finding, when findings were asked to be errors
    ├── NotComparable         two results that do not measure the same thing
    ├── NothingToEvaluate     no common query, or none that can be evaluated
    └── MeasureFault          a measure that breaks a law of all measures; an AssertionError, too

Bad *data* is a finding and reading goes on; bad *use* is an error.
"""

from collections.abc import Iterable
from typing import ClassVar

from rankproof.wording import Words

LONGEST = 200  # letters of an unknown name that are shown
MOST = 60  # known names that are listed


class RankproofError(ValueError):
    """The root. `template` and `facts` are kept apart so that a face can say it in another language."""

    exit_code: ClassVar[int] = 2

    def __init__(self, template: str, **facts: object) -> None:
        self.template = template
        self.facts = facts
        super().__init__(Words(template, facts).to("en"))

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.template, self.facts)


def _again(kind: type[RankproofError], template: str, facts: dict[str, object]) -> RankproofError:
    """The same error after a trip to another process."""
    return kind(template, **facts)


class UsageError(RankproofError):
    """Wrong use: an argument or a setting that cannot be."""


class UnknownName(UsageError):
    """A name that no list knows."""

    @classmethod
    def of(cls, kind: object, name: str, known: Iterable[str], none: object = "") -> "UnknownName":
        """The error for `name`, with up to three known names that look like it.

        `kind` says what was looked for, and `none` what stands where nothing is known; texts or Words.
        """
        from difflib import get_close_matches  # not loaded where every name is known

        everything = list(known)
        name = name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
        near = get_close_matches(name, everything, n=3, cutoff=0.5)
        folded = {one.casefold(): one for one in everything}
        near = near or [folded[m] for m in get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
        if near:
            return cls(
                'There is no {kind} "{name}". Did you mean: {near}?',
                kind=kind,
                name=name,
                near=", ".join(near),
            )
        return cls(
            'There is no {kind} "{name}". Known: {known}.',
            kind=kind,
            name=name,
            known=", ".join(everything[:MOST]) + (", …" if len(everything) > MOST else "") or none,
        )


class MissingExtra(RankproofError, ImportError):
    """A feature whose packages are not installed; the message holds the command that installs them."""


class UnreadableInput(RankproofError):
    """A file that cannot be read at all."""


class StrictStop(RankproofError):
    """The first finding, when findings were asked to be errors."""

    exit_code = 1


class NotComparable(RankproofError):
    """Two results that do not measure the same thing."""


class NothingToEvaluate(RankproofError):
    """No common query, or none that can be evaluated."""

    exit_code = 3


class MeasureFault(RankproofError, AssertionError):
    """A measure that breaks a law of all measures: a failed test, to those who run tests."""
