"""Fairness of exposure: how much attention the docs of each group get, and how much they should get."""

import numpy as np

from rankproof.errors import UnknownName, UsageError
from rankproof.measures.attention import PATIENCE, WEIGHT, attention
from rankproof.measures.gains import worth
from rankproof.measures.lines import Lines, beside, grouped
from rankproof.measures.measure import Measure
from rankproof.measures.settings import GAIN, REL, Setting, one_of
from rankproof.tables.columns import Floats
from rankproof.tables.known import Known
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum
from rankproof.wording import say


def exposure_ratio(
    r: Rankings, *, cutoff: int | None, group: str, per: str, gain: object, weight: str, patience: float
) -> Sum:
    """The exposure that a doc of `group` gets, over what a doc of all other groups gets; 1 is even.

    With per=relevance both are divided by the worth of the judged docs of the group, for the queries with a
    list, in place of the number of docs in the catalogue: exposure by merit. Docs without a group are left
    out. Not defined where a group has no doc (or worth), or where the others get no exposure.

    >>> r = beside_of(["a", "b", "c"], groups={"a": "x", "b": "y", "c": "y"})
    >>> value = exposure_ratio(r, cutoff=None, group="x", per="size", gain="linear", weight="zipf", patience=0.5)
    >>> round(value.whole, 4)  # (1 / 1) / ((1/2 + 1/3) / 2)
    2.4
    """
    known = beside(r).known
    ours = _place_of(group, known)
    lines = Lines.of(r, cutoff, grouped(r, {}))
    mine = known.group[lines.doc] == ours
    looked_at = attention(weight, patience)(lines.rank)
    exposure = np.array([_added(looked_at[mine]), _added(looked_at[~mine])])
    merit = _sizes(known, ours) if per == "size" else _merit(r, known, ours, gain)
    each = ratio(exposure, merit)
    value = float(each[0] / each[1]) if merit.all() and each[1] else None
    return Sum.of_the_run(
        r,
        value,
        {
            "exposure of the group": exposure[0],
            "exposure of the others": exposure[1],
            "the group divided by": merit[0],
            "the others divided by": merit[1],
        },
    )


def _place_of(group: str, known: Known) -> int:
    if group in known.groups:
        return known.groups.index(group)
    if group:
        raise UnknownName.of(say("group"), group, known.groups)
    raise UsageError(
        "ExposureRatio needs the group that it is about: write ExposureRatio(group={first}). The groups are {groups}.",
        first=known.groups[0],
        groups=", ".join(known.groups[:10]),
    )


def _sizes(known: Known, ours: int) -> Floats:
    """(2,) how many docs of the catalogue are in the group, and in the others."""
    group = known.group[known.catalogue]
    return np.array([(group == ours).sum(), ((group >= 0) & (group != ours)).sum()], np.float64)


def _merit(r: Rankings, known: Known, ours: int, gain: object) -> Floats:
    """(2,) what the judged docs of the group are worth, and those of the others, for queries with a list."""
    judged = beside(r).judged
    group = known.group[judged.doc]
    counts = (group >= 0) & (r.n_retrieved[judged.query] > 0)
    each = worth(np.maximum(judged.grade, 0), gain) * counts
    return np.array([_added(each[group == ours]), _added(each[group != ours])])


def _added(column: Floats) -> float:
    """The sum, to the last bit whatever the order of queries."""
    return float(np.sort(column).sum())


