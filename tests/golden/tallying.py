"""How many recorded values of other tools were compared, how many are ours, and what was excused and why.

    python tests/golden/tallying.py

Every module beside this one that has a function `tally` is asked; each yields Tally rows.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Tally:
    """One source of recorded values; compared = equal + different, and `excused` counts by reason."""

    source: str
    compared: int
    equal: int
    excused: dict[str, int] = field(default_factory=dict)


def tallies() -> Iterator[Tally]:
    """What every golden module says of its source."""
    sys.path.insert(0, str(HERE.parent))
    for path in sorted(HERE.glob("test_*.py")):
        module = import_module(f"golden.{path.stem}")
        if hasattr(module, "tally"):
            yield from module.tally()


def same(printed: str, value: float) -> bool:
    """True where `value` is what was printed: equal when rounded so, or half a unit of its last digit away."""
    digits = len(printed.partition(".")[2])
    return abs(value - float(printed)) <= 0.5 * 10.0**-digits + 1e-9


def main() -> int:
    """Print the counts; 1 where a value differs and is not excused."""
    different = 0
    print(f"{'source':44} {'compared':>10} {'equal':>10} {'excused':>10}")
    totals = [0, 0, 0]
    for one in tallies():
        excused = sum(one.excused.values())
        print(f"{one.source:44} {one.compared:>10,} {one.equal:>10,} {excused:>10,}")
        for reason, n in sorted(one.excused.items()):
            print(f"    {n:,} excused: {reason}")
        different += one.compared - one.equal
        totals = [a + b for a, b in zip(totals, (one.compared, one.equal, excused), strict=True)]
    print(f"{'all':44} {totals[0]:>10,} {totals[1]:>10,} {totals[2]:>10,}")
    return int(different > 0)


if __name__ == "__main__":
    raise SystemExit(main())
