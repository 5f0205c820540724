"""What must not matter: how queries are cut into batches, in which order anything comes, how ids are spelt."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases, conventions, same
from rankproof import Conventions, Judgments, Measure, conventions_of, evaluate
from rankproof.alignment import align
from rankproof.engines.local import Measured, measure_batches, measure_one
from rankproof.errors import NothingToEvaluate


def equal(one: Measured, other: Measured, measure: Measure) -> None:
    for mine, theirs in zip(one[:3], other[:3], strict=True):
        np.testing.assert_array_equal(mine, theirs, err_msg=measure.full_name)


@given(cases(), conventions, st.integers(1, 40))
def test_queries_together_apart_and_in_batches(case: Case, chosen: Conventions, rows: int) -> None:
    rankings = align(case.judgments, case.run, chosen).rankings
    together = [measure_one(measure, rankings) for measure in EVERY]
    for size in (1, rows, 10**6):
        for measure, one, other in zip(
            EVERY, together, measure_batches(EVERY, rankings, rows=size), strict=True
        ):
            equal(one, other, measure)
    alone = [rankings.part(q, q + 1) for q in range(rankings.n_queries)]
    for measure, one in zip(EVERY, together, strict=True):
        apart = [measure_one(measure, part) for part in alone]
        equal(one, Measured(*(np.concatenate([part[i] for part in apart]) for i in range(3))), measure)


@given(cases())
def test_queries_evaluated_one_by_one(case: Case) -> None:
    top = case.judgments.top_grade  # the scale must be the same, as a rubric would give it
    measures = [m.with_(**{s.name: top for s in m.settings if s.name == "max_grade"}) for m in EVERY]
    found = case.measured(measures)
    for query, docs in case.grades.items():
        one = Judgments.from_dict({query: docs})
        try:
            alone = evaluate(one, case.run, measures)
        except NothingToEvaluate:  # without a relevant doc, or with a run of other queries only
            assert query not in found.populations.evaluable or case.run.state(query) == "missing"
            continue
        for measure in found.measures:
            here = found.of("run", measure)[found.queries.index(query)]
            np.testing.assert_array_equal(here, alone.of("run", measure)[0], err_msg=measure)


@given(cases(), conventions, st.data())
def test_the_order_of_judgments(case: Case, chosen: Conventions, data: st.DataObject) -> None:
    rows = [(q, d, g) for q, docs in case.grades.items() for d, g in docs.items()]
    rows = data.draw(st.permutations(rows))
    shuffled = Judgments.of(
        [q for q, _, _ in rows],
        [d for _, d, _ in rows],
        [max(g, 0) for _, _, g in rows],
        pooled=[g < 0 for _, _, g in rows],
        also=case.grades,
    )
    same(case.measured(EVERY, chosen), evaluate(shuffled, case.run, EVERY, conventions=chosen))
    assert shuffled.fingerprint == case.judgments.fingerprint


@given(cases(), conventions, st.data(), st.sampled_from(("ranks", "both")))
def test_the_order_of_a_run_whose_ranks_decide(
    case: Case, chosen: Conventions, data: st.DataObject, style: str
) -> None:
    case = replace(case, style=style)
    if chosen.order == "score" and style == "both":
        chosen = chosen.but(order="displayed")
    order = data.draw(st.permutations(range(len(case.run))))
    shuffled = evaluate(case.judgments, case.run_in(order), EVERY, conventions=chosen)
    same(case.measured(EVERY, chosen), shuffled)


@given(
    cases(style="scores"),
    st.data(),
    st.sampled_from(("doc_id_desc", "doc_id_asc", "optimistic", "pessimistic")),
)
def test_the_order_of_a_run_whose_ties_are_settled(case: Case, data: st.DataObject, ties: str) -> None:
    chosen = Conventions(order="score", ties=ties)
    order = data.draw(st.permutations(range(len(case.run))))
    shuffled = evaluate(case.judgments, case.run_in(order), EVERY, conventions=chosen)
    same(case.measured(EVERY, chosen), shuffled)


@given(cases(min_queries=2), st.data())
def test_the_order_of_queries_and_measures(case: Case, data: st.DataObject) -> None:
    grades = dict(data.draw(st.permutations(list(case.grades.items()))))
    shown = dict(data.draw(st.permutations(list(case.shown.items()))))
    measures = data.draw(st.permutations(EVERY))
    found, again = case.measured(EVERY), replace(case, grades=grades, shown=shown).measured(measures)
    same(found, again)
    for measure in found.measures:
        assert found.mean("run", measure) == again.mean("run", measure)


@given(cases(), conventions)
def test_other_names_of_the_same_order(case: Case, chosen: Conventions) -> None:
    renamed = case.renamed(lambda q: f"query {q}", lambda d: f"doc {d}")
    same(case.measured(EVERY, chosen), renamed.measured(EVERY, chosen), query=lambda q: f"query {q}")


@given(cases(), st.sampled_from((Conventions(), Conventions(order="score"))))
def test_other_names_of_another_order(case: Case, chosen: Conventions) -> None:
    renamed = case.renamed(lambda q: q[::-1] + "'", lambda d: f"{chr(0x10FFFF - ord(d[0]))}{d}")
    same(case.measured(EVERY, chosen), renamed.measured(EVERY, chosen), query=lambda q: q[::-1] + "'")


@given(cases(), conventions)
def test_a_second_time_and_nothing_changed_in_the_inputs(case: Case, chosen: Conventions) -> None:
    judgments, run = case.judgments, case.run
    before = [
        judgments.grade.copy(),
        judgments.query.codes.copy(),
        run.query.codes.copy(),
        run.doc.codes.copy(),
    ]
    first = evaluate(judgments, run, EVERY, conventions=chosen)
    same(first, evaluate(judgments, run, EVERY, conventions=chosen))
    same(first, evaluate(judgments, run, EVERY, conventions=chosen, keep=False))
    after = [judgments.grade, judgments.query.codes, run.query.codes, run.doc.codes]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


@given(cases(min_queries=2))
def test_one_run_does_not_change_another(case: Case) -> None:
    alone = case.measured(EVERY)
    beside = evaluate(case.judgments, [case.run, case.run_in(range(len(case.run)), name="again")], EVERY)
    same(alone, beside)


@given(cases(), st.sampled_from(("trec_eval-9", "trec_eval-10", "rankproof")))
def test_a_measure_asked_alone_is_the_one_asked_among_others(case: Case, dialect: str) -> None:
    chosen = conventions_of(dialect, missing="zero")
    found = case.measured(EVERY, chosen)
    for measure in EVERY[::7]:
        alone = case.measured([measure], chosen)
        (name,) = alone.measures
        np.testing.assert_array_equal(found.of("run", name), alone.of("run", name))
