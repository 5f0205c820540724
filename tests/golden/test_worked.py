"""Cases small enough for a pencil."""

from collections.abc import Mapping, Sequence
from math import log, log2, pi
from typing import Any

import pytest

from rankproof import Conventions, Judgments, Run, conventions_of, evaluate


def value(
    grades: Mapping[str, int], shown: Sequence[str], measure: str, conventions: Conventions | None = None
) -> float | None:
    """The value of one list."""
    judgments = Judgments.from_dict({"q": grades})
    found = evaluate(judgments, Run.from_dict("run", {"q": list(shown)}), measure, conventions=conventions)
    return found.mean("run", found.measures[0]).value


def in_order(shown: Sequence[int], measure: str) -> float | None:
    """The value of a list given by its grades."""
    grades = {f"d{place}": grade for place, grade in enumerate(shown)}
    return value(grades, list(grades), measure)


def near(wanted: float, digits: int = 6) -> Any:
    return pytest.approx(wanted, abs=0.500001 * 10**-digits)


HELP_CENTRE = {"A": 3, "B": 2, "C": 1, "D": 0, "E": 0}


def test_the_help_centre() -> None:
    assert value(HELP_CENTRE, "CADBE", "DCG@3") == near(2.892789)  # 1 + 3/log2(3) + 0
    assert value(HELP_CENTRE, "CADBE", "IDCG@3") == near(4.761860)  # 3 + 2/log2(3) + 1/2
    assert value(HELP_CENTRE, "CADBE", "nDCG@3") == near(0.607492)
    assert value(HELP_CENTRE, "ABCDE", "nDCG@3") == 1


def test_discounted_gain() -> None:
    assert in_order([3, 2, 3, 0, 1], "nDCG@3") == near(0.977781)
    assert in_order([3, 2, 3, 0, 1], "nDCG@5") == near(0.972364)
    assert in_order([3, 2, 1], "DCG@3") == near(4.761860)
    assert in_order([1, 2, 3], "DCG@3") == near(3.761860)
    # the example of a widely read encyclopedia: six shown, two more judged 3 and 2
    shown = {f"d{place}": grade for place, grade in enumerate([3, 2, 3, 0, 1, 2, 3, 2])}
    assert value(shown, list(shown)[:6], "nDCG@6") == near(0.785, 3)


def test_average_precision() -> None:
    assert in_order([1, 0, 1, 0, 1], "AP") == near(0.755556)  # (1/1 + 2/3 + 3/5) / 3
    assert in_order([0, 1, 0, 1, 0], "AP") == 0.5  # (1/2 + 2/4) / 2
    grades = {"one": {f"a{i}": g for i, g in enumerate([1, 0, 1, 0, 1])}}
    grades["two"] = {f"b{i}": g for i, g in enumerate([0, 1, 0, 1, 0])}
    run = Run.from_dict("run", {query: list(docs) for query, docs in grades.items()})
    assert evaluate(Judgments.from_dict(grades), run, "MAP").mean("run", "AP").value == near(0.627778)


FIVE = dict.fromkeys("abcde", 1)  # five relevant docs; three of them at ranks 1, 3 and 5
HITS = ["a", "x", "b", "y", "c"]


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("AP", 0.4533),
        ("AP@3", 0.3333),
        ("AP@2", 0.2),
        ("AP(denominator=min_k)", 0.4533),
        ("AP(denominator=min_k)@3", 0.5556),
        ("AP(denominator=min_k)@2", 0.5),
        ("Rprec", 0.6),
        ("R@3", 0.4),
        ("P@5", 0.6),
        ("P@10", 0.3),
        ("Success@1", 1),
    ],
)
def test_what_average_precision_is_divided_by(measure: str, wanted: float) -> None:
    assert value(FIVE, HITS, measure) == near(wanted, 4)


GRADED = {"a": 3, "b": 2, "c": 1, "d": 0, "e": 2}


@pytest.mark.parametrize(
    ("measure", "ideal", "wanted"),
    [
        ("nDCG@3", "judged", 0.4751),
        ("nDCG@5", "judged", 0.5751),
        ("nDCG(gain=exp2)@3", "judged", 0.4330),
        ("nDCG(gain=exp2)@5", "judged", 0.5230),
        ("nDCG@3", "shown", 0.5250),
        ("nDCG@5", "shown", 0.6875),
        ("nDCG(gain=exp2)@3", "shown", 0.4791),
        ("nDCG(gain=exp2)@5", "shown", 0.6026),
        ("RBP(p=0.8)", "judged", 0.4099),
        ("Judged@3", "judged", 0.6667),
    ],
)
def test_one_list_of_grades_has_many_values(measure: str, ideal: str, wanted: float) -> None:
    assert value(GRADED, "cxadb", measure, Conventions(ideal=ideal)) == near(wanted, 4)


TWELVE = {"a": 3, "b": 2, "c": 2, **{f"d{place}": 1 for place in range(9)}}


