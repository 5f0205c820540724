"""Precision at multiples of R."""

import numpy as np

from rankproof.measures.measure import REL, Measure, Setting, positive
from rankproof.measures.spelling import Spelling
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

TIMES = Setting("times", 1.0, "How many times R the rank is.", positive, always=True)


def precision_at_multiple(r: Rankings, *, cutoff: int | None, rel: int, times: float) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Precision at the rank `times` · R + 0.9, cut to a whole number, where R is the number of relevant docs.

    >>> precision_at_multiple(written("1 0 1", missed="1 1"), cutoff=None, rel=1, times=0.5).value  # rank 2: 1/2
    array([0.5])
    """
    rank = np.floor(times * r.n_relevant(rel) + 0.9)
    return Sum(r, (r.relevant(rel) & (r.rank <= rank[r.query])).astype(float), rank)


MEASURES = (
    Measure(
        "RprecMult",
        precision_at_multiple,
        (TIMES, REL),
        title="precision at a multiple of R",
        formula="relevant docs in the first times · R places / (times · R)",
        source="trec_eval 9",
        family="recall levels",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "Rprec_mult_{times}"),
            Spelling("trec_eval", "Rprec_mult_avgjg_{times}", {"raters": "mean"}),
        ),
    ),
)
