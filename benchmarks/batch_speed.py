"""How long padded batches take beside torchmetrics, on one core: CPU seconds of runs in turn, as ratios.

    python -m venv .cache/peers-torch
    .cache/peers-torch/bin/python -m pip install torch==2.13.0 torchmetrics array-api-compat -e .
    .cache/peers-torch/bin/python benchmarks/batch_speed.py [--pairs N] [--queries N] [--write]

Both have the same tensors of float32 scores and grades, one thread, and give the mean of five measures;
rankproof gives the value of every query on the way. With --write the table goes to docs/benchmarks.md.
"""

import argparse
import math
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # before torch and numpy are loaded

import torch
from torchmetrics import retrieval

from rankproof import batch_means, measure_batch

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
START, END = "<!-- batches -->", "<!-- /batches -->"
SHAPES = ((1_000, 100), (10_000, 100), (10_000, 1000))
# Our names, and the same in torchmetrics.
DEEP = {
    "nDCG@10": ("RetrievalNormalizedDCG", 10),
    "AP": ("RetrievalMAP", None),
    "RR": ("RetrievalMRR", None),
    "P@10": ("RetrievalPrecision", 10),
    "R@100": ("RetrievalRecall", 100),
}
TOP = {
    "nDCG@10": ("RetrievalNormalizedDCG", 10),
    "RR@10": ("RetrievalMRR", 10),
    "P@10": ("RetrievalPrecision", 10),
    "R@10": ("RetrievalRecall", 10),
    "Success@10": ("RetrievalHitRate", 10),
}
Asked = dict[str, tuple[str, int | None]]


def batch(n: int, depth: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores and grades 0 to 3; one doc in ten is relevant, and every query has a relevant doc."""
    seed = torch.Generator().manual_seed(0)
    scores = torch.rand((n, depth), generator=seed)  # above 0: torchmetrics takes no other doc for found
    grades = torch.randint(1, 4, (n, depth), generator=seed)
    grades[torch.rand((n, depth), generator=seed) >= 0.1] = 0
    grades[torch.arange(n), torch.randint(0, depth, (n,), generator=seed)] = 1
    return scores, grades


def ours(scores: torch.Tensor, grades: torch.Tensor, asked: Asked) -> list[float]:
    """The means by rankproof."""
    means = batch_means(measure_batch(scores, grades, list(asked)))
    return [math.nan if mean.value is None else mean.value for mean in means.values()]


def theirs(scores: torch.Tensor, grades: torch.Tensor, asked: Asked) -> list[float]:
    """The means by torchmetrics; only its nDCG takes grades."""
    n, depth = scores.shape
    indexes = torch.arange(n).repeat_interleave(depth)
    found = []
    for kind, top_k in asked.values():
        given = {} if top_k is None else {"top_k": top_k}
        metric = getattr(retrieval, kind)(**given)
        target = grades if kind == "RetrievalNormalizedDCG" else grades > 0
        metric.update(scores.flatten(), target.flatten(), indexes=indexes)
        found.append(float(metric.compute()))
    return found


def seconds(work: Callable[[], list[float]]) -> tuple[float, list[float]]:
    """CPU seconds, and what came out."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def spread(values: Sequence[float], digits: int) -> str:
    """Lowest, median, highest."""
    return " - ".join(
        f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values))
    )


def row(title: str, asked: Asked, n: int, depth: int, pairs: int) -> str:
    """One line of the table; the means must be the same before anything is timed."""
    scores, grades = batch(n, depth)
    times = []
    for _ in range(pairs):
        (own, mine), (other, peer) = (
            seconds(lambda one=one: one(scores, grades, asked)) for one in (ours, theirs)
        )
        assert all(math.isclose(a, b, rel_tol=1e-4) for a, b in zip(mine, peer, strict=True)), (mine, peer)
        times.append((own, other, own / other))
    columns = [
        spread(column, digits) for column, digits in zip(zip(*times, strict=True), (4, 3, 4), strict=True)
    ]
    return f"| {title} | {n:,} x {depth:,} | {' | '.join(columns)} |"


def main() -> None:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    ours(*batch(10, 100), DEEP)  # what is loaded once is loaded before the clock runs
    shapes = [(min(n, asked.queries), depth) for n, depth in SHAPES]
    rows = [
        row(title, measures, n, depth, asked.pairs)
        for title, measures in ((", ".join(DEEP), DEEP), (", ".join(TOP), TOP))
        for n, depth in shapes
    ]
    lines = [
        START,
        "",
        "## Padded batches",
        "",
        "`python benchmarks/batch_speed.py`: the means of five measures of a batch of float32 scores in torch tensors on "
        f"one core, CPU seconds. Each cell: min - median - max of {asked.pairs} runs in turn. No GPU was measured.",
        "",
        "| measures | queries x docs | rankproof | torchmetrics | ratio |",
        "|---|---|---|---|---|",
        *rows,
        "",
        f"{date.today().isoformat()}, Python {platform.python_version()}, torch {version('torch')}, torchmetrics "
        f"{version('torchmetrics')}, numpy {version('numpy')}. The machine is shared: read the ratios, not the seconds.",
        "",
        END,
    ]
    print("\n".join(lines))
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(START)
        after = rest.partition(END)[2]
        whole = "\n\n".join(part for part in (before.strip(), "\n".join(lines), after.strip()) if part)
        PAGE.write_text(f"{whole}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
