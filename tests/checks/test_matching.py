"""Ids that mean the same and are written differently."""

import pytest

from rankproof.checks.matching import look
from rankproof.tables.attributes import Document, Documents
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

JUDGMENTS = Judgments.of(["1", "2"], ["kb-004", "kb-005"], [1, 1])


def test_ids_that_would_match_if_they_were_written_alike(found) -> None:
    run = Run.from_dict("A", {"01": ["KB-004", "x"], "2.0": [" kb-005"]})
    queries, docs = found("id-mismatch", JUDGMENTS, run)
    assert (queries.severity, queries.run, queries.count, queries.query_id) == ("warning", "A", 2, "")
    assert "2 query ids of run A are unknown" in str(queries.message)
    assert '"01" for "1"' in str(queries.message)
    assert docs.count == 2
    assert docs.facts["pairs"] == ((" kb-005", "kb-005"), ("KB-004", "kb-004"))


def test_two_ids_that_a_run_uses_side_by_side_are_two_ids(found) -> None:
    run = Run.from_dict("A", {"1": ["kb-004", "KB-004"], "2": ["kb-005"]})
    assert found("id-mismatch", JUDGMENTS, run) == []


def test_known_docs_and_strangers_are_no_mismatch(found) -> None:
    documents = Documents((Document("kb-004"), Document("KB-004"), Document("kb-005")))
    run = Run.from_dict("A", {"1": ["KB-004", "z"], "2": ["y"]})
    assert found("id-mismatch", JUDGMENTS, run, documents=documents) == []


def test_queries_of_the_judgments_that_look_alike(found) -> None:
    table = Judgments.of(["reset vpn", "RESET VPN", "other"], ["a", "b", "c"], [1, 1, 1])
    (row,) = found("look-alike-queries", table)
    assert (row.severity, row.count) == ("warning", 1)
    assert '"RESET VPN" and "reset vpn"' in str(row.message)
    assert found("look-alike-queries", JUDGMENTS) == []


@pytest.mark.parametrize(
    ("one", "other"), [("007", "7"), ("7.0", "7"), (" Ab", "aB "), ("ＡＢ１", "ab1"), ("7\u3000", "7")]
)
def test_what_looks_alike(one: str, other: str) -> None:
    assert look(one) == look(other)


def test_what_does_not_look_alike() -> None:
    assert len({look(name) for name in ("kb-4", "kb-04", "kb4", "1.5", "15", "10")}) == 6
