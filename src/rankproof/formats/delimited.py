"""CSV and TSV scanned: judgments and runs whose cells are plain, straight to what measures need.

A table is plain where no cell is quoted, empty, or has blanks around it, and each line has as many cells as the
first. For any other NotPlain is raised, and the readers in `reading` take it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankproof.formats.blocks import SIZE, NotPlain, blocks, stop_unless_plain
from rankproof.formats.gathering import Scanning, Supply, gathered
from rankproof.formats.headings import folded, is_header
from rankproof.formats.indexing import indexed, lists_in
from rankproof.formats.noticing import Problems
from rankproof.formats.plain_roles import judgment_roles, ordering_of, run_roles
from rankproof.formats.sources import Source
from rankproof.formats.unpacking import Damaged
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import BAD_WHOLE, UNREADABLE, Index, Layout, Lines, Tokens
from rankproof.scanning.parts import drained
from rankproof.tables.columns import Bools
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans

SEPARATORS = "\t,;|"
HEAD = 1 << 17  # bytes that are looked at before scanning begins
_BLANKS = (b" ", b"\t", b"\v", b"\f")
# The columns of a table without a header, by their number.
_RUN_PLACES = {
    2: ("query_id", "doc_id"),
    3: ("query_id", "doc_id", "rank"),
    4: ("query_id", "doc_id", "rank", "score"),
}
_JUDGMENT_PLACES = {3: ("query_id", "doc_id", "grade"), 4: ("query_id", "", "doc_id", "grade")}


class _Plan(NamedTuple):
    """How a table is scanned: the layout of its lines, whether the first one names the columns, what is there."""

    layout: Layout
    named: bool
    roles: frozenset[str]


def scan_delimited_judgments(source: Source) -> tuple[Index, Findings]:
    """Judgments made ready for scanning runs; NotPlain where anything is odd."""
    plan = _plan(source, judged=True)
    index = indexed(_judgment_lines(source, plan), source.file)
    if not plan.named and plan.layout.fields == 3 and _ranked(index.judged):
        raise NotPlain("the grades may be ranks")
    return index, Findings()


def _judgment_lines(source: Source, plan: _Plan) -> Iterator[Lines]:
    for _, block in _blocks(source, plan):
        lines = _tokens(block, plan).lines
        if len(lines.whole) and lines.whole.min() < 0:
            raise NotPlain("a grade below 0")
        yield lines


def _ranked(judged: Judged) -> bool:
    """True where the grades of each query are 1, 2, 3 and so on in some order."""
    order = np.lexsort((judged.grade, judged.query))
    place = np.arange(len(judged)) - judged.offsets[:-1][judged.query] + 1
    return bool((judged.grade[order] == place).all())


def scan_delimited_run(source: Source, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a run; NotPlain where anything is odd but that it has several tags."""
    plan = _plan(source, judged=False)
    longest: list[int] = [0]

    def tokens(given: tuple[int, bytearray]) -> Tokens:
        before, block = given
        found = _tokens(block, plan)
        lines = found.lines
        if "rank" not in plan.roles:
            lines.whole[:] = UNREADABLE
        if (
            "score" not in plan.roles
        ):  # a line has more bytes than one: the numbers fall through the whole file
            lines.number[:] = -before - np.arange(len(lines.number), dtype=np.float64)
        if not plan.named and plan.layout.fields == 3:
            longest[0] = max(longest[0], _stop_unless_counted(lines))
        return found

    ordering = ordering_of(scanning.ordering, "score" in plan.roles)
    supply = Supply(lambda: _blocks(source, plan), tokens, name, source.file, source.size // SIZE + 1)
    hits, oddities = gathered(supply, replace(scanning, ordering=ordering))
    if not plan.named and plan.layout.fields == 3 and longest[0] < 2:
        raise NotPlain("the ranks may be grades")
    return replace(hits, ordering=scanning.ordering), oddities.findings(Problems(source.file))


def _stop_unless_counted(lines: Lines) -> int:
    """The highest rank; NotPlain unless the ranks of each list are 1, 2, 3 and so on as it stands."""
    starts = lists_in(Spans(lines.block, lines.query_at, lines.query_length))
    place = np.arange(len(lines.whole)) - np.repeat(starts[:-1], np.diff(starts)) + 1
    if (lines.whole != place).any():
        raise NotPlain("the ranks may be grades")
    return int(place.max(initial=0))


def _plan(source: Source, judged: bool) -> _Plan:
    """How the table is to be scanned, by its first lines."""
    head = _head(source)
    first = head.split("\n", 1)[0].rstrip("\r")
    separator = _separator(head)
    cells = [cell.strip() for cell in first.split(separator)]
    if not first.strip() or head.lstrip()[:1] in ("{", "[") or "\r" in first:
        raise NotPlain("a first line that is to be looked at")
    named = is_header(cells)
    if named:
        if len({folded(cell) for cell in cells}) < len(cells) or not all(cells):
            raise NotPlain("a heading that stands twice, or none")
        found = (judgment_roles if judged else run_roles)(cells, source.file)
        place = {role: cells.index(name) for role, name in found.items()}
    else:
        roles = (_JUDGMENT_PLACES if judged else _RUN_PLACES).get(len(cells), ())
        place = {role: at for at, role in enumerate(roles) if role}
        _stop_unless_told(place, head, separator, judged)
    whole = place.get("grade" if judged else "rank", -1)
    layout = Layout(
        ord(separator),
        len(cells),
        place["query_id"],
        place["doc_id"],
        whole,
        place.get("score", -1),
        place.get("run", -1),
    )
    return _Plan(layout, named, frozenset(place))


def _head(source: Source) -> str:
    """The beginning of the text."""
    parts, n = [], 0
    try:
        for piece in source.pieces():
            parts.append(piece)
            n += len(piece)
            if n >= HEAD:
                break
    except Damaged as error:
        raise NotPlain(str(error)) from error
    return b"".join(parts).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")[:65536]


def _separator(head: str) -> str:
    """The separator that the careful reader finds; NotPlain where it looks at quotation marks for that."""
    lines = [line for line in head.splitlines()[:50] if line.strip()]
    if not lines or '"' in lines[0]:
        raise NotPlain("quotation marks in the first line")
    for separator in SEPARATORS:
        if is_header(lines[0].split(separator)):
            return separator
    for separator in SEPARATORS:
        counts = [line.count(separator) for line in lines]
        if min(counts) == max(counts) > 0:
            return separator
    raise NotPlain("no separator")


def _stop_unless_told(place: dict[str, int], head: str, separator: str, judged: bool) -> None:
    """NotPlain where a table without a header may be something else than it is read as."""
    rows = [line.split(separator) for line in head.splitlines()[:50]]
    if not place or (not judged and len(place) == 4 and all(row[1:2] in (["0"], ["Q0"]) for row in rows)):
        raise NotPlain("columns that may be something else")


def _blocks(source: Source, plan: _Plan) -> Iterator[tuple[int, bytearray]]:
    """Where each block begins in the text, and the block; the first one without the header."""
    before, headed = 0, plan.named
    try:
        for block in blocks(source.pieces(), plan.layout):
            n = len(block)
            if headed:
                end = block.find(b"\n") + 1 or n
                stop_unless_plain(block[:end])
                del block[:end]
                headed = False
            if plan.layout.separator != ord("\t") and b'"' in block:
                raise NotPlain("a quotation mark")
            yield before, block
            before += n
    except Damaged as error:
        raise NotPlain(str(error)) from error


def _tokens(block: bytearray, plan: _Plan) -> Tokens:
    """The rows of a block in which nothing is odd but tags."""
    tokens = engine().tokenise(block, len(block), plan.layout)
    if tokens is None or tokens.counts.odd or tokens.counts.more or tokens.counts.blank:
        raise NotPlain("another number of cells")
    if tokens.counts.beyond:
        stop_unless_plain(block)
    if (tokens.events[:, 0] == BAD_WHOLE).any():
        raise NotPlain("a number that is none")
    lines = tokens.lines
    if len(tokens.events) and any(odd.value is not None or not odd.text for odd in drained(tokens)):
        raise NotPlain("a score that is not finite")
    if np.isnan(lines.number).any():
        raise NotPlain("a score that is none")
    blank = any(one in block for one in _BLANKS if ord(one) != plan.layout.separator)
    for at, length in ((lines.query_at, lines.query_length), (lines.doc_at, lines.doc_length)):
        if len(length) and (length.min() == 0 or (blank and _edged(Spans(block, at, length)).any())):
            raise NotPlain("an empty id, or blanks around one")
    return tokens


def _edged(ids: Spans) -> Bools:
    """(n,) True where an id begins or ends with a blank or a control character."""
    text = np.frombuffer(ids.text, np.uint8)
    edged: Bools = (text[ids.at] <= 0x20) | (text[ids.at + ids.length - 1] <= 0x20)
    return edged
