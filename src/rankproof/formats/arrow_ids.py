"""Ids and numbers of Arrow columns, as scanning takes them; NotPlain where only careful readers know what to do."""

from itertools import pairwise
from typing import Any

import numpy as np

from rankproof.formats.arrow import NUMBERS, Bytes, Column
from rankproof.formats.blocks import BLANKS, NotPlain
from rankproof.formats.indexing import lists_in
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import UNREADABLE
from rankproof.tables.columns import Bools, Floats, Ints
from rankproof.tables.spans import Lengths, Spans, joined

WHOLE = tuple(kind for kind in NUMBERS if kind not in "fg")
INLINE = 12  # bytes of a text that stand in its view
LARGEST = 10**15  # a whole number of more digits is read by nobody
_LOW = 0x0101010101010101
_HIGH = np.uint64(0x80 * _LOW)
_TO_ANY, _TO_VISIBLE = np.uint64(0x7F * _LOW), np.uint64(0x5F * _LOW)
_WITHOUT_LENGTH = np.uint64(0xFFFFFFFF << 32)


def ids_of(column: Column) -> Spans:
    """Ids in the order in which they stand in their text; NotPlain where one is none, or not plain."""
    _stop_at_nulls(column)
    if column.dictionary is not None:
        return _stop_unless_plain(engine().packed(_of_dictionary(column)))
    if column.type == "vu":
        views = _views(column)
        length = views.view(np.int32)[::4].copy()
        if column.n and length.max() <= INLINE and length.min() > 0 and _visible(views):
            return _in_views(views, length)
    return _stop_unless_plain(_spans(column))


def lists_of(column: Column) -> tuple[Ints, Spans]:
    """Where each list of equal neighbours begins, and its id, whatever it is like; NotPlain where one is none."""
    _stop_at_nulls(column)
    if column.type == "vu" and column.n:
        return _lists_of_views(column)
    if column.type in WHOLE and column.n:
        numbers = column.numbers()
        starts = _starts(numbers[1:] != numbers[:-1])
        if column.dictionary is None:
            return starts, _written(numbers[starts])
        return starts, _of_dictionary(column).at_places(starts)
    ids = _spans(column)
    starts = lists_in(ids)[:-1]
    return starts, ids.at_places(starts)


def _lists_of_views(column: Column) -> tuple[Ints, Spans]:
    """The same of views: those that are equal are of equal texts, and short texts that are equal have equal views."""
    views = _views(column)
    first, second = views[::2], views[1::2]
    starts = _starts((first[1:] != first[:-1]) | (second[1:] != second[:-1]))
    if len(starts) < column.n:
        views = views.reshape(-1, 2)[starts].reshape(-1)
    length = views.view(np.int32)[::4].copy()
    if length.max() <= INLINE:
        return starts, _in_views(views, length)
    ids = _behind_each_other(column, views)
    different = lists_in(ids)[:-1]
    return starts[different], ids.at_places(different)


def _starts(differs: Bools) -> Ints:
    """Where lists begin, where it is known which rows differ from the row before."""
    return np.concatenate(([0], np.flatnonzero(differs) + 1))


def _stop_at_nulls(column: Column) -> None:
    if column.nulls() is not None:
        raise NotPlain("an id that is none")


def _of_dictionary(column: Column) -> Spans:
    """Each id where it stands in the text of the dictionary."""
    assert column.dictionary is not None
    kept = column.dictionary.kept
    if "spans" not in kept:
        _stop_at_nulls(column.dictionary)
        kept["spans"] = _spans(column.dictionary)
    ids: Spans = kept["spans"]
    return ids.at_places(column.numbers().astype(np.int64))


def _spans(column: Column) -> Spans:
    """Texts, and whole numbers as texts, in the order in which they stand."""
    if column.type in ("u", "U"):
        offsets = column.items(1, np.int32 if column.type == "u" else np.int64, column.offset, column.n + 1)
        if not column.n:
            return Spans.of(())
        start, end = int(offsets[0]), int(offsets[-1])
        text = column.items(2, np.uint8, start, end - start)
        return Spans(text, offsets[:-1].astype(np.int64) - start, np.diff(offsets).astype(np.int32))
    if column.type == "vu":
        return _behind_each_other(column, _views(column))
    if column.type in WHOLE and column.dictionary is None:
        return _written(column.numbers())
    raise NotPlain("ids that are no texts")


def _written(numbers: np.ndarray) -> Spans:
    """Whole numbers as decimal texts, each at the right end of a field as wide as the longest."""
    signed = numbers.dtype.kind == "i"
    rest = np.abs(numbers.astype(np.int64)).view(np.uint64) if signed else numbers.astype(np.uint64)
    width = len(str(int(rest.max(initial=0)))) + 1
    rest = rest.astype(np.uint32) if width <= 10 else rest  # which is divided faster
    text = np.full((len(numbers), width), ord("-"), np.uint8)
    length = np.zeros(len(numbers), np.int32)
    for place in range(width - 1, 0, -1):
        length += (rest > 0) | (place == width - 1)
        rest, digit = np.divmod(rest, rest.dtype.type(10))
        text[:, place] = digit + rest.dtype.type(ord("0"))
    below = np.flatnonzero(numbers < 0) if signed else np.empty(0, np.int64)
    text[below, width - 1 - length[below]] = ord("-")
    length[below] += 1
    return Spans(text.reshape(-1), np.arange(1, len(numbers) + 1) * width - length, length)


