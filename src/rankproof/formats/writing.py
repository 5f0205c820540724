"""Plain rows to bytes, for programs."""

import json
from collections.abc import Iterable, Mapping

import polars as pl

from rankproof.errors import UnknownName
from rankproof.formats.frames import write_parquet
from rankproof.wording import say

ROW_FORMATS = ("json", "jsonl", "csv", "parquet")


def write_rows(rows: Iterable[Mapping[str, object]], format: str, columns: Iterable[str] = ()) -> bytes:
    """Rows as "json" (one array), "jsonl" (one object a line), "csv" or "parquet".

    `columns` names those that a table has even where there is no row. Numbers are written so that reading them back gives the same double.

    >>> write_rows([{"measure": "AP", "value": 0.1}], "jsonl")
    b'{"measure": "AP", "value": 0.1}\\n'
    """
    listed = [dict(row) for row in rows]
    if format == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in listed).encode(
            errors="backslashreplace"
        )
    if format == "json":
        return (json.dumps(listed, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode(
            errors="backslashreplace"
        )
    names = dict.fromkeys((*columns, *(name for row in listed for name in row)))
    frame = pl.DataFrame({name: _column([row.get(name) for row in listed]) for name in names}, strict=False)
    if format == "csv":
        return frame.write_csv().encode()
    if format == "parquet":
        return write_parquet(frame)
    raise UnknownName.of(say("output format"), format, ROW_FORMATS)


def _column(values: list[object]) -> pl.Series:
    """A column whose kind is that of its values: numbers, whole numbers, else text."""
    known = [value for value in values if value is not None]
    if known and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in known):
        whole = all(isinstance(v, int) for v in known)
        return pl.Series(values, dtype=pl.Int64 if whole else pl.Float64, strict=False)
    return pl.Series([None if value is None else _cell(value) for value in values], dtype=pl.String)


def _cell(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="backslashreplace").decode()  # half a character is no text


def trec_eval_lines(
    rows: Iterable[Mapping[str, object]],
    names: Mapping[str, str],
    whole: Iterable[str],
    final: Iterable[str] = (),
    tags: Mapping[str, str] | None = None,
) -> bytes:
    """Values as trec_eval prints them: measure, query ("all" for the mean) and four decimals, between tabs.

    `names` gives trec_eval's name of each measure; those in `whole` are printed as whole numbers, those in
    `final` for the mean alone. A text stands between quotes; a value that is not defined has no line. Before
    the values of a run stands its tag from `tags`, as "runid"; of several runs without tags, its name.
    """
    counts, means, listed = set(whole), set(final), list(rows)
    several = len({row["run"] for row in listed}) > 1
    told = tags or {}
    lines, last = [], None
    for row in listed:
        run, measure = str(row["run"]), str(row["measure"])
        if run != last and (several or run in told):
            last = run
            lines.append(f"runid\tall\t{told.get(run, run)}\n")
        shown = _printed(row, whole=measure in counts)
        if shown and (row["query_id"] is None or measure not in means):
            lines.append(f"{names.get(measure, measure)}\t{row['query_id'] or 'all'}\t{shown}\n")
    return "".join(lines).encode(errors="backslashreplace")


def _printed(row: Mapping[str, object], *, whole: bool) -> str:
    """A value as trec_eval prints it; nothing where there is none."""
    value = row["value"]
    if value is None:
        return "" if row.get("text") is None else f"'{row['text']}'"
    return f"{value:.0f}" if whole else f"{value:.4f}"
