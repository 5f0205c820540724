"""The Metric of torchmetrics, and the values of torchmetrics and scikit-learn; skipped by name without them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rankproof import Conventions, MissingExtra, UsageError, conventions_of, measure_batch

HERE = Path(__file__).parent
# Our name, and the class and top_k of torchmetrics.
PEERS = [
    ("nDCG@10", "RetrievalNormalizedDCG", 10),
    ("nDCG", "RetrievalNormalizedDCG", None),
    ("AP", "RetrievalMAP", None),
    ("AP@5", "RetrievalMAP", 5),
    ("RR", "RetrievalMRR", None),
    ("RR@3", "RetrievalMRR", 3),
    ("P@10", "RetrievalPrecision", 10),
    ("R@10", "RetrievalRecall", 10),
    ("Rprec", "RetrievalRPrecision", None),
    ("Success@2", "RetrievalHitRate", 2),
]


@pytest.fixture
def torch() -> Any:
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture
def metric(torch: Any) -> Any:
    """The class."""
    from rankproof.batch.torch import RetrievalMeasures

    return RetrievalMeasures


def flat_batch(torch: Any, *, tied: bool = False) -> tuple[Any, Any, Any]:
    """Lists of different lengths, one of them without a relevant doc; scores above 0, as torchmetrics wants them."""
    seed = torch.Generator().manual_seed(1)
    sizes = torch.randint(11, 40, (50,), generator=seed)
    indexes = torch.repeat_interleave(torch.arange(50), sizes)
    preds = 0.01 + torch.rand(len(indexes), generator=seed)
    if tied:
        preds = torch.ceil(preds * 8) / 8
    target = torch.randint(0, 4, (len(indexes),), generator=seed) * (
        torch.rand(len(indexes), generator=seed) < 0.3
    )
    target[indexes == 7] = 0
    mixed = torch.randperm(len(indexes), generator=seed)
    return preds[mixed], target[mixed], indexes[mixed]


@pytest.mark.parametrize(("name", "kind", "top_k"), PEERS)
def test_means_are_those_of_torchmetrics(
    torch: Any, metric: Any, name: str, kind: str, top_k: int | None
) -> None:
    from torchmetrics import retrieval

    preds, target, indexes = flat_batch(torch)
    settings = {} if top_k is None else {"top_k": top_k}
    theirs = getattr(retrieval, kind)(empty_target_action="neg", **settings)
    theirs.update(preds, target if kind == "RetrievalNormalizedDCG" else target > 0, indexes=indexes)
    ours = metric(name, conventions=conventions_of("torchmetrics"))
    ours.update(preds, target, indexes=indexes)
    (mean,) = ours.compute().values()
    assert float(mean) == pytest.approx(float(theirs.compute()), abs=2e-6)  # theirs is in single precision


@pytest.mark.parametrize("k", [None, 5])
@pytest.mark.parametrize("ties", ["file", "average"])
def test_values_are_those_of_scikit_learn(torch: Any, k: int | None, ties: str) -> None:
    from rankproof.batch.torch import padded

    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    scores, grades, mask = padded(*flat_batch(torch, tied=ties == "average"))
    name = "nDCG" if k is None else f"nDCG@{k}"
    ours = measure_batch(
        scores, grades, name, mask=mask, conventions=Conventions(ties=ties, no_relevant="zero")
    )
    theirs = [
        metrics.ndcg_score(row_grades[here][None], row_scores[here][None].double(), k=k)
        for row_scores, row_grades, here in zip(scores, grades, mask, strict=True)
    ]
    np.testing.assert_allclose(ours[name], theirs, atol=1e-12)


def test_batches_add_up(torch: Any, metric: Any) -> None:
    from rankproof.batch.torch import padded

    scores, grades, mask = padded(*flat_batch(torch))
    measures = ["nDCG@10", "AP", "Judged@5"]
    whole = measure_batch(scores, grades, measures, mask=mask)
    parts = metric(measures, counts=True)
    for rows in (slice(0, 13), slice(13, 50)):
        parts.update(scores[rows], grades[rows], mask=mask[rows])
    found = parts.compute()
    for name, values in whole.items():
        assert float(found[name]) == pytest.approx(float(torch.nanmean(values)), abs=1e-12)
    assert [int(found[f"{name}/n"]) for name in measures] == [49, 49, 50]


def test_scores_with_a_gradient_are_measured(torch: Any, metric: Any) -> None:
    scores = torch.tensor([[0.1, 0.9]], requires_grad=True)
    found = measure_batch(scores, torch.tensor([[1, 0]]), "RR")["RR"]
    assert found.tolist() == [0.5]
    assert not found.requires_grad


def test_queries_that_do_not_fit(torch: Any, metric: Any) -> None:
    one = metric("RR")
    flat = torch.tensor([0.1, 0.2])
    with pytest.raises(UsageError, match="neither mask nor missed"):
        one.update(flat, torch.tensor([0, 1]), torch.tensor([0, 0]), mask=torch.tensor([True, True]))
    with pytest.raises(UsageError, match=r"expected \(n_docs,\) of all three"):
        one.update(flat, torch.tensor([0, 1]), torch.tensor([0]))


def test_selection_by_torch_is_the_same(torch: Any) -> None:
    """What is done on a GPU, tried on the processor."""
    from rankproof.batch.libraries import Library
    from rankproof.batch.sorting import order, smallest

    rows = torch.randint(0, 50, (7, 200), generator=torch.Generator().manual_seed(0))
    keys = rows * 1000 + torch.arange(200)
    by_torch, by_numpy = Library.of(keys), Library.of(keys.numpy())
    for k in (1, 5, 150, 200):
        assert smallest(by_torch, keys, k).tolist() == smallest(by_numpy, keys.numpy().copy(), k).tolist()
        fall = rows.double()
        assert order(by_torch, fall, k).tolist() == order(by_numpy, fall.numpy(), k).tolist()


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
def test_scores_of_any_width(torch: Any, kind: str) -> None:
    scores = torch.tensor([[0.5, 0.25, 0.75]], dtype=getattr(torch, kind))
    assert measure_batch(scores, torch.tensor([[1, 0, 0]]), "RR")["RR"].tolist() == [0.5]


def test_processes_add_up(torch: Any, metric: Any, tmp_path: Path) -> None:
    seed = torch.Generator().manual_seed(3)
    scores, grades = torch.rand((9, 5), generator=seed), torch.randint(0, 2, (9, 5), generator=seed)
    whole = metric(["nDCG@3", "RR", "P@2"], counts=True)
    whole.update(scores, grades)
    wanted = {name: float(mean) for name, mean in whole.compute().items()}
    rows = json.dumps([scores.tolist(), grades.tolist()])
    command = [sys.executable, str(HERE / "two_processes.py"), str(tmp_path / "meeting"), rows]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [json.loads((tmp_path / f"meeting.{process}").read_text("utf-8")) for process in range(2)]
    assert all(one == pytest.approx(wanted, abs=1e-12) for one in told)


def test_without_torchmetrics_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['torchmetrics'] = None; import rankproof.batch.torch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtra: rankproof.batch.torch needs torch and torchmetrics" in done.stderr
    assert "pip install 'rankproof[torch]'" in done.stderr
    assert issubclass(MissingExtra, ImportError)