def rank_fairness(
    r: Rankings,
    *,
    cutoff: int | None,
    target: str,
    rel: int,
    weight: str,
    patience: float,
    base: str,
) -> Sum:
    """1 - the Jensen-Shannon divergence of the groups' shares of exposure from what they should be.

    They should be the groups' shares of the catalogue, of the relevant docs of the query, or equal. Docs
    without a group are left out.

    >>> r = beside_of(["a", "b"], groups={"a": "x", "b": "x", "c": "y"})
    >>> settings = {"rel": 1, "weight": "log", "patience": 0.5, "base": "2"}
    >>> rank_fairness(r, cutoff=None, target="equal", **settings).value.round(6)
    array([0.688722])
    >>> # all to x where it should be half: m = (3/4, 1/4); (log2(4/3) + (log2(2/3) + log2(2)) / 2) / 2 = 0.311278
    """
    known, n = beside(r).known, len(beside(r).known.groups)
    lines = Lines.of(r, cutoff, grouped(r, {}))
    looked_at = attention(weight, patience)(lines.rank)
    cell = lines.query * n + known.group[lines.doc]
    exposure = np.bincount(cell, weights=looked_at, minlength=r.n_queries * n).reshape(-1, n)
    wanted = _target(r, known, target, rel)
    bits = np.clip(_divergence(_shares(exposure.astype(np.float64)), _shares(wanted)), 0.0, 1.0)
    divergence = bits * (np.log(2) if base == "e" else 1.0)
    return Sum.each(r, 1 - divergence, {"divergence": divergence, "docs counted": lines.n})


def _target(r: Rankings, known: Known, target: str, rel: int) -> Floats:
    """(n_queries, n_groups) how much of the exposure each group should have, not yet as shares."""
    n = len(known.groups)
    if target == "relevant":
        judged = beside(r).judged
        hit = (judged.grade >= rel) & (known.group[judged.doc] >= 0)
        cell = judged.query[hit] * n + known.group[judged.doc[hit]]
        return np.bincount(cell, minlength=r.n_queries * n).reshape(-1, n).astype(np.float64)
    group = known.group[known.catalogue]
    sizes = np.bincount(group[group >= 0], minlength=n).astype(np.float64)
    return np.tile(np.ones(n) if target == "equal" else sizes, (r.n_queries, 1))


def _shares(column: Floats) -> Floats:
    """(n_queries, n_groups) each row divided by its sum; equal shares where the sum is 0."""
    added = column.sum(axis=1, keepdims=True)
    even = np.full_like(column, 1 / column.shape[1])
    shares: Floats = np.divide(column, added, out=even, where=added > 0)
    return shares


def _divergence(one: Floats, other: Floats) -> Floats:
    """(n_queries,) the Jensen-Shannon divergence of rows that are shares, in bits."""
    middle = (one + other) / 2

    def towards(share: Floats) -> Floats:
        odds = np.divide(share, middle, out=np.ones_like(share), where=share > 0)
        added: Floats = (share * np.log2(odds)).sum(axis=1)
        return added

    return (towards(one) + towards(other)) / 2


GROUP = Setting("group", "", "The group whose exposure is compared with that of all others.", str)
PER = Setting(
    "per",
    "size",
    "Exposure is divided by the docs of the group in the catalogue (size), or by the worth of its judged docs "
    "(relevance).",
    one_of("size", "relevance"),
)
TARGET = Setting(
    "target",
    "catalogue",
    "What share of exposure a group should have: its share of the catalogue, of the relevant docs of the query "
    "(relevant), or the same as every other (equal).",
    one_of("catalogue", "relevant", "equal"),
)
BITS = Setting(
    "base",
    "2",
    "The base of the logarithm in the divergence: 2, so that the value is between 0 and 1, or e.",
    one_of("2", "e"),
)

MEASURES = (
    Measure(
        "ExposureRatio",
        exposure_ratio,
        (GROUP, PER, GAIN, WEIGHT, PATIENCE),
        title="ratio of exposure of groups",
        formula="(exposure of the group / its size or relevance) / (the same of all others)",
        source="Singh and Joachims 2018",
        family="fairness",
        direction="none",
        range=(0.0, None),
        needs="",
        mean="run",
        sees="known",
        best_first=False,
    ),
    Measure(
        "AWRF",
        rank_fairness,
        (TARGET, REL, WEIGHT, PATIENCE, BITS),
        title="attention-weighted rank fairness",
        formula="1 - JSD(groups' shares of exposure, groups' target shares)",
        source="Sapiezynski et al. 2019, with the divergence of the TREC Fair Ranking track 2021",
        family="fairness",
        needs="target",
        sees="known",
        best_first=False,
    ),
)