def _views(column: Column) -> Any:
    """(2 n,) the views of texts: for a text of at most 12 bytes its length and itself, else also where it stands."""
    return column.items(1, np.uint64, 2 * column.offset, 2 * column.n)


def _in_views(views: Any, length: Lengths) -> Spans:
    """Texts that stand in their views."""
    return Spans(views.view(np.uint8), np.arange(4, 8 * len(views), 16), length)


def _visible(views: Any) -> bool:
    """True where no character of short texts is a blank, a control character, or beyond ASCII.

    Each byte from 1 to 0x20 gets its highest bit by 0x7F and not by 0x5F; no sum reaches into the next byte.
    """
    either = np.bitwise_or.reduce(views[::2]) & _WITHOUT_LENGTH | np.bitwise_or.reduce(views[1::2])
    if either & _HIGH:
        return False
    blank = views + _TO_ANY
    blank ^= views + _TO_VISIBLE
    found = np.bitwise_or.reduce(blank[::2]) & _WITHOUT_LENGTH | np.bitwise_or.reduce(blank[1::2])
    return not found & _HIGH


def _behind_each_other(column: Column, of: Any) -> Spans:
    """Texts of some views of a column, copied into one text."""
    views = of.view(np.int32).reshape(-1, 4)
    n, length = len(views), views[:, 0].copy()
    inline = length <= INLINE
    source = np.where(inline, 0, views[:, 2] + 1)
    at = np.where(inline, 16 * np.arange(n) + 4, views[:, 3])
    used = np.flatnonzero(np.bincount(source))
    texts = [_heap(column, one - 1) if one else views.reshape(-1).view(np.uint8) for one in used.tolist()]
    if len(texts) == 1:
        return engine().packed(Spans(texts[0], at, length))
    order, starts = engine().grouped(np.searchsorted(used, source).astype(np.int32), len(texts))
    groups = [order[low:high] for low, high in pairwise(starts.tolist())]
    parts = [
        engine().packed(Spans(text, at[rows], length[rows])) for text, rows in zip(texts, groups, strict=True)
    ]
    found = joined(parts)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return engine().packed(found.at_places(back))


def _heap(column: Column, place: int) -> Bytes:
    """The buffer of long texts with that number."""
    sizes = column.items(len(column.buffers) - 1, np.int64, 0, len(column.buffers) - 3)
    return column.items(2 + place, np.uint8, 0, int(sizes[place]))


def _stop_unless_plain(ids: Spans) -> Spans:
    """The ids, which stand in their order; NotPlain where one is empty, or has a line break or blanks around it."""
    if not len(ids):
        return ids
    text = np.frombuffer(ids.text, np.uint8)
    if ids.length.min() == 0:
        raise NotPlain("an empty id")
    if text.min() > 0x20 and text.max() < 0x80:
        return ids
    last = ids.at + ids.length - 1
    raw = text.tobytes()
    blanks = BLANKS if text.max() >= 0x80 else ()
    if min(text[ids.at].min(), text[last].min()) <= 0x20 or any(
        one in raw for one in (b"\n", b"\r", *blanks)
    ):
        raise NotPlain("blanks around an id")
    return ids


def stop_unless_plain(ids: Spans) -> None:
    """NotPlain where one of some ids is empty, or has a line break or blanks around it."""
    _stop_unless_plain(engine().packed(ids))


def wholes_of(column: Column | None, n: int) -> Ints:
    """(n,) ranks or grades; UNREADABLE where there is no such column."""
    if column is None:
        return np.full(n, UNREADABLE)
    numbers = _numbers(column)
    if column.nulls() is not None:
        raise NotPlain("a number that is none")
    if n and not (numbers.min() > -LARGEST and numbers.max() < LARGEST):  # false for NaN
        raise NotPlain("a number that is too large")
    whole = numbers.astype(np.int64, copy=False)
    if numbers.dtype.kind == "f" and (whole != numbers).any():
        raise NotPlain("a number that is not whole")
    return whole


def scores_of(column: Column, may_lack: bool) -> Floats:
    """(n,) scores; NaN where there is none, and where there `may_lack` one."""
    numbers = _numbers(column).astype(np.float64, copy=False)
    nulls = column.nulls()
    if nulls is not None:
        if not may_lack:
            raise NotPlain("a score that is none")
        numbers = np.where(nulls, 0.0, numbers)
    if not np.isfinite(numbers).all():
        raise NotPlain("a score that is not finite")
    if nulls is not None:
        numbers[nulls] = np.nan
    return numbers


def _numbers(column: Column) -> np.ndarray:
    if column.type not in NUMBERS or column.dictionary is not None:
        raise NotPlain("numbers that are none")
    return column.numbers()
