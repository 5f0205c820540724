"""Standardising: values as standard scores, against what reference runs reached for the same query."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rankproof.errors import UsageError
from rankproof.measures.naming import parse_measure
from rankproof.tables.columns import Floats
from rankproof.tables.measurements import REASONS, Measurements
from rankproof.tables.spreads import Spread


def standardised(measurements: Measurements, spreads: Mapping[tuple[str, str], Spread]) -> Measurements:
    """The same measurements as standard scores: (value - mean) / standard deviation, query by query.

    `spreads` gives mean and deviation by query and measure, under any name of the measure. A value without
    them is null with the reason "no_reference", and so is one that differs from the mean of reference runs
    that all reached the same. AP becomes Z(AP); texts and values of the whole run stay what they are. Totals stay totals, of standard
    scores; geometric means become arithmetic ones. Means of standard scores weigh hard and easy queries alike.
    Source: Webber et al. 2008; the same as trec_eval's option -Z.

    >>> from rankproof import Judgments, Run, Spread, evaluate, standardised
    >>> judgments = Judgments.from_dict({"q": {"a": 1}})
    >>> found = evaluate(judgments, Run.from_dict("run", {"q": ["x", "a"]}), "RR")
    >>> scores = standardised(found, {("q", "recip_rank"): Spread(0.75, 0.125)})
    >>> scores.mean("run", "Z(RR)").value  # (1/2 - 3/4) / (1/8)
    -2.0
    """
    known = _by_full_name(measurements, spreads)
    values, reasons = measurements.values.copy(), measurements.reasons.copy()
    left = {m for m, kind in zip(measurements.measures, measurements.means_are, strict=True) if kind == "run"}
    left |= {measure for _, measure in measurements.texts}
    for m, measure in enumerate(measurements.measures):
        if measure in left:
            continue
        for q, query in enumerate(measurements.queries):
            spread = known.get((query, measure))
            scores = _scores(spread, values[:, m, q])
            lost = np.isnan(scores) & (reasons[:, m, q] == 0)
            values[:, m, q] = scores
            reasons[lost, m, q] = REASONS.index("no_reference")
    return replace(
        measurements,
        measures=tuple(m if m in left else f"Z({m})" for m in measurements.measures),
        means_are=tuple(
            kind if kind in ("total", "run") else "arithmetic" for kind in measurements.means_are
        ),
        values=values,
        reasons=reasons,
        sums={},
        orders={},
        rankings={},
        combinations={},
    )


def _scores(spread: Spread | None, values: Floats) -> Floats:
    """(n_runs,) standard scores; NaN without a spread, or without a value."""
    if spread is None:
        return np.full(len(values), np.nan)
    scores = [np.nan if np.isnan(value) else spread.standard(value) for value in values.tolist()]
    return np.array([np.nan if score is None else score for score in scores])


def _by_full_name(
    measurements: Measurements, spreads: Mapping[tuple[str, str], Spread]
) -> dict[tuple[str, str], Spread]:
    """The spreads under the names that the measures have here; those of unknown measures are left out."""
    names = {name: name for name in measurements.measures}
    for name in {name for _, name in spreads} - names.keys():
        try:
            names[name] = parse_measure(name).under(measurements.conventions).full_name
        except UsageError:  # a measure that we do not have was not asked for
            continue
    return {(query, names[name]): one for (query, name), one in spreads.items() if name in names}
