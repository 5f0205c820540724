"""FORMATS, and files to tables: judgments, runs, questions, documents, rubrics. Bad lines are findings."""

from pathlib import Path
from typing import TypeVar

import polars as pl

from rankproof.catalog import Catalog
from rankproof.errors import UnreadableInput, UsageError
from rankproof.formats.arrow import ArrowTable, is_arrow
from rankproof.formats.blanks import TREC
from rankproof.formats.bytes import content
from rankproof.formats.format import LINE, Columns, Format
from rankproof.formats.frames import ARROW, PARQUET, read_frame
from rankproof.formats.headings import JUDGMENT_COLUMNS, RUN_COLUMNS, columns_by_role
from rankproof.formats.jsonlines import JSON_ARRAY, JSON_LINES
from rankproof.formats.judged import judgments_of
from rankproof.formats.names import run_name
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import (
    BAD_STATE,
    EMPTY_FILE,
    EXTRA_FIELDS,
    STATE_WITH_DOCS,
    TAGS,
)
from rankproof.formats.roles import role_of
from rankproof.formats.sources import printable
from rankproof.formats.subtopics import one_row_a_doc
from rankproof.formats.tabular import DELIMITED
from rankproof.formats.typed import ids, ranks, scores, stripped, whole_numbers, with_ids
from rankproof.formats.unpacking import without_packing
from rankproof.tables.findings import Findings
from rankproof.tables.judgments import DETAILS, Judgments
from rankproof.tables.run import STATES, Run
from rankproof.wording import Words, say

FORMATS: Catalog[Format] = Catalog(
    "format",
    (PARQUET, ARROW, JSON_LINES, DELIMITED, TREC),
    names=lambda row: (row.name, *(("tsv",) if row.name == "csv" else ())),
    member_type=Format,
    group="rankproof.formats",
)

Table = TypeVar("Table")


def format_of(path: Path, head: bytes) -> Format:
    """The format of a file: by what it begins with, and by its name where that leaves two."""
    name = without_packing(path.name.lower())
    for row in (PARQUET, ARROW, JSON_LINES):
        if row.reads(name, head):
            return row
    headed = DELIMITED.reads(name, head.split(b"\n", 1)[0])
    for row in FORMATS:
        if row not in (TREC, DELIMITED) and name.endswith(row.suffixes) and row.reads(name, head):
            return row
    if name.endswith(DELIMITED.suffixes) or (headed and not TREC.reads(name, head)):
        return DELIMITED
    return TREC if TREC.reads(name, head) else DELIMITED


def read_columns(path: str | Path | ArrowTable, format: str | None = None) -> tuple[Columns, Format]:
    """The rows of text of a file ("-" for standard input), unzipped and parted into columns; or those of a table."""
    if not isinstance(path, (str, Path)):
        return _of_table(path), ARROW
    path = Path(path)
    problems = Problems(printable(path))
    raw = content(path, problems)
    if not format and JSON_ARRAY.match(raw):
        raise UnreadableInput(
            "{file} begins like a JSON array; expected one JSON object a line. Write each element on a line of its own.",
            file=problems.file,
        )
    chosen = FORMATS.find(format) if format else format_of(path, raw[:65536])
    if b"\0" in raw and chosen not in (PARQUET, ARROW):
        raise UnreadableInput(
            "{file} is not a text file. Known formats: {known}.", file=path, known=", ".join(FORMATS.names())
        )
    columns = chosen.read(raw, problems)
    if not len(columns.frame):
        problems.add(EMPTY_FILE)
    return columns, chosen


def _of_table(given: ArrowTable) -> Columns:
    if not is_arrow(given):
        raise UsageError(
            "A file or a table was expected, but {seen} is {kind}. Give a path, or a table of polars, pyarrow, "
            "pandas or DuckDB.",
            seen=repr(given)[:40],
            kind=type(given).__name__,
        )
    columns = read_frame(given, Problems(""))
    if not len(columns.frame):
        columns.problems.add(EMPTY_FILE)
    return columns


