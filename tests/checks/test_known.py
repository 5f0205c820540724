"""Displayed docs of which something is not known that is known of others."""

import numpy as np

from rankproof.tables.attributes import Document, Documents
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run

JUDGMENTS = Judgments.of(["q1", "q2"], ["a", "b"], [1, 1])
RUN = Run.from_dict("A", {"q1": ["a", "b", "c"], "q2": ["b"]})
ROWS = (Document("a", categories=("x",), group="g", popularity=0.0), Document("b"), Document("c", group="h"))


def test_lines_without_an_attribute_are_counted(found) -> None:
    rows = found("unknown-attribute", JUDGMENTS, RUN, documents=Documents(ROWS))
    told = [
        (str(row.facts["what"]), row.count, row.facts["first_query"], row.facts["first_doc"]) for row in rows
    ]
    # b stands twice and has nothing; c has a group
    assert told == [("categories", 3, "q1", "b"), ("a group", 2, "q1", "b"), ("a popularity", 3, "q1", "b")]
    assert "75.0% of those displayed" in str(rows[0].message)
    assert (rows[0].severity, rows[0].query_id) == ("warning", "")


def test_only_the_ranks_down_to_the_cutoff_are_looked_at(found) -> None:
    rows = found("unknown-attribute", JUDGMENTS, RUN, documents=Documents(ROWS), cutoff=1)
    assert [row.count for row in rows] == [1, 1, 1]  # b, for q2


def test_vectors(found) -> None:
    vectors = np.array([[1.0, 2.0], [0.0, 0.0], [np.nan, np.nan]])
    plain = tuple(Document(row.doc_id) for row in ROWS)
    (row,) = found("unknown-attribute", JUDGMENTS, RUN, documents=Documents(plain, vectors=vectors))
    assert (str(row.facts["what"]), row.count, row.facts["first_doc"]) == ("a vector", 1, "c")


def test_what_no_document_says_is_missed_by_nobody(found) -> None:
    plain = Documents(tuple(Document(row.doc_id) for row in ROWS))
    assert found("unknown-attribute", JUDGMENTS, RUN, documents=plain) == []
    assert found("unknown-attribute", JUDGMENTS, RUN) == []
