"""How long sign-flip tests and bootstrap intervals take, on one core, beside scipy and ranx, in one run.

    python benchmarks/statistics_speed.py [--turns N] [--no-ranx] [--write]

CPU seconds, both sides in turn; a peer that takes a minute runs once.
scipy gets the batch that is fastest for it. ranx is installed into its own environment under .cache/ranx, and
its compiled code is warm before the clock runs. The two sides have to agree but for chance. With --write the table
goes to docs/benchmarks.md.
"""

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
from scipy import stats

from rankproof.stats.bootstrap import percentile_intervals
from rankproof.stats.significance import sign_flip, sign_flips

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
RANX = ROOT / ".cache" / "ranx"
START, END = "<!-- statistics -->", "<!-- /statistics -->"
PERMUTATIONS = "scipy permutation_test"
DRAWS, RESAMPLES = 100_000, 10_000
FISHER = """
import json, sys, time
import numpy as np
from importlib.metadata import version
from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test
one, other = (np.array(column) for column in json.load(sys.stdin))
def test(n): return fisher_randomization_test(one, other, max_p=0.05, n_permutations=n, random_seed=0)
test(10)
start = time.process_time()
found = test(int(sys.argv[1]))
print(json.dumps([time.process_time() - start, float(found[0]), version("ranx")]))
"""


def differences(n: int, n_pairs: int = 1) -> np.ndarray:
    """(n_pairs, n) differences of a measure: a fifth are 0, their mean lies two standard errors from 0."""
    draw = np.random.default_rng(n)
    moved = draw.normal(2 * 0.2 / np.sqrt(n), 0.2, (n_pairs, n))
    return np.where(draw.random((n_pairs, n)) < 0.2, 0.0, np.clip(moved, -1, 1))


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    """CPU seconds, and what came out."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def spread(values: Sequence[float], digits: int = 4) -> str:
    """min - median - max; the value where there is one alone."""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return " - ".join(f"{v:.{digits}f}" for v in (min(values), statistics.median(values), max(values)))


def row(title: str, mine: Sequence[float], peer: str, theirs: Sequence[float]) -> str:
    """One line of the table; where the peer ran once, each of ours is beside that."""
    ratios = [a / b for a, b in zip(mine, theirs if len(theirs) > 1 else theirs * len(mine), strict=True)]
    return f"| {title} | {spread(mine)} | {peer} | {spread(theirs, 3)} | {spread(ratios)} |"


def in_turn(
    title: str, ours: Callable[[], object], peer: str, theirs: Callable[[], object], turns: int, within: float
) -> str:
    """One line of the table: both sides in turn, and an end where they differ by more than chance."""
    mine, other = zip(*((seconds(ours), seconds(theirs)) for _ in range(turns)), strict=True)
    agree(mine[0][1], other[0][1], within)
    return row(title, [s for s, _ in mine], peer, [s for s, _ in other])


def permutations(d: np.ndarray) -> float:
    """scipy's p value, by the batch that is fastest for it."""
    found = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=DRAWS, vectorized=True, batch=100, rng=0
    )
    return float(found.pvalue)


def against_permutations(n: int, turns: int) -> str:
    """Our sign flips beside scipy's over thousands of queries, which run once."""
    d = differences(n)[0]
    mine = [seconds(lambda: sign_flip(d).p) for _ in range(turns)]
    theirs, p = seconds(lambda: permutations(d))
    agree(mine[0][1], p, 0.01)
    return row(f"sign flips, {n:,} queries, one pair", [s for s, _ in mine], PERMUTATIONS, [theirs])


