"""What a file is about, told by its columns: judgments, a run, questions or documents."""

from pathlib import PurePath

import polars as pl

from rankproof.formats.format import Columns
from rankproof.formats.headings import columns_by_role, folded
from rankproof.formats.typed import whole_numbers


def role_of(columns: Columns, name: str) -> str | None:
    """ "judgments", "preferences", "run", "questions" or "documents"; None where the columns leave it open."""
    return role_of_headings(columns.names, name) if columns.named else _by_content(columns, name)


def role_of_headings(names: list[str], file: str) -> str | None:
    """What a file with such a header is about, as `role_of` says it."""
    here = columns_by_role(
        names, ("query_id", "doc_id", "grade", "rank", "score", "state", "judgment_subgroup")
    )
    if {"query_id", "doc_id", "grade", "judgment_subgroup"} <= set(here):
        return "preferences"
    if "query_id" in here and "doc_id" in here:
        if "grade" in here or {folded(n) for n in names} == {"query_id", "corpus_id", "score"}:
            return "judgments"
        # query, doc and a score alone may be either; a run mostly says its rank
        return "run" if {"rank", "state"} & set(here) or set(here) == {"query_id", "doc_id"} else None
    if "query_id" in here:
        return "run" if "state" in here else "questions"
    if "doc_id" in here:
        return "documents"
    if folded(names[0]) in ("_id", "id") if names else False:
        return _by_name(file) or "documents"
    return None


def _by_name(file: str) -> str | None:
    """What a file of ids and texts is about; only its name can tell."""
    name = PurePath(file).name.lower()
    if any(word in name for word in ("quer", "question", "topic")):
        return "questions"
    return "documents" if any(word in name for word in ("doc", "corpus", "collection")) else None


def _by_content(columns: Columns, file: str) -> str | None:
    frame, names = columns.frame, columns.names
    if len(names) == 2:
        return _by_name(file)
    if len(names) == 6:
        return _of_six(frame)
    if len(names) == 5 and not _is_number(frame["4"]) and _is_value(frame["5"]):
        return "preferences"
    if len(names) in (4, 5) and not _is_number(frame["3"]) and _is_number(frame["4"]):
        return "judgments" if len(names) == 4 else None
    if len(names) == 4 and (frame["2"].is_in(["0", "Q0"])).all():
        return "judgments"
    if len(names) == 3 and _is_number(frame["3"]):
        rank = whole_numbers(frame["3"])
        counted = (
            pl.DataFrame({"query": frame["1"], "rank": rank})
            .group_by("query")
            .agg((pl.col("rank").sort() == pl.int_range(1, pl.len() + 1)).all())
        )
        return "run" if counted["rank"].all() and rank.max() != 1 else "judgments"
    return None


def _of_six(frame: pl.DataFrame) -> str | None:
    """A run says Q0, or ends with a tag; judgments of several aspects are whole numbers throughout."""
    if frame["2"].str.to_uppercase().eq("Q0").all() or not _is_number(frame["6"]):
        return "run" if _is_number(frame["4"]) else None
    aspects = all(whole_numbers(frame[name]).is_not_null().all() for name in ("4", "5", "6"))
    ranks = pl.DataFrame({"query": frame["1"], "rank": frame["4"]})
    return "judgments" if aspects and ranks.is_duplicated().any() else None


def _is_number(column: pl.Series) -> bool:
    """True where most values are whole numbers (a few bad lines do not change what a file is)."""
    return len(column) > 0 and whole_numbers(column).is_not_null().sum() > len(column) / 2


def _is_value(column: pl.Series) -> bool:
    """True where most values are numbers from 0, whole or not."""
    return len(column) > 0 and (column.cast(pl.Float64, strict=False) >= 0).sum() > len(column) / 2
