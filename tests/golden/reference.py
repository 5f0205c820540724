"""trec_eval's published formulas in plain loops: slow, short, and written without a look at the package.

    ordered(rows)              the docs of one query in trec_eval's order
    values(shown, judged, ...) every measure of one query

`shown` is the list of grades in that order, None for a doc without judgment, below 0 for one that is in the
pool and not judged; `judged` is the list of all grades of the query, pooled ones left out.
Sources: the help texts of trec_eval 9 (trec_eval -h -m all_trec); Buckley and Voorhees 2004 and 2005;
Järvelin and Kekäläinen 2002.
"""

import math
import struct
from collections.abc import Sequence

CUTS = (1, 3, 5, 10, 30)
Grades = Sequence[int | None]


def single(score: float) -> float:
    """The score in single precision, as trec_eval 9 keeps it."""
    narrow: float = struct.unpack("f", struct.pack("f", score))[0]
    return narrow


def ordered(rows: Sequence[tuple[str, float]], *, narrow: bool = True) -> list[str]:
    """Docs by score, highest first; equal scores by the bytes of the id, greatest first."""
    kept = [(single(score) if narrow else score, doc.encode()) for doc, score in rows]
    return [doc.decode() for _, doc in sorted(kept, reverse=True)]


def only_judged(shown: Grades) -> Grades:
    """The list without what nobody judged (-J)."""
    return [grade for grade in shown if grade is not None and grade >= 0]


def values(shown: Grades, judged: Sequence[int], level: int = 1) -> dict[str, float]:
    """Every measure of one query under its trec_eval name."""
    found = {
        "num_ret": len(shown),
        "num_rel": how_many(judged, level),
        "num_rel_ret": how_many(shown, level),
        "map": average_precision(shown, judged, level),
        "Rprec": r_precision(shown, judged, level),
        "bpref": bpref(shown, judged, level),
        "recip_rank": reciprocal_rank(shown, level),
        "ndcg": ndcg(shown, judged),
        "set_P": share(how_many(shown, level), len(shown)),
        "set_recall": share(how_many(shown, level), how_many(judged, level)),
    }
    for cut in CUTS:
        top = shown[:cut]
        found |= {
            f"P_{cut}": how_many(top, level) / cut,
            f"recall_{cut}": share(how_many(top, level), how_many(judged, level)),
            f"success_{cut}": 1 if how_many(top, level) else 0,
            f"map_cut_{cut}": average_precision(top, judged, level),
            f"ndcg_cut_{cut}": ndcg(top, judged, cut),
        }
    return found


def how_many(grades: Grades, level: int) -> int:
    """How many grades are relevant."""
    n = 0
    for grade in grades:
        if grade is not None and grade >= level:
            n += 1
    return n


def share(part: float, whole: float) -> float:
    """part / whole; 0 of nothing."""
    return part / whole if whole else 0.0


def average_precision(shown: Grades, judged: Sequence[int], level: int) -> float:
    """Precision at each relevant doc, added up, over all relevant docs."""
    total, seen = 0.0, 0
    for rank, grade in enumerate(shown, 1):
        if grade is not None and grade >= level:
            seen += 1
            total += seen / rank
    return share(total, how_many(judged, level))


def r_precision(shown: Grades, judged: Sequence[int], level: int) -> float:
    """Precision after as many docs as are relevant."""
    n = how_many(judged, level)
    return share(how_many(shown[:n], level), n)


def reciprocal_rank(shown: Grades, level: int) -> float:
    """1 / rank of the first relevant doc."""
    for rank, grade in enumerate(shown, 1):
        if grade is not None and grade >= level:
            return 1 / rank
    return 0.0


def bpref(shown: Grades, judged: Sequence[int], level: int) -> float:
    """1 minus the share of judged docs above a relevant one that are not relevant, over all relevant docs."""
    relevant = how_many(judged, level)
    other = len(judged) - relevant
    total, above = 0.0, 0
    for grade in shown:
        if grade is None or grade < 0:
            continue
        if grade < level:
            above += 1
        elif above == 0:
            total += 1
        else:
            total += 1 - min(above, relevant) / min(other, relevant)
    return share(total, relevant)


def dcg(grades: Grades) -> float:
    """The grades, each divided by log2(rank + 1), added up."""
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        if grade is not None and grade > 0:
            total += grade / math.log2(rank + 1)
    return total


def ndcg(shown: Grades, judged: Sequence[int], cut: int | None = None) -> float:
    """DCG over that of the best possible list, which is cut where the list is cut."""
    return share(dcg(shown), dcg(sorted(judged, reverse=True)[:cut]))
