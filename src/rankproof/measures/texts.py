"""Measures that are texts: what stands where, to be read at a glance. They have no numbers and no means."""

import numpy as np

from rankproof.errors import UsageError
from rankproof.measures.measure import Measure
from rankproof.measures.spelling import Spelling
from rankproof.tables.displayed import POOLED, REPEAT
from rankproof.tables.judgments import NO_GRADE
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum

_MARKS = {NO_GRADE: "-", POOLED: ".", REPEAT: "<"}


def relevance_string(r: Rankings, *, cutoff: int | None) -> Sum:
    """The grades of the first docs, a character each.

    0 to 9 is the grade, ">" a higher one, "-" a doc that nobody judged, "." one that is in the pool and not
    judged, "<" a doc shown again. Empty where nothing is displayed.

    >>> from rankproof import Judgments, Run, evaluate
    >>> judgments = Judgments.from_dict({"q": {"a": 3, "b": 0, "c": -1, "d": 12}})
    >>> found = evaluate(judgments, Run.from_dict("run", {"q": ["a", "x", "b", "c", "d"]}), "RelString@4")
    >>> found.text("run", "RelString@4", "q")  # 3, unjudged, 0, in the pool and not judged
    '3-0.'
    """
    if r.lists is None:
        raise UsageError("RelString needs every displayed line, and these rankings hold judged docs alone.")
    grade, top = r.lists.grade, np.ones(len(r.lists.doc), bool)
    if cutoff is not None:
        top = r.lists.rank <= cutoff
    marks = np.where(grade > 9, ">", np.maximum(grade, 0).astype("U1"))
    for below, mark in _MARKS.items():
        marks[grade == below] = mark
    whole = "".join(marks[top].tolist())
    ends = np.cumsum(np.bincount(r.lists.query[top], minlength=r.n_queries)).tolist()
    texts = tuple(whole[start:stop] for start, stop in zip([0, *ends], ends, strict=False))
    return Sum(r.one_row_each(), np.zeros(r.n_queries), texts=texts)


MEASURES = (
    Measure(
        "RelString",
        relevance_string,
        (),
        title="the grades of the first docs, as a text",
        formula="a character a doc: its grade, - where nobody judged it",
        source="trec_eval 9 (2008)",
        family="text",
        needs="number",
        cutoff="required",
        sees="lists",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "relstring", {"k": "10"}),
            Spelling("trec_eval", "relstring_{k}"),
        ),
    ),
)
