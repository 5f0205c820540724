"""Measures of surprise: docs that a user is shown and that were not to be expected."""

import numpy as np

from rankproof.measures.beyond import OVER
from rankproof.measures.lines import Lines, beside, expectable, expected_lists
from rankproof.measures.measure import Measure
from rankproof.measures.settings import REL, Setting, one_of
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


def unexpectedness(r: Rankings, *, cutoff: int | None, expected: str, over: str) -> Sum:
    """The share of the displayed docs that were not to be expected.

    Expected are the most popular docs, as many as the cutoff (all that are as popular as the last of them),
    or with expected=run what another run displays down to the cutoff for the same query. With over=cutoff
    places that a short list leaves empty count as unexpected.

    >>> r = beside_of(["a", "b"], history={"u1": ["a"], "u2": ["a", "b"]})
    >>> unexpectedness(r, cutoff=1, expected="popularity", over="shown").value  # a is the most popular doc
    array([0.])
    """
    lines = Lines.of(r, cutoff, expectable(r, {"expected": expected}))
    usual = lines.total(_expected(r, lines, cutoff, expected))
    places = lines.n if over == "shown" or cutoff is None else np.full(r.n_queries, float(cutoff))
    return Sum.each(r, ratio(places - usual, places), {"docs expected": usual, "divided by": places})


def _expected(r: Rankings, lines: Lines, cutoff: int | None, expected: str) -> Bools:
    """(n_lines,) True for docs that were to be expected."""
    found = beside(r)
    if expected == "run":
        other = Lines.of_lists(expected_lists(r), cutoff)
        n = max(len(found.known), 1)
        return np.isin(lines.query * n + lines.doc, other.query * n + other.doc)
    count = np.nan_to_num(found.known.popularity)
    falling = np.sort(count[count > 0])[::-1]
    deep = r.n_retrieved if cutoff is None else np.full(r.n_queries, cutoff)
    least = falling[np.minimum(deep, len(falling)) - 1] if len(falling) else np.ones(r.n_queries)
    popular_enough: Bools = (count[lines.doc] >= least[lines.query]) & (count[lines.doc] > 0)
    return popular_enough


def serendipity(r: Rankings, *, cutoff: int | None, rel: int, expected: str) -> Sum:
    """How far relevant docs surpass what popularity alone would show: the mean over the displayed docs.

    With expected=rank a relevant doc counts max(0, p - p0), where p = (N + 1 - rank) / N, p0 the same of its
    rank by popularity (docs of one popularity share a rank; 0 for a doc nobody met), and N the size of the
    catalogue. With expected=popularity or run a relevant doc counts 1 where it was not to be expected.

    >>> r = beside_of(["a", "b"], history={"u1": ["a"], "u2": ["a", "b"]}, relevant=["b"])
    >>> serendipity(r, cutoff=None, rel=1, expected="popularity").value  # both are among the two most popular
    array([0.])
    >>> serendipity(r, cutoff=1, rel=1, expected="rank").value  # a is not relevant
    array([0.])
    """
    lines = Lines.of(r, cutoff, expectable(r, {"expected": expected}))
    hit = lines.grade >= rel
    worth = (
        _above_popularity(r, lines) if expected == "rank" else ~_expected(r, lines, cutoff, expected) * 1.0
    )
    added = lines.total(hit * worth)
    return Sum.each(
        r,
        ratio(added, lines.n),
        {"surprise added up": added, "relevant docs": lines.total(hit), "docs counted": lines.n},
    )


def _above_popularity(r: Rankings, lines: Lines) -> Floats:
    """(n_lines,) max(0, p - p0) of each doc."""
    known = beside(r).known
    n = max(float(known.catalogue.sum()), 1.0)
    count = np.nan_to_num(known.popularity)
    falling = -np.unique(-count[count > 0])  # each count once, the highest first
    place = np.searchsorted(-falling, -count[lines.doc]) + 1.0
    anyway = np.where(count[lines.doc] > 0, (n + 1 - place) / n, 0.0)
    above: Floats = np.maximum((n + 1 - lines.rank) / n - anyway, 0.0)
    return above


EXPECTED = Setting(
    "expected",
    "popularity",
    "What a user expects: the most popular docs (popularity), or what another run displays (run).",
    one_of("popularity", "run"),
)
SURPRISE = Setting(
    "expected",
    "rank",
    "What a user expects: docs at their rank by popularity (rank), the most popular docs (popularity), or what "
    "another run displays (run).",
    one_of("rank", "popularity", "run"),
)

MEASURES = (
    Measure(
        "Unexpectedness",
        unexpectedness,
        (EXPECTED, OVER),
        title="unexpectedness",
        formula="docs displayed that were not expected / docs displayed",
        source="Murakami, Mori and Orihara 2008",
        family="beyond accuracy",
        needs="expected",
        sees="known",
        best_first=False,
    ),
    Measure(
        "Serendipity",
        serendipity,
        (REL, SURPRISE),
        title="serendipity",
        formula="mean over docs displayed: relevant × max(0, p(rank) - p(rank by popularity))",
        source="Ge, Delgado-Battenfeld and Jannach 2010; the form with ranks is that of RecTools 0.19",
        family="beyond accuracy",
        needs="expected",
        sees="known",
        best_first=False,
    ),
)
