"""Whether tools say the same: speed of wrong numbers does not count."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

EXACT = 1e-6
PRINTED = 0.5e-4 + EXACT  # one of the two was printed with four decimals
MEANS = {"all", "amean"}  # what stands in place of a query in lines of means


@dataclass(frozen=True)
class Values:
    """The values that one tool gave, by measure and query; `rounded` to four decimals or in full."""

    of: Mapping[tuple[str, str], float]
    rounded: bool


def read(path: Path) -> Values:
    """Lines "measure query value", as trec_eval prints them; comments and means are passed over."""
    found: dict[tuple[str, str], float] = {}
    digits = 0
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            measure, query, value = line.split()
            if query not in MEANS:
                found[measure, query] = float(value)
                digits = max(digits, len(value.partition(".")[2]))
    return Values(found, rounded=digits <= 4)


def differences(mine: Values, theirs: Values) -> list[str]:
    """What one of two tools lacks, and where they say different numbers; empty where they agree."""
    within = PRINTED if mine.rounded or theirs.rounded else EXACT
    told = [f"{measure} of {query}: only one has it" for measure, query in sorted(mine.of.keys() ^ theirs.of)]
    for (measure, query), value in mine.of.items():
        other = theirs.of.get((measure, query), value)
        if not abs(value - other) <= within:
            told.append(f"{measure} of {query}: {value} and {other}")
    return told
