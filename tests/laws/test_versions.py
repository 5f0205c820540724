"""Two results are compared where they saw the same: also what only some measures look at."""

from dataclasses import replace

import numpy as np
import pytest

from laws.test_readings import ASKED, BESIDE, JUDGMENTS, ROWS
from rankproof import (
    Document,
    Documents,
    History,
    Judgments,
    Measure,
    NotComparable,
    Preferences,
    Run,
    compare,
    evaluate,
    evaluate_aspects,
)
from rankproof.measures.combining import parts_of

OLD = Run.from_dict("old", {"q": ["c", "b", "a"], "p": ["d", "a"]})
NEW = Run.from_dict("new", {"q": ["a", "b", "c"], "p": ["a", "e"]})
DOCUMENTS = BESIDE["documents"]
OTHERS = {
    "documents": [
        replace(DOCUMENTS, rows=(replace(DOCUMENTS.rows[0], group="other"), *DOCUMENTS.rows[1:])),
        replace(DOCUMENTS, rows=(replace(DOCUMENTS.rows[0], categories=()), *DOCUMENTS.rows[1:])),
        replace(DOCUMENTS, rows=(replace(DOCUMENTS.rows[0], popularity=99), *DOCUMENTS.rows[1:])),
        replace(DOCUMENTS, vectors=DOCUMENTS.vectors + 1),
        Documents(
            (*DOCUMENTS.rows, Document("more", group="G")), vectors=np.vstack([DOCUMENTS.vectors, [[1, 1]]])
        ),
    ],
    "history": [History.from_dict({"q": ["b"], "p": ["a"], "else": ["a", "b", "c"]})],
    "expected": [Run.from_dict("expected", {"q": ["e", "a"], "p": ["d"]})],
}
EACH = pytest.mark.parametrize("measure", ASKED, ids=str)


@EACH
@pytest.mark.parametrize("what", OTHERS)
def test_what_a_measure_looks_at_is_the_same_on_both_sides(measure: Measure, what: str) -> None:
    looks = any(part.sees == "known" for part in parts_of([measure]))
    asked = ["Judged@3", measure] if measure.mean != "arithmetic" else measure
    before = evaluate(JUDGMENTS, OLD, asked, **BESIDE)
    for other in OTHERS[what]:
        after = evaluate(JUDGMENTS, NEW, asked, **{**BESIDE, what: other})
        if looks:
            with pytest.raises(NotComparable, match="judgments"):
                compare(before, after)
        else:
            assert compare(before, after).rows


@EACH
def test_the_order_of_rows_and_texts_of_docs_are_no_difference(measure: Measure) -> None:
    asked = ["Judged@3", measure] if measure.mean != "arithmetic" else measure
    titled = tuple(replace(row, title="a title", text="a text") for row in reversed(DOCUMENTS.rows))
    history = BESIDE["history"]
    order = np.arange(len(history))[::-1]
    pairs = [history.query.texts_at(order), history.doc.texts_at(order)]
    moved = sorted(
        ROWS, key=lambda row: (row[0] != "q", -ord(row[2]))
    )  # the first row of a doc stays the first
    query, subtopic, doc, grade, rater = (list(column) for column in zip(*moved, strict=True))
    judgments = Judgments.of(query, doc, grade, details={"rater": rater}, subtopic=subtopic)
    other = {
        **BESIDE,
        "documents": Documents(titled, vectors=DOCUMENTS.vectors[::-1]),
        "history": History.of(*pairs),
    }
    before, after = evaluate(JUDGMENTS, OLD, asked, **BESIDE), evaluate(judgments, NEW, asked, **other)
    assert compare(before, after).rows


def test_judgments_of_other_raters_are_others_where_raters_count() -> None:
    query, subtopic, doc, grade, rater = (list(column) for column in zip(*ROWS, strict=True))
    other = Judgments.of(query, doc, grade, details={"rater": ["r1"] * len(rater)}, subtopic=subtopic)
    one, two = evaluate(JUDGMENTS, OLD, "AP"), evaluate(other, NEW, "AP")
    assert compare(one, two).rows
    for name in ("AP(raters=mean)", "0.5*AP(raters=mean) + 0.5*RR"):
        with pytest.raises(NotComparable):
            compare(evaluate(JUDGMENTS, OLD, name), evaluate(other, NEW, name))


def test_what_aspects_saw_counts_too() -> None:
    plain = {"click": Judgments.from_dict({"q": {"a": 1}}), "buy": Judgments.from_dict({"q": {"b": 1}})}
    for name in ("buy:Novelty@2", "0.5*click:AP + 0.5*buy:Novelty@2", "AP"):
        before, after = (
            evaluate_aspects(plain, run, name, history=history)
            for run, history in ((OLD, BESIDE["history"]), (NEW, OTHERS["history"][0]))
        )
        if name == "AP":
            assert compare(before, after).rows
        else:
            with pytest.raises(NotComparable):
                compare(before, after)


def test_preferences_count_where_they_are_given() -> None:
    other = Preferences.of_pairs([("q", "b", "a"), ("p", "a", "d")])
    before = evaluate(JUDGMENTS, OLD, "PrefSimp", preferences=BESIDE["preferences"])
    with pytest.raises(NotComparable):
        compare(before, evaluate(JUDGMENTS, NEW, "PrefSimp", preferences=other))