def _called(path: str | Path | ArrowTable) -> str | Path | Words:
    """What sentences call a file, or a table in memory."""
    return path if isinstance(path, (str, Path)) else say("The table")


def read_judgments(
    path: str | Path | ArrowTable,
    *,
    format: str | None = None,
    subtopics: bool | None = None,
    raters: bool = False,
    strict: bool = False,
) -> tuple[Judgments, Findings]:
    """Judgments from a file or a table, and what was noticed in it.

    `path` is a file, "-" for standard input, or a table of polars, pyarrow, pandas, DuckDB or any other that hands
    out its columns as Arrow does.

    Columns are found by their headings (query_id, doc_id, grade and many spellings), or by their place
    where there is no header: "query iteration doc grade" (with `raters`: "query rater doc grade") or "query
    doc grade". Ids stay text; 3.0 is the grade 3; a grade below 0 is in the pool and not judged; any other
    text is a finding and the row is set aside. `strict` raises StrictStop at the first error-level finding.

    A column with a heading such as subtopic is read, unless `subtopics` is False. Without a header,
    `subtopics` says that the second of four columns holds them, and they are needed. Where nobody said
    and a doc has several rows there, its first one is read and a finding says so.
    """
    columns, chosen = read_columns(path, format)
    called = _called(path)
    _refuse(columns, called, say("judgments"), {"run": say("a run")})
    columns = one_row_a_doc(columns) if subtopics is None and not raters else columns
    second = "subtopic" if subtopics else "rater" if raters else ""
    places = {3: ("query_id", "doc_id", "grade"), 4: ("query_id", second, "doc_id", "grade")}
    wanted = tuple(one for one in JUDGMENT_COLUMNS if one != "subtopic" or subtopics is not False)
    optional = () if subtopics else ("subtopic",)
    frame = _roles(columns, wanted, places, called, say("judgments"), optional, {"grade": "score"})
    return _finished(judgments_of(frame, columns.problems, chosen), columns.problems, strict)


def read_run(
    path: str | Path | ArrowTable,
    *,
    name: str | None = None,
    format: str | None = None,
    strict: bool = False,
) -> tuple[Run, Findings]:
    """A run from a file or a table, and what was noticed in it.

    `path` is as in read_judgments.
    Columns are found by their headings (query_id, doc_id, rank, score, state), or by their place where
    there is no header: "query Q0 doc rank score tag", "query doc rank" or "query doc". A JSON line may
    hold one query: {"query_id", "state", "docs": [...]}. `name` is the file's name by default, and
    "run" for a table.
    """
    columns, _ = read_columns(path, format)
    called = _called(path)
    _refuse(columns, called, say("a run"), {"judgments": say("judgments")})
    places = {
        2: ("query_id", "doc_id"),
        3: ("query_id", "doc_id", "rank" if _all_whole(columns) else "score"),
        4: ("query_id", "doc_id", "rank", "score"),
        5: ("query_id", "", "doc_id", "rank", "score"),
        6: ("query_id", "", "doc_id", "rank", "score", "run"),
    }
    frame = _roles(
        columns, RUN_COLUMNS, places, called, say("a run"), optional=("rank", "score", "state", "run")
    )
    if not name:
        suffixes = [suffix for row in FORMATS for suffix in row.suffixes]
        name = run_name(path, suffixes) if isinstance(path, (str, Path)) else "run"
    run = _run(frame, columns.problems, name)
    return _finished(run, columns.problems, strict)


def _run(frame: pl.DataFrame, problems: Problems, name: str) -> Run:
    frame = stripped(frame, ("query_id", "doc_id"), problems)
    frame, states = _states(frame, problems)
    frame = with_ids(frame, ("query_id", "doc_id"), problems)
    with_docs = set(frame["query_id"].unique().to_list())
    for query in [query for query in states if query in with_docs]:
        problems.add(STATE_WITH_DOCS, query=query, state=states.pop(query))
    rank = ranks(frame, problems) if "rank" in frame.columns else None
    score = scores(frame, problems) if "score" in frame.columns else None
    tags = (
        tuple(frame["run"].drop_nulls().unique(maintain_order=True).to_list())
        if "run" in frame.columns
        else ()
    )
    if len(tags) > 1:
        problems.add(TAGS, count=len(tags), tags=", ".join(tags[:5]))
    return Run(
        name,
        ids(frame["query_id"], tuple(states)),
        ids(frame["doc_id"]),
        rank,
        score,
        states,  # type: ignore[arg-type]  # texts that _states has held against STATES
        frame[LINE].to_numpy(),
        problems.file,
        tags,
    )


