"""Measures of the whole run: how much of the catalogue is shown, how evenly, and how differently to each query."""

import math

import numpy as np

from rankproof.measures.attention import EVEN, PATIENCE, attention
from rankproof.measures.lines import Lines, beside
from rankproof.measures.measure import Measure
from rankproof.tables.columns import Floats
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum


def coverage(r: Rankings, *, cutoff: int | None) -> Sum:
    """The share of the catalogue that is displayed to anybody; docs outside of the catalogue do not count.

    >>> r = beside_of(["a", "b"], documents=["a", "b", "c", "d"])
    >>> coverage(r, cutoff=1).whole  # a, of 4
    0.25
    """
    catalogue = beside(r).known.catalogue
    shown, n = len(np.unique(Lines.of(r, cutoff, catalogue).doc)), int(catalogue.sum())
    return Sum.of_the_run(r, shown / n, {"docs displayed": shown, "docs in the catalogue": n})


def gini(r: Rankings, *, cutoff: int | None, weight: str, patience: float) -> Sum:
    """How unevenly exposure falls on the catalogue: 0 where all docs get the same, near 1 where one gets all.

    Docs that are never displayed count, with exposure 0. Not defined where no doc of the catalogue is displayed.

    >>> r = beside_of(["a", "b"], documents=["a", "b", "c", "d"])
    >>> gini(r, cutoff=None, weight="none", patience=0.5).whole  # 0 0 1 1: (-3·0 - 1·0 + 1·1 + 3·1) / (4·2)
    0.5
    """
    known = beside(r).known
    lines = Lines.of(r, cutoff, known.catalogue)
    each = np.sort(_exposure(lines, weight, patience, len(known))[known.catalogue])
    n, added = len(each), math.fsum(each)
    value = math.fsum((2 * np.arange(1, n + 1) - n - 1) * each) / (n * added) if added else None
    return Sum.of_the_run(r, value, {"exposure added up": added, "docs in the catalogue": n})


def exposure_entropy(r: Rankings, *, cutoff: int | None, weight: str, patience: float) -> Sum:
    """The entropy in bits of the exposure of docs: 0 where one doc gets all, log2(n) where n docs get the same.

    >>> r = beside_of(["a", "b"])
    >>> exposure_entropy(r, cutoff=None, weight="none", patience=0.5).whole  # -2 · 1/2 · log2(1/2)
    1.0
    """
    lines = Lines.of(r, cutoff)
    each = np.sort(_exposure(lines, weight, patience, int(lines.doc.max(initial=-1)) + 1))
    each = each[each > 0]
    added = math.fsum(each)
    value = max(-math.fsum(each / added * np.log2(each / added)), 0.0) if added else None
    return Sum.of_the_run(r, value, {"exposure added up": added, "docs displayed": len(each)})


def personalisation(r: Rankings, *, cutoff: int | None) -> Sum:
    """How little the lists of different queries have in common: 1 - the mean cosine of two lists as sets.

    For lists of k docs the cosine is the share of docs in common. Not defined for fewer than two lists.

    >>> r = beside_of(["a", "b"], ["a", "c"])
    >>> round(personalisation(r, cutoff=None).whole, 6)  # one of two docs in common
    0.5
    """
    lines = Lines.of(r, cutoff)
    n = int((lines.n > 0).sum())
    each = lines.of_each_doc(1 / np.sqrt(lines.n[lines.query]), 0)
    alike = math.fsum(np.sort(each**2)) - n  # Σ over pairs of lists of their cosine, each pair twice
    value = min(max(1 - alike / (n * (n - 1)), 0.0), 1.0) if n > 1 else None
    return Sum.of_the_run(r, value, {"lists": n, "docs displayed": int((each > 0).sum())})


def _exposure(lines: Lines, weight: str, patience: float, n_docs: int) -> Floats:
    """(n_docs,) the exposure of each doc over all lists."""
    return lines.of_each_doc(attention(weight, patience)(lines.rank), n_docs)


MEASURES = (
    Measure(
        "Coverage",
        coverage,
        (),
        title="catalogue coverage",
        formula="docs displayed to anybody / docs in the catalogue",
        source="Ge, Delgado-Battenfeld and Jannach 2010",
        family="beyond accuracy",
        needs="",
        mean="run",
        sees="known",
        best_first=False,
        also=("CatalogCoverage",),
    ),
    Measure(
        "Gini",
        gini,
        (EVEN, PATIENCE),
        title="Gini index of exposure",
        formula="Σ over docs by rising exposure: (2i - n - 1) · exposure / (n · Σ exposure)",
        source="Shani and Gunawardana 2011",
        family="fairness",
        direction="down",
        needs="",
        mean="run",
        sees="known",
        best_first=False,
        also=("GiniIndex",),
    ),
    Measure(
        "ExposureEntropy",
        exposure_entropy,
        (EVEN, PATIENCE),
        title="entropy of exposure",
        formula="-Σ over docs: share of exposure · log2(share of exposure)",
        source="Shani and Gunawardana 2011",
        family="fairness",
        range=(0.0, None),
        needs="",
        mean="run",
        sees="lists",
        best_first=False,
        also=("ShannonEntropy",),
    ),
    Measure(
        "Personalisation",
        personalisation,
        (),
        title="personalisation",
        formula="1 - mean over pairs of lists: docs in common / √(docs of one · docs of the other)",
        source="Zhou et al. 2010, with the cosine of recmetrics 0.1",
        family="beyond accuracy",
        needs="",
        mean="run",
        sees="lists",
        best_first=False,
        also=("Personalization",),
    ),
)
