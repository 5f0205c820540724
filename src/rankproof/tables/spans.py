"""Spans: ids as pieces of one text, so that millions of them cost no object each."""

from collections.abc import Iterable, Sequence
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

    def within(self, low: int, high: int) -> "Spans":
        """The ids low:high with no more text than they span, where they stand in the order of the text."""
        if low >= high:
            return Spans(b"", self.at[:0], self.length[:0])
        start = int(self.at[low])
        text = self.view[start : int(self.at[high - 1]) + int(self.length[high - 1])]
        return Spans(text, self.at[low:high] - start, self.length[low:high])

    def at_places(self, places: Ints) -> "Spans":
        """Some of the ids, in the order of `places`."""
        return Spans(self.text, self.at[places], self.length[places])


def joined(parts: Sequence[Spans]) -> Spans:
    """Spans behind each other, each part in a text of its own, as spans of one text."""
    sizes = np.array([len(part.view) for part in parts], np.int64)
    shifts = np.cumsum(sizes) - sizes
    at = [part.at + shift if shift else part.at for part, shift in zip(parts, shifts.tolist(), strict=True)]
    text = np.concatenate([np.frombuffer(part.view, np.uint8) for part in parts])
    return Spans(text, np.concatenate(at), np.concatenate([part.length for part in parts]))


class TextSpans(Spans):
    """Ids that are texts already; they become bytes when somebody asks for those."""

    _ids: list[str]

    def __init__(self, ids: list[str]) -> None:
        object.__setattr__(self, "_ids", ids)

    def __getattr__(self, name: str) -> Any:
        if name not in ("text", "at", "length"):
            raise AttributeError(name)
        made = Spans.of(self._ids)
        for column in ("text", "at", "length"):
            object.__setattr__(self, column, getattr(made, column))
        return getattr(made, name)

    def __len__(self) -> int:
        return len(self._ids)

    def texts(self) -> list[str]:
        """Every id as a text: the ones that were given, not copies of them."""
        return self._ids


class CodeSpans(TextSpans):
    """Ids that are whole numbers; they become texts when somebody asks for those."""

    codes: Ints

    def __init__(self, codes: Ints) -> None:
        object.__setattr__(self, "codes", codes)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def _ids(self) -> list[str]:  # type: ignore[override]  # made when asked for, where the others are given
        return list(map(str, self.codes.tolist()))
