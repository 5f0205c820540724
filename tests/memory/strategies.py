"""Judgments and runs as somebody's dicts."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from laws.strategies import EVERY
from rankproof import Conventions, Judged, conventions_of, evaluate
from rankproof.errors import RankproofError
from rankproof.hit_alignment import can_lay
from rankproof.measuring import sees_hits
from rankproof.tables.conventions import CONVENTIONS
from rankproof.tables.measurements import Measurements

# Many measures, of which hits are enough for some and not for others.
ON_HITS = tuple(measure for measure in EVERY if sees_hits(measure))
SCORES = (
    *(0, 1, 2, -1, 0.5, 0.25, 1e-9, 16777216.0, 16777217.0, 1e39, 2e39, float("inf"), float("-inf"), float("nan")),
    *(np.float32(0.5), np.float64(2.0), np.int64(1), -0.0, 10**30),
)  # fmt: skip  # a table
QUERIES = ("q1", "q2", "q10", "问", "Q")
DOCS = ("a", "b", "aa", "Z", "é", "文", "😀", "10", "9")


@st.composite
def grades(draw: st.DrawFn) -> dict[str, dict[str, int]]:
    """Judgments in which one query can be evaluated; some may have no doc."""
    asked = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=4, unique=True))
    row = st.dictionaries(st.sampled_from(DOCS), st.sampled_from((-2, -1, 0, 0, 1, 1, 2, 3)), max_size=8)
    found = {query: draw(row) for query in asked}
    found[asked[0]][draw(st.sampled_from(DOCS))] = 3
    return found


@st.composite
def lists(draw: st.DrawFn, judged: dict[str, dict[str, int]]) -> dict[str, Any]:
    """A run as dicts of scores or as lists in which docs may stand twice; it has an asked query."""
    scored = draw(st.booleans())
    asked = draw(st.lists(st.sampled_from((*QUERIES, "nobody asked")), max_size=5, unique=True))
    if not set(asked) & set(judged):
        asked.append(next(iter(judged)))
    few = draw(st.lists(st.sampled_from(SCORES), min_size=1, max_size=4))
    shown: st.SearchStrategy[Any] = st.lists(st.sampled_from(DOCS), max_size=10)
    if scored:
        shown = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(few), max_size=9)
    return {query: draw(shown) for query in asked}


TOLD = {row.name: row.values for row in CONVENTIONS if row.name not in ("gain", "rel", "depth")}


@st.composite
def told_by_hits(draw: st.DrawFn) -> Conventions:
    """Any conventions that hits can tell, and those of some tools."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from((conventions_of("trec_eval-9"), conventions_of("trec_eval-10"))))
    choices = {name: draw(st.sampled_from(values)) for name, values in TOLD.items()}
    choices |= {"rel": draw(st.sampled_from((0, 1, 2))), "depth": draw(st.sampled_from((None, 1, 3)))}
    made = Conventions(**choices)
    return (
        made
        if can_lay(made)
        else made.but(ties="file", duplicates="first", unjudged="zero", negative_grades="pooled")
    )


def outcome(*given: Any, **asked: Any) -> Measurements | str:
    """What an evaluation gives, or how it is refused."""
    try:
        return evaluate(*given, **asked)
    except RankproofError as error:
        return f"{type(error).__name__}: {error}"


def equal(one: Measurements | str, other: Measurements | str) -> None:
    """Raise where two outcomes differ in anything but what was kept."""
    if isinstance(one, str) or isinstance(other, str):
        assert one == other
        return
    assert (one.queries, one.runs, one.measures) == (other.queries, other.runs, other.measures)
    for name in ("values", "reasons", "judged", "n_relevant"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one.populations == other.populations
    assert (one.whole, one.texts, one.top_grade, one.conventions) == (
        other.whole,
        other.texts,
        other.top_grade,
        other.conventions,
    )
    assert dict(one.versions) == dict(other.versions)


def ready(judgments: dict[str, dict[str, int]]) -> Judged:
    """Judgments made ready."""
    return Judged.of(judgments)
