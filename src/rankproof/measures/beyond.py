"""Measures of a list beyond relevance: how novel, popular and varied the docs are that a user is shown."""

import numpy as np

from rankproof.measures.distances import mean_distance
from rankproof.measures.lines import Lines, beside, categorised, comparable, lists_of, popular
from rankproof.measures.measure import Measure
from rankproof.measures.settings import Setting, one_of
from rankproof.measures.spelling import Spelling
from rankproof.tables.displayed import REPEAT
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum


def novelty(r: Rankings, *, cutoff: int | None, share: str, unit: str, over: str) -> Sum:
    """The mean self-information of the docs displayed: -log2 of the share of users, or interactions, that met a doc.

    In bits; with unit=most as a part of the most there can be, 0 to 1. A doc that nobody met counts as met
    once. Docs whose popularity is blank in the documents are left out.

    >>> r = beside_of(["a", "b"], history={"u1": ["a"], "u2": ["a", "b"]})
    >>> novelty(r, cutoff=None, share="users", unit="bits", over="shown").value  # (-log2(2/2) - log2(1/2)) / 2
    array([0.5])
    """
    known = beside(r).known
    by_users = share == "users"
    count = known.users if by_users else known.popularity
    whole = float(known.n_users) if by_users else float(np.nansum(count))
    lines = Lines.of(r, cutoff, popular(r, {"share": share}))
    bits = lines.total(np.log2(max(whole, 1.0) / np.maximum(count[lines.doc], 1.0)))
    most = np.log2(max(whole, 1.0)) if unit == "most" else 1.0
    places = lines.n if over == "shown" or cutoff is None else np.full(r.n_queries, float(cutoff))
    mean = ratio(bits, places * most)
    return Sum.each(
        r, np.maximum(mean, 0.0), {"self-information added up": bits, "divided by": places * most}
    )


def average_popularity(r: Rankings, *, cutoff: int | None, scale: str) -> Sum:
    """The mean popularity of the docs displayed, as a count of interactions or a share of all of them.

    >>> r = beside_of(["a", "b"], history={"u1": ["a"], "u2": ["a", "b"]})
    >>> average_popularity(r, cutoff=None, scale="count").value  # (2 + 1) / 2
    array([1.5])
    """
    count = beside(r).known.popularity
    lines = Lines.of(r, cutoff, popular(r, {}))
    added = lines.total(count[lines.doc])
    whole = float(np.nansum(count)) if scale == "share" else 1.0
    return Sum.each(r, ratio(added, lines.n * whole), {"popularity added up": added, "docs counted": lines.n})


def diversity(r: Rankings, *, cutoff: int | None, distance: str) -> Sum:
    """The mean distance of the docs displayed from each other, over all pairs of them.

    cosine   1 - cosine of the vectors, 0 to 2 (a vector of nothing but 0 is 1 away from every other)
    hamming  how many components of the vectors differ
    jaccard  1 - shared categories / categories of the two

    Docs without a vector, or a category, are left out; not defined for fewer than two docs.

    >>> r = beside_of(["a", "b", "c"], categories={"a": ["x"], "b": ["x"], "c": ["x", "y"]})
    >>> diversity(r, cutoff=None, distance="jaccard").value.round(4)  # (0 + 1/2 + 1/2) / 3
    array([0.3333])
    """
    lines = Lines.of(r, cutoff, comparable(r, {"distance": distance}))
    value = mean_distance(lines, beside(r).known, distance)
    pairs = lines.n * (lines.n - 1) / 2
    return Sum.each(r, value, {"docs counted": lines.n, "pairs": pairs})


def category_diversity(r: Rankings, *, cutoff: int | None) -> Sum:
    """How many categories the displayed docs have, over the cutoff; over the docs displayed without one.

    Above 1 only where docs have several categories. A short list is still divided by the cutoff.

    >>> r = beside_of(["a", "b", "c"], categories={"a": ["x"], "b": ["x"], "c": ["y"]})
    >>> category_diversity(r, cutoff=3).value.round(4)  # x and y, of 3
    array([0.6667])
    """
    lines = Lines.of(r, cutoff, categorised(r, {}))
    bits = beside(r).known.categories[lines.doc]
    seen = np.zeros((r.n_queries, bits.shape[1]), np.uint64)
    filled = np.flatnonzero(lines.n)
    if len(filled):
        seen[filled] = np.bitwise_or.reduceat(bits, np.searchsorted(lines.query, filled), axis=0)
    n = np.bitwise_count(seen).sum(axis=1).astype(np.float64)
    over = r.n_shown(None) if cutoff is None else np.full(r.n_queries, float(cutoff))
    return Sum.each(r, ratio(n, over), {"categories": n, "divided by": over})


