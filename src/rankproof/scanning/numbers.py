"""Numbers that an engine leaves to Python: too long, too large, infinite, or none at all."""

import re

# What float() reads, without underscores, blanks and the digits of other scripts.
_NUMBER = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])"
)


def number_of(text: bytes) -> float | None:
    """The number that a text is; None where it is none.

    >>> number_of(b"1e400"), number_of(b"1_0")
    (inf, None)
    """
    return float(text) if _NUMBER.fullmatch(text) else None
