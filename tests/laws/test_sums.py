"""Every value is a sum that a person can follow with a pencil: the terms shown are the ones added up."""

import numpy as np
from hypothesis import given, settings

from laws.strategies import EVERY, Case, cases, conventions
from rankproof import Conventions, Judgments, Measurements, Run, evaluate, explain, parse_measure
from rankproof.measures.naming import measure_called

# A sum over what was displayed; the others may be over the best possible list, or no sum over docs at all.
OVER_THE_LIST = {
    "nDCG",
    "DCG",
    "CG",
    "AP",
    "RR",
    "P",
    "R",
    "Rprec",
    "Success",
    "ERR",
    "RBP",
    "Bpref",
    "Judged",
}


@settings(max_examples=15)
@given(cases(), conventions)
def test_the_terms_give_the_value(case: Case, chosen: Conventions) -> None:
    found = case.measured(EVERY, chosen)
    for measure in found.measures:
        name = parse_measure(measure).name
        for place, query in enumerate(found.queries):
            told = explain(found, "run", query, measure)
            value = found.of("run", measure)[place]
            assert (told.value is None) == bool(np.isnan(value)) == bool(told.reason)
            assert {(term.grade is None) == bool(term.note) for term in told.terms} <= {True}
            assert {term.term is None for term in told.terms} <= {not told.over_the_list}
            if told.over_the_list and (told.terms or name in OVER_THE_LIST):
                running = 0.0
                for term in told.terms:
                    running += term.term
                    assert term.running == running
                assert running == told.added
            else:
                assert name not in OVER_THE_LIST
                assert {term.running for term in told.terms} <= {None}
            if told.value is not None and not settled_otherwise(found, measure, query):
                divided = told.added / told.divisor if told.divisor else 0.0
                assert told.value == divided
            if told.ideal:
                assert told.ideal[-1].running == (told.divisor if name == "nDCG" else told.added)


def settled_otherwise(found: Measurements, measure: str, query: str) -> bool:
    """True where a convention, not the sum, gives the value: of a query that lacks what the measure needs."""
    place = found.queries.index(query)
    row = measure_called(measure, found.conventions)
    return not row.defined(found.rankings["run", measure])[place] or query not in found.populations.evaluable


@given(cases(), conventions)
def test_the_list_is_the_one_displayed(case: Case, chosen: Conventions) -> None:
    found = case.measured(EVERY[:1], chosen)
    for query in case.grades:
        told = explain(found, "run", query)
        docs = [term.doc_id for term in told.terms]
        assert [term.rank for term in told.terms] == list(range(1, len(docs) + 1))
        assert set(docs) <= set(case.shown.get(query, ()))
        if chosen == Conventions() and case.style in ("ranks", "both", "neither"):
            assert docs == list(case.shown.get(query, ()))
        for term in told.terms:
            grade = case.grades[query].get(term.doc_id)
            if grade is None or (grade < 0 and chosen.negative_grades == "pooled"):
                assert (term.grade, term.note) == (None, "unjudged" if grade is None else "pooled")
            else:
                assert (term.grade, term.note) == (max(grade, 0), "")


def test_a_sum_over_another_list_is_not_laid_over_the_one_displayed() -> None:
    # every judged doc is displayed, so the ideal list is as long as the list displayed
    judgments = Judgments.from_dict({"q": {"a": 0, "b": 3}})
    found = evaluate(judgments, Run.from_dict("run", {"q": ["a", "b"]}), ["IDCG", "NumRel", "NumRet"])
    for measure, added in (("IDCG", 3.0), ("NumRel", 1.0), ("NumRet", 2.0)):
        told = explain(found, "run", "q", measure)
        assert told.added == told.value == added
        assert [(term.term, term.running) for term in told.terms] == [(None, None)] * 2, measure
    for measure, term in (("IDCG", 3.0), ("NumRel", 1.0)):
        ideal = explain(found, "run", "q", measure).ideal  # down to the last place that adds something
        assert [(one.grade, one.term) for one in ideal] == [(3, term)]


def test_a_depth_cuts_the_table_and_not_the_sum() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1, "b": 3, "c": 2}})
    found = evaluate(judgments, Run.from_dict("run", {"q": ["a", "b", "c"]}), "nDCG")
    told, whole = explain(found, "run", "q", depth=1), explain(found, "run", "q")
    assert [term.doc_id for term in told.terms] == ["a"]
    assert len(told.ideal) == 1
    assert (told.added, told.divisor, told.value) == (whole.added, whole.divisor, whole.value)
