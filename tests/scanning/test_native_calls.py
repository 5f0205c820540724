"""The compiled kernels called wrongly: an error each time, and nothing is kept."""

import gc
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from rankproof.scanning.engine import engine
from rankproof.scanning.lines import RANKED, RUN, SCORED, Codes, Rows
from rankproof.tables.columns import Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans

_scan = pytest.importorskip("rankproof._scan", reason="the compiled engine is not in this installation")

CALLS = 10_000  # that are wrong; right ones do much more
RIGHT_CALLS = 1_000


def ints(*values: int) -> Ints:
    return np.array(values, np.int64)


TEXT = b"d1d2"
AT, LENGTH = ints(0, 2), np.array([2, 2], np.int32)
IDS = (TEXT, AT, LENGTH)
SLOTS = np.zeros(5, np.uint64)
SHORT = np.zeros(1, np.int32)
RANKS, SCORES, HASHES = np.zeros(9, np.int64), np.zeros(9), np.zeros(9, np.uint64)
PLACE = np.zeros(9, np.int32)
RANKED_ROWS, SCORED_ROWS = np.zeros(2, RANKED), np.zeros(3, SCORED)


def longs() -> Ints:
    return np.zeros(9, np.int64)


def halves() -> Codes:
    return np.zeros(9, np.int32)


# What is written into; no two may share their memory.
EVENTS, STARTS, OUT_HASHES = longs(), longs(), np.zeros(9, np.uint64)
FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH = (halves() for _ in range(6))
COLUMNS = (longs(), halves(), longs(), halves(), halves(), longs(), np.zeros(9))
RULES = (0, 0, 0)


def settle(**changed: Any) -> Callable[[], object]:
    """A call of settle with one list of two lines, in which some arguments are others."""
    given: dict[str, Any] = {
        "docs": IDS, "n": 2, "columns": (np.zeros(2, np.int32), HASHES, SCORES, RANKS), "lists": (ints(0, 2), PLACE),
        "n_lists": 1, "order": None, "judged": (ints(1, 1), 2, ints(0, 2), 1), "rules": RULES,
        "out": (FIRST, SECOND, THIRD, FOURTH), "of_lists": (FIFTH, SIXTH), **changed,
    }  # fmt: skip  # a table, read row by row
    return lambda: _scan.settle(*given.values())


def brief(rows: object, text: object, **changed: Any) -> Callable[[], object]:
    """A call of settle with lines in brief."""
    given = {"order": ints(0, 1), "docs": (text, None, None), "columns": (rows, None, None, None), **changed}
    return settle(**given)


def look_up(n: int, lines: tuple[object, ...], slots: object, offsets: Ints) -> Callable[[], object]:
    found = (STARTS, FIRST, SECOND, OUT_HASHES)
    return lambda: _scan.look_up(TEXT, n, lines, (IDS, 2, slots), (IDS, 2, SLOTS, offsets), 1, found)


