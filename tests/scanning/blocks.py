"""Blocks of lines as strangers may write them, and what a plain reading of them line by line says."""

import re
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from rankproof.scanning.lines import (
    BAD_WHOLE,
    FEW_FIELDS,
    NEW_TAG,
    ODD_NUMBER,
    RUN,
    UNREADABLE,
    Engine,
    Layout,
    Tokens,
)
from rankproof.scanning.numbers import number_of

COMMAS, TABS, SHORT = (
    Layout(44, 6, 0, 2, 3, 4, 5),
    Layout(9, 4, 0, 2, 3, -1, -1),
    Layout(44, 3, 0, 1, -1, 2, -1),
)
QUERIES = ("q", "q1", "q2", "301", "u0000000", "a-query-of-many-bytes", "a-query-of-many-bytez", "文")
DOCS = (
    "d",
    "d1",
    "d2",
    "D2",
    "d\x00",
    "d10",
    "clueweb09-en0008-88-40700",
    "clueweb09-en0008-88-40701",
    "LA005612",
    "é",
)
TAGS = (
    "bm25-default",
    "bm25-defaulu",
    "bm25",
    "b",
    "a-name-of-a-system-that-is-long",
    *(f"t{n}" for n in range(18)),
)
_RANKS = """
0 1 2 3 10 1000 12345678 123456789 123456789012345 1234567890123456 -1 -0 +3 3.0 3. 3.5 -2.00 +-1
1e3 Q0 + - .0 000000000000000 0000000000000000
"""
WHOLES = (
    *_RANKS.split(),
    "1\x00",
    "+1\x00",
)
_SCORES = """
1 0 -0 -0.0 31.302029 30.988999 5. .5 . +.5 - + -. 1.2.3 1..2 1e5 1E-5 1e 1e+ e5 .e5 1.5e-05 -2.5E+3
1e22 1e23 1e-22 1e-23 1e-27 1e-28 0e999 1e0000000000005 1e400 1e4009 1e4010 1e-400 0e4009 0e4010 nan
NaN -nan inf -inf +Infinity infinit 1_000 0x10 1d5 0.7662753462791443 0.9123456789012345
0.91234567890123456 0.9123456789012345678 12345678.5 123456789 123456789.25 1234567890123456789
12345678901234567890 1234567890123456789.0 0.00012345678901234567 0.000000000000000000012345
9007199254740993 1.0000000000000000000000000000000 9007199254740993.0 900719925474099.3
0.10000000000000000000000000000001 111111111111111111111111111111 0000000000000000000000000000001
0.0000000000000000000000000000001 0.3333333333333333333333333 179769313486231570000 5e-324
2.2250738585072014e-308 0.1e 12345678e5 1234567.8e-5 1é5 é.5 1.é5e3 0.1234567890123456e-03
"""
NUMBERS = (
    *_SCORES.split(),
    "1." + "1" * 500,
    "1" * 500,
    "0.1 e",
    "1\x00",
    "\x00",
    "-\x00",
    "1e5\x00",
    "1e" + "0" * 5000 + "5",
)


def texts() -> st.SearchStrategy[str]:
    """Scores in many forms."""
    digits = st.text("0123456789", max_size=24)
    plain = st.builds(lambda a, b: f"{a}.{b}", digits, digits)
    power = st.builds(lambda a, b, e: f"{a}.{b}e{e}", digits, digits, st.integers(-45, 45))
    short = st.builds(lambda n, places: f"{n:.{places}f}", st.floats(-1e7, 1e7), st.integers(0, 17))
    return st.one_of(st.sampled_from(NUMBERS), plain, power, short, st.floats().map(repr), digits)


def fields(layout: Layout) -> st.SearchStrategy[list[str]]:
    """The fields of one line, now and then too few or too many of them."""
    kinds = {
        layout.query: st.sampled_from(QUERIES),
        layout.doc: st.sampled_from(DOCS),
        layout.whole: st.sampled_from(WHOLES),
        layout.number: texts(),
        layout.tag: st.sampled_from(TAGS),
    }
    usual = st.tuples(*(kinds.get(k, st.sampled_from(("Q0", "0"))) for k in range(layout.fields))).map(list)
    few = st.builds(lambda line, n: line[:n], usual, st.integers(0, layout.fields))
    more = st.builds(
        lambda line, extra: line + extra, usual, st.lists(st.sampled_from(("x", "#", "")), max_size=70)
    )
    noted = st.builds(lambda line: ["#", *line], few)
    return st.one_of(usual, usual, usual, few, more, noted)


