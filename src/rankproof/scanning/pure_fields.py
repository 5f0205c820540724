"""Fields: where those of every line of a block begin and end.

A block whose lines all have the usual fields, with one blank between two, is recognised by counting, and its fields
are the columns of a table of marks. In any other block fields are found first, then the lines that they stand in.
"""

from typing import Any, NamedTuple

import numpy as np

from rankproof.scanning.lines import FEW_FIELDS, Codes, Counts, Layout
from rankproof.tables.columns import Bools, Ints

FEED, RETURN, SPACE, TAB = 10, 13, 32, 9
NO_EVENTS = np.empty((0, 5), np.int64)


class Table(NamedTuple):
    """The fields of the lines that become rows: field k of row i stands at at[k][i] and has length[k][i] bytes."""

    at: dict[int, Ints]
    length: dict[int, Ints]
    line: Codes
    counts: Counts
    events: Ints


def fields_of(block: bytes | bytearray, end: int, layout: Layout) -> Table:
    """The fields of block[:end], as far as the layout gives them a meaning."""
    text = np.frombuffer(block, np.uint8, end) if end else np.empty(0, np.uint8)
    wanted = {k for k in layout[2:] if k >= 0}
    table = _table_of_usual(text, layout, wanted) if _looks_usual(block, end, layout) else None
    table = table or _table(text, layout, wanted)
    beyond = int(end > 0 and (int(text.max()) > 127 or not text.min()))
    return table._replace(counts=table.counts._replace(beyond=beyond))


def events_of(kind: int, *columns: Ints | Codes) -> Ints:
    """(n, 5) events of one kind."""
    return np.column_stack((np.full(len(columns[0]), kind), *columns)).astype(np.int64, copy=False)


def _looks_usual(block: bytes | bytearray, end: int, layout: Layout) -> bool:
    """True where the first line has all fields with one blank between two, so that others may have them too."""
    first = block[: max(block.find(b"\n", 0, end), 0)].replace(b"\t", b" ").split(b" ")
    return not layout.separator and len(first) == layout.fields and all(first)


def _table_of_usual(text: np.ndarray, layout: Layout, wanted: set[int]) -> Table | None:
    """The fields of a block in which every line has all of them and one blank stands between two; else None."""
    marks = np.flatnonzero(text <= SPACE)
    lines, rest = divmod(len(marks), layout.fields)
    if rest or not lines or marks[-1] + 1 < len(text):
        return None
    stops = marks.reshape(lines, layout.fields).T
    between = lines * (layout.fields - 1)
    blanks = np.count_nonzero(text == SPACE)
    if blanks < between and blanks + np.count_nonzero(text == TAB) < between:
        return None
    if np.count_nonzero(text[stops[-1]] == FEED) < lines:
        return None
    at, length = {}, {}
    for k in range(layout.fields):
        start = stops[k - 1] + 1 if k else np.concatenate(([0], stops[-1, :-1] + 1))
        size = stops[k] - start
        if size.min() < 1:
            return None
        if k in wanted:
            at[k], length[k] = start, size
    return Table(at, length, np.arange(lines, dtype=np.int32), _all_usual(lines), NO_EVENTS)


def _table(text: np.ndarray, layout: Layout, wanted: set[int]) -> Table:
    """The fields of any block."""
    breaks = _breaks(text)
    between = _between_separators if layout.separator else _between_blanks
    starts, stops = between(text, breaks, layout.separator)
    if _complete(starts, stops, breaks, layout.fields):
        fields = {k: slice(k, None, layout.fields) for k in wanted}
        return _cut(starts, stops, fields, np.arange(len(breaks)), _all_usual(len(breaks)), NO_EVENTS)
    # A field that is empty begins where its line ends, and belongs to it.
    behind = np.searchsorted(starts, breaks, side="right")
    first = np.concatenate(([0], behind[:-1]))
    n = behind - first
    odd = np.flatnonzero(n != layout.fields)
    known = odd[n[odd] > 0]
    head = first[known]
    comment = text[np.minimum(starts[head], len(text) - 1)] == ord("#")
    comment &= stops[head] > starts[head]
    fewer = n[known] < layout.fields
    few, more = known[fewer & ~comment], known[~fewer & ~comment]
    row = n == layout.fields
    row[more] = True
    lines = np.flatnonzero(row)
    counts = Counts(
        lines=len(breaks),
        rows=len(lines),
        blank=len(odd) - len(known),
        comments=int(comment.sum()),
        more=len(more),
        first_more=int(more[0]) if len(more) else 0,
        odd=len(known),
        beyond=0,
    )
    begin = starts[first[few]]
    events = events_of(FEW_FIELDS, few, begin, stops[behind[few] - 1] - begin, n[few])
    return _cut(starts, stops, {k: first[lines] + k for k in wanted}, lines, counts, events)


def _complete(starts: Ints, stops: Ints, breaks: Ints, fields: int) -> bool:
    """True where every line has all fields and no more."""
    if len(starts) != fields * len(breaks):
        return False
    within = stops[fields - 1 :: fields] <= breaks
    return bool(within.all() and (starts[fields::fields] > breaks[:-1]).all())


def _cut(
    starts: Ints, stops: Ints, fields: dict[int, Any], lines: Ints, counts: Counts, events: Ints
) -> Table:
    at = {k: starts[field].copy() for k, field in fields.items()}
    length = {k: stops[field] - at[k] for k, field in fields.items()}
    return Table(at, length, lines.astype(np.int32), counts, events)


def _all_usual(lines: int) -> Counts:
    return Counts(lines, lines, blank=0, comments=0, more=0, first_more=0, odd=0, beyond=0)


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
