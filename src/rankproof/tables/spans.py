"""Spans: ids as pieces of one text, so that millions of them cost no object each."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.tables.columns import Ints

Lengths = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Spans:
    """n ids in UTF-8; id i is text[at[i] : at[i] + length[i]].

    text     bytes, or anything that lends them
    at       (n,) where each begins
    length   (n,) how many bytes it has
    """

    text: Any
    at: Ints
    length: Lengths

    @classmethod
    def of(cls, ids: Iterable[str]) -> "Spans":
        """Spans of texts.

        >>> Spans.of(["d1", "文"]).texts()
        ['d1', '文']
        """
        raw = [one.encode("utf-8", "surrogatepass") for one in ids]
        length = np.fromiter(map(len, raw), np.int32, len(raw))
        ends = np.cumsum(length, dtype=np.int64)
        return cls(b"".join(raw), ends - length, length)

    def __len__(self) -> int:
        return len(self.at)

    @cached_property
    def view(self) -> memoryview:
        """The text, to be cut without a copy."""
        return memoryview(self.text).cast("B")

    def raw(self, place: int) -> bytes:
        """One id as bytes."""
        start = int(self.at[place])
        return bytes(self.view[start : start + int(self.length[place])])

    def texts(self) -> list[str]:
        """Every id as a text."""
        view = self.view
        ends = (self.at + self.length).tolist()
        pieces = zip(self.at.tolist(), ends, strict=True)
        return [str(view[start:end], "utf-8", "surrogatepass") for start, end in pieces]

    def at_places(self, places: Ints) -> "Spans":
        """Some of the ids, in the order of `places`."""
        return Spans(self.text, self.at[places], self.length[places])