LINES = (AT, LENGTH, AT, LENGTH)
WRONG: Mapping[str, Callable[[], object]] = {
    "tokenise, a block that ends later": lambda: _scan.tokenise(TEXT, 9, tuple(RUN), COLUMNS, EVENTS),
    "tokenise, a block of less than nothing": lambda: _scan.tokenise(TEXT, -1, tuple(RUN), COLUMNS, EVENTS),
    "tokenise, a field that is none": lambda: _scan.tokenise(
        TEXT, 4, tuple(RUN._replace(tag=6)), COLUMNS, EVENTS
    ),
    "tokenise, a short column": lambda: _scan.tokenise(TEXT, 4, tuple(RUN), (SHORT, *COLUMNS[1:]), EVENTS),
    "index, offsets that fall": lambda: _scan.index(IDS, ints(0, 2, 1), 2, 1, SLOTS, STARTS, EVENTS),
    "index, an id outside": lambda: _scan.index((b"d", AT, LENGTH), ints(0, 2), 1, 1, SLOTS, STARTS, EVENTS),
    "index, less than no groups": lambda: _scan.index(IDS, ints(0, 2), -1, 1, SLOTS, STARTS, EVENTS),
    "index, too few slots": lambda: _scan.index(IDS, ints(0, 2), 1, 1, SLOTS[:1], STARTS, EVENTS),
    "look_up, a doc outside": look_up(2, (AT, LENGTH, AT + 1, LENGTH), SLOTS, ints(0, 5, 5)),
    "look_up, slots that are no table": look_up(2, LINES, SLOTS[:3], ints(0, 5, 5)),
    "look_up, more lines than there are": look_up(3, LINES, SLOTS, ints(0, 5, 5)),
    "settle, a query that is none": settle(lists=(ints(0, 2), PLACE + 1)),
    "settle, starts that fall": settle(lists=(ints(2, 0), PLACE)),
    "settle, starts beyond the lines": settle(lists=(ints(0, 3), PLACE)),
    "settle, a judgment that is none": settle(columns=(np.full(2, 2, np.int32), HASHES, SCORES, RANKS)),
    "settle, offsets that fall": settle(judged=(ints(1, 1), 2, ints(2, 0), 1)),
    "settle, an order that leads outside": settle(order=ints(0, 2)),
    "settle, lines in brief and no order": brief(RANKED_ROWS, None, order=None),
    "settle, too few ranked lines": brief(RANKED_ROWS[:1], None),
    "settle, too few scored lines": brief(SCORED_ROWS[:2], TEXT),
    "settle, scored lines by rank": brief(SCORED_ROWS, TEXT, rules=(1, 0, 0)),
    "settle, a scored line outside of the text": brief(np.array([(1, 1, 0, 9)] * 3, SCORED), TEXT),
    "settle, lines in brief of judgments that are none": brief(np.array([(0, 0, 2)] * 2, RANKED), None),
    "settle, a doc outside": settle(docs=(TEXT, AT + 3, LENGTH)),
    "settle, a column in pieces": settle(docs=(TEXT, np.zeros(4, np.int64)[::2], LENGTH)),
    "settle, a column that is read and written": settle(of_lists=(PLACE, SIXTH)),
    "settle, a column that is written twice": settle(out=(FIRST, SECOND, FIRST, FOURTH)),
    "group, a column that is written twice": lambda: _scan.group(PLACE, 2, 1, STARTS, STARTS[2:]),
    "pack, too little room": lambda: _scan.pack(IDS, 2, 3, np.zeros(3, np.uint8), STARTS),
    "pack, an id outside": lambda: _scan.pack((b"d", AT, LENGTH), 2, 9, np.zeros(9, np.uint8), STARTS),
    "group, a place that is none": lambda: _scan.group(np.array([0, 3], np.int32), 2, 2, STARTS, EVENTS),
    "group, less than no groups": lambda: _scan.group(PLACE, 2, -1, STARTS, EVENTS),
    "group, a buffer that may not be written": lambda: _scan.group(PLACE, 2, 1, bytes(80), STARTS),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_an_error(name: str) -> None:
    with pytest.raises((ValueError, BufferError)):
        WRONG[name]()


def test_the_call_that_the_wrong_ones_are_made_of_is_right() -> None:
    assert settle()() == 2
    apart = np.array([(1, 1, 0), (2, 2, -1)], RANKED)
    assert brief(apart, None, rules=(1, 0, 0))() == 1
    assert brief(apart, None, rules=(1, 0, 0), order=ints(0, 0))() is None  # a line that stands twice
    assert brief(np.array([(1, 1, 0, 0), (2, 2, -1, 2), (0, 0, 0, 4)], SCORED), TEXT)() == 1
    assert look_up(2, LINES, SLOTS, ints(0, 5, 5))() == 2


def grown(work: Callable[[], object], calls: int) -> int:
    """How many bytes of Python's memory are held after many calls that were not held before."""
    tracemalloc.start()
    try:
        work()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(calls):
            work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def references() -> list[int]:
    held = (TEXT, AT, LENGTH, SLOTS, SHORT, RANKS, SCORES, HASHES, PLACE, EVENTS, STARTS, FIRST, IDS, COLUMNS)
    return [sys.getrefcount(one) for one in held]


@pytest.mark.parametrize("name", WRONG)
def test_ten_thousand_wrong_calls_keep_nothing(name: str) -> None:
    call, refused = WRONG[name], 0

    def work() -> None:
        nonlocal refused
        try:
            call()
        except (ValueError, BufferError):
            refused += 1

    before = references()
    assert grown(work, CALLS) < CALLS  # not a byte a call
    assert refused == CALLS + 1
    assert references() == before


def test_a_thousand_right_calls_keep_nothing() -> None:
    native, block = engine("native"), b"q Q0 d1 1 2.5 t\nq Q0 d2 2 x t\nq Q0\n"
    judged = Judged(("q",), ints(0, 2), Spans(TEXT, AT, LENGTH), ints(1, 0))

    def work() -> None:
        index = native.index(judged)
        tokens = native.tokenise(block, len(block), RUN)
        assert tokens is not None
        lines = tokens.lines
        looked = native.look_up(lines, index)
        docs = Spans(block, lines.doc_at, lines.doc_length)
        rows = Rows(docs, looked.judgment, looked.hash, lines.number, lines.whole)
        order, _ = native.grouped(np.zeros(2, np.int32), 1)
        assert len(native.settle(rows, looked, index, Ordering(), order).rank) == 2
        assert native.packed(docs).texts() == ["d1", "d2"]

    before = references()
    assert grown(work, RIGHT_CALLS) < RIGHT_CALLS
    assert references() == before
    assert sys.getrefcount(block) < 5


def test_buffers_are_given_back() -> None:
    """A bytearray cannot grow while a buffer of it is lent."""
    block = bytearray(b"q Q0 d 1 2 t\n")
    assert _scan.tokenise(block, len(block), tuple(RUN), COLUMNS, EVENTS) is not None
    block += b"more"
    with pytest.raises(ValueError, match="shorter"):
        _scan.tokenise(block, len(block), tuple(RUN), (SHORT, *COLUMNS[1:]), EVENTS)
    block += b"more"
