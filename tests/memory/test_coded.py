"""Codes in, numbers out: the same as for the texts of the codes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.strategies import ON_HITS, SCORES, equal, outcome, told_by_hits
from rankproof import CodedRun, Conventions, Judged, Judgments, Run, UsageError, evaluate
from rankproof.memory import coded
from rankproof.memory import run as in_memory

NUMBERS = (0, 1, 2, 3, 9, 10, 11, 2**41, 2**62 - 1)
FEW = st.sampled_from((0, 1, 2, 7, 10))


@pytest.fixture(params=[(1 << 16, 1 << 40), (3, 4)], ids=str)
def _sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few docs, and few codes that can be put beside the number of a list."""
    rows, largest = request.param
    monkeypatch.setattr(in_memory, "ROWS", rows)
    monkeypatch.setattr(coded, "LARGEST", largest)


@st.composite
def columns(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Judgments as columns, in any order and with repeats; the query 2 can be evaluated."""
    row = st.tuples(FEW, st.sampled_from(NUMBERS), st.sampled_from((-1, 0, 0, 1, 1, 2, 3)))
    rows = [*draw(st.lists(row, max_size=20)), (2, 5, 3)]
    rows = draw(st.permutations(rows))
    return tuple(list(column) for column in zip(*rows, strict=True))  # type: ignore[return-value]  # three columns


def table(rows: tuple[list[int], list[int], list[int]]) -> Judgments:
    """The same in texts."""
    query, doc, grade = rows
    pooled = [one < 0 for one in grade]
    return Judgments.of(list(map(str, query)), list(map(str, doc)), grade, pooled=pooled)


@pytest.mark.usefixtures("_sizes")
class TestLaws:
    @given(st.data(), columns(), told_by_hits())
    def test_columns(self, data: st.DataObject, rows: Any, chosen: Conventions) -> None:
        shown = data.draw(st.lists(st.tuples(FEW, st.sampled_from((*NUMBERS, 5))), max_size=20))
        query, doc = [q for q, _ in shown] + [2], [d for _, d in shown] + [11]
        score = data.draw(
            st.none() | st.lists(st.sampled_from(SCORES), min_size=len(query), max_size=len(query))
        )
        score = None if score is None else np.array(score, np.float64)
        judged, run = Judged.of_codes(*rows), CodedRun.of("run", query, doc, score)
        places = dict.fromkeys(query, 0)
        rank = [places.update({one: places[one] + 1}) or places[one] for one in query]
        whole = Run.of(
            "run",
            list(map(str, query)),
            list(map(str, doc)),
            rank=rank if score is None else None,
            score=score,
        )
        tables = outcome(table(rows), whole, ON_HITS, conventions=chosen)
        equal(outcome(judged, run, ON_HITS, conventions=chosen, keep=False), tables)
        equal(outcome(judged, run, ON_HITS, conventions=chosen), tables)
        equal(outcome(table(rows), run, ON_HITS, conventions=chosen, keep=False), tables)

    @given(st.data(), columns(), told_by_hits())
    def test_padded(self, data: st.DataObject, rows: Any, chosen: Conventions) -> None:
        codes = data.draw(st.permutations((0, 1, 2, 7, 8)))
        row = st.lists(st.sampled_from((-1, -1, *NUMBERS)), min_size=4, max_size=4)
        docs = np.array([data.draw(row) for _ in codes])
        score = data.draw(st.none() | st.just(np.round(np.sin(docs), 1)))
        run = CodedRun.padded("run", docs, query=codes, score=score)
        lists = {str(q): [d for d in row if d >= 0] for q, row in zip(codes, docs.tolist(), strict=True)}
        if score is None:
            whole: Any = {query: list(map(str, row)) for query, row in lists.items()}
        else:
            whole = CodedRun.of(
                "run",
                [int(q) for q, row in lists.items() for _ in row],
                [d for row in lists.values() for d in row],
                score[docs >= 0],
            )
            if not all(lists.values()):
                return  # columns cannot say that a list is empty
        equal(
            outcome(Judged.of_codes(*rows), run, ON_HITS, conventions=chosen, keep=False),
            outcome(table(rows), whole, ON_HITS, conventions=chosen),
        )


JUDGED = Judged.of_codes([0, 0, 1], [4, 5, 6], [1, 0, 2])


@pytest.mark.parametrize("names", [["ann", "bob"], {0: "ann", 1: "bob"}], ids=["in order", "by code"])
def test_names_of_queries(names: Any) -> None:
    judged = Judged.of_codes([0, 0, 1], [4, 5, 6], [1, 0, 2], names=names)
    run = CodedRun.of("run", [1, 0, 3], [6, 4, 4])
    for keep in (True, False):
        found = evaluate(judged, run, "P@1", keep=keep)
        assert found.queries == ("ann", "bob")
        assert found.populations.runs["run"].extra == ("3",)
        assert found.of("run", "P@1").tolist() == [1.0, 1.0]


def test_no_text_of_a_doc_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged.of_codes([0, 0, 1], [4, 5, 6], [1, 0, 2])

    def texts() -> None:
        raise AssertionError("somebody asked for texts")

    monkeypatch.setattr(type(judged.docs), "texts", lambda _: texts())
    run = CodedRun.padded("run", [[5, 4], [6, 4]], score=[[0.5, 0.5], [0.2, 0.1]])
    assert evaluate(judged, run, "RR", keep=False).of("run", "RR").tolist() == [0.5, 1.0]


def test_judgments_keep_their_columns() -> None:
    doc = np.array([4, 5, 6])
    judged = Judged.of_codes(np.array([0, 0, 1]), doc, np.array([1, 0, 2]))
    doc[:] = 9
    assert judged.docs.texts() == ["4", "5", "6"]


def test_codes_beside_dicts_of_texts() -> None:
    runs = [CodedRun.of("codes", [0, 0], [5, 4]), ("dict", {"0": ["5", "4"]})]
    for keep in (True, False):
        found = evaluate(JUDGED, runs, "RR", keep=keep)
        assert found.mean("codes", "RR").value == found.mean("dict", "RR").value == 0.25


@pytest.mark.parametrize(
    "make",
    [
        lambda: Judged.of_codes([0.5], [1], [1]),
        lambda: Judged.of_codes([0], [-1], [1]),
        lambda: Judged.of_codes([0], [1, 2], [1]),
        lambda: Judged.of_codes([0], [1], [0.5]),
        lambda: Judged.of_codes(["a"], [1], [1]),
        lambda: Judged.of_codes([0, 1], [1, 1], [1, 1], names=["a", "a"]),
        lambda: CodedRun.of("run", [0], [1], ["x"]),
        lambda: CodedRun.of("run", [0], [2**62]),
        lambda: CodedRun.of("run", [True], [1]),
        lambda: CodedRun.padded("run", [1, 2]),
        lambda: CodedRun.padded("run", [[1, 2]], score=[[1.0]]),
        lambda: CodedRun.padded("run", [[1], [2]], query=[0, 0]),
        lambda: CodedRun.padded("run", [[1], [2]], query=[0]),
        lambda: CodedRun.padded("run", [[1.5], [2.5]]),
    ],
)
def test_what_is_no_column(make: Any) -> None:
    with pytest.raises(UsageError):
        make()


@pytest.mark.parametrize(
    ("query", "starts"),
    [([0, 0], [0, 1, 2]), ([0], [0, 99]), ([0], [0]), ([0, 1], [5, -3, 2]), ([0, 1], [0, 2, 1])],
)
def test_lists_that_cannot_be(query: list[int], starts: list[int]) -> None:
    with pytest.raises(UsageError):
        CodedRun("r", np.array(query), np.array(starts), np.array([10, 20]))
