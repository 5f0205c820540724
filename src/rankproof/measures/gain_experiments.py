"""Relatives of nDCG that trec_eval tried in 2008: gain over the gain that was missed, and nDCG at chosen places."""

import numpy as np

from rankproof.measures.gains import discounted, worth
from rankproof.measures.graded import best_list
from rankproof.measures.measure import Measure
from rankproof.measures.settings import GAIN, REL
from rankproof.measures.spelling import Spelling
from rankproof.tables.columns import Floats, Ints
from rankproof.tables.conventions import GainTable
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum

_place = discounted("log", 2.0)


def binary_gain(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Each relevant doc counts the less, the more docs above it are not relevant: 1 / log2(2 + how many).

    >>> binary_gain(written("1 0 1", missed="1 1"), cutoff=None, rel=1).value.round(4)
    array([0.4077])
    >>> # (1/log2(2) + 1/log2(3)) / 4
    """
    hit = r.relevant(rel)
    above = r.rank - r.running(hit)
    return Sum(r, hit / np.log2(2 + above), r.n_relevant(rel), {"not relevant above": above})


def gain_over_missed(r: Rankings, *, cutoff: int | None, gain: str | GainTable) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """Each doc's gain counts the less, the more gain was missed down to it: gain / log2(2 + missed).

    Missed is what the best list gains down to there, at least 1 a place, less what this list does.

    >>> gain_over_missed(written("1 3"), cutoff=None, gain="linear").value.round(4)
    array([0.875])
    >>> # 3 was to be had first, so 2 was missed; then 4 of 4: (1/log2(2 + 2) + 3/log2(2)) / 4
    """
    best = best_list(r, gain)
    gains, ideal = worth(r.grade, gain), worth(best.grade, gain)
    more_than_1 = best.running_sum(np.maximum(ideal - 1, 0.0))
    missed = r.rank + _down_to(best, more_than_1, r.query, r.rank) - r.running_sum(gains)
    factors = {"gain": gains, "gain missed": missed}
    return Sum(r, gains / np.log2(2 + np.maximum(missed, 0.0)), best.total(ideal), factors)


def ndcg_at_relevant(r: Rankings, *, cutoff: int | None, gain: str | GainTable) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """nDCG at the place of every doc that is worth something, averaged; a doc that was missed counts nDCG at the end.

    >>> ndcg_at_relevant(written("0 1", missed="1"), cutoff=None, gain="linear").value.round(4)
    array([0.3869])
    >>> # both at DCG 1/log2(3) over IDCG 1 + 1/log2(3)
    """
    best = best_list(r, gain)
    gains, ideal = worth(r.grade, gain), worth(best.grade, gain)
    reached, possible = _discounted(r, gains), _discounted(best, ideal)
    here = ratio(reached, _down_to(best, possible, r.query, r.rank))
    n, found = best.total(ideal > 0), r.total(gains > 0)
    at_end = ratio(_last(r, reached), _last(best, possible))
    value = ratio(r.total(here * (gains > 0)) + (n - found) * at_end, n)
    return Sum.each(
        r, value, {"docs worth something": n, "of them displayed": found, "nDCG at the end": at_end}
    )


def ndcg_at_levels(r: Rankings, *, cutoff: int | None, gain: str | GainTable, rel: int) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """nDCG averaged over the places where the best list falls to the next gain, and the end of the list.

    The end counts where the list goes on for more than one doc after the last such place.

    >>> ndcg_at_levels(written("1 2 . 0"), cutoff=None, gain="linear", rel=1).value.round(4)
    array([0.7398])
    >>> # at rank 1: 1/2; at rank 2 and at the end: (1 + 2/log2(3)) / (2 + 1/log2(3)) = 0.8597
    """
    best = best_list(r, gain)
    gains, ideal = worth(r.grade, gain), worth(best.grade, gain)
    reached, possible = _discounted(r, gains), _discounted(best, ideal)
    last = np.zeros(len(ideal), bool)
    last[best.offsets[1:][np.diff(best.offsets) > 0] - 1] = True
    falls = (ideal > 0) & (last | np.append(ideal[1:] != ideal[:-1], True))
    query = best.query[falls]
    at = ratio(_reached(r, reached, query, best.rank[falls]), possible[falls])
    ends = r.n_retrieved > best.total(ideal > 0) + 1
    added = np.bincount(query, at, r.n_queries) + ends * ratio(_last(r, reached), _last(best, possible))
    points = np.bincount(query, minlength=r.n_queries) + ends
    value = np.where(r.n_relevant(rel) > 0, ratio(added, points.astype(float)), 0.0)
    return Sum.each(r, value, {"places": points.astype(float)})


def _discounted(r: Rankings, gains: Floats) -> Floats:
    """(n_rows,) DCG down to each row."""
    return r.running_sum(gains * _place(r.rank))


def _last(r: Rankings, running: Floats) -> Floats:
    """(n_queries,) the last number of each query; 0 where it has no row."""
    found = np.zeros(r.n_queries)
    filled = np.diff(r.offsets) > 0
    found[filled] = running[r.offsets[1:][filled] - 1]
    return found


def _down_to(best: Rankings, running: Floats, query: Ints, rank: Ints) -> Floats:
    """(n,) a running sum of the best list at given ranks; at its end where it is shorter, 0 where it is empty."""
    size = np.diff(best.offsets)[query]
    found = np.zeros(len(query))
    some = size > 0
    found[some] = running[(best.offsets[:-1][query] + np.minimum(rank, size) - 1)[some]]
    return found


def _reached(r: Rankings, running: Floats, query: Ints, rank: Ints) -> Floats:
    """(n,) a running sum over the hits down to given ranks of given queries."""
    wide = max(int(r.rank.max(initial=0)), int(rank.max(initial=0))) + 1
    before = np.searchsorted(r.query * wide + r.rank, query * wide + rank, "right")
    return np.where(before > r.offsets[query], np.append(0.0, running)[before], 0.0)


MEASURES = (
    Measure(
        "binG",
        binary_gain,
        (REL,),
        title="binary gain over what is not relevant above",
        formula="(1/R) Σ over relevant docs found: 1 / log2(2 + docs above that are not relevant)",
        source="trec_eval 9 (2008)",
        family="graded",
        cutoff="none",
        spelt=(Spelling("trec_eval", "binG"),),
    ),
    Measure(
        "G",
        gain_over_missed,
        (GAIN,),
        title="gain over what was missed above",
        formula="Σ gain / log2(2 + gain of the best list so far - gain so far), over the gain of all judged docs",
        source="trec_eval 9 (2008)",
        family="graded",
        needs="gain",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "G"),
            Spelling("trec_eval", "G_{gain}", whole=True),
        ),
    ),
    Measure(
        "ndcg_rel",
        ndcg_at_relevant,
        (GAIN,),
        title="nDCG averaged at the relevant docs",
        formula="the mean over docs worth something: nDCG at its rank, or at the end of the list",
        source="trec_eval 9 (2008)",
        family="graded",
        needs="gain",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "ndcg_rel"),
            Spelling("trec_eval", "ndcg_rel_{gain}", whole=True),
        ),
    ),
    Measure(
        "Rndcg",
        ndcg_at_levels,
        (GAIN, REL),
        title="nDCG averaged where the ideal gain falls",
        formula="the mean of nDCG at the ranks where the best list falls to the next gain, and at the end",
        source="trec_eval 9 (2008)",
        family="graded",
        needs="gain and relevant",
        cutoff="none",
        spelt=(
            Spelling("trec_eval", "Rndcg"),
            Spelling("trec_eval", "Rndcg_{gain}", whole=True),
        ),
    ),
)
