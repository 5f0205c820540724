"""Settings that another tool writes in its own way."""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Turned:
    """A setting that a tool writes in its own way: `written` makes its text of our value, `read` ours of its."""

    written: Callable[[float], str]
    read: Callable[[float], float]


def _two_digits(value: float) -> str:
    return f"{value:.2f}"


def _same(value: float) -> float:
    return value


def _square(value: float) -> str:
    return f"{value * value:.12g}"  # the root of a number of few digits, squared, is that number again


def _root(value: float) -> float:
    return math.sqrt(max(value, 0.0))


TWO_DIGITS = Turned(_two_digits, _same)
SQUARED = Turned(_square, _root)
