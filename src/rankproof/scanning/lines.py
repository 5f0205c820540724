"""Lines: what the kernels hand to each other, and what they are told."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rankproof.tables.columns import Floats, Ints
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Lengths, Spans

Codes = NDArray[np.int32]
Hashes = NDArray[np.uint64]
UNREADABLE = -(2**63)  # in place of a whole number that is none

# Kinds of events.
FEW_FIELDS, BAD_WHOLE, ODD_NUMBER, NEW_TAG = 1, 2, 3, 4


class Layout(NamedTuple):
    """Where things stand in a line; fields are counted from 0, -1 where there is no such field.

    separator   the byte between two fields; 0 for any run of blanks
    whole       a rank or a grade
    number      a score
    tag         the name of the system
    """

    separator: int
    fields: int
    query: int
    doc: int
    whole: int
    number: int
    tag: int


RUN = Layout(0, 6, 0, 2, 3, 4, 5)
JUDGMENTS = Layout(0, 4, 0, 2, 3, -1, -1)


class Counts(NamedTuple):
    """How many lines a block has, how many became rows, how many were odd in what way, and whether any byte is."""

    lines: int
    rows: int
    blank: int
    comments: int
    more: int  # with more fields than usual; the rest is ignored
    first_more: int
    odd: int  # with another number of fields, comments included
    beyond: int  # 1 where a byte of the block is 0 or not ASCII, else 0


class Lines(NamedTuple):
    """The rows of a block: where ids stand in it, and the numbers.

    whole is UNREADABLE and number NaN where a text is no such number; line counts from 0 within the block.
    """

    block: bytes | bytearray
    query_at: Ints
    query_length: Lengths
    doc_at: Ints
    doc_length: Lengths
    line: Codes
    whole: Ints
    number: Floats


class Tokens(NamedTuple):
    """A block read: its rows, what was counted, and events of kind, line, offset, length, and row or fields."""

    lines: Lines
    counts: Counts
    events: Ints


class Looked(NamedTuple):
    """Rows looked up: neighbouring rows of one query are a list, starts[i]:starts[i+1].

    place      (n_lists,) the place of each list's query, -1 where nobody asked it
    judgment   (n_rows,) the row of the judgments, -1 where nobody judged the doc
    hash       (n_rows,) of the doc; 0 where nobody asked the query
    """

    starts: Ints
    place: Codes
    judgment: Codes
    hash: Hashes


class Settled(NamedTuple):
    """The hits of some lists, best first; n_hits and n_repeats are of each list."""

    judgment: Codes
    rank: Codes
    tie_start: Codes
    tie_size: Codes
    n_hits: Codes
    n_repeats: Codes


@dataclass(frozen=True, eq=False)
class Rows:
    """What settling looks at, of rows that were looked up."""

    docs: Spans
    judgment: Codes
    hash: Hashes
    number: Floats
    whole: Ints


# A row in brief is one piece, since the rows of a list that lie far apart are fetched one by one.
RANKED = np.dtype([("hash", np.uint64), ("whole", np.int32), ("judgment", np.int32)])
SCORED = np.dtype(
    [("hash", np.uint64), ("number", np.float64), ("judgment", np.int32), ("at", np.uint32)]
)  # one more than there are rows: a doc ends where the next one begins


class Brief(NamedTuple):
    """Rows in brief, with what orders them: SCORED with the text of their docs, or RANKED without.

    RANKED is enough where neither a rank nor a doc stands twice in a list, as in nearly all.
    """

    rows: NDArray[np.void]
    text: NDArray[np.uint8] | None = None

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.rows) - (self.text is not None)

    def column(self, name: str) -> Any:
        """(n,) one of the columns."""
        return self.rows[name][: self.n]


class TooBrief(Exception):
    """Ranked rows in brief that cannot be settled: their list needs scores or docs."""


class Index(Protocol):
    """Judgments made ready by an engine for being looked up in; how many docs are judged twice for a query."""

    judged: Judged
    n_repeated: int


class Engine(Protocol):
    """The kernels. What they return may be overwritten by the next call in the same thread."""

    name: str

    def tokenise(self, block: bytes | bytearray, end: int, layout: Layout) -> Tokens | None:
        """The rows of block[:end], which are whole lines; None where too much is odd to be told."""

    def index(self, judged: Judged) -> Index:
        """Judgments made ready."""

    def look_up(self, lines: Lines, index: Index) -> Looked:
        """The lists of some rows, and which docs were judged."""

    def settle(
        self, rows: Rows | Brief, looked: Looked, index: Index, ordering: Ordering, order: Ints | None = None
    ) -> Settled:
        """The hits of lists. `order` says which row stands at each place; None where they stand as they are.

        Rows in brief come with an order; TooBrief where they do not do.
        """

    def grouped(self, place: Codes, n: int) -> tuple[Ints, Ints]:
        """The rows of each of n groups in their order: those of group g are order[starts[g]:starts[g+1]]."""

    def packed(self, ids: Spans) -> Spans:
        """The same ids behind each other in a text of their own."""

    def repeats(self, ids: Spans, offsets: Ints) -> Ints:
        """(n,) the first equal id within its group offsets[g]:offsets[g+1]."""
