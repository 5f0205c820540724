"""The engine that needs no compiler: the same columns as the compiled one, by numpy on many lines at once."""

import numpy as np

from rankproof.scanning.lines import Brief, Codes, Layout, Lines, Looked, Rows, Settled, Tokens
from rankproof.scanning.pure_lists import PureIndex, looked_up, ranges
from rankproof.scanning.pure_settling import settled
from rankproof.scanning.pure_tokens import tokens
from rankproof.scanning.pure_words import STEP, first_equal, grouped, hashes_of, together, twice
from rankproof.tables.columns import Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans


class Pure:
    """The kernels in numpy."""

    name = "pure"

    def tokenise(self, block: bytes | bytearray, end: int, layout: Layout) -> Tokens | None:
        """The rows of block[:end]; None where too much is odd."""
        return tokens(block, end, layout)

    def index(self, judged: Judged) -> PureIndex:
        """Hashes of the queries and of the docs of each query."""
        return PureIndex.of(judged)

    def look_up(self, lines: Lines, index: PureIndex) -> Looked:
        """The lists of some rows, and which docs were judged."""
        return looked_up(lines, index)

    def settle(
        self,
        rows: Rows | Brief,
        looked: Looked,
        index: PureIndex,
        ordering: Ordering,
        order: Ints | None = None,
    ) -> Settled:
        """The hits of lists."""
        return settled(rows, looked, index, ordering, order)

    def grouped(self, place: Codes, n: int) -> tuple[Ints, Ints]:
        """The rows of each of n groups in their order."""
        if len(place) and (place.min() < 0 or place.max() >= n):
            raise ValueError("a group that is none")
        return grouped(place, n)

    def packed(self, ids: Spans) -> Spans:
        """The same ids behind each other in a text of their own."""
        length = ids.length.astype(np.int64)
        at = np.cumsum(length) - length
        source = np.frombuffer(ids.text, np.uint8) if len(ids.view) else np.empty(0, np.uint8)
        text = np.empty(int(length.sum()), np.uint8)
        for low in range(0, len(ids), STEP):
            bytes_of = ranges(ids.at[low : low + STEP], length[low : low + STEP])
            begin = int(at[low])
            text[begin : begin + len(bytes_of)] = source[bytes_of]
        return Spans(text, at, ids.length.copy())

    def repeats(self, ids: Spans, offsets: Ints) -> Ints:
        """(n,) the first equal id within its group."""
        group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        key = together(hashes_of(ids), group)
        first, rows = np.arange(len(ids)), twice(key)
        first[rows] = rows[first_equal(ids.at_places(rows), key[rows], group[rows])]
        return first
