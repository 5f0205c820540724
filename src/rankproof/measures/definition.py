"""What a measure is in words, and its worked example: read from the docstring of its function."""

import inspect
from dataclasses import dataclass

from rankproof.measures.measure import Measure


@dataclass(frozen=True)
class Worked:
    """One worked example: the call, the arithmetic that a person can follow, and the value."""

    call: str
    arithmetic: str
    value: str


def definition(measure: Measure) -> str:
    """The first paragraph of the docstring on one line; nothing where there is none.

    >>> from rankproof import MEASURES
    >>> definition(MEASURES.find("RR"))
    '1 / rank of the first relevant doc; 0 where none stands in the cutoff.'
    """
    return " ".join(_docstring(measure).split("\n\n")[0].split())


def worked(measure: Measure) -> tuple[Worked, ...]:
    """The worked examples of the docstring, in order; the arithmetic is what stands in their comments.

    >>> from rankproof import MEASURES
    >>> worked(MEASURES.find("P"))[0].arithmetic, worked(MEASURES.find("P"))[0].value
    ('2/5', '0.4')
    >>> worked(MEASURES.find("AP"))[0].arithmetic
    '(1/1 + 2/3 + 3/5) / 3'
    """
    found: list[Worked] = []
    for line in _docstring(measure).splitlines():
        prompt, text = line[:4].strip(), line[4:].strip()
        call, _, arithmetic = (part.strip() for part in f"{text} ".partition("# "))
        if prompt == ">>>" and call:
            found.append(Worked(call, arithmetic, ""))
        elif found and (
            prompt == "..." or (prompt == ">>>" and arithmetic)
        ):  # a long call, or more arithmetic
            last = found[-1]
            found[-1] = Worked(
                f"{last.call} {call}".strip(), f"{last.arithmetic} {arithmetic}".strip(), last.value
            )
        elif found and line.strip() and not found[-1].value:
            value = line.strip().removeprefix("array([").removesuffix("])")
            found[-1] = Worked(found[-1].call, found[-1].arithmetic, value)
    return tuple(one for one in found if one.value)


def _docstring(measure: Measure) -> str:
    return inspect.cleandoc(measure.function.__doc__ or "")
