"""Files to preferences, and judgments of whatever kind a file holds."""

import re
from pathlib import Path

import numpy as np
import polars as pl

from rankproof.errors import UnknownName, UnreadableInput
from rankproof.formats.bytes import content, pipes_kept
from rankproof.formats.format import LINE, Columns
from rankproof.formats.headings import HEADINGS, columns_by_role
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import (
    AGAINST_ITSELF,
    BAD_PREFERENCE,
    LIKED_AND_NOT,
    READ_AS_PREFERENCES,
    REPEATED_PREFERENCE,
)
from rankproof.formats.reading import read_columns, read_judgments
from rankproof.formats.roles import role_of
from rankproof.formats.sources import printable
from rankproof.formats.typed import ids, stripped, with_ids
from rankproof.tables.findings import Findings, Kind
from rankproof.tables.judgments import Judgments
from rankproof.tables.preferences import Preferences
from rankproof.wording import say

COLUMNS = ("query_id", "judgment_group", "judgment_subgroup", "doc_id", "grade")
READINGS = ("grades", "raters", "preferences", "grades-as-preferences")


def read_judged(
    path: str | Path, reading: str | None = None, *, subtopics: bool | None = None, strict: bool = False
) -> tuple[Judgments | Preferences, Findings]:
    """Judgments or preferences from a file, and what was noticed in it.

    `reading` says what the file is: "grades"; "raters" (as grades, where the second column of a TREC file
    names who judged); "preferences"; or "grades-as-preferences", where a doc is preferred to those of lower
    grades by the same rater. Without it a file is read as preferences only where its columns can be nothing
    else, which is a finding, and as grades otherwise. `subtopics` is told to `read_judgments`.
    """
    if reading is not None and reading not in READINGS:
        raise UnknownName.of(say("reading of judgments"), reading, READINGS)
    if reading == "preferences":
        return read_preferences(path, strict=strict)
    with pipes_kept():
        if reading is None and _may_be(content(Path(path), Problems(printable(Path(path))))[:65536]):
            columns, _ = read_columns(path)
            if role_of(columns, str(path)) == "preferences":
                return _preferences(columns, path, strict=strict, found=True)
        raters = reading in ("raters", "grades-as-preferences")
        subtopics = False if reading == "grades" and subtopics is None else subtopics  # it was said
        judgments, findings = read_judgments(path, subtopics=subtopics, raters=raters, strict=strict)
    if reading == "grades-as-preferences":
        return Preferences.of_judgments(judgments), findings
    return judgments, findings


def _may_be(head: bytes) -> bool:
    """False where a look at the first lines is enough to know that a file holds no preferences."""
    parted = [re.split(rb"[\s,;|]+", line.strip()) for line in head.splitlines()[:50]]
    of_five = sum(len(fields) == len(COLUMNS) for fields in parted)
    return of_five > len(parted) / 2 or any(
        name.encode() in head.lower() for name in HEADINGS["judgment_subgroup"]
    )


def read_preferences(
    path: str | Path, *, format: str | None = None, strict: bool = False
) -> tuple[Preferences, Findings]:
    """Preferences from a file, and what was noticed in it.

    Columns are found by their headings (query_id, group, subgroup, doc_id, grade; without a group or subgroup
    all is one), or by their place where there is no header: "query group subgroup doc value", as trec_eval's
    -R prefs reads them. A value that is no number from 0 is a finding and its row is set aside.
    """
    return _preferences(read_columns(path, format)[0], path, strict=strict)


def _preferences(
    columns: Columns, path: str | Path, *, strict: bool, found: bool = False
) -> tuple[Preferences, Findings]:
    problems = columns.problems
    frame = _by_name(columns, path)
    if found:
        problems.add(READ_AS_PREFERENCES, count=len(frame))
    frame = with_ids(stripped(frame, ("query_id", "doc_id"), problems), ("query_id", "doc_id"), problems)
    value = frame["grade"].str.strip_chars().cast(pl.Float64, strict=False)
    good = (value.is_finite() & (value >= 0)).fill_null(False)
    for line, query, doc, text in frame.filter(~good).select(LINE, "query_id", "doc_id", "grade").iter_rows():
        problems.add(BAD_PREFERENCE, line, query=query, doc=doc, text=str(text or "")[:40])
    frame, value = frame.filter(good), value.filter(good)
    table = Preferences(
        ids(frame["query_id"]),
        ids(frame["judgment_group"]),
        ids(frame["judgment_subgroup"]),
        ids(frame["doc_id"]),
        value.to_numpy(),
        frame[LINE].to_numpy(),
        problems.file,
    )
    _note(table, problems)
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return table, findings


def _by_name(columns: Columns, path: str | Path) -> pl.DataFrame:
    """The columns by our names; groups that nobody names are one group."""
    names = columns.names
    if columns.named:
        found = columns_by_role(names, COLUMNS)
    else:
        found = dict(zip(COLUMNS, names, strict=True)) if len(names) == len(COLUMNS) else {}
    lacking = [name for name in ("query_id", "doc_id", "grade") if name not in found]
    if lacking and names:
        raise UnreadableInput(
            "{file} was expected to hold preferences, but no column is {lacking}. Seen: {seen}. Without a header "
            "the columns are query, group, subgroup, doc and value.",
            file=path,
            lacking=", ".join(lacking),
            seen=", ".join(names)
            if columns.named
            else say("{n:column|columns} without a header", n=len(names)),
        )
    if not names:
        return pl.DataFrame(schema={LINE: pl.Int64, **dict.fromkeys(COLUMNS, pl.String)})
    one = [pl.lit("0").alias(name) for name in ("judgment_group", "judgment_subgroup") if name not in found]
    frame = columns.frame.select(LINE, **{role: pl.col(name) for role, name in found.items()})
    return frame.with_columns(*one).with_columns(pl.col("judgment_group", "judgment_subgroup").fill_null(""))


def _note(table: Preferences, problems: Problems) -> None:
    """What contradicts itself."""

    query, group, doc = table.query.texts(), table.group.texts(), table.doc.texts()
    line = np.zeros(len(table), np.int64) if table.line is None else table.line

    def add(kind: Kind, row: int, other: str = "") -> None:
        facts = {"group": group[row]} | ({"other": other} if other else {})
        problems.add(kind, int(line[row]), query=query[row], doc=doc[row], **facts)

    for row in (~table.first).nonzero()[0].tolist():
        add(REPEATED_PREFERENCE, row)
    for row in table.mixed().tolist():
        add(LIKED_AND_NOT, row)
    for found in table.contradictions():
        add(AGAINST_ITSELF, found.row, found.other)
