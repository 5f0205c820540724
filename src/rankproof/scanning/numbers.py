"""Numbers: what a text says where an engine does not read it at sight."""

import re

_NUMBER = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE
)


def number_of(text: bytes) -> float | None:
    """The number that a text spells, None where it spells none: digits, an exponent, inf, infinity or nan in any case.

    Rounded as Python's float() rounds, and stricter than it: no blanks, no underscores, no digits of other scripts.

    >>> number_of(b"1.5e3"), number_of(b"-Inf"), number_of(b"1_000"), number_of(b" 1")
    (1500.0, -inf, None, None)
    """
    return float(text) if _NUMBER.fullmatch(text) else None
