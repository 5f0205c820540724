"""Columns of text become ids, grades, ranks and scores; what does not fit becomes a finding."""

import polars as pl

from rankproof.formats.format import LINE
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_RANK, BAD_SCORE, BLANK_ID, BROKEN_ID, INFINITE_SCORE, MISSING_ID
from rankproof.tables.columns import Floats, Ids, Ints

WHOLE = r"^[+-]?[0-9]{1,15}(\.0*)?$"


def stripped(frame: pl.DataFrame, columns: tuple[str, ...], problems: Problems) -> pl.DataFrame:
    """Ids without blanks around them; an empty one is null."""
    for column in columns:
        clean = frame[column].str.strip_chars()
        changed = int((clean != frame[column]).sum())
        if changed:
            problems.add(BLANK_ID, count=changed)
        frame = frame.with_columns(clean.replace("", None).alias(column))
    return frame


def with_ids(frame: pl.DataFrame, columns: tuple[str, ...], problems: Problems) -> pl.DataFrame:
    """Rows that have all their ids; each other row is a finding."""
    for column in columns:
        lacking = frame.filter(pl.col(column).is_null())
        for row in lacking.iter_rows(named=True):
            known = {name: row.get(f"{name}_id") or "" for name in ("query", "doc") if f"{name}_id" != column}
            problems.add(
                MISSING_ID, row[LINE], query=known.get("query", ""), doc=known.get("doc", ""), what=column
            )
        frame = frame.filter(pl.col(column).is_not_null())
        for line in frame.filter(pl.col(column).str.contains("[\r\n]"))[LINE].to_list():
            problems.add(BROKEN_ID, line, what=column)
        frame = frame.filter(~pl.col(column).str.contains("[\r\n]"))
    return frame


def ids(column: pl.Series, also: tuple[str, ...] = ()) -> Ids:
    """Text ids as codes; `also` adds names that no row uses."""
    names = pl.concat([column.unique(), pl.Series(also, dtype=pl.String)]).unique().sort()
    codes = column.cast(pl.Enum(names)).to_physical().cast(pl.Int64)
    return Ids(codes.to_numpy(), names.to_numpy())


def whole_numbers(column: pl.Series) -> pl.Series:
    """Whole numbers, also when written 3.0; null where a text is no such number."""
    clean = column.str.strip_chars()
    return (
        clean.set(~clean.str.contains(WHOLE), None).str.split(".").list.first().cast(pl.Int64, strict=False)
    )


def scores(frame: pl.DataFrame, problems: Problems) -> Floats:
    """(n_rows,) scores as doubles; NaN where a text is no number, or where a ranked doc has none."""
    text = frame["score"].str.strip_chars().replace("", None)
    score = text.cast(pl.Float64, strict=False)
    absent = text.is_null() if "rank" in frame.columns else pl.Series([False]).new_from_index(0, len(text))
    bad = frame.filter((score.is_null() | score.is_nan()) & ~absent)
    for line, query, doc, seen in bad.select(LINE, "query_id", "doc_id", "score").iter_rows():
        problems.add(BAD_SCORE, line, query=query, doc=doc, text=str(seen or "")[:40])
    infinite = frame.filter(score.is_infinite())
    if len(infinite):
        first = infinite.row(0, named=True)
        problems.add(INFINITE_SCORE, first[LINE], count=len(infinite), text=str(first["score"])[:40])
    return score.fill_null(float("nan")).to_numpy()


def ranks(frame: pl.DataFrame, problems: Problems) -> Ints:
    """(n_rows,) ranks as written; -1 for every row of a query one of whose ranks is no whole number."""
    rank = whole_numbers(frame["rank"])
    bad = frame.filter(rank.is_null())
    for line, query, doc, seen in bad.select(LINE, "query_id", "doc_id", "rank").iter_rows():
        problems.add(BAD_RANK, line, query=query, doc=doc, text=str(seen or "")[:40])
    if len(bad):
        spoilt = frame["query_id"].is_in(bad["query_id"].unique().implode())
        rank = rank.set(spoilt, -1)
    return rank.to_numpy()
