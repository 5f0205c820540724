"""Scanning files: judgments and runs straight to what measures need, in blocks, without a table of all lines.

Only plain files are read so; where anything asks for more care, NotPlain is raised and the readers in
`reading` do it. What is odd in a line becomes the finding that they would give.
"""

from collections.abc import Iterator

import numpy as np

from rankproof.formats.blocks import SIZE, NotPlain, blocks, stop_unless_plain
from rankproof.formats.gathering import Scanning, Supply, gathered
from rankproof.formats.indexing import indexed
from rankproof.formats.looks import is_delimited, scan_of, stop_unless_judgments, stop_unless_run
from rankproof.formats.noticing import Problems
from rankproof.formats.oddities import Oddities
from rankproof.formats.sources import Source
from rankproof.formats.unpacking import Damaged
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import JUDGMENTS, RUN, Index, Layout, Lines, Tokens
from rankproof.scanning.parts import Block, drained
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits

_LOOKS = {RUN: stop_unless_run, JUDGMENTS: stop_unless_judgments}


def scan_judgments(source: Source) -> tuple[Index, Findings]:
    """Judgments made ready for scanning runs, from TREC, CSV or a file of columns.

    NotPlain where anything is odd but grades below 0 in a TREC file.
    """
    if scan := scan_of(source):
        from rankproof.formats.column_files import table_in
        from rankproof.formats.columnar import scan_judgment_columns

        return scan_judgment_columns(table_in(source, scan)), Findings()
    if is_delimited(source):
        from rankproof.formats.delimited import scan_delimited_judgments

        return scan_delimited_judgments(source)
    oddities = Oddities()
    index = indexed(_judged_lines(source, oddities), source.file)
    return index, oddities.findings(Problems(source.file))


def _judged_lines(source: Source, oddities: Oddities) -> Iterator[Lines]:
    """The lines of each block of judgments, and what is odd in them."""
    for block in _blocks_of(source, JUDGMENTS):
        tokens = _tokens(block, JUDGMENTS)
        if drained(tokens) or tokens.counts.odd:
            raise NotPlain("something that is to be told line by line")
        oddities.add(Block(None, tokens.counts, (), {}))
        below = np.flatnonzero(tokens.lines.whole < 0)
        if len(below):
            oddities.negative(tokens.lines, int(below[0]), len(below), tokens.counts)
        yield tokens.lines


def scan_run(source: Source, scanning: Scanning, name: str) -> tuple[Hits, Findings]:
    """The hits of a run in TREC, CSV or a file of columns; NotPlain where careful readers are needed."""
    if scan := scan_of(source):
        from rankproof.formats.column_files import table_in
        from rankproof.formats.columnar import scan_run_columns

        return scan_run_columns(table_in(source, scan), scanning, name)
    if is_delimited(source):
        from rankproof.formats.delimited import scan_delimited_run

        return scan_delimited_run(source, scanning, name)
    times = source.size // SIZE + 1
    supply = Supply(
        lambda: _blocks_of(source, RUN), lambda block: _tokens(block, RUN), name, source.file, times
    )
    hits, oddities = gathered(supply, scanning)
    return hits, oddities.findings(Problems(source.file))


def _tokens(block: bytearray, layout: Layout) -> Tokens:
    """The rows of a block; NotPlain where careful readers are needed."""
    tokens = engine().tokenise(block, len(block), layout)
    if tokens is None:
        raise NotPlain("too much that is odd")
    if tokens.counts.beyond:
        stop_unless_plain(block)
    return tokens


def _blocks_of(source: Source, layout: Layout) -> Iterator[bytearray]:
    """The blocks of a file that looks as it should."""
    looked = False
    try:
        for block in blocks(source.pieces(), layout):
            if not looked:
                _LOOKS[layout](source.path.name, block)
                looked = True
            yield block
    except Damaged as error:
        raise NotPlain(str(error)) from error
