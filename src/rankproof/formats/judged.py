"""Rows of text become judgments; what does not fit becomes a finding."""

import polars as pl

from rankproof.formats.blanks import TREC
from rankproof.formats.format import LINE, Format
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_GRADE, NEGATIVE_GRADE, NO_GRADE
from rankproof.formats.typed import ids, stripped, whole_numbers, with_ids
from rankproof.tables.judgments import DETAILS, Judgments


def judgments_of(frame: pl.DataFrame, problems: Problems, chosen: Format) -> Judgments:
    """Judgments from columns named as ours are."""
    frame = stripped(frame, ("query_id", "doc_id", "grade"), problems)
    nobody = pl.col("doc_id").is_null() & pl.col("grade").is_null() & pl.col("query_id").is_not_null()
    asked = tuple(frame.filter(nobody)["query_id"].to_list())
    frame = with_ids(frame.filter(~nobody), ("query_id", "doc_id"), problems)
    pooled = _flags(frame)
    ungraded = frame.filter(pl.col("grade").is_null() & ~pooled)
    if len(ungraded):
        problems.add(NO_GRADE, int(ungraded[LINE][0]), count=len(ungraded))
    frame, pooled = _both(frame, pooled, frame["grade"].is_not_null() | pooled)
    grade = whole_numbers(frame["grade"])
    bad = frame.filter(grade.is_null() & ~pooled)
    for line, query, doc, text in bad.select(LINE, "query_id", "doc_id", "grade").iter_rows():
        problems.add(BAD_GRADE, line, query=query, doc=doc, text=str(text)[:40])
    good = grade.is_not_null() | pooled
    frame, pooled = _both(frame, pooled, good)
    grade = grade.filter(good)
    _note_negative(frame, grade, problems, chosen)
    subtopic = _detail(frame, "subtopic")
    details = {name: column.to_numpy() for name in DETAILS if (column := _detail(frame, name)).count() > 0}
    return Judgments(
        ids(frame["query_id"], asked),
        ids(frame["doc_id"]),
        grade.fill_null(0).to_numpy(),
        (pooled | (grade < 0).fill_null(False)).to_numpy(),
        details,
        frame[LINE].to_numpy(),
        problems.file,
        ids(subtopic.fill_null("")) if subtopic.count() else None,
    )


def _detail(frame: pl.DataFrame, name: str) -> pl.Series:
    """What is known of each judgment under that name; null where the cell is blank."""
    if name not in frame.columns:
        return pl.Series(name, [], pl.String)
    return frame[name].str.strip_chars().replace("", None)


def _flags(frame: pl.DataFrame) -> pl.Series:
    if "pooled" not in frame.columns:
        return pl.Series("pooled", [False] * len(frame), pl.Boolean)
    return frame["pooled"].str.strip_chars().str.to_lowercase().is_in(["true", "1", "yes"]).fill_null(False)


def _both(frame: pl.DataFrame, flags: pl.Series, keep: pl.Series) -> tuple[pl.DataFrame, pl.Series]:
    return frame.filter(keep), flags.filter(keep)


def _note_negative(frame: pl.DataFrame, grade: pl.Series, problems: Problems, chosen: Format) -> None:
    """One finding of information for a TREC file, where it is the custom; one error a row elsewhere."""
    below = frame.filter((grade < 0).fill_null(False))
    if not len(below):
        return
    if chosen is TREC:
        problems.add(
            NEGATIVE_GRADE, int(below[LINE][0]), count=len(below), text=below["grade"][0], level="info"
        )
        return
    for line, query, doc, text in below.select(LINE, "query_id", "doc_id", "grade").iter_rows():
        problems.add(NEGATIVE_GRADE, line, query=query, doc=doc, text=text)
