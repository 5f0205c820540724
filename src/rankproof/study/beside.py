"""What some measures look at beside judgments and runs, as rows of a record, and back."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from rankproof.tables.attributes import Document, Documents
from rankproof.tables.known import History
from rankproof.tables.run import Run

Row = dict[str, Any]


def document_rows(documents: Documents) -> Iterator[Row]:
    """The documents without their texts; attributes only where a doc has them."""
    vectors = [None] * len(documents) if documents.vectors is None else documents.vectors.tolist()
    for document, vector in zip(documents.rows, vectors, strict=True):
        row = {k: v for k, v in asdict(document).items() if k != "text"}
        known = vector and vector[0] == vector[0]  # not NaN
        attributes = {name: row.pop(name) for name in ("categories", "group", "popularity")}
        attributes["vector"] = vector if known else None
        yield {"kind": "document", **row, **{k: v for k, v in attributes.items() if v not in ((), "", None)}}


def documents_of(rows: Sequence[Row], source: str) -> Documents:
    """The documents again, without their texts."""
    taken = {"kind", "categories", "vector"}
    found = tuple(
        Document(
            **{k: v for k, v in row.items() if k not in taken}, categories=tuple(row.get("categories", ()))
        )
        for row in rows
    )
    width = max((len(row["vector"]) for row in rows if "vector" in row), default=0)
    vectors = [row.get("vector", [np.nan] * width) for row in rows]
    return Documents(found, source, np.array(vectors, np.float64) if width else None)


def history_rows(history: History | None) -> Iterator[Row]:
    """What each user met before, a pair a row."""
    if history is not None:
        for query, doc in zip(history.query.texts(), history.doc.texts(), strict=True):
            yield {"kind": "met", "query_id": query, "doc_id": doc}


def history_of(rows: Sequence[Row], source: str | None) -> History | None:
    """The history again; None where there was none."""
    if source is None:
        return None
    return History.of([row["query_id"] for row in rows], [row["doc_id"] for row in rows], source)


def expected_rows(run: Run | None) -> Iterator[Row]:
    """What users expect: the lists of a run that is not compared."""
    if run is not None:
        for i, (query, doc) in enumerate(zip(run.query.texts(), run.doc.texts(), strict=True)):
            row: Row = {"kind": "expected", "query_id": query, "doc_id": doc}
            if run.rank is not None:
                row["rank"] = int(run.rank[i])
            if run.score is not None:
                row["score"] = plain_score(float(run.score[i]))
            yield row


def expected_of(rows: Sequence[Row], source: str | None) -> Run | None:
    """The run again that displays what users expect; None where there was none."""
    if source is None:
        return None
    return Run.of(
        "expected",
        [row["query_id"] for row in rows],
        [row["doc_id"] for row in rows],
        rank=[row["rank"] for row in rows] if rows and "rank" in rows[0] else None,
        score=[float(row["score"]) for row in rows] if rows and "score" in rows[0] else None,
    )


def plain_score(score: float) -> float | str:
    """A score as JSON has it; what JSON has no number for is a text."""
    return score if score - score == 0 else str(score)
