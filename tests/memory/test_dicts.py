"""Dicts in, numbers out: the same whether docs are only looked up or all laid out in tables."""

from collections import OrderedDict, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY
from memory.strategies import ON_HITS, equal, grades, lists, outcome, told_by_hits
from rankproof import Conventions, Judged, Judgments, Run, UsageError, evaluate
from rankproof.memory import run as in_memory
from rankproof.memory import sorting
from rankproof.memory.dicts import DictRun
from rankproof.tables import scores
from rankproof.tables.hits import Ordering

GRADES = {"q1": {"a": 3, "b": 0, "c": 1}, "q2": {"d": 1}}
SCORES = {"q1": {"a": 0.2, "x": 0.9, "c": 0.9}, "q2": {"e": 1.0, "d": 0.5}}


@pytest.fixture(params=[(1 << 15, 30), (3, 0), (1, 30)], ids=str)
def _sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few docs, and lists that are packed and searched one by one."""
    rows, many = request.param
    monkeypatch.setattr(in_memory, "ROWS", rows)
    monkeypatch.setattr(sorting, "MANY", many)
    monkeypatch.setattr(scores, "LONG", many)


@pytest.mark.usefixtures("_sizes")
class TestLaws:
    @given(st.data(), grades(), told_by_hits())
    def test_looked_up_or_laid_out(
        self, data: st.DataObject, judged: dict[str, Any], chosen: Conventions
    ) -> None:
        run = data.draw(lists(judged))
        tables = outcome(judged, run, ON_HITS, conventions=chosen)
        equal(outcome(judged, run, ON_HITS, conventions=chosen, keep=False), tables)
        equal(outcome(Judged.of(judged), run, ON_HITS, conventions=chosen, keep=False), tables)
        table = Judgments.from_dict(judged)
        equal(outcome(table, Run.from_dict("run", run), ON_HITS, conventions=chosen), tables)

    @given(st.data(), grades(), told_by_hits())
    def test_several_runs(self, data: st.DataObject, judged: dict[str, Any], chosen: Conventions) -> None:
        runs = {name: data.draw(lists(judged)) for name in ("one", "other")}
        measures = data.draw(st.lists(st.sampled_from(EVERY), min_size=1, max_size=5))
        tables = outcome(judged, runs, measures, conventions=chosen)
        equal(outcome(judged, runs, measures, conventions=chosen, keep=False), tables)
        equal(
            outcome(Judged.of(judged), list(runs.items()), measures, conventions=chosen, keep=False), tables
        )


def test_judgments_made_ready_serve_any_run() -> None:
    judged = Judged.of(GRADES)
    for run in (SCORES, {"q2": ["d"]}, {"q1": {"a": 1}}):
        for conventions in (Conventions(), Conventions(rel=2), Conventions(ties="doc_id_desc")):
            equal(
                evaluate(judged, run, ON_HITS, conventions=conventions, keep=False),
                evaluate(GRADES, run, ON_HITS, conventions=conventions),
            )


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("judged", [Judged.of(GRADES), Judged.of(Judgments.from_dict(GRADES))])
def test_judgments_made_ready_serve_a_run_that_is_a_table(judged: Judged, keep: bool) -> None:
    run = Run.from_dict("A", SCORES)
    found = evaluate(judged, run, "nDCG@10", keep=keep)
    assert found.values.tolist() == evaluate(GRADES, run, "nDCG@10").values.tolist()


@pytest.mark.parametrize(
    "chosen", [{"duplicates": "keep"}, {"unjudged": "error"}, {"negative_grades": "error"}, {"ties": "error"}]
)
def test_hits_stop_at_conventions_that_they_cannot_tell(chosen: dict[str, str]) -> None:
    judged, conventions = Judged.of(GRADES), Conventions(**chosen)  # type: ignore[arg-type]  # texts that are known
    hits = DictRun("A", {"q1": ["a", "x", "a"]}).hits(judged, Ordering.of(conventions))
    with pytest.raises(UsageError, match="conventions look at more"):
        evaluate(judged, hits, "P@3", conventions=conventions)


def test_dicts_become_tables_where_everything_is_kept() -> None:
    found = evaluate(Judged.of(GRADES), SCORES, "nDCG@10")
    assert found.list_of("run", "nDCG@10").docs(0) == ["x", "c", "a"]
    assert evaluate(GRADES, SCORES, "nDCG@10", keep=False).lists == {}


@pytest.mark.parametrize(
    "chosen", [{"duplicates": "keep"}, {"ties": "error"}, {"unjudged": "error"}], ids=str
)
def test_what_hits_cannot_tell_is_read_from_tables(chosen: dict[str, str]) -> None:
    conventions, run = Conventions(**chosen), {"q1": ["a", "a", "c"], "q2": ["d"]}
    for given_run in (run, SCORES):
        equal(
            outcome(GRADES, given_run, "nDCG@10", conventions=conventions, keep=False),
            outcome(GRADES, given_run, "nDCG@10", conventions=conventions),
        )


def test_a_run_among_tables_becomes_a_table() -> None:
    whole = Run.from_dict("whole", SCORES)
    found = evaluate(GRADES, [whole, ("dict", SCORES)], "AP", keep=False)
    assert found.mean("whole", "AP").value == found.mean("dict", "AP").value


def test_hits_beside_dicts() -> None:
    judged = Judged.of(GRADES)
    hits = DictRun("hits", SCORES).hits(judged, Ordering())
    found = evaluate(judged, [hits, ("dict", SCORES)], "AP", keep=False)
    assert found.mean("hits", "AP").value == found.mean("dict", "AP").value


ORDERED = OrderedDict([("x", 0.9), ("c", 0.9), ("a", 0.2)])
ORDERED.move_to_end("x")


@pytest.mark.parametrize(
    "run",
    [
        {"q1": ORDERED, "q2": defaultdict(float, d=1.0)},
        {"q1": ("x", "c", "a"), "q2": np.array(["d", "e"])},
        defaultdict(dict, SCORES),
    ],
    ids=["scores of other kinds", "lists of other kinds", "a dict with a default"],
)
def test_other_kinds_of_dicts_and_lists(run: Any) -> None:
    equal(outcome(GRADES, run, ON_HITS, keep=False), outcome(GRADES, run, ON_HITS))


@pytest.mark.parametrize("keep", [True, False])
class TestShapes:
    def test_alone(self, keep: bool) -> None:
        assert evaluate(GRADES, SCORES, "AP", keep=keep).runs == ("run",)
        assert evaluate(GRADES, {"q1": [], "q2": ["d"]}, "AP", keep=keep).runs == ("run",)

    def test_several(self, keep: bool) -> None:
        lists_of = {"q1": ["a"], "q2": ["d"]}
        assert evaluate(GRADES, {"old": SCORES, "new": lists_of}, "AP", keep=keep).runs == ("old", "new")
        assert evaluate(GRADES, [("old", SCORES), ("new", lists_of)], "AP", keep=keep).runs == ("old", "new")
        assert evaluate(GRADES, {"old": {"q1": {}, "q2": {"d": 1}}}, "AP", keep=keep).runs == ("old",)

    @pytest.mark.parametrize(
        "runs",
        [
            [SCORES],
            [("a", SCORES), ("a", SCORES)],
            [(1, SCORES)],
            {"q1": "a"},
            {"q1": None},
            {"q1": {"a"}},
            5,
            [],
        ],
        ids=str,
    )
    def test_what_is_no_run(self, runs: Any, keep: bool) -> None:
        with pytest.raises(UsageError):
            evaluate(GRADES, runs, "AP", keep=keep)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    "score", [None, "0.5", True, False, np.True_, 1j, 10**400, [1.0]], ids=lambda score: repr(score)[:9]
)
def test_a_score_that_is_no_number(score: Any, keep: bool) -> None:
    run = {"q1": {"a": 1.0, "c": 0.5}, "q2": {"e": 2.0, "d": score}}
    with pytest.raises(UsageError, match=r"query q2: the score of doc d is"):
        evaluate(GRADES, run, "AP", keep=keep)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    ("judgments", "run", "seen"),
    [
        (GRADES, {"q1": {7: 1.0}}, "7 is int"),
        (GRADES, {"q1": ["a", b"c"]}, "b'c' is bytes"),
        (GRADES, {1: ["a"], "q1": ["a"]}, "1 is int"),
        ({1: {"a": 1}}, SCORES, "1 is int"),
        ({"q1": {"a": 1, 3: 1}}, SCORES, "3 is int"),
    ],
)
def test_an_id_that_is_no_text(judgments: Any, run: Any, seen: str, keep: bool) -> None:
    with pytest.raises(UsageError, match=f"An id is a text, but {seen}"):
        evaluate(judgments, run, "AP", keep=keep)


@pytest.mark.parametrize("grade", [0.5, True, None, "1", 2**70, float("nan")], ids=repr)
def test_a_grade_that_is_no_whole_number(grade: Any) -> None:
    judgments = {"q1": {"a": 1, "b": grade}}
    refused = [outcome(judgments, SCORES, "AP", keep=keep) for keep in (True, False)]
    assert refused[0] == refused[1]
    assert "The grade of doc b for query q1" in str(refused[0])


def test_grades_of_other_kinds_of_whole_numbers() -> None:
    judgments = {"q1": {"a": np.int8(3), "b": 0.0, "c": -2}, "q0": {}, "q": {}}
    equal(outcome(judgments, SCORES, ON_HITS, keep=False), outcome(judgments, SCORES, ON_HITS))
    assert Judged.of(judgments).queries == ("q1", "q", "q0")


def test_nothing_judged() -> None:
    assert outcome({}, SCORES, "AP", keep=False) == outcome({}, SCORES, "AP")
    assert outcome(GRADES, {"q9": ["a"]}, "AP", keep=False) == outcome(GRADES, {"q9": ["a"]}, "AP")


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("judged", [None, ["a", "b"], {"a"}, 3], ids=repr)
def test_judgments_of_a_query_are_a_dict(judged: object, keep: bool) -> None:
    with pytest.raises(UsageError, match="expected a dict of grades"):
        evaluate({"q": judged}, {"q": {"a": 1.0}}, "AP", keep=keep)


@pytest.mark.parametrize("keep", [True, False])
def test_a_run_in_a_dict_stands_beside_judgments_in_a_frame(keep: bool) -> None:
    graded = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "grade": [1]})
    for shown in ({"q": ["b", "a"]}, {"q": {"a": 1.0, "b": 2.0}}, {"run": {"q": ["b", "a"]}}):
        assert evaluate(graded, shown, "RR", keep=keep).mean("run", "RR").value == 0.5
