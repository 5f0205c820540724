"""What results are made of goes with them, whichever way they are put together, renamed or cut down."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from rankproof import (
    Conventions,
    Judgments,
    Measurements,
    Run,
    Spread,
    compare,
    conventions_of,
    cutoff_profile,
    evaluate,
    explain,
    standardised,
)
from rankproof.comparison import joined
from rankproof.measures import averaging
from rankproof.tables.measurements import BY_MEASURE

JUDGMENTS = Judgments.from_dict({"q": {"a": 1, "b": 0, "x": 0}, "r": {"a": 0, "b": 2}})
RUNS = [
    Run.from_dict("one", {"q": {"x": 1.0, "b": 1.0, "a": 1.0}, "r": {"b": 2.0}}),
    Run.from_dict("two", {"q": {"a": 2.0}, "r": {"a": 2.0, "b": 1.0}}),
]
ASKED = ["0.5*RR@10 + 0.5*P@3", "RR@10", "P@3", "Personalisation@2", "RelString@3", "nDCG"]


@pytest.fixture
def found() -> Measurements:
    """A combination, a measure with an order of its own, a value of the run, a text, and a plain one."""
    return evaluate(JUDGMENTS, RUNS, ASKED, conventions=conventions_of("ir_measures"))


def test_everything_is_there(found: Measurements) -> None:
    assert found.combinations
    assert all(getattr(found, name) for name in BY_MEASURE)


def test_other_names_are_names_of_everything(found: Measurements) -> None:
    renamed = found.called([f"new:{name}" for name in found.measures])
    for name in BY_MEASURE:
        assert {m for _, m in getattr(renamed, name)} == {f"new:{m}" for _, m in getattr(found, name)}
    assert list(renamed.combinations.values()) == [((0.5, "new:RR@10"), (0.5, "new:P@3"))]
    back = renamed.called(found.measures)
    assert list(back.rows()) == list(found.rows())


def test_a_combination_stays_with_its_parts(found: Measurements) -> None:
    assert found.only(["0.5*RR@10 + 0.5*P@3", "RR@10", "P@3"]).combinations == found.combinations
    alone = found.only(["0.5*RR@10 + 0.5*P@3"])
    assert alone.combinations == {}
    assert compare(alone).rows[0].measure == "0.5*RR@10 + 0.5*P@3"
    for name in BY_MEASURE:
        assert {m for _, m in getattr(alone, name)} <= set(alone.measures)


def test_results_that_are_joined_lose_nothing(found: Measurements) -> None:
    apart = [evaluate(JUDGMENTS, run, ASKED, conventions=conventions_of("ir_measures")) for run in RUNS]
    together = joined(apart)
    assert list(together.rows()) == list(found.rows())
    for name in BY_MEASURE:
        assert getattr(together, name).keys() == getattr(found, name).keys()
    for run in found.runs:
        for measure in found.measures:
            if measure != "Personalisation@2":
                assert explain(together, run, "q", measure) == explain(found, run, "q", measure)


def test_standard_scores_leave_what_has_none(found: Measurements) -> None:
    spreads = {(q, m): Spread(0.5, 0.25) for q in found.queries for m in found.measures}
    scores = standardised(found, spreads)
    assert "Personalisation@2" in scores.measures
    assert scores.mean("one", "Personalisation@2") == found.mean("one", "Personalisation@2")
    assert {row.measure for row in compare(scores).rows} >= {"Z(RR@10)", "Z(nDCG)"}


def test_a_profile_says_what_the_measure_says_with_several_raters() -> None:
    judgments = Judgments.of(
        ["q"] * 4, ["a", "b", "a", "b"], [2, 0, 0, 2], details={"rater": ["x", "x", "y", "y"]}
    )
    runs = [Run.from_dict("one", {"q": ["a", "b"]}), Run.from_dict("two", {"q": ["b", "a"]})]
    found = evaluate(judgments, runs, "nDCG(raters=mean)@2")
    profile = cutoff_profile(found, "nDCG(raters=mean)@2", [1, 2])
    told = {row.cutoff: (row.mean_baseline, row.mean_candidate) for row in profile}
    for k, means in told.items():
        each = evaluate(judgments, runs, f"nDCG(raters=mean)@{k}")
        assert means == tuple(mean.value for mean in each.means())


@pytest.mark.parametrize("name", ["AP", "AP@3", "ERR", "nDCG", "Bpref", "G", "RR"])
def test_a_drawn_average_does_not_depend_on_the_order_of_lines(name: str) -> None:
    grades = {f"d{place:02}": (place * 7) % 4 for place in range(12)}
    judgments = Judgments.from_dict({"q": grades})
    chosen = Conventions(order="score", ties="average")
    docs = list(grades)
    orders = [docs, docs[::-1], docs[5:] + docs[:5]]
    values = [
        evaluate(judgments, Run.from_dict("run", {"q": dict.fromkeys(d, 1.0)}), name, conventions=chosen)
        for d in orders
    ]
    assert len({one.mean("run", name).value for one in values}) == 1


def test_where_no_order_matters_none_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> float:
        raise AssertionError("orders were gone through, though all give the same")

    judgments = Judgments.from_dict({"q": {"a": 1, "b": 0, "c": 0, "d": 2}})
    run = Run.from_dict("run", {"q": {"a": 2.0} | dict.fromkeys("bcd", 1.0)})
    chosen = Conventions(order="score", ties="average")
    wanted = {"RR": 1.0, "Success@1": 1.0, "AP(step=score)": (1 + 2 / 4) / 2}
    monkeypatch.setattr(averaging, "_over_all", refuse)
    monkeypatch.setattr(averaging, "_over_draws", refuse)
    found = evaluate(judgments, run, list(wanted), conventions=chosen)
    assert {name: found.mean("run", name).value for name in wanted} == wanted


def test_the_full_list_is_one_of_docs_of_most_worth() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1, "b": 2}})
    name = "nDCG(gain=1=5,2=1, against=full)@2"
    for docs in permutations("ab"):
        found = evaluate(judgments, Run.from_dict("run", {"q": list(docs)}), name)
        assert 0 < found.mean("run", name).value < 1  # 5 and 1, over 5 and 5


def test_distances_are_added_in_one_order_whatever_the_batch() -> None:
    from rankproof import Document, Documents

    rng = np.random.default_rng(1)
    docs = [f"d{place:03}" for place in range(60)]
    known = Documents(
        tuple(
            replace(Document(doc), categories=tuple(f"c{one}" for one in rng.choice(9, 3, replace=False)))
            for doc in docs
        )
    )
    lists = {f"q{place}": [str(one) for one in rng.permutation(docs)[:40]] for place in range(12)}
    judgments = Judgments.from_dict({query: {shown[0]: 1} for query, shown in lists.items()})
    name = "ILD(distance=jaccard)"
    together = evaluate(judgments, Run.from_dict("run", lists), name, documents=known)
    for query, shown in lists.items():
        alone = evaluate(
            Judgments.from_dict({query: {shown[0]: 1}}),
            Run.from_dict("run", {query: shown}),
            name,
            documents=known,
        )
        place = together.queries.index(query)
        assert alone.of("run", name)[0] == together.of("run", name)[place]
