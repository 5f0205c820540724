"""Blocks: whole lines of text, cut where one query's lines end, so that each can be scanned by itself."""

from collections.abc import Iterable, Iterator

from rankproof.scanning.lines import Layout

SIZE = 1 << 21  # bytes; smaller blocks cost calls, larger ones leave the processor's cache
LARGEST = (1 << 31) - 1  # bytes of a block: places in it are counted in 32 bits
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # the marks of UTF-16 and UTF-32
# The first bytes of blanks beyond ASCII, which part no fields and still do not belong to ids.
BLANKS = (b"\xc2\x85", b"\xc2\xa0", b"\xe1\x9a\x80", b"\xe2\x80", b"\xe2\x81\x9f", b"\xe3\x80\x80")


class NotPlain(Exception):
    """A file that a scanner cannot be trusted with: the readers that look at every cell are to read it."""


def stop_unless_plain(block: bytes | bytearray) -> None:
    """NotPlain where a block with bytes that are 0 or not ASCII holds what only careful readers know of."""
    if 0 in block:
        raise NotPlain("a byte 0")
    try:
        block.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotPlain(str(error)) from error
    if any(blank in block for blank in BLANKS):
        raise NotPlain("a blank beyond ASCII")


def blocks(pieces: Iterable[bytes], layout: Layout) -> Iterator[bytearray]:
    """Pieces of a text as blocks of about SIZE bytes that end where the lines of a query end.

    A query with more lines than fit makes a longer block; NotPlain where it would be longer than LARGEST. The last
    one may end without a line break.
    """
    # Each piece is copied once, while it is near: a block that is put together at its end is read from far away.
    block, first, size = bytearray(), True, SIZE
    for piece in pieces:
        if len(block) + len(piece) > LARGEST:
            raise NotPlain("a list of more bytes than a block can have")
        block += piece
        if len(block) < size:
            continue
        cut = _cut(block, layout)
        # a list that goes on for megabytes is not looked through again for every piece
        size = SIZE if cut else 2 * len(block)
        if cut:
            rest = block[cut:]
            del block[cut:]
            yield _begun(block, first)
            block, first = rest, False
    if block:
        yield _begun(block, first)


def _begun(block: bytearray, first: bool) -> bytearray:
    """The block; the first one without the mark of UTF-8."""
    if first and block.startswith(_WIDE):
        raise NotPlain("UTF-16 or UTF-32")
    return block.removeprefix(b"\xef\xbb\xbf") if first else block


def _cut(text: bytearray, layout: Layout) -> int:
    """Where a line begins whose query differs from that of the line before, near the end; 0 without one."""
    end = text.rfind(b"\n") + 1
    high, query = end, b""
    while high and not query:  # the last line that is a row
        high = text.rfind(b"\n", 0, high - 1) + 1
        query = _query_at(text, high, end, layout)[1]
    step, low = 4096, high
    while low:  # backwards in growing steps to a row of another query, or to the beginning
        low = text.rfind(b"\n", 0, max(high - step, 0)) + 1
        at, other = _query_at(text, low, high, layout)
        if other not in (query, b""):
            return _between(text, at, high, query, layout)
        step *= 4
    return 0


def _between(text: bytearray, low: int, high: int, query: bytes, layout: Layout) -> int:
    """Where a row of `query` follows one of another, between such a row `low` and such a row `high`."""
    while high - low > 2048:
        at, other = _query_at(text, text.rfind(b"\n", low, (low + high) // 2) + 1, high, layout)
        if not low < at < high:
            break
        low, high = (low, at) if other == query else (at, high)
    while low < high:
        low, other = _query_at(text, text.find(b"\n", low) + 1, high, layout)
        if other == query:
            return low
    return high


def _query_at(text: bytearray, at: int, end: int, layout: Layout) -> tuple[int, bytes]:
    """The first line with enough fields from `at` on, and its query; `end` and nothing where there is none."""
    while at < end:
        stop = text.find(b"\n", at, end)
        stop = end if stop < 0 else stop
        line = bytes(text[at:stop])
        fields = line.split(bytes((layout.separator,))) if layout.separator else line.split()
        if len(fields) >= layout.fields:
            return at, fields[layout.query]
        at = stop + 1
    return end, b""