@pytest.mark.parametrize(
    ("dialect", "wanted"),
    [
        ("quepid", 0.4649),  # exponential gain, the ideal list over all twelve
        ("opensearch_srw", 0.4848),  # cut at 10
        ("gdeval", 0.4848),
        ("elasticsearch", 0.5736),  # cut at the four that were shown
        ("trec_eval-9", 0.4240),  # linear gain
        ("ranx", 0.4240),
        ("haystack", 0.3957),  # over all twelve
        ("evidently", 0.6834),  # over those shown
        ("torchmetrics", 0.6834),
        ("replay", 0.3437),  # binary gain
    ],
)
def test_one_list_has_another_value_in_each_dialect(dialect: str, wanted: float) -> None:
    shown = ["nobody judged it", "a", "d0", "b"]
    assert value(TWELVE, shown, "nDCG@10", conventions_of(dialect)) == near(wanted, 4)


@pytest.mark.parametrize(
    ("dialect", "measure", "wanted"),
    [
        ("quepid", "P@10", 0.75),
        ("trec_eval-9", "P@10", 0.3),
        ("spark_mllib", "AP@2", 0.5),
        ("cwl_eval", "AP@3", 0.8333),
        ("lightgbm", "AP@3", 0.5556),
        ("torchmetrics", "R@3", 0.6667),
        ("rectools", "AP(denominator=k)@3", 0.5556),
        ("rre", "P@5", 0.6),
    ],
)
def test_one_list_has_another_denominator_in_each_dialect(dialect: str, measure: str, wanted: float) -> None:
    grades, shown = (FIVE, HITS) if measure != "P@10" else (TWELVE, ["nobody judged it", "a", "d0", "b"])
    assert value(grades, shown, measure, conventions_of(dialect)) == near(wanted, 4)


def test_a_doc_that_stands_twice_counts_twice_in_spark() -> None:
    spark = conventions_of("spark_mllib")
    for measure, wanted in (("P@3", 0.6667), ("R@3", 1.0), ("nDCG@3", 0.9197)):
        assert value({"a": 1, "b": 1}, ["a", "x", "a"], measure, spark) == near(wanted, 4)


@pytest.mark.parametrize(
    ("grades", "shown", "wanted"),
    [
        (
            {"n": 0, "a": 1, "b": 1, "c": 1},
            "nabc",
            0.0,
        ),  # N = 1 stands above all three: min(1, 3) / min(1, 3)
        (FIVE, "axbyc", 0.6),  # nobody judged a doc not relevant: each of the three counts 1
        ({"a": 1, "b": 0, "c": -1, "d": 1, "e": -1}, "acubd", 0.5),  # pooled docs are not judged
        ({"a": -2, "b": 2, "c": -1, "d": 1}, "abcd", 1.0),
        ({"d_12": 5, "d_25": 3}, ["x", "d_12", "d_25"], 1.0),
    ],
)
def test_binary_preference(grades: dict[str, int], shown: Sequence[str], wanted: float) -> None:
    assert value(grades, shown, "Bpref") == wanted


def test_pooled_docs_keep_their_places() -> None:
    assert value({"a": 1, "b": 0, "c": -1, "d": 1, "e": -1}, "acubd", "AP") == near(0.7, 4)  # (1 + 2/5) / 2


def test_expected_reciprocal_rank() -> None:
    # a scale up to 4: 3 stops with chance 7/16, then 1 with 1/16
    assert value({"a": 3, "b": 1}, "ab", "ERR(max_grade=4)") == pytest.approx(7 / 16 + 9 / 16 / 16 / 2)
    assert value({"a": 1}, "a", "ERR(max_grade=4)") == 0.0625
    assert value({"a": 1}, "a", "ERR") == 0.5


def test_reciprocal_rank_and_short_lists() -> None:
    assert in_order([0, 0, 1], "RR") == near(1 / 3)
    assert in_order([0, 0, 1], "RR@2") == 0
    assert value({"a": 1, "b": 0}, "ab", "P@5") == 0.2
    assert value({"a": 1, "b": 0}, "ab", "P@5", Conventions(precision_divisor="shown")) == 0.5
    assert value({"a": 1, "b": 1}, "a", "Rprec") == 0.5


def test_the_discount_is_the_logarithm_of_the_rank_and_one() -> None:
    for rank in range(1, 6):
        shown = [f"x{i}" for i in range(rank - 1)] + ["a"]
        assert value({"a": 1}, shown, "DCG") == 1 / log2(rank + 1)


