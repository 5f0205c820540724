"""More of trec_eval's published formulas in plain loops: levels of recall, sets, samples, gain that was missed.

Written from the help texts of trec_eval 9 and 10 and their papers, without a look at the package; `shown` and
`judged` are as in reference.py. Sources beside those there: Yilmaz and Aslam 2006; Robertson 2006.
"""

import math
from collections.abc import Sequence

from golden import reference
from golden.reference import Grades, how_many, share

LEVELS = tuple(tenth / 10 for tenth in range(11))
TIMES = tuple(tenth / 10 for tenth in range(2, 21, 2))
LEAST = 1e-5


def values(shown: Grades, judged: Sequence[int], level: int, *, rounded: bool) -> dict[str, float]:
    """Every further measure of one query; levels of recall are `rounded` in version 10."""
    found, relevant = how_many(shown, level), how_many(judged, level)
    precision, recall = share(found, len(shown)), share(found, relevant)
    at_levels = [interpolated(shown, docs_at(x, relevant, rounded=rounded), level) for x in LEVELS]
    return {
        "num_q": 1,
        "num_nonrel_judged_ret": sum(1 for grade in shown if grade is not None and 0 <= grade < level),
        "gm_map": math.log(max(reference.average_precision(shown, judged, level), LEAST)),
        "gm_bpref": math.log(max(reference.bpref(shown, judged, level), LEAST)),
        "infAP": inferred(shown, judged, level),
        "set_map": precision * recall,
        "set_F": share(2 * precision * recall, precision + recall),
        "set_relative_P": share(found, min(len(shown), relevant)),
        "utility": found - (len(shown) - found),
        "11pt_avg": sum(at_levels) / len(at_levels),
        "binG": missed_gain([1 if g is not None and g >= level else 0 for g in shown], [1] * relevant),
        "G": missed_gain(gains(shown), judged),
        "ndcg_rel": at_relevant(gains(shown), judged),
        "Rndcg": at_falls(gains(shown), judged) if relevant else 0.0,
        **{f"iprec_at_recall_{x:.2f}": at for x, at in zip(LEVELS, at_levels, strict=True)},
        **{f"Rprec_mult_{x:.2f}": at_multiple(shown, x, relevant, level) for x in TIMES},
        **{f"relative_P_{k}": share(how_many(shown[:k], level), min(k, relevant)) for k in reference.CUTS},
    }


def gains(shown: Grades) -> list[int]:
    """What each displayed doc is worth."""
    return [grade if grade is not None and grade > 0 else 0 for grade in shown]


def docs_at(recall: float, relevant: int, *, rounded: bool) -> int:
    """How many relevant docs a level of recall is."""
    return math.floor(recall * relevant + (0.5 if rounded else 0.9))


def interpolated(shown: Grades, needed: int, level: int) -> float:
    """The best precision after any doc by which so many relevant ones have been found."""
    best = 0.0
    for rank in range(1, len(shown) + 1):
        found = how_many(shown[:rank], level)
        if found and found >= needed:
            best = max(best, found / rank)
    return best


def at_multiple(shown: Grades, times: float, relevant: int, level: int) -> float:
    """Precision after `times` as many docs as are relevant."""
    rank = math.floor(times * relevant + 0.9)
    return share(how_many(shown[:rank], level), rank)


def inferred(shown: Grades, judged: Sequence[int], level: int) -> float:
    """Precision expected at each relevant doc, added up, over all relevant docs."""
    total = 0.0
    for rank, grade in enumerate(shown, 1):
        if grade is not None and grade >= level:
            above = shown[: rank - 1]
            relevant = how_many(above, level)
            other = sum(1 for g in above if g is not None and 0 <= g < level)
            pooled = sum(1 for g in above if g is not None)
            expected = (relevant + LEAST) / (relevant + other + 2 * LEAST)
            total += 1 / rank + (pooled / rank) * expected
    return share(total, how_many(judged, level))


def missed_gain(worth: Sequence[int], judged: Sequence[int]) -> float:
    """Gain over the logarithm of what was missed so far, over all gain."""
    ideal = sorted((g for g in judged if g > 0), reverse=True)
    total, cost, gained = 0.0, 0, 0
    for place, gain in enumerate(worth):
        cost += ideal[place] if place < len(ideal) else 1
        gained += gain
        total += gain / math.log2(2 + cost - gained)
    return share(total, sum(ideal))


def at_relevant(worth: Sequence[int], judged: Sequence[int]) -> float:
    """nDCG at each doc that is worth something, those not found at the end."""
    ideal = sorted((g for g in judged if g > 0), reverse=True)
    total, found = 0.0, 0
    for rank, gain in enumerate(worth, 1):
        if gain:
            found += 1
            total += share(reference.dcg(worth[:rank]), reference.dcg(ideal[:rank]))
    total += (len(ideal) - found) * share(reference.dcg(worth), reference.dcg(ideal))
    return share(total, len(ideal))


def at_falls(worth: Sequence[int], judged: Sequence[int]) -> float:
    """nDCG where the best list falls to another grade, and at the end of a list that goes on for two docs more."""
    ideal = sorted((g for g in judged if g > 0), reverse=True)
    places = [n for n in range(1, len(ideal) + 1) if n == len(ideal) or ideal[n] != ideal[n - 1]]
    found = [share(reference.dcg(worth[:n]), reference.dcg(ideal[:n])) for n in places]
    if len(worth) > len(ideal) + 1:
        found.append(share(reference.dcg(worth), reference.dcg(ideal)))
    return share(sum(found), len(found))
