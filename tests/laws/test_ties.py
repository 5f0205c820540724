"""ties=average is the mean over every order in which equal scores could have stood."""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.strategies import EVERY
from rankproof import Conventions, Judgments, Run, evaluate
from rankproof.measures import averaging

AVERAGE = Conventions(order="score", ties="average")
# One that takes docs of equal scores together says the same in every order, and what it says is no mean over orders.
SEEN = [measure for measure in EVERY if measure.sees == "hits" and measure.values.get("step") != "score"]


def orders(scores: Mapping[str, float]) -> Iterator[list[str]]:
    """Every list that a sort by score can give."""
    levels = sorted(set(scores.values()), reverse=True)
    groups = [[doc for doc, score in scores.items() if score == level] for level in levels]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        yield [doc for part in parts for doc in part]


def by_hand(judgments: Judgments, scores: Mapping[str, float]) -> np.ndarray:
    """(n_measures,) the mean of each measure over every order."""
    runs = [Run.from_dict(str(n), {"q": docs}) for n, docs in enumerate(orders(scores))]
    found = evaluate(judgments, runs, SEEN)
    return np.asarray(found.values[:, :, 0].mean(axis=0))


grades = st.lists(st.sampled_from((None, 0, 1, 2, 3)), min_size=5, max_size=5)
levels = st.lists(st.sampled_from((2.0, 1.0)), min_size=5, max_size=5)


@settings(max_examples=10)
@given(grades, levels)
def test_the_average_is_the_mean_over_all_orders(grades: list[int | None], levels: list[float]) -> None:
    judged = {doc: grade for doc, grade in zip("abcde", grades, strict=True) if grade is not None}
    judgments, scores = (
        Judgments.from_dict({"q": judged | {"not shown": 2}}),
        dict(zip("abcde", levels, strict=True)),
    )
    found = evaluate(judgments, Run.from_dict("run", {"q": scores}), SEEN, conventions=AVERAGE)
    for measure, ours, wanted in zip(SEEN, found.values[0, :, 0], by_hand(judgments, scores), strict=True):
        if measure.needs == "kinds" and np.isnan(wanted):
            continue  # in some order the docs within the cutoff are all of one kind, so that it has no value
        assert ours == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True), measure


def test_many_orders_are_drawn_and_near_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    judgments = Judgments.from_dict({"q": {"a": 3, "b": 1, "c": 0, "not shown": 2}})
    scores = dict.fromkeys("abcdef", 1.0)
    run = Run.from_dict("run", {"q": scores})
    exact = evaluate(judgments, run, SEEN, conventions=AVERAGE)
    monkeypatch.setattr(averaging, "FEW", 1)
    drawn = evaluate(judgments, run, SEEN, conventions=AVERAGE)
    some = 0
    for measure in SEEN:
        one, other = (found.of("run", measure.full_name)[0] for found in (exact, drawn))
        if np.isnan(one):
            assert np.isnan(other)
            continue
        assert other == pytest.approx(one, rel=0.1, abs=0.05), measure
        some += one != other
    assert some > 5  # they were drawn
    again = evaluate(judgments, run, SEEN, conventions=AVERAGE)
    np.testing.assert_array_equal(drawn.values, again.values)


def test_a_query_has_the_same_average_whichever_queries_are_beside_it() -> None:
    grades = {
        f"q{n}": {f"d{place}": (place * n) % 4 for place in range(1, 9, 2)} | {"d0": 3} for n in (1, 2, 3, 5)
    }
    lists = {query: {f"d{place}": float(place % 2) for place in range(10)} for query in grades}
    together = evaluate(Judgments.from_dict(grades), Run.from_dict("run", lists), SEEN, conventions=AVERAGE)
    for place, query in enumerate(grades):
        apart = evaluate(
            Judgments.from_dict({query: grades[query]}),
            Run.from_dict("run", {query: lists[query]}),
            SEEN,
            conventions=AVERAGE,
        )
        for name in apart.measures:
            ours, alone = together.of("run", name)[place], apart.of("run", name)[0]
            assert ours == pytest.approx(alone, abs=1e-12, nan_ok=True), name


@given(st.lists(st.sampled_from((0, 0, 1, 2)), min_size=5, max_size=5), levels, st.permutations("abcde"))
def test_docs_of_equal_scores_taken_together_have_one_value(
    grades: list[int], levels: list[float], other: list[str]
) -> None:
    judgments = Judgments.from_dict({"q": dict(zip("abcde", grades, strict=True)) | {"not shown": 2}})
    scores = dict(zip("abcde", levels, strict=True))
    runs = [
        Run.from_dict(name, {"q": {doc: scores[doc] for doc in docs}})
        for name, docs in (("one", "abcde"), ("other", other))
    ]
    found = evaluate(judgments, runs, "AP(step=score)", conventions=AVERAGE)
    assert found.values[0] == pytest.approx(found.values[1])


def test_ranks_that_are_cut_off_still_say_who_decides() -> None:
    """A rank that repeats below the depth leaves the order to the scores, and so equal scores to chance."""
    judgments = Judgments.from_dict({"q": {"a": 1}})
    run = Run.of("r", ["q"] * 4, ["b", "a", "c", "d"], rank=[1, 2, 3, 1], score=[2.0, 2.0, 1.0, 0.0])
    for depth in (2, 3, None):
        found = evaluate(judgments, run, "RR", conventions=Conventions(ties="average", depth=depth))
        assert found.mean("r", "RR").value == 0.75
