"""Cases laid out as measures see them, with what some measures see beside hits."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

import numpy as np

from rankproof.alignment import align
from rankproof.measures.measure import Measure
from rankproof.seeing import Seeing, knowing
from rankproof.tables.conventions import Conventions
from rankproof.tables.judgments import Judgments
from rankproof.tables.rankings import Rankings
from rankproof.tables.raters import parted
from rankproof.tables.run import Run
from rankproof.testing.cases import POOLED, UNJUDGED, Query
from rankproof.testing.known import covered, documents, expected, history, preferences

SCORES = Conventions(order="score", ties="average")
SEVERAL = ("anna", "ben")  # raters; the second did not judge every third doc, and is the stricter one


def lay(
    asked: Sequence[Query],
    conventions: Conventions | None = None,
    *,
    named: Callable[[str], str] = str,
    shuffle: int | None = None,
    sees: str = "hits",
) -> Rankings:
    """The queries as measures see them, in their order. `named` renames the docs; `shuffle` mixes the rows.

    `sees` is what is laid beside the hits: what a measure `sees`, or "raters". The columns cannot be written
    into.
    """
    # a copy each time, so that what one measure has made it work out is not there for the next
    return replace(_laid(tuple(asked), conventions or Conventions(), named, shuffle, sees))


def seen_by(m: Measure) -> str:
    """What has to be laid out for a measure."""
    return "raters" if m.values.get("raters") == "mean" else m.sees


@lru_cache(maxsize=64)
def _laid(
    asked: tuple[Query, ...],
    conventions: Conventions,
    named: Callable[[str], str],
    shuffle: int | None,
    sees: str,
) -> Rankings:
    def name(doc: int) -> str:
        return named(f"d{doc:06}")

    queries = [f"q{q}" for q in range(len(asked))]
    cases = list(zip(queries, asked, strict=True))
    judged = [row for query, case in cases for row in _judged(query, case, sees)]
    shown = [
        (query, name(case.numbers[at]), at + 1, -float(group[0]))
        for query, case in cases
        for group in case.groups()
        for at in group
    ]
    if shuffle is not None:
        Random(shuffle).shuffle(judged)
        Random(shuffle).shuffle(shown)
    judgments = Judgments.of(
        [query for query, *_ in judged],
        [name(doc) for _, doc, *_ in judged],
        [max(grade, 0) for _, _, grade, *_ in judged],
        pooled=[grade == POOLED for _, _, grade, *_ in judged],
        details={"rater": [part for *_, part in judged]} if sees == "raters" else None,
        subtopic=[part for *_, part in judged] if sees == "subtopics" else None,
    )
    run = Run.of(
        "run",
        [query for query, *_ in shown],
        [doc for _, doc, *_ in shown],
        rank=None if conventions.order == "score" else [rank for _, _, rank, _ in shown],
        score=[score for *_, score in shown],
    )
    known = None
    if sees == "known":
        beside = (documents(cases, name), history(cases, name), expected(cases, name))
        known = knowing(judgments, [run], conventions, queries, *beside)
    preferred = preferences(cases, name, shuffle) if sees == "preferences" else None
    laid = align(judgments, run, conventions, queries, candidates=[run], known=known)
    choices = None if preferred is None else preferred.choices(queries)
    raters = parted(judgments, queries) if sees == "raters" else None
    seeing = Seeing(conventions, judgments.top_grade, preferred, choices, raters)
    rankings = seeing.over(laid, run, [run]).rankings
    for column in vars(rankings).values():
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
    return rankings


def _judged(query: str, case: Query, sees: str) -> list[tuple[str, int, int, str]]:
    """A row a doc, or one for each of its subtopics or raters, whose grades are not all the same."""
    rows = []
    for doc, grade in zip(case.numbers, (*case.shown, *case.missed), strict=True):
        parts: Sequence[str] = ("",)
        if sees == "subtopics":
            parts = covered(doc)
        elif sees == "raters":
            parts = SEVERAL if doc % 3 else SEVERAL[:1]
        lower = [grade if grade < 2 else grade - (place * doc) % 2 for place in range(len(parts))]
        rows += [(query, doc, one, part) for one, part in zip(lower, parts, strict=True)]
    return [row for row in rows if row[2] != UNJUDGED]
