"""Later: facts that are costly to find and mostly not asked for; found when somebody looks."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property


class Later(Mapping[str, str]):
    """A mapping that is made on the first question.

    >>> seen = Later(lambda: {"a": "1"})
    >>> seen["a"], seen == {"a": "1"}
    ('1', True)
    """

    def __init__(self, make: Callable[[], Mapping[str, str]]) -> None:
        self._make = make

    @cached_property
    def found(self) -> Mapping[str, str]:
        """What it holds."""
        return self._make()

    def __getitem__(self, name: str) -> str:
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __repr__(self) -> str:
        return repr(dict(self.found))

    def __reduce__(self) -> tuple[type, tuple[Mapping[str, str]]]:
        return dict, (dict(self.found),)
