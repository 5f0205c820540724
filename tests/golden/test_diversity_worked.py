"""Diversity by hand: one query with three subtopics and five docs, and the example that pyndeval shows."""

from math import log2

import pytest

from rankproof import Conventions, Judgments, Run, evaluate, explain

# a covers 1 and 2, b covers 1, c covers 3, d covers 2 and 3, e covers nothing.
# Subtopic 4 was judged and nobody covers it, so there are three.
COVERS = {"a": "12", "b": "1", "c": "3", "d": "23", "e": ""}
ROWS = [("q", doc, s, int(s in covered)) for doc, covered in COVERS.items() for s in "1234"]
JUDGMENTS = Judgments.of(
    [q for q, _, _, _ in ROWS],
    [d for _, d, _, _ in ROWS],
    [g for _, _, _, g in ROWS],
    subtopic=[s for _, _, s, _ in ROWS],
)
RUN = Run.from_dict("run", {"q": ["b", "a", "x", "d", "e"]})  # nobody judged x; c was not displayed

# What each doc gains with alpha = 0.5, down the list:
#   b: 1 new                      1
#   a: 1 again, 2 new             0.5 + 1 = 1.5
#   x, e: nothing                 0
#   d: 2 again, 3 new             0.5 + 1 = 1.5
# The ideal list, of the docs that gain most the one with the greatest id first:
#   d 2 (a gains 2 too), then a 0.5 + 1 = 1.5 (b and c gain 1), then c 0.5 and b 0.5: c first, as c > b,
#   c 0.5 (3 was covered once), b 0.5 (1 was covered once)
GAIN, IDEAL = (1, 1.5, 0, 1.5, 0), (2, 1.5, 0.5, 0.5)
DISCOUNTED = 1 + 1.5 / log2(3) + 1.5 / log2(5)  # 2.592416
IDEAL_DISCOUNTED = 2 + 1.5 / log2(3) + 0.5 / log2(4) + 0.5 / log2(5)  # 3.411732
FULL_DISCOUNTED = 3 * (1 + 0.5 / log2(3) + 0.25 / log2(4) + 0.125 / log2(5) + 0.0625 / log2(6))


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("alpha_nDCG@5", DISCOUNTED / IDEAL_DISCOUNTED),
        ("alpha_nDCG", DISCOUNTED / IDEAL_DISCOUNTED),
        ("alpha_nDCG@1", 1 / 2),
        ("alpha_DCG@5", DISCOUNTED / FULL_DISCOUNTED),
        ("alpha_DCG@1", 1 / 3),
        # (1/1 + 1.5/2 + 1.5/4) / (3 * (1/1 + 0.5/2 + 0.25/3 + 0.125/4)) = 2.125 / 4.09375
        ("ERR_IA@4", 2.125 / 4.09375),
        # over the ideal list: 2/1 + 1.5/2 + 0.5/3 + 0.5/4
        ("nERR_IA@4", 2.125 / (2 + 0.75 + 0.5 / 3 + 0.125)),
        # (1 + 1.5 * 0.5 + 1.5 * 0.125) * (1 - 0.5 * 0.5) / 3 = 1.9375 / 4
        ("NRBP", 1.9375 / 4),
        # over the ideal list: 2 + 1.5 * 0.5 + 0.5 * 0.25 + 0.5 * 0.125
        ("nNRBP", 1.9375 / 2.9375),
        # beta = 0.8: (1 + 1.5 * 0.8 + 1.5 * 0.512) * (1 - 0.5 * 0.8) / 3 = 2.968 * 0.2
        ("NRBP(beta=0.8)", 0.5936),
        # 1: (1/1 + 2/2) / 2 docs = 1; 2: (1/2 + 2/4) / 2 docs = 0.5; 3: (1/4) / 2 docs = 0.125
        ("AP_IA", (1 + 0.5 + 0.125) / 3),
        # down to 2: 1: (1/1 + 2/2) / 2; 2: (1/2) / 2; 3: 0
        ("AP_IA@2", (1 + 0.25) / 3),
        ("P_IA@2", (2 / 2 + 1 / 2 + 0) / 3),
        ("P_IA@5", (2 + 2 + 1) / 5 / 3),
        ("P_IA@10", (2 + 2 + 1) / 10 / 3),
        ("StRecall@1", 1 / 3),
        ("StRecall@3", 2 / 3),
        ("StRecall@4", 1),
        # alpha = 0 has no novelty: gains 1, 2, 0, 2; the ideal list gains 2, 2, 1
        ("alpha_nDCG(alpha=0)@3", (1 + 2 / log2(3)) / (2 + 2 / log2(3) + 1 / 2)),
        # alpha = 1 counts a subtopic once: gains 1, 1, 0; the ideal list gains 2, 1, 0
        ("alpha_nDCG(alpha=1)@3", (1 + 1 / log2(3)) / (2 + 1 / log2(3))),
    ],
)
def test_one_list(measure: str, wanted: float) -> None:
    found = evaluate(JUDGMENTS, RUN, measure)
    assert found.of("run", found.measures[0])[0] == pytest.approx(wanted, abs=1e-12)


