"""Exposure and its fairness: values that a pencil gives, and plain loops with scipy's divergence beside them."""

from itertools import pairwise
from math import log2

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from rankproof import Document, Documents, History, Judgments, Run, evaluate

GROUPS = {"a": "x", "b": "y", "c": "y", "d": "z", "e": ""}
DOCUMENTS = Documents(tuple(Document(doc, group=group) for doc, group in GROUPS.items()))
JUDGMENTS = Judgments.from_dict({"q1": {"a": 1, "b": 3, "e": 1}, "q2": {"c": 1, "b": 0}, "q3": {"a": 2}})
SHOWN = {"q1": ["a", "b", "c", "e"], "q2": ["e", "c", "d"], "q3": ["a", "d"]}
RUN = Run.from_dict("run", SHOWN)


def value(measure: str, query: str | None = None, **beside: object) -> float | None:
    """The value of the run, or of one query of it."""
    found = evaluate(JUDGMENTS, RUN, measure, **{"documents": DOCUMENTS, **beside})
    row = next(row for row in found.rows() if row["query_id"] == query)
    return row["value"]


def test_coverage_by_hand() -> None:
    assert value("Coverage@1") == 2 / 5  # a and e
    assert value("Coverage") == 1
    few = Documents((Document("a"), Document("z")))
    assert value("Coverage", documents=few) == 1 / 2  # b to e are not in the catalogue
    history = History.from_dict({"u": ["a", "b", "z", "y"]})
    assert value("Coverage@1", documents=None, history=history) == 1 / 4  # a, of the docs of the history


def test_gini_by_hand() -> None:
    # shown a 2, b 1, c 2, d 2, e 2 times: by rise 1 2 2 2 2, (-4·1 - 2·2 + 0·2 + 2·2 + 4·2) / (5·9)
    assert value("Gini") == pytest.approx(4 / 45)
    # a 2, e 1 and three docs with nothing: (2·1 + 4·2) / (5·3)
    assert value("Gini@1") == pytest.approx(10 / 15)


@pytest.mark.parametrize("weight", ["log", "jk", "zipf", "none", "rbp"])
@pytest.mark.parametrize("cutoff", [1, 2, 4])
def test_gini_and_entropy_by_plain_loops(weight: str, cutoff: int) -> None:
    exposure = dict.fromkeys(GROUPS, 0.0)
    for docs in SHOWN.values():
        for rank, doc in enumerate(docs[:cutoff], 1):
            exposure[doc] += worth(weight, rank)
    x = list(exposure.values())
    apart = sum(abs(one - other) for one in x for other in x)  # mean difference / (2 · mean)
    assert value(f"Gini(weight={weight})@{cutoff}") == pytest.approx(apart / (2 * len(x) * sum(x)))
    p = [one / sum(x) for one in x if one]
    wanted = -sum(one * log2(one) for one in p)
    assert value(f"ExposureEntropy(weight={weight})@{cutoff}") == pytest.approx(wanted)


def worth(weight: str, rank: int) -> float:
    return {
        "log": 1 / log2(rank + 1),
        "jk": 1 if rank < 2 else 1 / log2(rank),
        "zipf": 1 / rank,
        "none": 1.0,
        "rbp": 0.5 ** (rank - 1),
    }[weight]


def test_personalisation_by_hand() -> None:
    # q1 and q2 share c, e of 4 and 3; q1 and q3 share a of 4 and 2; q2 and q3 share d of 3 and 2
    alike = 2 / 12**0.5 + 1 / 8**0.5 + 1 / 6**0.5
    assert value("Personalisation") == pytest.approx(1 - alike / 3)
    assert value("Personalisation@1") == pytest.approx(1 - 1 / 3)  # a, e, a


def test_ratios_of_exposure_by_hand() -> None:
    # zipf: x gets 1 + 1 with one doc, y gets 1/2 + 1/3 + 1/2 with two, z gets 1/3 + 1/2 with one; e has no group
    ours, others = 2 / 1, (1 / 2 + 1 / 3 + 1 / 2 + 1 / 3 + 1 / 2) / 3
    assert value("ExposureRatio(group=x, weight=zipf)") == pytest.approx(ours / others)
    # by the worth of judged docs: x has 1 + 2, y has 3 + 1 + 0, z none
    ours, others = 2 / 3, (1 / 2 + 1 / 3 + 1 / 2 + 1 / 3 + 1 / 2) / 4
    assert value("ExposureRatio(group=x, per=relevance, weight=zipf)") == pytest.approx(ours / others)
    assert value("ExposureRatio(group=z, per=relevance)") is None  # z is worth nothing
    assert value("ExposureRatio(group=x, weight=none)@1") is None  # y and z get no exposure


@pytest.mark.parametrize("query", list(SHOWN))
@pytest.mark.parametrize("weight", ["log", "jk", "rbp"])
@pytest.mark.parametrize("base", ["2", "e"])
def test_rank_fairness_by_plain_loops(query: str, weight: str, base: str) -> None:
    names = ["x", "y", "z"]
    got = np.zeros(3)
    for rank, doc in enumerate(SHOWN[query], 1):
        if GROUPS[doc]:
            got[names.index(GROUPS[doc])] += worth(weight, rank)
    for target, wanted in (("catalogue", [1, 2, 1]), ("equal", [1, 1, 1])):
        divergence = jensenshannon(got, wanted, base=2 if base == "2" else None) ** 2
        name = f"AWRF(target={target}, weight={weight}, base={base})"
        assert value(name, query) == pytest.approx(1 - divergence), target


def test_rank_fairness_with_the_target_of_the_relevant_docs() -> None:
    # q1: a and b are relevant and have groups, so x and y should get the same; they get 1 and 1/2 + 1/3
    divergence = jensenshannon([1, 1 / 2 + 1 / 3], [1, 1], base=2) ** 2
    assert value("AWRF(target=relevant, weight=zipf)", "q1") == pytest.approx(1 - divergence)


def test_a_list_further_from_the_target_is_less_fair() -> None:
    orders = (["b", "a", "d"], ["a", "b", "d"], ["a", "d", "b"], ["a"])
    found = []
    for order in orders:
        run = Run.from_dict("run", {"q1": order})
        judgments = Judgments.from_dict({"q1": {"a": 1}})
        found.append(evaluate(judgments, run, "AWRF", documents=DOCUMENTS).mean("run", "AWRF").value)
    assert all(better > worse for better, worse in pairwise(found))
