"""Weighing: how far a conclusion from several measures depends on their weights."""

from collections.abc import Sequence

import numpy as np

from rankproof.errors import UnknownName, UsageError
from rankproof.stats.differences import mean_of, rounded
from rankproof.stats.weights import break_even, certainty, pareto, shares, switches, winning_share
from rankproof.tables.measurements import Measurements
from rankproof.tables.weights import Move, Sensitivity
from rankproof.wording import say


def weight_sensitivity(
    measurements: Measurements,
    measures: str | Sequence[str],
    baseline: str | None = None,
    candidate: str | None = None,
    *,
    level: float = 0.95,
) -> Sensitivity:
    """Over which of all ways to weigh several measures the candidate is better, and what would turn that.

    `measures` is a combination that was measured, or the names of two and more measures, which then weigh alike.
    The baseline is the first run and the candidate the second, where nothing else is said. Only queries
    count that have a value in every measure and both runs. Mean differences are linear in the weights, so
    nothing is measured again.

    >>> from rankproof import Judgments, Run, evaluate
    >>> judgments = Judgments.from_dict({"q": {"A": 1, "B": 1}})
    >>> runs = [Run.from_dict("old", {"q": ["A", "x", "B"]}), Run.from_dict("new", {"q": ["x", "A", "B"]})]
    >>> found = evaluate(judgments, runs, "0.5*RR + 0.5*P@3")
    >>> told = weight_sensitivity(found, "0.5*RR + 0.5*P@3")
    >>> told.pareto, told.differences, told.worse  # RR falls from 1 to 1/2, P@3 stays at 2/3
    ('worse', (-0.5, 0.0), 1.0)
    """
    name, parts, weights = _parts(measurements, measures)
    runs = measurements.runs
    if len(runs) < 2:
        raise UsageError("Only one run was given; a comparison needs a baseline and a candidate.")
    base = runs[0] if baseline is None else baseline
    other = next(run for run in runs if run != base) if candidate is None else candidate
    columns = np.column_stack([measurements.of(other, m) - measurements.of(base, m) for m in parts])
    columns = columns[~np.isnan(columns).any(axis=1)]
    n = len(columns)
    if not n:
        step = certainty(columns, level).step
        reason = "no_common_query"
        return Sensitivity(other, name, parts, weights, 0, step=step, level=level, reason=reason)
    means = [mean_of(rounded(column)) for column in columns.T]
    sure = certainty(columns, level)
    return Sensitivity(
        other,
        name,
        parts,
        weights,
        n,
        tuple(means),
        float(np.dot(weights, means)),
        winning_share(means),
        winning_share([-mean for mean in means]),
        pareto(means),
        break_even(*means) if len(parts) == 2 else None,
        tuple(Move(parts[a], parts[b], moved) for a, b, moved in switches(weights, means)),
        sure.better,
        sure.worse,
        sure.undecided,
        sure.step,
        level,
        sure.reason,
    )


def _parts(
    measurements: Measurements, measures: str | Sequence[str]
) -> tuple[str, tuple[str, ...], tuple[float, ...]]:
    """The name of what is weighed, its measures, and their weights as shares."""
    if isinstance(measures, str):
        if measures not in measurements.combinations:
            raise UnknownName.of(say("combination"), measures, measurements.combinations, none=say("(none)"))
        weighted = measurements.combinations[measures]
        names = tuple(name for _, name in weighted)
        return measures, names, tuple(shares([weight for weight, _ in weighted]).tolist())
    names = tuple(measures)
    if len(set(names)) < max(len(names), 2):
        raise UsageError(
            "A combination weighs at least two different measures; seen {names}.", names=", ".join(names)
        )
    return " + ".join(names), names, (1 / len(names),) * len(names)