def against_fisher(n: int, turns: int) -> str:
    """Our sign flips beside ranx's, which run once."""
    python = RANX / "bin" / "python"
    if not python.exists():
        venv.create(RANX, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "ranx"], check=True)
    d = differences(n)[0]
    mine = [seconds(lambda: sign_flip(d).p) for _ in range(turns)]
    asked = json.dumps([np.maximum(d, 0).tolist(), np.maximum(-d, 0).tolist()])
    told = subprocess.run(
        [python, "-c", FISHER, str(DRAWS)], input=asked, capture_output=True, text=True, check=True
    ).stdout
    theirs, p, release = json.loads(told.splitlines()[-1])
    agree(mine[0][1], p, 0.01)
    title = f"sign flips, {n:,} queries, one pair"
    return row(title, [s for s, _ in mine], f"ranx {release} fisher, warm", [theirs])


def together(n: int, n_pairs: int, turns: int) -> str:
    """Our sign flips of many pairs at once beside one at a time."""
    pairs = list(differences(n, n_pairs))
    return in_turn(
        f"sign flips, {n:,} queries, {n_pairs} pairs at once",
        lambda: [found.p for found in sign_flips(pairs)],
        f"rankproof, {n_pairs} pairs one at a time",
        lambda: [sign_flip(d).p for d in pairs],
        turns,
        0,
    )


def against_bootstrap(title: str, values: np.ndarray, turns: int) -> str:
    """Our percentile intervals beside scipy's, of some systems."""

    def ours() -> list[float | None]:
        return [bound for found in percentile_intervals(list(values)) for bound in (found.lower, found.upper)]

    def theirs() -> list[float]:
        bounds: list[float] = []
        for one in values:
            found = stats.bootstrap(
                (one,), np.mean, n_resamples=RESAMPLES, method="percentile", batch=100, rng=0
            )
            bounds += found.confidence_interval
        return bounds

    n = values.shape[1]
    within = 0.1 * values.std() / np.sqrt(n)
    return in_turn(f"bootstrap, {n:,} queries, {title}", ours, "scipy bootstrap", theirs, turns, within)


def agree(mine: object, theirs: object, within: float) -> None:
    """Stop where the two sides differ by more than chance."""
    if not np.allclose(np.asarray(mine, float), np.asarray(theirs, float), rtol=0, atol=within):
        sys.exit(f"the two sides do not agree: {mine} and {theirs}")


def main() -> None:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--no-ranx", action="store_true")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    sign_flip(differences(50)[0])  # what is loaded once is loaded before the clock runs
    short, draw = differences(50)[0], np.random.default_rng(1)
    spread_out, few = draw.random((5, 6980)), 1 / draw.integers(1, 11, (1, 6980))
    rows = [
        against_permutations(7000, asked.turns),
        in_turn(
            "sign flips, 50 queries, one pair",
            lambda: sign_flip(short).p,
            PERMUTATIONS,
            lambda: permutations(short),
            asked.turns,
            0.01,
        ),
        *([] if asked.no_ranx else [against_fisher(7000, asked.turns)]),
        together(7000, 10, asked.turns),
        together(50, 10, asked.turns),
        against_bootstrap("one system", spread_out[:1], asked.turns),
        against_bootstrap("5 systems at once", spread_out, asked.turns),
        against_bootstrap("one system of 10 distinct values", few, asked.turns),
    ]
    lines = [
        START,
        "## Significance and intervals",
        "",
        f"`python benchmarks/statistics_speed.py`: {DRAWS:,} sign flips, and percentile intervals of {RESAMPLES:,} "
        f"resamples, on one core; CPU seconds. Each cell: min - median - max of {asked.turns} runs in turn; "
        "a peer with one number ran once.",
        "",
        "| | rankproof | beside | seconds of that | ratio |",
        "|---|---|---|---|---|",
        *rows,
        "",
        f"{date.today().isoformat()}, Python {platform.python_version()}, numpy {version('numpy')}, scipy "
        f"{version('scipy')}. The machine is shared: read the ratios, not the seconds.",
        END,
    ]
    print("\n".join(lines))
    if asked.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        whole = "\n\n".join(part for part in (before.strip(), "\n".join(lines), after.strip()) if part)
        PAGE.write_text(f"{whole}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
