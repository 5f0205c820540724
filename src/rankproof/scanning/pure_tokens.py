"""Tokens: the fields of every line of a block at once.

A block whose lines all have the usual fields, with one blank between two, is recognised by counting, and its fields
are the columns of a table of marks. In any other block fields are found first, then the lines that they stand in.
"""

from typing import NamedTuple

import numpy as np

from rankproof.scanning.lines import (
    BAD_WHOLE,
    FEW_FIELDS,
    NEW_TAG,
    ODD_NUMBER,
    UNREADABLE,
    Codes,
    Counts,
    Layout,
    Lines,
    Tokens,
)
from rankproof.scanning.pure_numbers import scores, wholes
from rankproof.scanning.pure_words import MASKS, Words, same
from rankproof.tables.columns import Bools, Ints
from rankproof.tables.spans import Spans

MOST_EVENTS = 4096  # of one block
MOST_TAGS = 16  # that are known again
FEED, RETURN, SPACE, TAB = 10, 13, 32, 9


class _Table(NamedTuple):
    """The fields of the lines that become rows: field k of row i stands at starts[k][i] and ends at stops[k][i]."""

    starts: dict[int, Ints]
    stops: dict[int, Ints]
    line: Codes
    counts: Counts
    events: Ints


def tokens(block: bytes, end: int, layout: Layout) -> Tokens | None:
    """The rows of block[:end]; None where too much is odd."""
    text = np.frombuffer(block, np.uint8, end) if end else np.empty(0, np.uint8)
    wanted = {k for k in layout[2:] if k >= 0}
    table = _table_of_usual(text, layout, wanted) if not layout.separator else None
    if table is None:
        table = _table(text, layout, wanted)
    n = len(table.line)
    if n > end // (2 * layout.fields) + 1:
        return None
    words, view, events = Words(block), memoryview(block), [table.events]
    at, length = table.starts, {k: table.stops[k] - table.starts[k] for k in wanted}

    def note(kind: int, rows: Ints, k: int) -> None:
        if len(rows):
            events.append(_events(kind, table.line[rows], at[k][rows], length[k][rows], rows))

    whole, number = np.arange(n), np.zeros(n)
    if (k := layout.whole) >= 0:
        whole = wholes(words, view, at[k], length[k])
        note(BAD_WHOLE, np.flatnonzero(whole == UNREADABLE), k)
    if (k := layout.number) >= 0:
        number, odd = scores(words, view, at[k], length[k])
        note(ODD_NUMBER, odd, k)
    if (k := layout.tag) >= 0:
        note(NEW_TAG, _new_tags(words, Spans(block, at[k], length[k])), k)
    every = np.concatenate(events)
    if len(every) > MOST_EVENTS:
        return None
    query, doc = layout.query, layout.doc
    spans = at[query], length[query].astype(np.int32), at[doc], length[doc].astype(np.int32)
    lines = Lines(block, *spans, table.line, whole, number)
    return Tokens(lines, table.counts, every[np.lexsort((every[:, 0], every[:, 1]))])


def _events(kind: int, *columns: Ints | Codes) -> Ints:
    """(n, 5) events of one kind."""
    return np.column_stack((np.full(len(columns[0]), kind), *columns)).astype(np.int64, copy=False)


def _table_of_usual(text: np.ndarray, layout: Layout, wanted: set[int]) -> _Table | None:
    """The fields of a block in which every line has all of them and one blank stands between two; else None."""
    marks = np.flatnonzero(text <= SPACE)
    lines, rest = divmod(len(marks), layout.fields)
    if rest or not lines or marks[-1] + 1 < len(text):
        return None
    ends = marks[layout.fields - 1 :: layout.fields]
    between = lines * (layout.fields - 1)
    if np.count_nonzero(text[ends] == FEED) < lines or marks[0] == 0 or np.diff(marks).min(initial=2) < 2:
        return None
    blanks = np.count_nonzero(text == SPACE)
    if blanks < between and blanks + np.count_nonzero(text == TAB) < between:
        return None
    starts, stops = {}, {}
    for k in wanted:
        stops[k] = marks[k :: layout.fields].copy()
        starts[k] = (marks[k - 1 :: layout.fields] if k else np.concatenate(([-1], ends[:-1]))) + 1
    line = np.arange(lines, dtype=np.int32)
    return _Table(starts, stops, line, Counts(lines, lines, 0, 0, 0, 0, 0), np.empty((0, 5), np.int64))


