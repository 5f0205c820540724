"""Oddities: what scanned blocks said of their lines, added up, and the findings it comes to."""

from dataclasses import dataclass, field
from typing import Any

from rankproof.formats.blocks import NotPlain
from rankproof.formats.noticing import LISTED, Problems
from rankproof.formats.problems import (
    BAD_RANK,
    BAD_SCORE,
    BLANK_LINES,
    COMMENT_LINES,
    EXTRA_FIELDS,
    FIELD_COUNT,
    INFINITE_SCORE,
    NEGATIVE_GRADE,
    TAGS,
)
from rankproof.scanning.lines import BAD_WHOLE, FEW_FIELDS, NEW_TAG, ODD_NUMBER, Counts, Lines
from rankproof.scanning.parts import Block, Odd
from rankproof.tables.findings import Findings, Kind


@dataclass
class Oddities:
    """What was odd in the blocks so far; lines count from 1 through the whole file."""

    lines: int = 0
    rows: int = 0
    blank: int = 0
    comments: int = 0
    more: int = 0
    first_more: int = 0
    odd_lines: int = 0
    below: tuple[int, int, str] = (0, 0, "")  # how many grades are below 0, the line of the first, its text
    tags: dict[str, None] = field(default_factory=dict)
    extra: dict[str, int] = field(default_factory=dict)  # queries that nobody asked, and their rows
    told: dict[int, list[tuple[int, Odd]]] = field(default_factory=dict)  # those of each kind that are listed
    beyond: dict[int, dict[str, int]] = field(default_factory=dict)  # how many others, by their queries
    infinite: tuple[int, int, str] = (0, 0, "")  # how many scores are, the line of the first, its text

    def add(self, block: Block[Any]) -> None:
        """What the next block says."""
        counts = block.counts
        for query, n in block.extra.items():
            self.extra[query] = self.extra.get(query, 0) + n
        for one in block.odd:
            if one.kind == NEW_TAG:
                self.tags[one.text] = None
            else:
                self._tell(self.lines + one.line + 1, one)
        if counts.more and not self.more:
            self.first_more = self.lines + counts.first_more + 1
        self.blank += counts.blank
        self.comments += counts.comments
        self.more += counts.more
        self.odd_lines += counts.odd
        self.lines += counts.lines
        self.rows += counts.rows

    def _tell(self, line: int, one: Odd) -> None:
        """Note one line; so many of a kind are kept as are listed, so that memory does not grow with them."""
        if one.kind == ODD_NUMBER and one.value is not None and one.value == one.value:
            count, first, text = self.infinite
            self.infinite = (count + 1, first, text) if count else (1, line, one.text)
            return
        told = self.told.setdefault(one.kind, [])
        if len(told) < LISTED:
            told.append((line, one))
            return
        beyond = self.beyond.setdefault(one.kind, {})
        beyond[one.query] = beyond.get(one.query, 0) + 1

    def negative(self, lines: Lines, row: int, n: int, counts: Counts) -> None:
        """Grades below 0 of the block that was added last, the first of them in `row`."""
        count, line, text = self.below
        if not count:
            line, text = self.lines - counts.lines + int(lines.line[row]) + 1, str(lines.whole[row])
        self.below = count + n, line, text

    def stop_unless_usual(self) -> None:
        """NotPlain where most lines have another number of fields, or there is no row at all."""
        if not self.rows or self.rows - self.more <= self.odd_lines:
            raise NotPlain("another number of fields is the usual one")

    def findings(self, problems: Problems) -> Findings:
        """The findings, in the order in which the careful readers notice them."""
        if self.blank:
            problems.add(BLANK_LINES, count=self.blank)
        if self.comments:
            problems.add(COMMENT_LINES, count=self.comments)
        usual = 6
        for line, odd in self.told.get(FEW_FIELDS, ()):
            problems.add(FIELD_COUNT, line, seen=odd.fields, expected=usual, text=odd.text[:80])
        self._more(problems, FEW_FIELDS, FIELD_COUNT)
        if self.more:
            problems.add(EXTRA_FIELDS, self.first_more, count=self.more, expected=usual)
        if self.below[0]:
            count, line, text = self.below
            problems.add(NEGATIVE_GRADE, line, count=count, text=text, level="info")
        for kind, told in ((BAD_WHOLE, BAD_RANK), (ODD_NUMBER, BAD_SCORE)):
            for line, odd in self.told.get(kind, ()):
                problems.add(told, line, query=odd.query, doc=odd.doc, text=odd.text[:40])
            self._more(problems, kind, told)
        if self.infinite[0]:
            count, line, text = self.infinite
            problems.add(INFINITE_SCORE, line, count=count, text=text[:40])
        if len(self.tags) > 1:
            problems.add(TAGS, count=len(self.tags), tags=", ".join(list(self.tags)[:5]))
        return problems.findings()

    def _more(self, problems: Problems, kind: int, told: Kind) -> None:
        """The lines of a kind beyond those that are listed."""
        for query, count in self.beyond.get(kind, {}).items():
            problems.more(told, query, count)
