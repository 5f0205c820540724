"""Lines of Chinese: broken between any two characters, but never before a closing mark."""

import re
from unicodedata import east_asian_width

# What stays together on a line: a word or one Chinese character, with the marks that hang on it.
_UNITS = r"\s+|[（“《]*(?:[^\s\u2e80-\u9fff\uff00-\uffef“”…]+|[\u2e80-\u9fff])[，。、：；？！）”》…]*|."


def wrapped(text: str, width: int) -> list[str]:
    """`text` as lines of at most `width` columns, of which a Chinese character takes two.

    >>> wrapped("指标 nDCG，名次。", 8)
    ['指标', 'nDCG，名', '次。']
    """
    lines, line = [], ""
    for unit in re.findall(_UNITS, text):
        if line and columns(line + unit.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += unit if line or not unit.isspace() else ""
    return [*lines, line.rstrip()]


def columns(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text)
