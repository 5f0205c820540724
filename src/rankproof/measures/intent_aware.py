"""Measures of whole needs made of their subtopics one by one: precision and recall, intent-aware.

What covers a subtopic, and which subtopics count, is as in diversity.
"""

from rankproof.measures.covered import Covered
from rankproof.measures.measure import Measure
from rankproof.measures.settings import DIVISOR, REL
from rankproof.measures.spelling import Spelling
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum


def ap_ia(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """Average precision of each subtopic by itself, averaged over the subtopics.

    >>> ap_ia(covering("ab a c"), cutoff=None, rel=1).value.round(6)
    array([0.777778])
    >>> # a: (1/1 + 2/2) / 2 = 1; b: (1/1) / 1 = 1; c: (1/3) / 1; (1 + 1 + 1/3) / 3
    """
    c = Covered.by(r, rel)
    precision = (c.before + 1) / r.rank[c.hit] / c.n_docs[c.subtopic]
    return Sum(r, c.each(precision) * r.top(cutoff), c.n_subtopics, {"subtopics": c.count})


def p_ia(r: Rankings, *, cutoff: int | None, rel: int, divisor: str) -> Sum:
    """Precision of each subtopic by itself, averaged over the subtopics; a short list is divided by the cutoff.

    >>> p_ia(covering("ab a c"), cutoff=2, rel=1, divisor="cutoff").value  # (2/2 + 1/2 + 0/2) / 3
    array([0.5])
    """
    c = Covered.by(r, rel)
    shown = r.n_shown(cutoff)
    places = shown if cutoff is None or divisor == "shown" else float(cutoff)
    return Sum(r, c.count * r.within(cutoff), places * c.n_subtopics, {"subtopics": c.count})


def subtopic_recall(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """The share of the subtopics that some doc in the cutoff covers.

    >>> subtopic_recall(covering("ab a c"), cutoff=2, rel=1).value.round(4)  # a and b of a, b and c
    array([0.6667])
    """
    c = Covered.by(r, rel)
    return Sum(r, c.new * r.top(cutoff), c.n_subtopics, {"subtopics": c.count, "new subtopics": c.new})


MEASURES = (
    Measure(
        "AP_IA",
        ap_ia,
        (REL,),
        title="intent-aware average precision",
        formula="mean over subtopics: average precision of the docs that cover it",
        source="Agrawal et al. 2009",
        family="diversity",
        needs="subtopic",
        sees="subtopics",
        best_first=False,
        also=("MAP-IA", "AP-IA"),
        spelt=(Spelling("ndeval", "MAP-IA"),),
    ),
    Measure(
        "P_IA",
        p_ia,
        (REL, DIVISOR),
        title="intent-aware precision",
        formula="mean over subtopics: docs in the cutoff that cover it / cutoff",
        source="Agrawal et al. 2009",
        family="diversity",
        needs="subtopic",
        sees="subtopics",
        linear=True,
        best_first=False,
        also=("P-IA",),
        spelt=(Spelling("ndeval", "P-IA@{k}"),),
    ),
    Measure(
        "StRecall",
        subtopic_recall,
        (REL,),
        title="subtopic recall",
        formula="subtopics covered in the cutoff / subtopics",
        source="Zhai, Cohen and Lafferty 2003",
        family="diversity",
        needs="subtopic",
        sees="subtopics",
        best_first=False,
        also=("strec", "S-recall"),
        spelt=(Spelling("ndeval", "strec@{k}"),),
    ),
)
