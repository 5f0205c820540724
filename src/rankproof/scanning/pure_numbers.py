"""Numbers of many lines at once: eight digits become a number by three multiplications of a word.

Whole numbers and scores are read exactly: what does not follow the usual form is looked at by itself, and what an
engine does not read at all is left to who asked.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from rankproof.scanning.lines import UNREADABLE, Hashes
from rankproof.scanning.pure_words import Eights
from rankproof.tables.columns import Bools, Floats, Ints

ZEROS, DOTS, CASES, FALLS = (np.uint64(0x0101010101010101 * ord(byte)) for byte in "0. e")
TOPS, BELOW, OVER = (np.uint64(0x0101010101010101 * byte) for byte in (0x80, 0x7F, 0x76))
ONE, FOURS = np.uint64(1), np.uint64(0x000000FF000000FF)
SHIFTS = np.array([64 - 8 * n for n in range(9)], np.uint64)  # pushes n bytes to the end of a word
TENS = np.array([10.0**n for n in range(23)])  # all exact
WHOLE_TENS = np.array([10**n for n in range(20)], np.uint64)
WIDE_TENS = np.array([10**n for n in range(28)], np.longdouble)
# True where wide numbers keep 64 bits, as on most desktop processors: then a quotient of two of them is nearly exact.
WIDE = WIDE_TENS.itemsize == 16 and WIDE_TENS[1:2].view(np.uint64)[0] == 0xA000000000000000
EXACT = 2**53  # up to here every whole number is a float
_WHOLE = re.compile(rb"[+-]?([0-9]{1,15})(?:\.0*)?")
_POWER = re.compile(rb"[+-]?([0-9]+)")
_NUMBER = re.compile(rb"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")


def wholes(words: Eights, text: memoryview, at: Ints, length: Ints) -> Ints:
    """(n,) whole numbers, also written +3 or 3.0; UNREADABLE where a text is none or has more than 15 digits."""
    digits, strange = _digits(words.at(at), np.clip(length, 0, 8))
    value = digits.astype(np.int64)
    if len(length) and (length.min() < 1 or length.max() > 8):
        strange = strange | ((length < 1) | (length > 8))
    rows = np.flatnonzero(strange)
    if len(rows):
        value[rows] = _each(words, text, at[rows], length[rows], _whole)
    return value


def _each(words: Eights, text: memoryview, at: Ints, length: Ints, read: Callable[[bytes], int]) -> Ints:
    """(n,) what `read` says of each text, asked once for texts that are equal and short."""
    found = np.empty(len(at), np.int64)
    short = length < 8
    key = words.of(at, length) | length.astype(np.uint64) << np.uint64(56)
    _, first, inverse = np.unique(key[short], return_index=True, return_inverse=True)
    rows = np.flatnonzero(short)[first]
    ends = at + length
    said = [read(bytes(text[a:b])) for a, b in zip(at[rows].tolist(), ends[rows].tolist(), strict=True)]
    found[short] = np.array(said, np.int64)[inverse]
    for row in np.flatnonzero(~short).tolist():
        found[row] = read(bytes(text[at[row] : ends[row]]))
    return found


def _whole(text: bytes) -> int:
    match = _WHOLE.fullmatch(text)
    if not match:
        return UNREADABLE
    return -int(match[1]) if text.startswith(b"-") else int(match[1])


def _power(text: bytes) -> int:
    match = _POWER.fullmatch(text)
    digits = match[1].lstrip(b"0") if match else b""
    if not match or len(digits) > 4 or int(digits or b"0") >= 4010:
        return UNREADABLE
    return -int(digits or b"0") if text.startswith(b"-") else int(digits or b"0")


def scores(words: Eights, text: memoryview, at: Ints, length: Ints) -> tuple[Floats, Ints]:
    """(n,) the numbers as float() reads them, and the rows of those that are not read, which are NaN."""
    word, start, size = words.at(at), at, length
    first = word & np.uint64(0xFF)
    negative = first == ord("-")
    signed = negative | (first == ord("+"))
    if signed.any():
        signed &= length > 0
        start, size = at + signed, length - signed
        word = words.at(start)
    digits, places, plain = _decimals(words, word, start, size)
    rows = np.flatnonzero(~plain)
    if len(rows):
        found = _with_powers(words, text, start[rows], size[rows])
        digits[rows], places[rows], plain[rows] = found
    value, known = _valued(digits, places)
    known &= plain
    if known.all():
        return np.negative(value, out=value, where=negative), np.empty(0, np.int64)
    value = np.where(negative, -value, value)
    rows = np.flatnonzero(~known)
    for row in rows.tolist():
        value[row] = _number(bytes(text[at[row] : at[row] + length[row]]))
    return value, rows[np.isnan(value[rows])]


def _digits(word: Hashes, n: Any) -> tuple[Hashes, Hashes]:
    """(n,) the number that the first n bytes of a word spell, and what is not 0 where they are no digits."""
    word = word ^ ZEROS
    word <<= SHIFTS[n]  # digits at the end, zeros in front
    strange = word + OVER
    strange |= word
    strange &= TOPS
    pairs = word >> np.uint64(8)
    word *= np.uint64(10)
    pairs += word
    quads = pairs & FOURS
    quads *= np.uint64(0x000F424000000064)
    pairs >>= np.uint64(16)
    pairs &= FOURS
    pairs *= np.uint64(0x0000271000000001)
    quads += pairs
    quads >>= np.uint64(32)
    return quads, strange


def _found(word: Hashes, byte: np.uint64) -> Ints:
    """(n,) where a byte first stands in a word of ASCII; 8 where it does not."""
    hit = (word ^ byte) + BELOW
    np.invert(hit, out=hit)
    hit &= TOPS
    return (np.bitwise_count(~hit & (hit - ONE)) >> 3).astype(np.int64)


def _decimals(words: Eights, word: Hashes, at: Ints, length: Ints) -> tuple[Hashes, Ints, Bools]:
    """(n,) the digits of texts such as 31.302029 as whole numbers, how many stand behind the point, and where it is so.

    Up to 8 digits before the point and 24 behind it, of which 19 may count. `word` is what stands first in each.
    """
    whole = np.minimum(_found(word, DOTS), length)
    pointed = whole < length
    digits, strange = _digits(word, whole)
    places = length - whole - pointed
    least, most = int(places.min(initial=0)), int(places.max(initial=0))
    plain = (whole + places > 0) & (places <= 24)
    if whole.max(initial=0) == 8:
        long = np.flatnonzero(pointed & (whole == 8))
        plain[long] &= words.at(at[long] + 8) & np.uint64(0xFF) == ord(".")
    at, left, done = at + whole + 1, most if least == most else places, 0
    while done < min(most, 24):
        n: Any = np.minimum(np.maximum(left, 0), 8)
        part, odd = _digits(words.at(at + done), n)
        strange |= odd
        if done:
            plain &= digits < WHOLE_TENS[19 - n]  # else there are more than 19 that count
        digits = digits * WHOLE_TENS[n] + part
        done += 8
        left = left - 8
    return digits, places, plain & (strange == 0)


def _with_powers(words: Eights, text: memoryview, at: Ints, length: Ints) -> tuple[Hashes, Ints, Bools]:
    """The same of texts such as 3.13e-05, whose exponent moves the point."""
    e, open_ = np.full(len(at), -1), np.flatnonzero(length > 0)
    for done in range(0, 32, 8):
        here = _found(words.at(at[open_] + done) | CASES, FALLS)
        e[open_] = np.where(here < 8, here + done, -1)
        open_ = open_[here == 8]
    spelt = (e > 0) & (e < length - 1)
    digits, places, plain = _decimals(words, words.at(at), at, np.where(spelt, e, 0))
    behind, size = at + e + 1, length - e - 1
    rows = np.flatnonzero(plain & spelt)
    power = _each(words, text, behind[rows], size[rows], _power)
    read = power != UNREADABLE
    places[rows] -= np.where(read, power, 0)
    plain[:] = False
    plain[rows] = read
    return digits, places, plain


def _valued(digits: Hashes, places: Ints) -> tuple[Floats, Bools]:
    """(n,) digits / 10**places, rounded once, and where that is certain."""
    low, high = places.min(initial=0), places.max(initial=0)
    if low >= 0 and high <= 22 and digits.max(initial=0) <= EXACT:
        return digits.astype(np.float64) / TENS[places], np.ones(len(places), bool)
    small = (digits <= EXACT) & (places >= -22) & (places <= 22)
    near = np.where(small, places, 0)
    number = digits.astype(np.float64)
    value = np.where(near < 0, number * TENS[np.maximum(-near, 0)], number / TENS[np.maximum(near, 0)])
    known = small | (digits == 0)
    value[digits == 0] = 0.0
    rows = np.flatnonzero(~known & (places >= 0) & (places <= 27))
    value[rows] = _divided(digits[rows], places[rows])
    known[rows] = True
    return value, known


def _divided(digits: Hashes, places: Ints) -> Floats:
    """(n,) digits / 10**places: two roundings in wide numbers, but for those that the second may spoil."""
    rows = np.arange(len(digits))
    value = np.empty(len(digits))
    if WIDE:
        quotient = digits.astype(np.longdouble) / WIDE_TENS[places]
        value[:] = quotient
        # Half way between two floats the first rounding may have cut what decides.
        rows = np.flatnonzero(quotient.view(np.uint64)[::2] & np.uint64(0x7FF) == 0x400)
    for row in rows.tolist():  # Python rounds the quotient of two whole numbers once
        value[row] = int(digits[row]) / 10 ** int(places[row])
    return value


def _number(text: bytes) -> float:
    """A number of any length, NaN where it is none or its digits do not tell how to round."""
    match = _NUMBER.fullmatch(text)
    if not match or not (match[2] or match[3]):
        return np.nan
    fraction, power = match[3] or b"", _power(match[4] or b"0")
    every = (match[2] + fraction).lstrip(b"0")
    digits, cut = int(every[:19] or b"0"), bool(every[19:].strip(b"0"))
    places = len(fraction) - len(every[19:])
    if abs(places) > 400 or power == UNREADABLE:
        return np.nan
    places -= power
    exact = not cut and digits <= EXACT and -22 <= places <= 22
    if not digits or exact:
        value = abs(float(text))
    elif 0 <= places <= 27:
        value = digits / 10**places
        if cut and value != (digits + 1) / 10**places:
            return np.nan
    else:
        return np.nan
    return -value if match[1] == b"-" else value
