"""Eights: a text read eight bytes at a time, from many places at once; ids are hashed, compared and ordered by it."""

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.scanning.lines import Hashes
from rankproof.tables.columns import Bools, Ints
from rankproof.tables.spans import Spans

MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)  # the first n of eight bytes
SEED = secrets.randbits(64)  # of the hashes, which decide nothing but where to look
STEP = 1 << 15  # ids looked at together: what is put aside for them stays small


class Eights:
    """A text from which eight bytes can be read at any place as a whole number, the first byte lowest."""

    def __init__(self, text: Any) -> None:
        size = memoryview(text).nbytes
        if size < 8:
            text, size = bytes(memoryview(text).cast("B")).ljust(8, b"\0"), 8
        # A word begins at every byte: the words overlap, and no copy is made of the text.
        self.words: Hashes = np.ndarray((size - 7,), "<u8", text, strides=(1,))

    def at(self, places: Ints) -> Hashes:
        """(n,) the words at some places; bytes before and behind the text are 0."""
        last = len(self.words) - 1
        if not len(places) or (places.min() >= 0 and places.max() <= last):
            found: Hashes = self.words[places]
            return found
        within = np.clip(places, 0, last)
        word, beyond = self.words[within], 8 * (places - within)
        late, early = np.maximum(beyond, 0).astype(np.uint64), np.maximum(-beyond, 0).astype(np.uint64)
        shifted: Hashes = (word >> late) << early  # numpy gives 0 where all 64 bits leave
        return shifted

    def of(self, at: Ints, length: NDArray[np.integer[Any]]) -> Hashes:
        """(n,) the first eight bytes of ids; 0 behind shorter ones."""
        word = self.at(at)
        word &= MASKS[np.minimum(length, 8)]
        return word


def hashed(words: Eights, at: Ints, length: NDArray[np.integer[Any]]) -> Hashes:
    """(n,) hashes of ids; equal ids have equal ones."""
    hashes = length.astype(np.uint64)
    hashes *= np.uint64(0x9E3779B97F4A7C15)
    hashes ^= np.uint64(SEED)
    _mix(hashes, words.of(at, length))
    done, longer = 8, np.flatnonzero(length > 8)
    while len(longer):
        if len(longer) == len(hashes):
            _mix(hashes, words.of(at + done, length - done))
        else:
            part = hashes[longer]
            _mix(part, words.of(at[longer] + done, length[longer] - done))
            hashes[longer] = part
        done += 8
        longer = longer[length[longer] > done]
    hashes *= np.uint64(0xD6E8FEB86659FD93)
    return hashes


def _mix(hashes: Hashes, word: Hashes) -> None:
    hashes ^= word
    hashes *= np.uint64(0x9FB21C651E98DF25)
    hashes ^= hashes >> np.uint64(32)


def hashes_of(ids: Spans) -> Hashes:
    """(n,) the hash of each id, however many there are."""
    words, found = Eights(ids.text), np.empty(len(ids), np.uint64)
    for low in range(0, len(ids), STEP):
        part = slice(low, low + STEP)
        found[part] = hashed(words, ids.at[part], ids.length[part])
    return found


def together(hashes: Hashes, group: NDArray[np.integer[Any]]) -> Hashes:
    """(n,) hashes of ids and the groups they stand in."""
    return hashes ^ (group + 1).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)


def same(one: Spans, other: Spans) -> Bools:
    """(n,) True where two ids are equal byte by byte."""
    equal: Bools = one.length == other.length
    rows = np.flatnonzero(equal)
    here, there = Eights(one.text), Eights(other.text)
    at, twin, left = one.at[rows], other.at[rows], one.length[rows]
    while len(rows):
        agree = (here.at(at) ^ there.at(twin)) & MASKS[np.minimum(left, 8)] == 0
        equal[rows[~agree]] = False
        more = np.flatnonzero(agree & (left > 8))
        rows, at, twin, left = rows[more], at[more] + 8, twin[more] + 8, left[more] - 8
    return equal


def same_as_before(words: Eights, at: Ints, length: NDArray[np.integer[Any]]) -> Bools:
    """(n - 1,) True where an id equals the one before it."""
    word = words.of(at, length)
    equal: Bools = word[1:] == word[:-1]
    equal &= length[1:] == length[:-1]
    done, rows = (
        8,
        np.flatnonzero(equal & (length[1:] > 8)) if length.max(initial=0) > 8 else np.empty(0, np.int64),
    )
    while len(rows):
        left = length[rows] - done
        agree = words.of(at[rows] + done, left) == words.of(at[rows + 1] + done, left)
        equal[rows[~agree]] = False
        done += 8
        rows = rows[agree & (left > 8)]
    return equal


def twice(key: Hashes) -> Ints:
    """The rows whose key another row has too: the few that may be equal."""
    in_order = np.sort(key)
    again = in_order[1:] == in_order[:-1]
    return np.flatnonzero(np.isin(key, in_order[1:][again])) if again.any() else np.empty(0, np.int64)


def first_equal(ids: Spans, key: Hashes, group: Ints) -> Ints:
    """(n,) for each id the first one of its group that equals it; `key` are hashes of ids and groups."""
    first = np.arange(len(key))
    rows = np.argsort(key, kind="stable")
    while len(rows):
        begins = np.concatenate(([True], key[rows[1:]] != key[rows[:-1]]))
        leader = rows[begins][np.cumsum(begins) - 1]
        equal = (group[rows] == group[leader]) & same(ids.at_places(rows), ids.at_places(leader))
        first[rows[equal]] = leader[equal]
        rows = rows[~equal]  # another id with the same hash, or the same id elsewhere
    return first


def grouped(group: NDArray[np.integer[Any]], n: int) -> tuple[Ints, Ints]:
    """The rows of each of n groups in their order: those of group g are order[starts[g]:starts[g + 1]]."""
    # Numbers of 16 bits are sorted by counting: the lower half first, then the upper one.
    order = np.argsort((group & 0xFFFF).astype(np.uint16), kind="stable")
    if n > 1 << 16:
        order = order[np.argsort((group[order] >> 16).astype(np.uint16), kind="stable")]
    return order, np.concatenate(([0], np.cumsum(np.bincount(group, minlength=n))))


def ordered(ids: Spans, group: Ints) -> Ints:
    """(n,) codes that rise with the group and within it with the id, byte by byte; equal ids share one."""
    words, code, done, longest = Eights(ids.text), group, 0, int(ids.length.max(initial=0))
    while done < longest:
        left = np.clip(ids.length - done, 0, 8)
        code = _codes(code, words.of(ids.at + done, left).byteswap())  # the first byte weighs most
        done += 8
        if code.max() + 1 == len(code):
            return code
    return _codes(code, ids.length)  # one id goes on where the other ends


def _codes(major: Ints, minor: NDArray[Any]) -> Ints:
    order = np.lexsort((minor, major))
    major, minor = major[order], minor[order]
    code = np.empty(len(order), np.int64)
    code[order] = np.cumsum(np.concatenate(([False], (major[1:] != major[:-1]) | (minor[1:] != minor[:-1]))))
    return code
