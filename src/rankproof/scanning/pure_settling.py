"""Settling: the hits of lists. Order is checked before anything is sorted, and ties are looked at where a hit is."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankproof.scanning.lines import UNREADABLE, Brief, Codes, Hashes, Looked, Rows, Settled, TooBrief
from rankproof.scanning.pure_lists import PureIndex, ranges
from rankproof.scanning.pure_words import first_equal, grouped, ordered, together, twice
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.spans import Spans

LAST = 2**64 - 1  # the key of a score that is no number
PART = 1 << 16  # rows settled together, in whole lists
_WORTHLESS = {"zero": 0, "skip": -1}


class _Part(NamedTuple):
    """Some lists with their rows in the order of the file; list i has the rows starts[i]:starts[i+1]."""

    docs: Spans | None
    judgment: Codes
    hash: Hashes
    number: Floats | None
    whole: Ints
    starts: Ints
    place: Codes

    def rows_of(self, lists: Ints) -> Ints:
        """The rows of some lists."""
        return ranges(self.starts[lists], np.diff(self.starts)[lists])


class _Placed(NamedTuple):
    """Hits with their list and their place in it."""

    list: Ints
    judgment: Codes
    rank: Ints
    tie_start: Ints
    tie_size: Ints


def settled(
    rows: Rows | Brief, looked: Looked, index: PureIndex, ordering: Ordering, order: Ints | None
) -> Settled:
    """The hits of lists, best first."""
    hits: list[_Placed] = []
    n_hits, n_repeats = (np.zeros(len(looked.place), np.int32) for _ in range(2))
    for lists, part in _parts(rows, looked, order):
        n_repeats[lists] = _repeats(part)
        found = _best_first([*_hits(part, index, ordering)])
        n_hits[lists] = np.bincount(found.list, minlength=len(part.place))
        hits.append(_with_repeats(found, n_repeats[lists]))
    none = np.empty(0, np.int32)
    columns = [
        np.concatenate((none, *column), dtype=np.int32) for column in list(zip(*hits, strict=True))[1:]
    ]
    judgment, rank, tie_start, tie_size = columns or [none] * 4
    return Settled(judgment, rank, tie_start, tie_size, n_hits, n_repeats)


def _parts(rows: Rows | Brief, looked: Looked, order: Ints | None) -> Iterator[tuple[slice, _Part]]:
    """The lists, as many at once as fit; those that nobody asked are among them."""
    starts, low = looked.starts, 0
    while low < len(looked.place):
        high = max(int(np.searchsorted(starts, starts[low] + PART, side="right")) - 1, low + 1)
        high = min(high, len(looked.place))
        lists, first, last = slice(low, high), int(starts[low]), int(starts[high])
        at: Any = slice(first, last) if order is None else order[first:last]
        part = starts[low : high + 1] - first, looked.place[lists]
        if isinstance(rows, Rows):
            docs = Spans(rows.docs.text, rows.docs.at[at], rows.docs.length[at])
            columns = (rows.judgment[at], rows.hash[at], rows.number[at], rows.whole[at])
            yield lists, _Part(docs, *columns, *part)
        else:
            yield lists, _Part(*_columns(rows, at), *part)
        low = high


def _columns(brief: Brief, at: Any) -> tuple[Spans | None, Codes, Hashes, Floats | None, Ints]:
    """Docs, judgments, hashes, scores and ranks of some rows in brief, as far as they are there."""
    rows = brief.rows[at]
    if brief.text is None:
        return None, rows["judgment"], rows["hash"], None, rows["whole"].astype(np.int64)
    begin = rows["at"].astype(np.int64)
    docs = Spans(brief.text, begin, (brief.rows["at"][1:][at] - begin).astype(np.int32))
    return docs, rows["judgment"], rows["hash"], rows["number"], np.zeros(len(rows), np.int64)


def _lists_of(part: _Part, rows: Ints) -> Ints:
    """(n,) the list in which each row stands."""
    return np.searchsorted(part.starts, rows, side="right") - 1


def _repeats(part: _Part) -> Ints:
    """(n_lists,) how many rows name a doc that an earlier one of the list names."""
    asked = np.flatnonzero(part.place >= 0)
    every = len(asked) == len(part.place)
    rows: Any = slice(None) if every else part.rows_of(asked)
    key = np.repeat(together(np.zeros(len(asked), np.uint64), asked), np.diff(part.starts)[asked])
    key ^= part.hash[rows]
    maybe = twice(key)
    if not len(maybe):
        return np.zeros(len(part.place), np.int64)
    at = maybe if every else rows[maybe]
    lists = _lists_of(part, at)
    if part.docs is None:
        raise TooBrief
    first = first_equal(part.docs.at_places(at), key[maybe], lists)
    return np.bincount(lists[first != np.arange(len(first))], minlength=len(part.place))


def _hits(part: _Part, index: PureIndex, ordering: Ordering) -> Iterator[_Placed]:
    """The hits of lists that stand in order, none of their docs beside an equal one, then those of the others."""
    hit = np.flatnonzero(part.judgment >= 0)
    lists = _lists_of(part, hit)
    asked = part.place[lists] >= 0
    if not asked.all():
        hit, lists = hit[asked], lists[asked]
    as_they_stand = _in_order(part, ordering)[lists]
    usual, of_usual = hit[as_they_stand], lists[as_they_stand]
    rank = usual - part.starts[of_usual] + 1
    yield _Placed(of_usual, part.judgment[usual], rank, rank, np.ones(len(rank), np.int64))
    if len(usual) < len(hit):
        others = np.bincount(lists[~as_they_stand], minlength=len(part.place))
        yield _arranged(part, np.flatnonzero(others), index, ordering)


def _in_order(part: _Part, ordering: Ordering) -> Bools:
    """(n_lists,) True where what orders the list rises, or falls, from each line to the next."""
    starts = np.diff(part.starts) > 0
    first = part.starts[:-1][starts]
    in_order = starts.copy()
    if ordering.order == "displayed":
        in_order[starts] = part.whole[first] != UNREADABLE
        wrong = part.whole[1:] <= part.whole[:-1]
    else:
        score = _compared(_numbers(part), ordering.score_width == 32)
        wrong = ~(score[1:] < score[:-1])  # as it is beside what is no number
    wrong_at = np.flatnonzero(wrong) + 1
    lists = _lists_of(part, wrong_at)
    in_order[lists[part.starts[lists] != wrong_at]] = False
    return in_order


def _arranged(part: _Part, lists: Ints, index: PureIndex, ordering: Ordering) -> _Placed:
    """The hits of lists that are put in order by their ranks or scores."""
    rows, sizes = part.rows_of(lists), np.diff(part.starts)[lists]
    begins, of = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(lists)), sizes)
    key = np.empty(0, np.uint64)
    ranked = np.zeros(len(lists), bool)
    if ordering.order == "displayed":
        ranked = _ranked(part.whole[rows], of, len(lists))
        key = part.whole[rows].view(np.uint64) ^ np.uint64(1 << 63)
    if not ranked.all():
        falling = _falling(_numbers(part)[rows], ordering.score_width == 32)
        key = np.where(ranked[of], key, falling) if ranked.any() else falling
    if not ((key[1:] >= key[:-1]) | (of[1:] != of[:-1])).all():
        order = np.argsort(key)
        order = order[grouped(of[order], len(lists))[0]]
        rows, key = rows[order], key[order]
    other = np.concatenate(([True], key[1:] != key[:-1]))
    other[begins] = True
    first, group = np.flatnonzero(other), np.cumsum(other) - 1
    size = np.diff(np.append(first, len(rows)))
    with_hit = np.zeros(len(first), bool)
    with_hit[group[part.judgment[rows] >= 0]] = True
    tied = np.flatnonzero((with_hit & (size > 1))[group])
    if len(tied):
        rows[tied] = _by_rule(part, rows[tied], group[tied], index, ordering)
    at = np.flatnonzero(part.judgment[rows] >= 0)
    begin, group = begins[of[at]], group[at]
    rank, alone = at - begin + 1, key[at] == LAST
    start = np.where(alone, rank, first[group] - begin + 1)
    return _Placed(lists[of[at]], part.judgment[rows[at]], rank, start, np.where(alone, 1, size[group]))


def _numbers(part: _Part) -> Floats:
    """The scores; TooBrief where there are none."""
    if part.number is None:
        raise TooBrief
    return part.number


def _compared(score: Floats, single: bool) -> NDArray[np.floating[Any]]:
    """(n,) scores as wide as they are compared."""
    if not single:
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def _falling(score: Floats, single: bool) -> Hashes:
    """(n,) keys that rise as the score falls; equal scores have equal keys, and no number comes last."""
    score = _compared(score, single).astype(np.float64)
    bits = (score + 0.0).view(np.uint64)  # -0 is 0
    key = np.where(score < 0, bits, ~(bits | np.uint64(1 << 63)))
    key[np.isnan(score)] = LAST
    return key


def _ranked(whole: Ints, of: Ints, n: int) -> Bools:
    """(n_lists,) True where every line has a readable rank and no two have the same."""
    ranked = np.ones(n, bool)
    ranked[of[whole == UNREADABLE]] = False
    ranked[of[1:][(whole[1:] == whole[:-1]) & (of[1:] == of[:-1])]] = False
    rows: Any = slice(None) if ranked.all() else np.flatnonzero(ranked[of])
    maybe = twice(together(whole[rows].view(np.uint64), of[rows]))
    if len(maybe):
        whole, of = whole[rows][maybe], of[rows][maybe]
        order = np.lexsort((whole, of))
        whole, of = whole[order], of[order]
        ranked[of[1:][(whole[1:] == whole[:-1]) & (of[1:] == of[:-1])]] = False
    return ranked


def _by_rule(part: _Part, rows: Ints, group: Ints, index: PureIndex, ordering: Ordering) -> Ints:
    """The rows of groups of equal scores in the order that the rule for ties says."""
    rule: Ints
    if ordering.ties in ("doc_id_desc", "doc_id_asc"):
        if part.docs is None:
            raise TooBrief
        rule = ordered(part.docs.at_places(rows), group)
    elif ordering.ties in ("optimistic", "pessimistic"):
        judgment = part.judgment[rows]
        rule = index.judged.grade[np.maximum(judgment, 0)]
        rule = np.where(rule < 0, _WORTHLESS.get(ordering.negative_grades, -2), rule)
        rule = np.where(judgment < 0, -1, rule)
    else:
        rule = rows
    if ordering.ties in ("file_last", "doc_id_desc", "optimistic"):
        rule = -rule
    return rows[np.lexsort((rows, rule, group))]


def _best_first(found: list[_Placed]) -> _Placed:
    """The hits list by list, best first."""
    if len(found) == 1:
        return found[0]
    of, judgment, rank, tie_start, tie_size = map(np.concatenate, zip(*found, strict=True))
    order = np.argsort(of << 32 | rank)
    return _Placed(of[order], judgment[order], rank[order], tie_start[order], tie_size[order])


def _with_repeats(found: _Placed, n_repeats: NDArray[Any]) -> _Placed:
    """The hits; -1 - judgment for a doc that already stands higher in the list."""
    rows = np.flatnonzero(n_repeats[found.list] > 0)
    if not len(rows):
        return found
    of, judgment = found.list[rows], found.judgment[rows]
    order = np.lexsort((judgment, of))
    of, judgment = of[order], judgment[order]
    again = rows[order[1:][(of[1:] == of[:-1]) & (judgment[1:] == judgment[:-1])]]
    marked = found.judgment.copy()
    marked[again] = -1 - marked[again]
    return found._replace(judgment=marked)
