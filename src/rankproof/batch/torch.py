"""Measures as a Metric of torchmetrics: summed up over batches and over processes, for training loops and Lightning."""

from collections.abc import Iterable
from typing import Any

from rankproof.batch.choosing import chosen
from rankproof.batch.measuring import measure_batch
from rankproof.errors import MissingExtra, UsageError
from rankproof.measures.measure import Measure
from rankproof.tables.conventions import Conventions

try:
    import torch
    from torch import Tensor
    from torchmetrics import Metric
except ImportError as error:
    raise MissingExtra(
        "rankproof.batch.torch needs torch and torchmetrics, which are not installed: pip install 'rankproof[torch]'"
    ) from error


class RetrievalMeasures(Metric):
    """The mean of each measure over all queries of all batches in which it is defined.

    It keeps two numbers a measure, the sum of the values and how many there are, and adds them up over
    processes; so all docs of a query must come in one call of `update`, where the metrics of torchmetrics
    keep every doc until the end. `measures`, `conventions` and `top_grade` are those of `measure_batch`; with
    conventions_of("torchmetrics") a query without a relevant doc counts 0 as it does there. With `counts` the
    result holds, beside each mean, in how many queries it is defined, under the name with "/n" behind.

    >>> import torch
    >>> metric = RetrievalMeasures(["nDCG@10", "RR"])
    >>> metric.update(torch.tensor([0.9, 0.8, 0.7]), torch.tensor([0, 1, 1]), indexes=torch.tensor([0, 0, 1]))
    >>> {name: round(float(mean), 4) for name, mean in metric.compute().items()}  # RR: (1/2 + 1) / 2
    {'nDCG@10': 0.8155, 'RR': 0.75}
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    total: Tensor
    n: Tensor

    def __init__(
        self,
        measures: str | Measure | Iterable[str | Measure],
        *,
        conventions: Conventions | None = None,
        top_grade: int | None = None,
        counts: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.conventions = conventions or Conventions()
        self.measures = tuple(chosen(measures, self.conventions))
        self.top_grade, self.counts = top_grade, counts
        n = len(self.measures)
        self.add_state("total", torch.zeros(n, dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("n", torch.zeros(n, dtype=torch.int64), dist_reduce_fx="sum")

    def update(
        self,
        preds: Tensor,
        target: Tensor,
        indexes: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        missed: Tensor | None = None,
    ) -> None:
        """Add queries: padded (n_queries, depth), or flat (n_docs,) with the query of each doc in `indexes`.

        `target` holds grades, below 0 where nobody judged. `mask` and `missed` go with padded queries, as in
        `measure_batch`. Raises UsageError where shapes do not fit.
        """
        if indexes is not None:
            if mask is not None or missed is not None:
                raise UsageError(
                    "A flat batch has indexes, and neither mask nor missed. Give a padded one with these."
                )
            preds, target, mask = padded(preds, target, indexes)
        values = measure_batch(
            preds,
            target,
            self.measures,
            mask=mask,
            missed=missed,
            top_grade=self.top_grade,
            conventions=self.conventions,
        )
        table = torch.stack(tuple(values.values()))
        self.total += torch.nansum(table, dim=1).to(self.total.dtype)
        self.n += torch.count_nonzero(~torch.isnan(table), dim=1)

    def compute(self) -> dict[str, Tensor]:
        """The means by the names of the measures; NaN for a measure that is defined in no query."""
        names = [measure.full_name for measure in self.measures]
        means = dict(zip(names, self.total / self.n, strict=True))
        counted = dict(zip((f"{name}/n" for name in names), self.n, strict=True))
        return {**means, **counted} if self.counts else means


def padded(preds: Tensor, target: Tensor, indexes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Scores, grades and mask (n_queries, depth) of docs that lie flat; those of a query keep their order.

    >>> import torch
    >>> flat = torch.tensor([0.3, 0.1, 0.2]), torch.tensor([1, 0, 2]), torch.tensor([7, 5, 7])
    >>> [one.tolist() for one in padded(*flat)[1:]]
    [[[0, 0], [1, 2]], [[True, False], [True, True]]]
    """
    if not preds.shape == target.shape == indexes.shape or preds.ndim != 1:
        raise UsageError(
            "Scores, grades and indexes of a flat batch have the shapes {preds}, {target} and {indexes}; expected "
            "(n_docs,) of all three.",
            preds=tuple(preds.shape),
            target=tuple(target.shape),
            indexes=tuple(indexes.shape),
        )
    order = torch.argsort(indexes, stable=True)
    _, sizes = torch.unique_consecutive(indexes[order], return_counts=True)
    row = torch.repeat_interleave(torch.arange(len(sizes), device=preds.device), sizes)
    column = torch.arange(len(order), device=preds.device) - (torch.cumsum(sizes, 0) - sizes)[row]
    edge = len(sizes), int(sizes.max()) if len(sizes) else 0
    mask = torch.zeros(edge, dtype=torch.bool, device=preds.device)
    scores, grades = preds.new_zeros(edge), target.new_zeros(edge)
    mask[row, column] = True
    scores[row, column], grades[row, column] = preds.detach()[order], target[order]
    return scores, grades, mask
