"""A named list: built-in members first, then those that installed packages bring.

Measures, dialects, formats, checks, gates and report formats are one of these each. Nothing registers itself
at import; plug-ins are looked for on the first question that a built-in member cannot answer.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from rankproof.errors import UnknownName, UsageError
from rankproof.wording import say

Member = TypeVar("Member")


class Catalog(Generic[Member]):
    """Members by name, in a fixed order; names are compared without regard to case.

    `members` may be a function that tells them when somebody asks for one that is not among the `first`.
    """

    def __init__(
        self,
        kind: str,
        members: Sequence[Member] | Callable[[], Sequence[Member]],
        *,
        names: Callable[[Member], Sequence[str]],
        member_type: type | None = None,
        group: str = "",
        first: Sequence[Member] = (),
    ) -> None:
        self.kind = kind
        self._given = members
        self._first = {name.casefold(): member for member in first for name in names(member)}
        self._names = names
        self._type = member_type
        self._group = group

    @cached_property
    def _built_in(self) -> tuple[Member, ...]:
        return tuple(self._given() if callable(self._given) else self._given)

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Every member, built-in ones first."""
        return self._built_in + tuple(self._plugins())

    def _plugins(self) -> Iterator[Member]:
        from importlib.metadata import (
            entry_points,  # which costs 15 ms: asked only where no own member answers
        )

        taken = {name.casefold() for member in self._built_in for name in self._names(member)}
        for point in entry_points(group=self._group) if self._group else ():
            try:
                loaded = point.load()
            except Exception as error:
                raise UsageError(
                    'The plug-in "{plugin}" ({place}) cannot be loaded: {reason}. Mend or uninstall it.',
                    plugin=point.name,
                    place=point.value,
                    reason=f"{type(error).__name__}: {error}",
                ) from error
            for member in loaded if isinstance(loaded, (tuple, list)) else (loaded,):
                if self._type is not None and not isinstance(member, self._type):
                    raise UsageError(
                        'The plug-in "{plugin}" brings {seen} where a {kind} ({expected}) was expected.',
                        plugin=point.name,
                        seen=type(member).__name__,
                        kind=say(self.kind),
                        expected=self._type.__name__,
                    )
                clash = next((n for n in self._names(member) if n.casefold() in taken), None)
                if clash is not None:
                    raise UsageError(
                        'The plug-in "{plugin}" brings a {kind} called "{name}", which is taken. Rename it.',
                        plugin=point.name,
                        kind=say(self.kind),
                        name=clash,
                    )
                taken.update(name.casefold() for name in self._names(member))
                yield member

    @cached_property
    def _own(self) -> dict[str, Member]:
        return {name.casefold(): member for member in self._built_in for name in self._names(member)}

    @cached_property
    def _by_name(self) -> dict[str, Member]:
        return {name.casefold(): member for member in self.members for name in self._names(member)}

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __contains__(self, name: str) -> bool:
        folded = name.casefold()
        return (
            folded in self._first or folded in self._own or folded in self._by_name
        )  # plug-ins are asked last

    def names(self) -> tuple[str, ...]:
        """The first name of every member, in order."""
        return tuple(self._names(member)[0] for member in self.members)

    def find(self, name: str) -> Member:
        """The member called `name`; an unknown name raises UnknownName with the nearest ones."""
        folded = name.casefold()
        found = self._first.get(folded) or self._own.get(folded) or self._by_name.get(folded)  # plug-ins last
        if found is None:
            raise UnknownName.of(say(self.kind), name, [n for m in self.members for n in self._names(m)])
        return found
