"""The ends of the range: nothing, one, very many, very high."""

import numpy as np
import pytest

from laws.strategies import EVERY, NOT_FROM_0
from rankproof import Conventions, Judgments, Run, conventions_of, evaluate
from rankproof.alignment import align
from rankproof.engines.local import measure_batches, measure_one
from rankproof.errors import NothingToEvaluate, UsageError
from rankproof.measures.needs import NEEDS

MANY = 100_000


def test_no_query_at_all() -> None:
    rankings = align(Judgments.of([], [], []), Run.of("run", [], []), Conventions()).rankings
    assert rankings.n_queries == 0
    for measure in EVERY:
        assert measure_one(measure, rankings).value.shape == (0,)
    for found in measure_batches(EVERY, rankings):
        assert found.value.shape == found.defined.shape == found.judged.shape == (0,)


def test_a_run_of_no_rows() -> None:
    judgments = Judgments.from_dict({"q": {"a": 3, "b": 0}})
    found = evaluate(judgments, Run.from_dict("run", {"q": []}), EVERY)
    for measure in EVERY:
        value, reason = found.of("run", measure.full_name)[0], found.reason("run", measure.full_name, "q")
        if measure.needs in ("shown", "kinds", "number") and measure.values.get("unanswered") != "zero":
            assert (np.isnan(value), reason) == (True, NEEDS[measure.needs].reason)
        elif measure.name not in ("IDCG", "NumRel", *NOT_FROM_0):
            assert value == (measure.range[0] or 0), measure.full_name
    for nothing in (Run.of("run", [], []), Run.from_dict("run", {})):
        with pytest.raises(NothingToEvaluate):
            evaluate(judgments, nothing, EVERY)


@pytest.mark.parametrize(("grade", "relevant"), [(0, False), (1, True), (100, True)])
def test_one_doc(grade: int, relevant: bool) -> None:
    judgments = Judgments.from_dict({"q": {"a": grade}, "other": {"a": 1}})
    found = evaluate(judgments, Run.from_dict("run", {"q": ["a"], "other": ["a"]}), EVERY)
    for measure in EVERY:
        if measure.name in ("nDCG", "AP", "RR", "R", "Rprec", "Success", "Bpref") and "rel" not in str(
            measure
        ):
            value = found.of("run", measure.full_name)[0]
            best = 1 / measure.at if measure.values.get("denominator") == "k" and measure.at else 1
            assert value == pytest.approx(best) if relevant else np.isnan(value), measure.full_name


def test_all_scores_are_equal() -> None:
    docs = [f"d{place}" for place in range(9)]
    judgments = Judgments.from_dict({"q": {doc: int(doc == "d4") for doc in docs}})
    run = Run.of("run", ["q"] * 9, docs, score=[1.0] * 9)
    wanted = {"file": 5, "doc_id_asc": 5, "doc_id_desc": 5, "optimistic": 1, "pessimistic": 9}
    for ties, place in wanted.items():
        aligned = align(judgments, run, Conventions(order="score", ties=ties))
        assert aligned.rankings.tie_size.tolist() == [9] * 9
        assert aligned.rankings.tie_start.tolist() == [1] * 9
        found = evaluate(judgments, run, "RR", conventions=Conventions(order="score", ties=ties))
        assert found.of("run", "RR").tolist() == [1 / place], ties


def test_a_list_of_very_many_docs() -> None:
    docs = [f"d{place:06}" for place in range(MANY)]
    judged = {doc: place % 4 for place, doc in enumerate(docs) if place % 7 == 0}
    run = Run.of("run", ["q"] * MANY, docs, score=np.linspace(1, 0, MANY).tolist())
    judgments = Judgments.from_dict({"q": judged})
    for conventions in (Conventions(), conventions_of("trec_eval-9")):
        found = evaluate(judgments, run, [m for m in EVERY if m.at is None], conventions=conventions)
        assert np.isfinite(found.values).all()
        assert found.mean("run", "NumRet").value == MANY
    assert found.mean("run", "R").value == 1
    hits = np.arange(0, MANY, 7)
    gains = (hits % 4) / np.log2(hits + 2)
    plain = evaluate(judgments, run, ["DCG", "AP"])
    assert plain.mean("run", "DCG").value == pytest.approx(gains.sum(), rel=1e-12)
    relevant = hits[hits % 4 > 0] + 1
    precision = np.arange(1, len(relevant) + 1) / relevant
    assert plain.mean("run", "AP").value == pytest.approx(precision.mean(), rel=1e-12)


