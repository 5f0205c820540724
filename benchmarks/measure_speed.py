"""How long each measure takes on ten million ranked rows that are already in memory, on one core.

    python benchmarks/measure_speed.py [--rows N] [--judged SHARE] [--write]

Every row has a rank; SHARE of the rows is judged, and only those are hits, since nothing else moves a
measure. Beside the seconds stands their ratio to one pass that nobody can do without: adding up a column
of the same length by query. With --write the table goes to docs/benchmarks.md.
"""

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version

import numpy as np

from page import write_section
from rankproof import Conventions, Rankings, parse_measures
from rankproof.engines.local import measure_batches

HEADING = "Ten million rows in memory"
DEPTH = 1000
MEASURES = [
    "nDCG@10",
    "nDCG",
    "nDCG(gain=exp2)@10",
    "DCG",
    "AP",
    "AP@100",
    "RR",
    "RR@10",
    "P@10",
    "R@100",
    "R",
    "Rprec",
    "Success@10",
    "RBP(p=0.8)",
    "Bpref",
    "ERR@20",
    "Judged@10",
    "NumRelRet",
]


def rankings(rows: int, judged: float) -> Rankings:
    """Lists of DEPTH docs, with a share of judged ones; one judged doc in five is relevant."""
    rng = np.random.default_rng(0)
    n = rows // DEPTH
    hit = rng.random(n * DEPTH) < judged
    grade = np.where(rng.random(n * DEPTH) < 0.2, rng.integers(1, 4, n * DEPTH), 0)[hit]
    rank = np.tile(np.arange(1, DEPTH + 1), n)[hit]
    query = np.repeat(np.arange(n), DEPTH)[hit]
    offsets = np.searchsorted(query, np.arange(n + 1))
    best = grade[np.lexsort((-grade, query))]
    one = np.ones(len(rank), np.int64)
    shown = np.full(n, DEPTH)
    return Rankings(offsets, rank, grade, shown, offsets, best, offsets, best, rank, one, 0 * one, 3)


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds, the median of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--judged", type=float, default=1.0)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    seen = rankings(asked.rows, asked.judged)
    column, query = seen.grade.astype(float), seen.query
    one_pass = seconds(lambda: np.bincount(query, weights=column, minlength=seen.n_queries))
    measures = [measure.under(Conventions()) for measure in parse_measures(MEASURES)]
    each = [seconds(lambda m=measure: measure_batches([m], seen)) for measure in measures]
    together = seconds(lambda: measure_batches(measures, seen))
    lines = [
        f"`python benchmarks/measure_speed.py`: {asked.rows:,} ranked rows in {seen.n_queries:,} lists, "
        f"{len(seen.rank):,} of them judged, on one core; CPU seconds, median of 3. The ratio is to adding up one column of that "
        f"length by query (numpy, {one_pass:.3f} s).",
        "",
        "| measure | CPU s | ratio |",
        "|---|---|---|",
        *(f"| {m.full_name} | {s:.3f} | {s / one_pass:.1f} |" for m, s in zip(measures, each, strict=True)),
        f"| all {len(measures)} in one call | {together:.3f} | {together / one_pass:.1f} |",
        "",
        f"{date.today().isoformat()}, Python {platform.python_version()}, numpy {version('numpy')}. The machine is shared: "
        "read the ratios, not the seconds.",
        "",
    ]
    text = "\n".join(lines)
    print(f"## {HEADING}\n\n{text}")
    if asked.write:
        write_section(HEADING, text)


if __name__ == "__main__":
    main()