def _states(frame: pl.DataFrame, problems: Problems) -> tuple[pl.DataFrame, dict[str, str]]:
    """The rows that display a doc, and the state of the queries that display none."""
    if "state" not in frame.columns:
        return frame, {}
    state = frame["state"].str.strip_chars().str.to_lowercase().fill_null("ok").replace("", "ok")
    frame = frame.with_columns(state.alias("state"))
    for line, query, text in frame.filter(~state.is_in(STATES)).select(LINE, "query_id", "state").iter_rows():
        problems.add(BAD_STATE, line, query=query or "", text=text[:40])
    frame = frame.filter(pl.col("state").is_in(STATES))
    nothing = frame.filter(
        (pl.col("state") != "ok") & pl.col("doc_id").is_null() & pl.col("query_id").is_not_null()
    )
    states = dict(nothing.select("query_id", "state").iter_rows())
    keep = (pl.col("state") == "ok") | pl.col("doc_id").is_not_null() | pl.col("query_id").is_null()
    return frame.filter(keep), states


def _all_whole(columns: Columns) -> bool:
    return "3" in columns.frame.columns and whole_numbers(columns.frame["3"]).null_count() == 0


def _roles(
    columns: Columns,
    wanted: tuple[str, ...],
    places: dict[int, tuple[str, ...]],
    path: str | Path | Words,
    what: Words,
    optional: tuple[str, ...] = (),
    otherwise: dict[str, str] | None = None,
) -> pl.DataFrame:
    """The columns by our names. `otherwise` names a heading that serves where a column is not found."""
    names = columns.names
    if not names:
        needed = [n for n in wanted if n not in (*optional, *DETAILS, "pooled", "state", "run")]
        return pl.DataFrame(schema={LINE: pl.Int64, **dict.fromkeys(needed, pl.String)})
    if columns.named:
        found = columns_by_role(names, wanted)
        for column, heading in (otherwise or {}).items():
            if column not in found:
                found |= dict(zip((column,), columns_by_role(names, (heading,)).values(), strict=False))
    else:
        fitting = places.get(min(len(names), max(places)), ())
        if len(names) > max(places):
            columns.problems.add(EXTRA_FIELDS, 1, count=len(columns.frame), expected=max(places))
        found = {role: str(place) for place, role in enumerate(fitting, 1) if role}
    if "state" in found:  # a run none of whose queries has a list names no doc at all
        optional = (*optional, "doc_id")
    lacking = [n for n in wanted if n not in found and n not in (*optional, *DETAILS, "pooled")]
    if lacking:
        raise UnreadableInput(
            "{file} was expected to be {what}, but no column is {lacking}. Seen: {seen}. "
            "Name the columns in a header, for example {example}.",
            file=path,
            what=what,
            lacking=", ".join(lacking),
            seen=", ".join(names)
            if columns.named
            else say("{n:column|columns} without a header", n=len(names)),
            example=",".join(wanted[:3]),
        )
    frame = columns.frame.select(LINE, **{role: pl.col(name) for role, name in found.items()})
    return frame if "doc_id" in found else frame.with_columns(doc_id=pl.lit(None, pl.String))


def _refuse(columns: Columns, path: str | Path | Words, expected: Words, others: dict[str, Words]) -> None:
    others, seen = {**others, "preferences": say("preferences")}, role_of(columns, str(path))
    if seen in others:
        raise UsageError(
            "{file} was expected to be {expected}, but it looks like {seen}. Judgments come first, then runs.",
            file=path,
            expected=expected,
            seen=others[seen],
        )


def _finished(table: Table, problems: Problems, strict: bool) -> tuple[Table, Findings]:
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return table, findings
