"""Ranks that repeat, begin at 0, skip a place, or contradict the scores."""

from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

JUDGMENTS = Judgments.of(["q1", "q2"], ["a", "a"], [2, 1])
RANK_CODES = ("rank-not-strict", "rank-from-zero", "rank-gap", "rank-against-score")


def run(ranks: dict[str, list[int]], scores: list[float] | None = None) -> Run:
    query = [q for q, rank in ranks.items() for _ in rank]
    doc = [f"d{n}" for n in range(len(query))]
    return Run.of("A", query, doc, rank=[n for rank in ranks.values() for n in rank], score=scores)


def told(rows: list) -> list[tuple]:
    return [(row.code, row.severity, row.run, row.query_id, row.facts["queries"]) for row in rows]


def test_a_clean_rank_column_gives_no_finding(found) -> None:
    clean = run({"q1": [1, 2, 3], "q2": [2, 1]}, [3.0, 2, 1, 1, 2])
    assert [row for code in RANK_CODES for row in found(code, JUDGMENTS, clean)] == []
    without = Run.from_dict("A", {"q1": {"a": 1.0, "b": 2.0}})
    assert [row for code in RANK_CODES for row in found(code, JUDGMENTS, without)] == []


def test_ranks_that_repeat_or_are_all_zero(found) -> None:
    repeating = run({"q2": [0, 0], "q1": [1, 1, 2], "q3": [1, 2]}, [1.0, 2, 1, 2, 3, 2, 1])
    rows = found("rank-not-strict", JUDGMENTS, repeating)
    assert told(rows) == [("rank-not-strict", "warning", "A", "", ("q2", "q1"))]
    assert rows[0].count == 2
    assert "there the scores decide" in str(rows[0].message)
    assert [found(code, JUDGMENTS, repeating) for code in RANK_CODES[1:]] == [[], [], []]


def test_repeating_ranks_only_inform_where_scores_decide_anyway(found) -> None:
    (row,) = found(
        "rank-not-strict", JUDGMENTS, run({"q1": [0, 0]}, [2.0, 1]), conventions=Conventions(order="score")
    )
    assert row.severity == "info"


def test_without_scores_the_lines_decide(found) -> None:
    (row,) = found("rank-not-strict", JUDGMENTS, run({"q1": [0, 0]}))
    assert "the order of the lines decides" in str(row.message)


def test_ranks_from_zero(found) -> None:
    rows = found("rank-from-zero", JUDGMENTS, run({"q1": [0, 1, 2], "q2": [1, 2], "q3": [1, 0]}))
    assert told(rows) == [("rank-from-zero", "info", "A", "", ("q1", "q3"))]


def test_ranks_that_skip_a_place_at_the_top_or_within(found) -> None:
    rows = found("rank-gap", JUDGMENTS, run({"q1": [1, 2, 4], "q2": [2, 3], "q3": [1, 2], "q4": [0, 1]}))
    assert told(rows) == [("rank-gap", "info", "A", "", ("q1", "q2"))]


def test_ranks_that_contradict_the_scores(found) -> None:
    against = run({"q1": [1, 2], "q2": [2, 1], "q3": [1, 2]}, [5.0, 9.0, 5.0, 9.0, 7.0, 7.0])
    rows = found("rank-against-score", JUDGMENTS, against)
    assert told(rows) == [("rank-against-score", "warning", "A", "", ("q1",))]
    assert str(rows[0].message).endswith("; the ranks decide.")
    (row,) = found("rank-against-score", JUDGMENTS, against, conventions=Conventions(order="score"))
    assert str(row.message).endswith("; the scores decide.")


def test_ranks_that_the_reader_set_aside_are_not_told_again(found) -> None:
    spoilt = run({"q1": [-1, -1, -1], "q2": [1, 2]}, [1.0, 2, 3, 2, 1])
    assert [row for code in RANK_CODES for row in found(code, JUDGMENTS, spoilt)] == []
