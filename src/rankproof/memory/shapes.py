"""Shapes: which of the things that `evaluate` takes was given, one run or several."""

from collections.abc import Iterable, Mapping
from typing import Any

from rankproof.errors import UsageError
from rankproof.memory.run import InMemory
from rankproof.tables.hits import Hits
from rankproof.tables.run import Run

ALONE = "run"  # the name of a run that is given without one


def runs_of(given: Any) -> list[Run | Hits | InMemory]:
    """The runs that were given, each with its name.

    A dict whose queries have lists of docs or tables of scores is one run, called "run"; one level more and it is
    several runs by their names. Several may also come as (name, run).

    >>> [run.name for run in runs_of({"old": {"q": {"a": 1.0}}, "new": {"q": ["a"]}})]
    ['old', 'new']
    """
    if _is_run(given):
        return [given]
    if isinstance(given, Mapping):
        if _are_several(given):
            return [_named(name, lists) for name, lists in given.items()]
        return [_named(ALONE, given)]
    return (
        [_one_of_several(one) for one in given] if isinstance(given, Iterable) else [_one_of_several(given)]
    )


def _is_run(given: Any) -> bool:
    return isinstance(given, (Run, Hits)) or (hasattr(given, "hits") and hasattr(given, "table"))


def _are_several(given: Mapping[Any, Any]) -> bool:
    """True where the first thing that is found three levels down is no score."""
    for shown in given.values():
        if _is_run(shown):
            return True
        if not isinstance(shown, Mapping):
            return False
        if len(shown):
            inside = next(iter(shown.values()))
            return hasattr(inside, "__len__") and not isinstance(inside, (str, bytes))
    return False


def _one_of_several(given: Any) -> Run | Hits | InMemory:
    if _is_run(given):
        run: Run | Hits | InMemory = given
        return run
    if isinstance(given, (tuple, list)) and len(given) == 2:
        return _named(*given)
    raise UsageError(
        "A run is {seen}, which has no name. Give a run by itself, several as {shape}, or a list of (name, run).",
        seen=repr(given)[:40],
        shape="{name: run}",
    )


def _named(name: Any, lists: Any) -> InMemory:
    if not isinstance(name, str) or not isinstance(lists, Mapping):
        raise UsageError(
            "A run is {seen}, called {name}; expected a dict of lists or of scores by query, and a name that is a "
            "text.",
            seen=repr(lists)[:40],
            name=repr(name)[:40],
        )
    from rankproof.memory.dicts import DictRun  # not loaded where no dict is given

    return DictRun(name, lists)
