"""Aspects measured together are what they are apart, in one table with one axis of queries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.strategies import CONVENTIONS, Case, cases
from rankproof import (
    Conventions,
    Judgments,
    NothingToEvaluate,
    Question,
    Questions,
    Run,
    UnknownName,
    UsageError,
    audit_aspects,
    compare,
    conventions_of,
    diagnose,
    evaluate,
    evaluate_aspects,
    explain,
    parse_measure,
    read_aspects,
    trec_eval_name,
)
from rankproof.aspects import together

MEASURES = ("nDCG@3", "AP", "Judged@3", "RR")


def thinned(case: Case, keep: int) -> Judgments:
    """The judgments of a case with every third row left out, but for the first; every query stays asked."""
    rows = [(q, d, g) for q, docs in case.grades.items() for d, g in docs.items()]
    first = rows.index(next(row for row in rows if row[2] >= 2))
    left = [row for place, row in enumerate(rows) if place % 3 != keep or place == first]
    grades = {q: {d: g for asked, d, g in left if asked == q} for q in reversed(case.grades)}
    return Judgments.from_dict(grades)


@settings(max_examples=40)
@given(cases(answered=True), st.sampled_from(CONVENTIONS))
def test_together_is_as_apart(case: Case, chosen: Conventions) -> None:
    aspects = {"all": case.judgments, "some of it": thinned(case, 1), "部分": thinned(case, 2)}
    found = evaluate_aspects(aspects, case.run, MEASURES, conventions=chosen)
    assert found.aspects == tuple(aspects)
    assert len(found.measures) == len(aspects) * len(MEASURES)
    for aspect, judgments in aspects.items():
        alone = evaluate(judgments, case.run, MEASURES, conventions=chosen)
        order = [found.queries.index(query) for query in alone.queries]
        for measure in alone.measures:
            name = f"{aspect}:{measure}"
            np.testing.assert_array_equal(
                alone.of("run", measure), found.of("run", name)[order], err_msg=name
            )
            assert alone.mean("run", measure).n == found.mean("run", name).n
            query = alone.queries[0]
            assert explain(alone, "run", query, measure).terms == explain(found, "run", query, name).terms
    batches = evaluate_aspects(aspects, case.run, MEASURES, conventions=chosen, keep=False)
    np.testing.assert_array_equal(batches.values, found.values)
    rows = list(found.rows())
    assert {row["aspect"] for row in rows} == set(aspects)
    assert {row["measure"] for row in rows} == {found.parted(m)[1] for m in found.measures}


CLICK = Judgments.from_dict({"q1": {"A": 1, "B": 0}, "q2": {"C": 1}, "q3": {}})
BUY = Judgments.from_dict({"q3": {"E": 1}, "q1": {"A": 0, "B": 2}, "q2": {}})
ASPECTS = {"click": CLICK, "buy": BUY}
RUNS = [
    Run.from_dict("old", {"q1": ["A", "B"], "q2": ["C"], "q3": ["x", "E"]}),
    Run.from_dict("new", {"q1": ["B", "A"], "q2": ["C"], "q3": ["E"]}),
]


def test_the_populations_are_those_of_all_aspects_together() -> None:
    found = evaluate_aspects(ASPECTS, RUNS, "RR")
    assert found.populations.evaluable == found.queries == ("q1", "q2", "q3")
    assert [found.mean("old", m).n for m in found.measures] == [2, 2]
    assert found.reason("old", "click:RR", "q3") == found.reason("old", "buy:RR", "q2") == "no_judgments"


def test_a_combination_weighs_aspects_and_is_defined_where_all_are() -> None:
    name = "0.5*click:RR + 0.5*buy:RR"
    found = evaluate_aspects(ASPECTS, RUNS, [name, "click:AP"])
    assert found.measures == (name, "click:AP", "click:RR", "buy:RR")
    np.testing.assert_array_equal(found.of("old", name), [0.75, np.nan, np.nan])
    assert found.reason("old", name, "q2") == "no_judgments"
    (told,) = compare(found).weights
    assert (told.n, told.pareto, told.differences) == (1, "trade-off", (-0.5, 0.5))
    assert diagnose(found, compare(found)).measure == "click:RR"
    assert dict(explain(found, "old", "q1", name).parts) == {"click:RR": 1, "buy:RR": 0.5}


def test_a_combination_without_aspects_is_weighed_in_each() -> None:
    found = evaluate_aspects(ASPECTS, RUNS, "0.5*RR + 0.5*AP")
    assert found.measures[:2] == ("0.5*click:RR + 0.5*click:AP", "0.5*buy:RR + 0.5*buy:AP")
    assert [row["aspect"] for row in found.rows(per_query=False)][:2] == [None, None]


def test_names_of_aspects() -> None:
    assert str(parse_measure(" dwell time : ndcg_cut_10 ")) == "dwell time:nDCG@10"
    assert trec_eval_name(parse_measure("click:AP")) == "click:AP"
    assert parse_measure("点击:AP").under(Conventions(rel=2)).full_name == "点击:AP(rel=2)"


def test_wrong_aspects_are_errors() -> None:
    with pytest.raises(UnknownName, match=r'no aspect "clik"\. Did you mean: click'):
        evaluate_aspects(ASPECTS, RUNS, "clik:RR")
    with pytest.raises(UsageError, match="some parts name their aspect and some do not"):
        evaluate_aspects(ASPECTS, RUNS, "0.5*click:RR + 0.5*AP")
    with pytest.raises(UsageError, match="No aspect was given"):
        evaluate_aspects({}, RUNS, "RR")
    with pytest.raises(UsageError, match="No measure was asked for"):
        evaluate_aspects(ASPECTS, RUNS, [])
    with pytest.raises(NothingToEvaluate, match="Aspect buy: None of the 3 queries"):
        evaluate_aspects({"click": CLICK, "buy": Judgments.from_dict({"q1": {"A": 0}})}, RUNS, "RR")


def test_questions_are_those_that_were_given() -> None:
    asked = Questions((Question("q2", tags=("x",)), Question("q1")))
    found = evaluate_aspects(ASPECTS, RUNS, "RR", questions=asked)
    assert (found.queries, found.questions) == (("q2", "q1"), asked)
    assert not len(evaluate_aspects(ASPECTS, RUNS, "RR").questions)


def test_the_version_is_that_of_every_aspect() -> None:
    def digest(aspects: dict[str, Judgments]) -> str:
        return evaluate_aspects(aspects, RUNS, "RR").versions["judgments"]

    assert digest(ASPECTS) == digest(dict(reversed(ASPECTS.items())))
    assert digest(ASPECTS) != digest({"click": BUY, "buy": CLICK})


def test_together_keeps_the_best_grade_of_each_pair() -> None:
    pooled = Judgments.of(["q1", "q4"], ["A", "Z"], [0, 0], pooled=[True, True])
    whole = together({**ASPECTS, "pooled": pooled})
    rows = zip(whole.query.texts(), whole.doc.texts(), whole.grade.tolist(), strict=True)
    assert set(rows) == {("q1", "A", 1), ("q1", "B", 2), ("q2", "C", 1), ("q3", "E", 1), ("q4", "Z", -1)}


@settings(max_examples=15)
@given(cases(answered=True, style="scores"), st.sampled_from(CONVENTIONS[:2]))
def test_what_ties_leave_open_is_told_of_each_aspect(case: Case, chosen: Conventions) -> None:
    aspects = {"all": case.judgments, "some": thinned(case, 1)}
    asked = [parse_measure(name) for name in ("AP", "some:nDCG@3", "0.5*RR + 2*P@1", "all:AP + some:RR")]
    found = audit_aspects(aspects, case.run, measures=asked, conventions=chosen)
    told = [row.facts["means"] for row in found if row.code == "tie-range"]
    ends = [
        evaluate_aspects(aspects, case.run, asked, conventions=chosen.but(order="score", ties=ties))
        for ties in ("pessimistic", "optimistic")
    ]
    means = {
        m: sorted(end.mean("run", m).value for end in ends)
        for m in ends[0].measures[:6]
        if not ("all:" in m and "some:" in m) and ends[0].mean("run", m).n
    }
    open_ = {m: pair for m, pair in means.items() if pair[1] - pair[0] > 5e-5}
    assert {name for one in told for name in one} == set(open_)
    for one in told:
        for name, edges in one.items():
            assert edges == pytest.approx(open_[name], abs=1e-9)


def test_groups_of_names_are_those_of_the_dialect() -> None:
    chosen = conventions_of("trec_eval-10")
    found = evaluate_aspects(ASPECTS, RUNS, "all_trec", conventions=chosen.but(missing="zero"))
    asked = [f"click:{measure}" for measure in evaluate(CLICK, RUNS, "all_trec", conventions=chosen).measures]
    assert [name for name in found.measures if name.startswith("click:")] == asked


def test_findings_say_their_aspect(tmp_path: object) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("query_id,doc_id,click,buy\nq1,A,1,0\nq1,A,0,0\nq2,C,1,1\n", "utf-8")
    aspects, noticed = read_aspects(path, "click,buy")
    run = Run.from_dict("run", {"q1": ["A", "A"], "q2": ["C"]})
    found = [(row.code, row.file.rsplit("/")[-1]) for row in audit_aspects(aspects, run, noticed=noticed)]
    assert sorted(found) == [
        ("conflicting-grades", "labels.csv#click"),
        ("duplicate-doc", ""),
        ("duplicate-judgment", "labels.csv#buy"),
        ("no-relevant", "labels.csv#buy"),
    ]
