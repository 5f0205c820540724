"""Tables of typed columns, as text: Parquet, Arrow, and frames in memory."""

import io
from collections.abc import Callable
from typing import Any

import polars as pl

from rankproof.errors import UnreadableInput
from rankproof.formats.format import LINE, Columns, Format
from rankproof.formats.headings import HEADINGS, folded
from rankproof.formats.noticing import Problems


def read_parquet(raw: bytes, problems: Problems) -> Columns:
    """A Parquet file; every column as text."""
    try:
        return _texts(lambda: pl.read_parquet(io.BytesIO(raw)), problems)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UnreadableInput(
            "{file} is not a Parquet file of plain columns: {reason}.",
            file=problems.file,
            reason=str(error).splitlines()[0],
        ) from error


def read_arrow(raw: bytes, problems: Problems) -> Columns:
    """An Arrow file; every column as text."""
    try:
        return _texts(lambda: pl.read_ipc(io.BytesIO(raw)), problems)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UnreadableInput(
            "{file} is not an Arrow file of plain columns: {reason}.",
            file=problems.file,
            reason=str(error).splitlines()[0],
        ) from error


def read_frame(given: Any, problems: Problems) -> Columns:
    """A table in memory that hands out its columns as Arrow does; every column as text."""
    try:
        return _texts(lambda: given if isinstance(given, pl.DataFrame) else pl.DataFrame(given), problems)
    except (pl.exceptions.PolarsError, OSError, TypeError, ValueError) as error:
        raise UnreadableInput(
            "The table is not one of plain columns: {reason}.", reason=(str(error) or "?").splitlines()[0]
        ) from error


def _texts(read: Callable[[], pl.DataFrame], problems: Problems) -> Columns:
    frame = read()
    texts = frame.select([_plain(name, dtype) for name, dtype in frame.schema.items()])
    lines = pl.Series(LINE, range(1, len(texts) + 1), pl.Int64)
    return Columns(texts.with_columns(lines), True, problems)


def _plain(name: str, dtype: pl.DataType) -> pl.Expr:
    """A column as text: tags joined by blanks, categories by semicolons, a vector as a JSON list; any other
    nested value is none at all.
    """
    if dtype == pl.List(pl.String) and folded(name) == "tags":
        return pl.col(name).list.join(" ")
    if isinstance(dtype, pl.List | pl.Array) and folded(name) in _LISTS:
        inside = pl.col(name).cast(pl.List(pl.String)).list.join(";" if dtype.inner == pl.String else ",")
        return inside if dtype.inner == pl.String else pl.format("[{}]", inside).alias(name)
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration):
        return pl.lit(None, pl.String).alias(name)
    return pl.col(name).cast(pl.String)


_LISTS = {folded(heading) for role in ("categories", "vector") for heading in HEADINGS[role]}


def write_parquet(frame: pl.DataFrame) -> bytes:
    """Columns as they are, compressed."""
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


def write_arrow(frame: pl.DataFrame) -> bytes:
    """Columns as they are."""
    stream = io.BytesIO()
    frame.write_ipc(stream)
    return stream.getvalue()


PARQUET = Format(
    "parquet", "Parquet", (".parquet",), lambda _, head: head[:4] == b"PAR1", read_parquet, write_parquet
)
ARROW = Format(
    "arrow",
    "Arrow (Feather)",
    (".arrow", ".feather", ".ipc"),
    lambda _, head: head[:6] == b"ARROW1",
    read_arrow,
    write_arrow,
)
