"""Tokens: the rows of a block with their numbers, and what is odd in it."""

import numpy as np

from rankproof.scanning.lines import (
    BAD_WHOLE,
    NEW_TAG,
    ODD_NUMBER,
    UNREADABLE,
    Layout,
    Lines,
    Tokens,
)
from rankproof.scanning.pure_fields import events_of, fields_of
from rankproof.scanning.pure_numbers import scores, wholes
from rankproof.scanning.pure_words import MASKS, Eights, same
from rankproof.tables.columns import Bools, Ints
from rankproof.tables.spans import Spans

MOST_EVENTS = 4096  # of one block
MOST_TAGS = 16  # that are known again
LONGEST = (
    4096  # bytes of a field; longer ones, eight bytes at a time over all rows, are better read one by one
)


def tokens(block: bytes | bytearray, end: int, layout: Layout) -> Tokens | None:
    """The rows of block[:end]; None where too much is odd."""
    table = fields_of(block, end, layout)
    n = len(table.line)
    ids = (table.length[layout.query], table.length[layout.doc])
    if n > end // (2 * layout.fields) + 1 or max(int(one.max(initial=0)) for one in ids) > LONGEST:
        return None
    words, view, events = Eights(block), memoryview(block), [table.events]
    at, length = table.at, table.length

    def note(kind: int, rows: Ints, k: int) -> None:
        if len(rows):
            events.append(events_of(kind, table.line[rows], at[k][rows], length[k][rows], rows))

    whole, number = np.arange(n), np.zeros(n)
    if (k := layout.whole) >= 0:
        whole = wholes(words, view, at[k], length[k])
        note(BAD_WHOLE, np.flatnonzero(whole == UNREADABLE), k)
    if (k := layout.number) >= 0:
        number, odd = scores(words, view, at[k], length[k])
        note(ODD_NUMBER, odd, k)
    if (k := layout.tag) >= 0:
        note(NEW_TAG, _new_tags(words, Spans(block, at[k], length[k].astype(np.int32))), k)
    every = np.concatenate(events)
    if len(every) > MOST_EVENTS:
        return None
    query, doc = layout.query, layout.doc
    spans = at[query], length[query].astype(np.int32), at[doc], length[doc].astype(np.int32)
    lines = Lines(block, *spans, table.line, whole, number)
    return Tokens(lines, table.counts, every[np.lexsort((every[:, 0], every[:, 1]))])


def _new_tags(words: Eights, tags: Spans) -> Ints:
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


def _all_like_first(words: Eights, tags: Spans) -> Bools:
    """(n,) True where a tag equals the first one."""
    size = int(tags.length[0])
    equal: Bools = tags.length == size
    for done in range(0, size, 8):
        back = min(done, max(size - 8, 0))  # the last word may overlap the one before
        word = words.at(tags.at + back) & MASKS[min(size, 8)]
        equal &= word == word[0]
    return equal