def test_the_sum_shows_what_each_doc_adds() -> None:
    told = explain(evaluate(JUDGMENTS, RUN, "alpha_nDCG@5"), "run", "q")
    terms = {term.doc_id: term.factors for term in told.terms}
    assert [terms[doc].get("gain", 0) for doc in "baxde"] == list(GAIN)
    assert [terms[doc].get("subtopics") for doc in "baxde"] == [1, 2, None, 2, 0]
    assert [terms[doc].get("new subtopics") for doc in "baxde"] == [1, 1, None, 1, 0]
    assert told.added == pytest.approx(DISCOUNTED)
    assert told.divisor == pytest.approx(IDEAL_DISCOUNTED)
    gains = [term.term * log2(term.rank + 1) for term in told.ideal]
    assert gains == pytest.approx(IDEAL)


def test_measures_of_whole_needs_see_the_highest_grade() -> None:
    rows = [("q", "a", "1", 1), ("q", "a", "2", 3), ("q", "b", "1", 2), ("q", "c", "1", 0)]
    query, doc, subtopic, grade = zip(*rows, strict=True)
    judged = Judgments.of(query, doc, grade, subtopic=subtopic)
    plain = Judgments.from_dict({"q": {"a": 3, "b": 2, "c": 0}})
    run = Run.from_dict("run", {"q": ["c", "b", "a"]})
    measures = ["nDCG@3", "AP", "P(rel=3)@3", "Judged@3", "NumRel", "Bpref", "ERR@3"]
    one, other = evaluate(judged, run, measures), evaluate(plain, run, measures)
    assert one.values.tolist() == other.values.tolist()


def test_a_grade_for_a_subtopic_counts_from_rel_on() -> None:
    judged = Judgments.of(["q", "q", "q"], ["a", "a", "b"], [1, 2, 2], subtopic=["1", "2", "3"])
    run = Run.from_dict("run", {"q": ["a"]})
    found = evaluate(judged, run, ["StRecall@1", "StRecall(rel=2)@1"])
    # from 1 on a covers two of three subtopics; from 2 on one of the two that some doc covers
    assert found.values[0, :, 0].tolist() == [pytest.approx(2 / 3), 0.5]
    assert evaluate(judged, run, "StRecall@1", conventions=Conventions(rel=2)).values.item() == 0.5


def test_an_order_can_beat_the_greedy_one() -> None:
    # x covers four subtopics and is taken first; then y and z add one each. y and z alone cover all six.
    covers = {"x": "1245", "y": "123", "z": "456"}
    rows = [("q", doc, s) for doc, covered in covers.items() for s in covered]
    query, doc, subtopic = zip(*rows, strict=True)
    judged = Judgments.of(query, doc, [1] * len(rows), subtopic=subtopic)
    found = evaluate(judged, Run.from_dict("run", {"q": ["y", "z"]}), "alpha_nDCG(alpha=1)@2")
    wanted = (3 + 3 / log2(3)) / (4 + 1 / log2(3))  # 4.892789 / 4.630930
    assert found.values.item() == pytest.approx(wanted)
    assert wanted > 1


# The values that pyndeval 0.0.8 prints for the example of its page, cut to four digits there.
PYNDEVAL = {
    "ERR-IA@5": 0.3933, "ERR-IA@10": 0.3907, "nERR-IA@5": 0.8297, "alpha-DCG@5": 0.4052, "alpha-DCG@10": 0.3998,
    "alpha-DCG@20": 0.3997, "alpha-nDCG@5": 0.7868, "NRBP": 0.3906, "nNRBP": 0.8620, "MAP-IA": 0.5,
    "P-IA@5": 0.2, "P-IA@20": 0.05, "strec@5": 0.6666,
}  # fmt: skip  # a table, read row by row


@pytest.mark.parametrize("spelling", PYNDEVAL)
def test_the_example_of_pyndeval(spelling: str) -> None:
    judged = Judgments.of(["0"] * 4, ["A", "B", "D", "C"], [1] * 4, subtopic=["a", "b", "b", "c"])
    run = Run.from_dict("run", {"0": {"A": 9.3, "D": 8.4, "E": 8.1, "B": 7.6}})
    found = evaluate(judged, run, spelling, conventions=Conventions(order="score"))
    assert 0 <= found.values.item() - PYNDEVAL[spelling] < 1e-4
