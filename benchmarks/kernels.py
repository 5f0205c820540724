"""The kernels one by one, for who works on one of them: `just kernels`. Seconds, and no gate.

They run on a million ranked rows, a tenth of them judged, and on a block of lines as a run file has them.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from measure_speed import rankings
from rankproof import Conventions, parse_measures
from rankproof.engines.local import measure_batches
from rankproof.stats.significance import sign_flip

Benchmark = Callable[..., Any]
ROWS = 1_000_000


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "RR", "P@10", "R@1000", "Bpref"])
def test_a_measure(benchmark: Benchmark, name: str) -> None:
    seen = rankings(ROWS, 0.1)
    asked = [measure.under(Conventions()) for measure in parse_measures([name])]
    (found,) = benchmark(measure_batches, asked, seen)
    assert len(found.value) == seen.n_queries


@pytest.mark.parametrize("n", [50, 1000])
def test_sign_flips(benchmark: Benchmark, n: int) -> None:
    differences = np.random.default_rng(1).normal(0.02, 0.1, n)
    assert 0 < benchmark(sign_flip, differences).p <= 1


@pytest.mark.parametrize("engine", ["native", "pure"])
def test_lines_to_columns(benchmark: Benchmark, engine: str) -> None:
    scanning = pytest.importorskip("rankproof.scanning.engine", reason="there is no scanner here")
    from rankproof.errors import UsageError

    layout = import_module("rankproof.scanning.lines").RUN
    try:
        kernels = scanning.engine(engine)
    except (UsageError, ImportError) as absent:
        pytest.skip(f"the engine is not here: {absent}")
    lines = (
        f"{q} Q0 doc{q * 7919 % 99991}-{r} {r} {90 - r / 64:.6f} made-up\n"
        for q in range(20)
        for r in range(1, 1001)
    )
    block = "".join(lines).encode()
    tokens = benchmark(kernels.tokenise, block, len(block), layout)
    assert tokens.counts.rows == 20_000
