"""Queries written down for an example."""

from dataclasses import replace

import numpy as np

from rankproof.tables.rankings import Rankings
from rankproof.tables.subtopics import Docs, Subtopics


def written(shown: str, missed: str = "") -> Rankings:
    """One query written down for an example: grades in displayed order.

    "." is a doc without judgment, "-" one that is in the pool and not judged; `missed` holds the grades
    of judged docs that were not displayed.

    >>> written("1 0 . 1", missed="1").rank.tolist()
    [1, 2, 4]
    """
    places = shown.split()
    hits = [(rank, int(grade)) for rank, grade in enumerate(places, 1) if grade not in ".-"]
    pooled = np.cumsum([grade == "-" for grade in places], dtype=np.int64)
    grades = [grade for _, grade in hits]
    pool = np.sort(np.array(grades + [int(g) for g in missed.split()], np.int64))[::-1]
    rank = np.array([rank for rank, _ in hits], np.int64)
    ends = np.array([0, len(pool)])
    return Rankings(
        np.array([0, len(hits)]),
        rank,
        np.array(grades, np.int64),
        np.array([len(places)]),
        ends,
        pool,
        ends,
        pool,
        rank,
        np.ones(len(hits), np.int64),
        pooled[rank - 1],
        int(pool.max(initial=0)),
    )


def covering(shown: str, missed: str = "") -> Rankings:
    """One query written down for an example: the subtopics, a letter each, that every displayed doc covers.

    "0" is a doc that covers none, "." one without judgment; `missed` holds judged docs that were not
    displayed. Every grade is 1. A doc that is written later has the greater id.

    >>> covering("ab . a", missed="c").subtopics.offsets.tolist()  # the subtopics a, b and c
    [0, 3]
    """
    texts = [*shown.split(), *missed.split()]
    letters = sorted({letter for text in texts for letter in text if letter not in "0."})

    def listed(docs: list[str]) -> Docs:
        covered = [[letters.index(letter) for letter in doc if letter != "0"] for doc in docs]
        starts = np.cumsum([0, *map(len, covered)])
        rows = np.array([letter for doc in covered for letter in doc], np.int64)
        return Docs(np.array([0, len(docs)]), starts, rows, np.ones(len(rows), np.int64))

    hits = [text for text in shown.split() if text != "."]
    pool = listed([*reversed(missed.split()), *reversed(hits)])
    graded = ["." if text == "." else "0" if text == "0" else "1" for text in shown.split()]
    others = ["0" if text == "0" else "1" for text in missed.split()]
    subtopics = Subtopics(np.array([0, len(letters)]), listed(hits), pool, pool)
    return replace(written(" ".join(graded), " ".join(others)), subtopics=subtopics)