@pytest.mark.parametrize(
    ("shown", "measure", "wanted"),
    [
        # The only doc is worth 1, so that C(1) = (1/2)^2 and C(i) = ((i + 1 - 1) / (i + 1))^2 after it:
        # rank i is looked at with chance 1 / i^2, and 1 + 1/4 + 1/9 + ... = pi^2 / 6.
        ([1], "INST(depth=inf)", 6 / pi**2),
        # Worth 1, 0 and 1: C(1) = (1/2)^2 and C(2) = (2/3)^2.
        ([1, 0, 1], "INST(depth=3)", (1 + 1 / 9) / (1 + 1 / 4 + 1 / 9)),
        # Worth 1/2: 1.5 is still hoped for at rank 1, where C = (1.5 / 2.5)^2.
        ([1], "INST(max_grade=2, depth=2)", 0.5 / (1 + 0.36)),
        # Rank i is looked at with chance (2 / (i + 1))^2 whatever is there, and 4 (1/4 + 1/9 + ...) = 4 (pi^2 / 6 - 1).
        ([1], "INSQ(depth=inf)", 1 / (4 * (pi**2 / 6 - 1))),
        ([1, 0, 1], "INSQ(depth=3)", (1 + 1 / 4) / (1 + 4 / 9 + 1 / 4)),
        # 1.5 is found at rank 4, where the reader stops; with a cutoff of 3 after 1 in three places.
        ([0, 2, 0, 1, 2], "BPM(T=1.5)@10", 1.5 / 4),
        ([0, 2, 0, 1, 2], "BPM(T=1.5)@3", 1 / 3),
        # Looked at with chances 1, 1 - 1/4 and 3/4 · (1 - 1/2), where the list is cut.
        ([1, 2, 4], "NERR8@3", (1 / 4 + 3 / 4 * 1 / 2 + 3 / 8) / (1 + 3 / 4 + 3 / 8)),
        # The same with C(1) halved and C(2) times 2/3.
        ([1, 2, 4], "NERR9@3", (1 / 4 + 3 / 8 * 1 / 2 + 1 / 8) / (1 + 3 / 8 + 1 / 8)),
        # What is worth 1 stops everybody; half of that lets half go on, with chances 0.45, 0.45 · 0.9, ...
        ([1], "NERR10(depth=inf, p=0.9)", 1),
        ([1, 0], "NERR10(depth=inf, p=0.9, max_grade=2)", (1 / 2) / (1 + 0.45 * 10)),
        ([2, 0, 1], "SDCG(max_grade=2)@3", (1 + 1 / 2 * 1 / 2) / (1 + 1 / log2(3) + 1 / 2)),
        ([1, 0, 1], "ARHR", 1 + 1 / 3),
        ([1, 0, 1], "ARHR(denominator=all)", (1 + 1 / 3) / 2),
        ([1, 0, 1], "ARHR(denominator=ideal)", (1 + 1 / 3) / (1 + 1 / 2)),
    ],
)
def test_readers(shown: Sequence[int], measure: str, wanted: float) -> None:
    assert in_order(shown, measure) == pytest.approx(wanted, rel=1e-12)


def test_compatibility() -> None:
    # b is the best, then a, which is shown, then c, which is not. The first 1, 2 and 3 places have 0, 1 (a)
    # and 2 (a, b) docs in both lists.
    grades = {"a": 1, "b": 2, "c": 1}
    overlap = 1 * 0 + 1 / 2 * 1 / 2 + 1 / 4 * 2 / 3
    best = 1 + 1 / 2 + 1 / 4
    assert value(grades, "xab", "Compat(p=0.5, depth=3)") == pytest.approx(overlap / best, rel=1e-12)
    assert value(grades, "xab", "Compat(p=0.5, depth=lists)") == pytest.approx(overlap / best, rel=1e-12)
    # a short ideal list: both shares after place 2 are 1/i, and the weights of all places add up to 2
    assert value({"a": 1}, "a", "Compat(p=0.5)") == 1
    assert value({"a": 1}, "a", "Compat(p=0.5, normalize=False, depth=2)") == near((1 + 1 / 4) / (1 + 1 / 2))
    assert value({"a": 1}, "a", "Compat(p=0.5, normalize=False, depth=inf)") == near(2 * log(2) / 2)


def test_pairs() -> None:
    # Nine pairs of different grades; right are a-b, a-d, a-e and c-d. The 2 that was not shown is below all others.
    assert value(GRADED, "cxadb", "PairAccuracy") == near(4 / 9)
    assert value(GRADED, "cxadb", "PairAccuracy@1") == near(
        1 / 9
    )  # c-d alone: of two docs below, none is higher
    # c has both others, x and d, below it, a has d, and b has none
    assert value(GRADED, "cxadb", "Accuracy") == near((2 + 1 + 0) / 6)
    assert value({"a": 1}, "xa", "Accuracy") == 0
    assert value({"a": 1}, "a", "Accuracy") is None


def test_equal_scores_count_one_half() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1, "b": 0, "c": 1}})
    run = Run.of("run", ["q"] * 4, ["a", "b", "c", "x"], score=[0.9, 0.5, 0.5, 0.4])
    for ties in ("file", "average", "pessimistic"):
        by_score = Conventions(order="score", ties=ties)
        found = evaluate(judgments, run, ["AUC", "AUC(unjudged=left_out)"], conventions=by_score)
        # a is above b and x; c is level with b and above x; without x, a is above b and c level with it
        assert found.of("run", "AUC").tolist() == [(2 + 1.5) / 4]
        assert found.of("run", "AUC(unjudged=left_out)").tolist() == [(1 + 0.5) / 2]
