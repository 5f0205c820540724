"""Measuring a padded batch: scores and grades in, a value for each measure and row out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rankproof.batch.choosing import by_score, chosen, deepest, fitting
from rankproof.batch.given import Block, Given
from rankproof.batch.kernels import MET, OFFERED
from rankproof.batch.libraries import Array, Library
from rankproof.batch.ordering import ordered
from rankproof.batch.ranked import Ranked
from rankproof.measures.dialects import conventions_for
from rankproof.measures.measure import Measure
from rankproof.measures.needs import NEEDS
from rankproof.tables.conventions import Conventions

PLACES = 2**17  # that are measured at once on a processor, few enough for its cache


class BatchMean(NamedTuple):
    """The mean of a measure over the rows in which it is defined: `n` of `n_total`; None where it is in no row."""

    value: float | None
    n: int
    n_total: int


def measure_batch(
    scores: Array,
    grades: Array,
    measures: str | Measure | Iterable[str | Measure],
    *,
    mask: Array | None = None,
    missed: Array | None = None,
    top_grade: int | None = None,
    conventions: Conventions | None = None,
) -> dict[str, Array]:
    """A value for each measure and row of a padded batch; NaN where the measure is not defined.

    `scores` (n, depth) are fractions of any width and `grades` (n, depth) whole numbers, below 0 where nobody
    judged; row i, column j is one doc of query i, and the higher score stands first. `mask` (n, depth) is
    False where there is no doc. `missed` (n, any) holds the grades of judged docs that are not in the batch,
    padded with numbers below 0; without it the ideal list, and the number of relevant docs, are those of the
    row alone, as in torchmetrics and scikit-learn. `top_grade` is the highest grade of the scale, for the few
    measures that ask for it (ERR).

    Arrays may be of any library that keeps the array API standard: numpy, torch, jax, cupy. Values are of
    the same library on the same device, in double precision where it has that; nothing is differentiated
    (tensors on a processor are read by numpy where they lie, which sorts faster).
    They are what `evaluate` gives for the same data. Equal scores stand in the order of the columns, or are
    averaged over (ties=average) in measures that are linear. A row in which nobody judged anything is NaN in
    every measure. Raises UnknownName for a measure that cannot be had of a batch, UsageError for arrays that do
    not fit, a score that is NaN, and conventions that a batch cannot keep.

    >>> measure_batch([[0.9, 0.8, 0.7]], [[1, 0, 2]], ["nDCG@2", "RR"])  # 1 / (2 + 1/log2(3))
    {'nDCG@2': array([0.38009377]), 'RR': array([1.])}
    >>> measure_batch([[0.9, 0.8]], [[1, 0]], "R", missed=[[1, 1, -1]])  # 1 of 3
    {'R': array([0.33333333])}
    """
    conventions = conventions or Conventions()
    asked = chosen(measures, conventions)
    given = Given.of(scores, grades, mask, missed)
    apart: dict[Conventions, list[Measure]] = {}
    for measure in asked:
        own = conventions_for(conventions, measure.name, measure.at, measure.full_name)
        apart.setdefault(own, []).append(fitting(measure, own))
    found = [_in_blocks(given, some, own, top_grade) for own, some in apart.items()]
    return {
        measure.full_name: values[measure.full_name]
        for measure in asked
        for values in found
        if measure.full_name in values
    }


def batch_means(values: Mapping[str, Array]) -> dict[str, BatchMean]:
    """The mean of each measure over the rows in which it is defined, and how many those are.

    >>> batch_means(measure_batch([[0.9, 0.8], [0.7, 0.6]], [[0, 1], [0, 0]], "RR"))  # 1/2; the other has none
    {'RR': BatchMean(value=0.5, n=1, n_total=2)}
    """
    return {name: _mean(column) for name, column in values.items()}


def _mean(column: Array) -> BatchMean:
    xp = Library.of(column).xp
    defined = ~xp.isnan(column)
    n = int(xp.count_nonzero(defined))
    total = float(xp.sum(xp.where(defined, column, xp.zeros_like(column))))
    return BatchMean(total / n if n else None, n, int(column.shape[0]))


def _in_blocks(
    given: Given, measures: Sequence[Measure], conventions: Conventions, top_grade: int | None
) -> dict[str, Array]:
    """(n,) the values of each measure by its name; measured block by block where a processor's cache matters."""
    rows = max(given.n, 1)
    if given.library.name == "numpy":
        rows = max(PLACES // max(given.scores.shape[1], 1), 1)
    blocks = [
        _measured(given.block(start, start + rows, conventions), measures, conventions, top_grade)
        for start in range(0, max(given.n, 1), rows)
    ]
    joined = (
        column[0] if len(column) == 1 else given.library.xp.concat(column)
        for column in zip(*blocks, strict=True)
    )
    if given.home is not given.library:
        joined = (given.home.array(column) for column in joined)
    return {measure.full_name: column for measure, column in zip(measures, joined, strict=True)}


def _measured(
    block: Block, measures: Sequence[Measure], conventions: Conventions, top_grade: int | None
) -> list[Array]:
    """(n,) the values of each measure."""
    averaged = conventions.ties == "average"
    ranked = ordered(
        block.library,
        block.scores,
        block.grade,
        block.mask,
        k=deepest(measures, conventions, block.scores.shape[1]),
        top=block.highest,
        groups=averaged or any(map(by_score, measures)),
    )
    seen = Ranked(ranked, block.pool, block.best, block.n_docs, top_grade, block.highest, averaged)
    return [_settled(measure, seen, block, conventions) for measure in measures]


def _settled(measure: Measure, seen: Ranked, block: Block, conventions: Conventions) -> Array:
    """(n,) the values of a measure, with what the conventions say where there is none."""
    xp = block.library.xp
    settings = {setting.name: measure.values[setting.name] for setting in measure.settings}
    value = OFFERED[measure.name](seen, cutoff=measure.at, **settings)
    otherwise = xp.nan
    if NEEDS[measure.needs].about_relevance and conventions.no_relevant != "null":
        otherwise = max(float(conventions.no_relevant == "one"), measure.range[0] or 0.0)
    met = MET[measure.needs](seen, measure.values, measure.at)
    value = xp.where(met, value, block.library.array(otherwise, value.dtype))
    kept = block.judged if conventions.missing == "zero" else block.judged & block.listed
    return xp.where(kept, value, block.library.array(xp.nan, value.dtype))