def test_very_many_queries_of_one_doc() -> None:
    queries = [f"q{place}" for place in range(20_000)]
    judgments = Judgments.of(queries, ["a"] * len(queries), [1] * len(queries))
    run = Run.of("run", queries, ["a", "b"] * (len(queries) // 2), rank=[1] * len(queries))
    found = evaluate(judgments, run, ["nDCG@10", "AP", "ERR"], keep=False)
    assert found.mean("run", "AP").value == 0.5
    assert found.mean("run", "nDCG@10").n == len(queries)


def test_grades_up_to_100_with_exponential_gain() -> None:
    judgments = Judgments.from_dict({"q": {"a": 100, "b": 99, "c": 0}})
    runs = [Run.from_dict("best", {"q": ["a", "b"]}), Run.from_dict("other", {"q": ["b", "a"]})]
    found = evaluate(judgments, runs, ["nDCG(gain=exp2)", "DCG(gain=exp2)@1", "ERR@1"])
    assert found.mean("best", "nDCG(gain=exp2)").value == 1
    assert found.mean("best", "DCG(gain=exp2)@1").value == 2.0**100 - 1
    # (2^99 - 1) + (2^100 - 1) / log2(3), over the same the other way round: near (1 + 2 d) / (2 + d)
    d = 1 / np.log2(3)
    assert found.mean("other", "nDCG(gain=exp2)").value == pytest.approx((1 + 2 * d) / (2 + d), rel=1e-12)
    assert found.mean("other", "ERR@1").value == pytest.approx(0.5)


def test_a_grade_whose_gain_no_number_can_hold_is_an_error() -> None:
    judgments = Judgments.from_dict({"q": {"a": 5000, "b": 1}})
    run = Run.from_dict("run", {"q": ["b", "a"]})
    with pytest.raises(UsageError, match="grade 5000 is too high for the gain exp2"):
        evaluate(judgments, run, "nDCG(gain=exp2)")
    found = evaluate(judgments, run, ["nDCG", "ERR", "ERR(max_grade=3)", "AP"])
    assert np.isfinite(found.values).all()


@pytest.mark.parametrize("grade", [float("nan"), float("inf"), 1.5, True, None, "2", "x"])
def test_a_grade_that_is_no_whole_number_is_an_error(grade: object) -> None:
    with pytest.raises(UsageError, match="a grade is a whole number"):
        Judgments.from_dict({"q": {"a": grade}})


def test_a_fraction_in_a_column_is_an_error_and_never_cut() -> None:
    with pytest.raises(UsageError, match=r'column "grade" has 1\.7 in row 1'):
        Judgments.of(["q", "q"], ["a", "b"], [1, 1.7])
    with pytest.raises(UsageError, match=r'column "rank" has 2\.5 in row 1'):
        Run.of("run", ["q", "q"], ["a", "b"], rank=[1, 2.5])
    with pytest.raises(UsageError, match="whole number"):
        Judgments.of(["q"], ["a"], [10**30])


def test_whole_numbers_of_other_kinds_are_grades() -> None:
    assert Judgments.from_dict({"q": {"a": 3.0, "b": np.int32(2)}}).grade.tolist() == [3, 2]


@pytest.mark.parametrize("at", [0, -1])
def test_a_cutoff_that_is_no_rank_is_an_error(at: int) -> None:
    for measure in EVERY:
        if measure.cutoff != "none":
            with pytest.raises(UsageError, match="a whole number from 1"):
                measure.with_(at)


def test_judgments_that_stand_twice_count_once_and_the_first() -> None:
    twice = Judgments.of(["q", "q", "q"], ["a", "a", "b"], [2, 0, 1])
    found = evaluate(twice, Run.from_dict("run", {"q": ["a"]}), ["DCG", "NumRel"])
    assert found.of("run", "DCG").tolist() == [2]
    assert found.of("run", "NumRel").tolist() == [2]
    # a row without a grade never hides one that has it
    first_pooled = Judgments.of(["q", "q", "o"], ["a", "a", "a"], [0, 1, 1], pooled=[True, False, False])
    parts = evaluate(first_pooled, Run.from_dict("run", {"q": ["a"]}), "RR").populations
    assert (parts.unjudged, parts.evaluable) == ((), ("q", "o"))


def test_ids_that_are_not_texts_are_an_error() -> None:
    with pytest.raises(UsageError, match="An id is a text"):
        Judgments.from_dict({"q": {7: 1}})
    with pytest.raises(UsageError, match="An id is a text"):
        Run.from_dict("run", {7: ["a"]})


def test_two_runs_of_one_name_and_none_at_all_are_errors() -> None:
    judgments, run = Judgments.from_dict({"q": {"a": 1}}), Run.from_dict("run", {"q": ["a"]})
    with pytest.raises(UsageError, match='Two runs are called "run"'):
        evaluate(judgments, [run, run], "RR")
    with pytest.raises(UsageError, match="No run was given"):
        evaluate(judgments, [], "RR")
    with pytest.raises(UsageError, match="No measure was asked for"):
        evaluate(judgments, run, [])


def test_thirty_equal_docs_at_one_score_are_not_told_apart() -> None:
    """They stand in one order and not in 30!; beside them a pair, of which one is relevant, stands in two."""
    docs = [f"d{place}" for place in range(32)]
    grades = dict.fromkeys(docs[:-1], 1)
    scored = Run.from_dict("run", {"q": {doc: 2.0 if place < 30 else 1.0 for place, doc in enumerate(docs)}})
    found = evaluate(
        Judgments.from_dict({"q": grades}),
        scored,
        "AP",
        conventions=Conventions(order="score", ties="average"),
    )
    assert found.of("run", "AP")[0] == pytest.approx((30 + (1 + 31 / 32) / 2) / 31)