def _table(text: np.ndarray, layout: Layout, wanted: set[int]) -> _Table:
    """The fields of any block."""
    breaks = _breaks(text)
    between = _between_separators if layout.separator else _between_blanks
    starts, stops = between(text, breaks, layout.separator)
    behind = np.searchsorted(starts, breaks, side="right") if len(starts) else np.zeros(len(breaks), np.int64)
    # An empty field begins where it ends, so the field of a break at its own place belongs to it.
    first = np.concatenate(([0], behind[:-1]))
    n = behind - first
    odd = np.flatnonzero(n != layout.fields)
    blank = n[odd] == 0
    known = odd[~blank]
    head = first[known]
    comment = (stops[head] > starts[head]) & (text[np.minimum(starts[head], len(text) - 1)] == ord("#"))
    fewer = n[known] < layout.fields
    few, more = known[fewer & ~comment], known[~fewer & ~comment]
    row = np.ones(len(breaks), bool)
    row[odd] = False
    row[more] = True
    lines = np.flatnonzero(row)
    counts = Counts(
        lines=len(breaks),
        rows=len(lines),
        blank=int(blank.sum()),
        comments=int(comment.sum()),
        more=len(more),
        first_more=int(more[0]) if len(more) else 0,
        odd=len(known),
    )
    begin, last = starts[first[few]], stops[behind[few] - 1]
    events = _events(FEW_FIELDS, few, begin, last - begin, n[few])
    at = first[lines]
    starts_of, stops_of = {k: starts[at + k] for k in wanted}, {k: stops[at + k] for k in wanted}
    return _Table(starts_of, stops_of, lines.astype(np.int32), counts, events)


def _breaks(text: np.ndarray) -> Ints:
    """Where lines end: at \\n, \\r and \\r\\n, and at the end of the block."""
    feeds = np.flatnonzero(text == FEED)
    returns = np.flatnonzero(text == RETURN)
    after = feeds
    if len(returns):
        after = feeds[(feeds == 0) | (text[feeds - 1] != RETURN)]
        after = np.sort(np.concatenate((after, returns)))
    if len(text) and text[-1] not in (FEED, RETURN):
        after = np.append(after, len(text))
    return after


def _between_blanks(text: np.ndarray, breaks: Ints, separator: int) -> tuple[Ints, Ints]:  # noqa: ARG001 - one of two
    """Where fields begin and end between runs of blanks: where words and blanks change over."""
    blank = _blank(text)
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    if len(text) and not blank[0]:
        edges = np.concatenate(([0], edges))
    if len(edges) % 2:
        edges = np.append(edges, len(text))
    return edges[::2], edges[1::2]


def _blank(text: np.ndarray) -> Bools:
    blank = text - np.uint8(TAB) < 5  # tab, feed, vertical tab, form feed, return
    blank |= text == SPACE
    return blank


def _between_separators(text: np.ndarray, breaks: Ints, separator: int) -> tuple[Ints, Ints]:
    """Where fields begin and end between separators, which part empty ones too."""
    parts = np.flatnonzero((text == separator) | (text == FEED) | (text == RETURN))
    if len(text) and text[-1] not in (FEED, RETURN):
        parts = np.append(parts, len(text))
    starts = np.concatenate(([0], parts + 1))[:-1]
    ends = np.zeros(len(parts), bool)
    ends[np.searchsorted(parts, breaks)] = True
    separates = text[np.minimum(parts, len(text) - 1)] == separator
    separates &= parts < len(text)
    before = np.concatenate(([False], separates[:-1]))
    field = (parts > starts) | separates | (ends & before)  # what follows a separator is a field
    return starts[field], parts[field]


def _new_tags(words: Words, tags: Spans) -> Ints:
    """The rows whose tag is another than those before; a few are known again."""
    new: list[int] = []
    rows = np.flatnonzero(~_all_like_first(words, tags)) if len(tags) else np.empty(0, np.int64)
    if len(tags):
        new.append(0)
    while len(rows) and len(new) < MOST_TAGS:
        new.append(int(rows[0]))
        first = np.full(len(rows), rows[0])
        rows = rows[~same(tags.at_places(rows), tags.at_places(first))]
    return np.concatenate((np.array(new, np.int64), rows))


def _all_like_first(words: Words, tags: Spans) -> Bools:
    """(n,) True where a tag equals the first one."""
    size = int(tags.length[0])
    equal = tags.length == size
    for done in range(0, size, 8):
        back = min(done, max(size - 8, 0))  # the last word may overlap the one before
        word = words.at(tags.at + back) & MASKS[min(size, 8)]
        equal &= word == word[0]
    return equal