def known_share(r: Rankings, *, cutoff: int | None) -> Sum:
    """The share of the displayed docs that the user had met before, as the history tells.

    A user who is not in the history met nothing.

    >>> r = beside_of(["a", "b"], history={"q": ["a"]})
    >>> known_share(r, cutoff=None).value  # 1/2
    array([0.5])
    """
    lines, found = Lines.of(r, cutoff), beside(r)
    known = lines.total(found.known.knew(found.user[lines.query], lines.doc))
    return Sum.each(r, ratio(known, lines.n), {"docs met before": known, "docs counted": lines.n})


def repeat_share(r: Rankings, *, cutoff: int | None) -> Sum:
    """The share of the displayed lines that show a doc which already stands higher in the list.

    >>> repeat_share(beside_of(["a", "b", "a", "a"]), cutoff=None).value  # 2/4
    array([0.5])
    """
    lists = lists_of(r)
    again = (lists.grade == REPEAT) & (True if cutoff is None else lists.rank <= cutoff)
    n = np.bincount(lists.query[again], minlength=r.n_queries).astype(np.float64)
    return Sum.each(r, ratio(n, r.n_shown(cutoff)), {"lines that repeat": n, "lines": r.n_shown(cutoff)})


def filled(r: Rankings, *, cutoff: int | None) -> Sum:
    """The share of the places down to the cutoff that show anything.

    >>> filled(beside_of(["a", "b"]), cutoff=5).value  # 2/5
    array([0.4])
    """
    return Sum.each(r, r.n_shown(cutoff) / float(cutoff or 1), {"lines": r.n_shown(cutoff)})


SHARE = Setting(
    "share",
    "users",
    "Of what a doc's popularity is a share: users of the history who met it (users), or interactions "
    "(interactions), as the documents or the history count them.",
    one_of("users", "interactions"),
)
UNIT = Setting(
    "unit", "bits", "In bits, or as a part of the most there can be (most).", one_of("bits", "most")
)
OVER = Setting(
    "over", "shown", "Divide by the docs displayed (shown), or by the cutoff.", one_of("shown", "cutoff")
)
SCALE = Setting(
    "scale",
    "count",
    "Interactions (count), or their share of all interactions (share).",
    one_of("count", "share"),
)
DISTANCE = Setting(
    "distance",
    "cosine",
    "How far two docs are apart: cosine or hamming of their vectors, jaccard of their categories.",
    one_of("cosine", "hamming", "jaccard"),
)
MEASURES = (
    Measure(
        "Novelty",
        novelty,
        (SHARE, UNIT, OVER),
        title="novelty (mean self-information)",
        formula="mean over docs displayed: -log2(users who met the doc / users)",
        source="Zhou et al. 2010; Castells, Vargas and Wang 2011",
        family="beyond accuracy",
        range=(0.0, None),
        needs="popularity",
        sees="known",
        best_first=False,
        also=("MIUF", "MeanInvUserFreq"),
        spelt=(
            Spelling("RecTools", "MIUF@{k}"),
            Spelling("RePlay", "Surprisal@{k}", {"unit": "most", "over": "cutoff"}),
        ),
    ),
    Measure(
        "AvgPopularity",
        average_popularity,
        (SCALE,),
        title="average popularity",
        formula="mean over docs displayed: interactions with the doc",
        source="Yin et al. 2012",
        family="beyond accuracy",
        direction="none",
        range=(0.0, None),
        needs="popularity",
        sees="known",
        best_first=False,
        also=("ARP", "AvgRecPopularity"),
    ),
    Measure(
        "ILD",
        diversity,
        (DISTANCE,),
        title="intra-list diversity",
        formula="mean over pairs of docs displayed: their distance",
        source="Ziegler et al. 2005; Zhang and Hurley 2008",
        family="beyond accuracy",
        range=(0.0, None),
        needs="pair",
        sees="known",
        best_first=False,
        also=("IntraListDiversity",),
    ),
    Measure(
        "CategoryDiversity",
        category_diversity,
        (),
        title="category diversity",
        formula="categories of the docs displayed / cutoff",
        source="RePlay 0.22 (2026)",
        family="beyond accuracy",
        range=(0.0, None),
        needs="categories",
        sees="known",
        best_first=False,
        also=("CategoricalDiversity",),
    ),
    Measure(
        "KnownShare",
        known_share,
        (),
        title="share of docs met before",
        formula="docs displayed that the user had met / docs displayed",
        source="RePlay 0.22 (2026), whose Novelty is 1 less this",
        family="beyond accuracy",
        direction="none",
        needs="shown",
        sees="known",
        best_first=False,
    ),
    Measure(
        "RepeatShare",
        repeat_share,
        (),
        title="share of repeated lines",
        formula="lines with a doc that already stands higher / lines",
        source="RecTools 0.19 (2026), whose UnrepeatedReco is 1 less this",
        family="beyond accuracy",
        direction="none",
        needs="shown",
        sees="lists",
        best_first=False,
    ),
    Measure(
        "Filled",
        filled,
        (),
        title="filled places",
        formula="lines down to the cutoff / cutoff",
        source="RecTools 0.19 (2026), SufficientReco",
        family="beyond accuracy",
        needs="",
        cutoff="required",
        sees="lists",
        best_first=False,
    ),
)
