"""Columns between blanks, as TREC files have them: any run of spaces and tabs parts two fields."""

import polars as pl

from rankproof.errors import UsageError
from rankproof.formats.bytes import decoded, lines_of
from rankproof.formats.format import LINE, Columns, Format
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BLANK_LINES, COMMENT_LINES, EXTRA_FIELDS, FIELD_COUNT


def read(raw: bytes, problems: Problems) -> Columns:
    """The fields of each line as columns "1", "2", ...

    The usual number of fields is the most common one; a line with fewer is set aside, of a line with more
    the rest is ignored (both are findings).
    """
    text = decoded(raw, problems).replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    text = _with_single_blanks(text)
    lines = pl.Series("text", text.split("\n"), pl.String)
    frame = lines.to_frame().with_row_index(LINE, offset=1).with_columns(pl.col(LINE).cast(pl.Int64))
    blank = frame["text"] == ""
    if text and blank.any():
        problems.add(BLANK_LINES, count=int(blank.sum()))
    frame = frame.filter(~blank).with_columns(fields=pl.col("text").str.split(" "))
    frame = frame.with_columns(n=pl.col("fields").list.len())
    usual = _usual(frame)
    frame = _without_odd_lines(frame, usual, problems)
    columns = [pl.col("fields").list.get(i).alias(str(i + 1)) for i in range(usual)]
    return Columns(frame.select(LINE, *columns), False, problems)


def _with_single_blanks(text: str) -> str:
    """The text with one space wherever blanks stood between fields, and none at the ends of lines."""
    for blank in "\t\r\f\v":
        text = text.replace(blank, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.replace(" \n", "\n").replace("\n ", "\n").strip(" ")


def _usual(frame: pl.DataFrame) -> int:
    """The most common number of fields; the larger one where two are equally common."""
    counts = frame.group_by("n").len().sort("len", "n", descending=True)
    return int(counts["n"][0]) if len(counts) else 0


def _without_odd_lines(frame: pl.DataFrame, usual: int, problems: Problems) -> pl.DataFrame:
    if (frame["n"] == usual).all():
        return frame
    odd = frame.filter(pl.col("n") != usual)
    comment = odd.filter(pl.col("text").str.starts_with("#"))
    if len(comment):
        problems.add(COMMENT_LINES, count=len(comment))
    odd = odd.filter(~pl.col("text").str.starts_with("#"))
    for line, text, n in odd.filter(pl.col("n") < usual).select(LINE, "text", "n").iter_rows():
        problems.add(FIELD_COUNT, line, seen=n, expected=usual, text=text[:80])
    more = odd.filter(pl.col("n") > usual)
    if len(more):
        problems.add(EXTRA_FIELDS, int(more[LINE][0]), count=len(more), expected=usual)
    keep = (pl.col("n") == usual) | ((pl.col("n") > usual) & ~pl.col("text").str.starts_with("#"))
    return frame.filter(keep)


def write(frame: pl.DataFrame) -> bytes:
    """Rows as lines with one space between fields; a field that is empty or has a blank in it is an error."""
    return "".join(f"{' '.join(map(_field, row))}\n" for row in frame.iter_rows()).encode()


def _field(value: object) -> str:
    text = "" if value is None else str(value)
    if text.split() != [text]:
        raise UsageError(
            'A TREC file parts its fields by blanks, so "{text}" cannot stand in one. '
            "Use another format, or ids without blanks.",
            text=text,
        )
    return text


def reads(name: str, head: bytes) -> bool:  # noqa: ARG001 - every format is asked by name and head
    """True for lines with three or more fields between blanks, the same number in most lines."""
    lines = [line.split() for line in lines_of(head.decode("utf-8", "replace"))[:50] if line.strip()]
    counts = [len(fields) for fields in lines]
    usual = max(set(counts), key=counts.count, default=0)
    return usual in (3, 4, 5, 6) and counts.count(usual) > len(counts) / 2


TREC = Format("trec", "TREC: fields between blanks", (".trec", ".qrels", ".run", ".txt"), reads, read, write)