def blocks(layout: Layout) -> st.SearchStrategy[bytes]:
    """Lines with any blanks between fields and around them, and any ends."""
    ends = st.sampled_from(("\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n\r", " \n", "\t\r\n"))
    if layout.separator:
        between = st.just(chr(layout.separator))
    else:
        between = st.sampled_from((" ", " ", " ", "\t", "  ", " \t", "\f", "\v ", " " * 9))
    usual = st.builds(lambda line, by, end: by.join(line) + end, fields(layout), between, ends)
    any_line = st.builds(
        lambda before, line: before + line, st.sampled_from(("", "", "", " ", "\x1f")), usual
    )
    lines = st.lists(any_line, max_size=12).map("".join)
    last = st.sampled_from(("", "", "q Q0 d 1 2.5 t", " ", "q", "\r", "#", "q,Q0,d,1,2.5,t", ","))
    return st.builds(lambda a, b: (a + b).encode(), lines, last)


class Read(NamedTuple):
    """What a tokenised block says, in plain lists; numbers that an engine left open are read."""

    rows: list[tuple[Any, ...]]
    counts: tuple[int, ...]
    events: list[list[int]]


def read(engine: Engine, block: bytes, end: int, layout: Layout) -> Read | None:
    """What an engine reads."""
    tokens: Tokens | None = engine.tokenise(block, end, layout)
    if tokens is None:
        return None
    lines, number = tokens.lines, tokens.lines.number.copy()
    open_ = set()
    for kind, _, at, length, row in tokens.events.tolist():
        if kind == ODD_NUMBER:
            assert np.isnan(number[row])
            found = number_of(block[at : at + length])
            number[row] = np.nan if found is None else found
            open_.add(row)
    assert {*np.flatnonzero(np.isnan(lines.number)).tolist()} == open_
    columns = (lines.query_at, lines.query_length, lines.doc_at, lines.doc_length, lines.line, lines.whole)
    rows = list(zip(*(column.tolist() for column in columns), map(repr, number.tolist()), strict=True))
    events = [event for event in tokens.events.tolist() if event[0] != ODD_NUMBER]
    return Read(rows, tuple(tokens.counts), events)


def plainly(block: bytes, end: int, layout: Layout) -> Read:
    """What a block says, read line by line."""
    rows: list[tuple[Any, ...]] = []
    n = dict.fromkeys(("lines", "rows", "blank", "comments", "more", "first_more", "odd"), 0)
    events: list[list[int]] = []
    tags: list[bytes] = []
    for number, (line, at) in enumerate(_lines(block[:end])):
        n["lines"] += 1
        spans = _spans(line, at, layout.separator)
        if not spans:
            n["blank"] += 1
            continue
        said = [block[a:b] for a, b in spans]
        if len(said) != layout.fields:
            n["odd"] += 1
            if said[0].startswith(b"#"):
                n["comments"] += 1
                continue
            if len(said) < layout.fields:
                events.append([FEW_FIELDS, number, spans[0][0], spans[-1][1] - spans[0][0], len(said)])
                continue
            n["first_more"] = n["first_more"] if n["more"] else number
            n["more"] += 1
        row = n["rows"]
        n["rows"] += 1
        (query, query_end), (doc, doc_end) = spans[layout.query], spans[layout.doc]
        whole, score = row, 0.0
        if layout.whole >= 0:
            match = re.fullmatch(rb"([+-]?[0-9]+)(\.0*)?", said[layout.whole])
            fits = match and len(match[1].lstrip(b"+-")) <= 15
            whole = int(match[1]) if match and fits else UNREADABLE
            if not fits:
                events.append([BAD_WHOLE, number, *_place(spans[layout.whole]), row])
        if layout.number >= 0:
            found = number_of(said[layout.number])
            score = np.nan if found is None else found
        if layout.tag >= 0 and said[layout.tag] not in tags:
            events.append([NEW_TAG, number, *_place(spans[layout.tag]), row])
            if len(tags) < 16:
                tags.append(said[layout.tag])
        rows.append((query, query_end - query, doc, doc_end - doc, number, whole, repr(float(score))))
    n["beyond"] = int(any(byte == 0 or byte > 127 for byte in block[:end]))
    return Read(rows, tuple(n.values()), events)


def _place(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], span[1] - span[0]


def _lines(text: bytes) -> list[tuple[bytes, int]]:
    pieces = [(m[1], m.start()) for m in re.finditer(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)", text)]
    return pieces[:-1] if pieces and not pieces[-1][0] else pieces


def _spans(line: bytes, at: int, separator: int) -> list[tuple[int, int]]:
    if not separator:
        return [(at + m.start(), at + m.end()) for m in re.finditer(rb"[^ \t\f\v]+", line)]
    if not line:
        return []
    ends = [*(m.start() for m in re.finditer(re.escape(bytes([separator])), line)), len(line)]
    return [(at + a, at + b) for a, b in zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True)]


LAYOUTS = {"blanks": RUN, "commas": COMMAS, "tabs": TABS, "short": SHORT}
