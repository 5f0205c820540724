"""A measure by several raters is the mean of the measure by each of them."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases
from rankproof import Conventions, Judgments, conventions_of, evaluate
from rankproof.alignment import align
from rankproof.engines.local import measure_batches, measure_one
from rankproof.measures.settings import EMPTY
from rankproof.seeing import Seeing
from rankproof.tables.rankings import Rankings

# Every third of them, with what a convention decides left open.
BY_RATERS = [
    replace(m, values={k: v for k, v in m.values.items() if k != EMPTY.name} | {"raters": "mean"})
    for m in EVERY[::3]
    if m.every_setting != m.settings
]
TOP = 100  # the highest grade that a case has
CONVENTIONS = (
    Conventions(),
    conventions_of("trec_eval", missing="zero"),
    Conventions(order="score", ties="pessimistic", unjudged="condense"),
    Conventions(order="score", ties="average"),
    Conventions(ideal="candidates", no_relevant="one"),
)


@st.composite
def opinions(draw: st.DrawFn) -> tuple[Case, list[dict[str, dict[str, int]]]]:
    """A case, and what each of two or three raters thinks of its docs."""
    case = draw(cases(answered=True))
    first = {q: {d: g for d, g in docs.items() if g >= 0} for q, docs in case.grades.items()}
    grade = st.sampled_from((0, 1, 2, 5))
    others = [
        {q: {d: draw(grade) for d in docs if draw(st.booleans())} for q, docs in first.items()}
        for _ in range(draw(st.integers(1, 2)))
    ]
    return case, [first, *others]


def joined(raters: list[dict[str, dict[str, int]]]) -> Judgments:
    rows = [
        (q, d, g, f"r{n}") for n, one in enumerate(raters) for q, docs in one.items() for d, g in docs.items()
    ]
    query, doc, grade, rater = zip(*rows, strict=True)
    return Judgments.of(query, doc, grade, details={"rater": rater}, also=raters[0])


def seen(judgments: Judgments, case: Case, chosen: Conventions, queries: list[str]) -> Rankings:
    """What the measures by several raters see."""
    measures = [measure.under(chosen) for measure in BY_RATERS]
    seeing = Seeing.of(measures, judgments, None, queries, chosen, TOP)
    laid = align(judgments, case.run, chosen, queries, top_grade=TOP)
    return seeing.over(laid, case.run, [case.run]).rankings


@given(opinions(), st.sampled_from(CONVENTIONS))
def test_the_mean_over_raters(
    given_: tuple[Case, list[dict[str, dict[str, int]]]], chosen: Conventions
) -> None:
    case, raters = given_
    queries = list(raters[0])
    together = seen(joined(raters), case, chosen, queries)
    each = [
        align(Judgments.from_dict(one), case.run, chosen, queries, top_grade=TOP).rankings for one in raters
    ]
    for measure in (one.under(chosen) for one in BY_RATERS):
        plain = measure.with_(raters="first")
        least = max(measure.range[0] or 0.0, 0.0)
        undefined = {"null": np.nan, "zero": least, "one": 1.0}[chosen.no_relevant]
        values = np.array([np.where(plain.defined(r), plain.of(r).value, undefined) for r in each])
        defined = np.array([plain.defined(r) for r in each])
        for n, one in enumerate(raters):
            values[n, [not docs for docs in one.values()]] = np.nan  # who judged nothing is no rater
            defined[n, [not docs for docs in one.values()]] = False
        here = defined.any(axis=0)
        np.testing.assert_array_equal(measure.defined(together), here, err_msg=str(measure))
        np.testing.assert_allclose(
            measure.of(together).value[here],
            np.nanmean(values[:, here], axis=0),
            rtol=1e-12,
            err_msg=str(measure),
        )


@given(opinions(), st.sampled_from(CONVENTIONS), st.integers(1, 9))
def test_queries_together_apart_and_in_batches(
    given_: tuple[Case, list[dict[str, dict[str, int]]]], chosen: Conventions, rows: int
) -> None:
    case, raters = given_
    measures = [measure.under(chosen) for measure in BY_RATERS]
    r = seen(joined(raters), case, chosen, list(raters[0]))
    batches = measure_batches(measures, r, rows=rows)
    for measure, batch in zip(measures, batches, strict=True):
        whole = measure_one(measure, r)
        apart = [measure_one(measure, r.part(q, q + 1)) for q in range(r.n_queries)]
        np.testing.assert_array_equal(whole.value, batch.value, err_msg=measure.full_name)
        np.testing.assert_array_equal(whole.value, np.concatenate([one.value for one in apart]))
        np.testing.assert_array_equal(whole.defined, np.concatenate([one.defined for one in apart]))


@given(cases())
def test_one_rater_alone_is_the_measure_itself(case: Case) -> None:
    plain = [m.with_(raters="first") for m in BY_RATERS]
    by, first = case.measured(BY_RATERS), case.measured(plain)
    np.testing.assert_allclose(by.values, first.values, rtol=1e-14)


@given(cases(), st.data())
def test_subtopics_change_nothing_for_who_does_not_look_at_them(case: Case, data: st.DataObject) -> None:
    """Each rater's highest grade of a doc counts, in whatever row it stands."""
    rows = [(q, d, g) for q, docs in case.grades.items() for d, g in docs.items() if g >= 0]
    lower = [(q, d, data.draw(st.integers(0, g))) for q, d, g in rows]
    both = data.draw(st.permutations([*((*row, "high") for row in rows), *((*row, "low") for row in lower)]))
    query, doc, grade, subtopic = zip(*both, strict=True)
    raters = {"rater": ["r"] * len(both)}
    parted = Judgments.of(query, doc, grade, details=raters, also=case.grades, subtopic=subtopic)
    plain = Judgments.from_dict(
        {q: {d: g for d, g in docs.items() if g >= 0} for q, docs in case.grades.items()}
    )
    measures = BY_RATERS[::5]
    found, expected = (evaluate(one, case.run, measures) for one in (parted, plain))
    for measure in found.measures:
        places = [found.queries.index(query) for query in expected.queries]
        np.testing.assert_array_equal(found.of("run", measure)[places], expected.of("run", measure))
