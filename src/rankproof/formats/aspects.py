"""Judgments of several aspects: one file with a column of labels for each, such as click, dwell and conversion."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from rankproof.errors import UnknownName, UnreadableInput, UsageError
from rankproof.formats.format import LINE, Columns, Format
from rankproof.formats.headings import columns_by_role, folded
from rankproof.formats.judged import judgments_of
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_LABEL
from rankproof.formats.reading import read_columns
from rankproof.formats.typed import stripped, whole_numbers, with_ids
from rankproof.tables.findings import Findings
from rankproof.tables.judgments import DETAILS, Judgments
from rankproof.wording import say

Steps = Mapping[str, Sequence[float]]  # the thresholds of each aspect; none where its labels are grades
LABEL = "label:"
RESERVED = ":()*+@,="  # what parts the name of a measure


def read_aspects(
    path: str | Path,
    aspects: str | Sequence[str] | Mapping[str, Sequence[float]],
    *,
    format: str | None = None,
    strict: bool = False,
) -> tuple[dict[str, Judgments], Findings]:
    """Judgments by aspect from a file with several columns of labels, and what was noticed in it.

    path      a file with a header; query and doc are found by their headings, as in `read_judgments`
    aspects   the columns: "click,dwell=1,10,30", or a list of such texts, or {"click": (), "dwell": (0, 10, 30)}

    A label is a grade, a whole number from 0. Thresholds make grades of other numbers: the grade is how many of
    them are reached, so that with 0, 10 and 30 a dwell of 5 seconds is 1, one of 30 is 3. A blank cell is unjudged in
    that aspect; every query of the file is asked in each. A label that cannot be a grade is a finding and set
    aside; a column without any grade, or one that is not there, is an error. `strict` raises StrictStop at
    the first error-level finding.
    """
    steps = steps_of(aspects)
    columns, chosen = read_columns(path, format)
    frame = _found(columns, steps, path)
    problems = columns.problems
    frame = stripped(frame, ("query_id", "doc_id"), problems)
    labels = [f"{LABEL}{name}" for name in steps]
    blank = pl.all_horizontal(pl.col(name).is_null() for name in labels)
    nobody = pl.col("doc_id").is_null() & pl.col("query_id").is_not_null() & blank
    asked = frame["query_id"].drop_nulls().unique(maintain_order=True)
    frame = with_ids(frame.filter(~nobody), ("query_id", "doc_id"), problems)
    made = {
        name: _aspect(frame, asked, name, thresholds, problems, chosen) for name, thresholds in steps.items()
    }
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return made, findings


def steps_of(aspects: str | Sequence[str] | Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    """The aspects that are asked for, with the thresholds of each.

    >>> steps_of("click,dwell=1,10,30,buy")
    {'click': (), 'dwell': (1.0, 10.0, 30.0), 'buy': ()}
    """
    if isinstance(aspects, Mapping):
        steps = {name: [*given] for name, given in aspects.items()}
    else:
        steps = {}
        for text in [aspects] if isinstance(aspects, str) else aspects:
            _read(text, steps)
    if not steps:
        raise UsageError("No aspect was named. Name the columns of labels, such as click,conversion.")
    for name, thresholds in steps.items():
        _stop_at_no_name(name)
        if any(not low < high for low, high in pairwise(thresholds)):
            raise UsageError(
                "The thresholds of {name} are {seen}; expected numbers that rise, such as {name}=1,10,30.",
                name=name,
                seen=", ".join(f"{one:g}" for one in thresholds),
            )
    return {name: tuple(map(float, thresholds)) for name, thresholds in steps.items()}


def _stop_at_no_name(name: str) -> None:
    """UsageError for what cannot be the name of an aspect."""
    if not name or any(mark in RESERVED for mark in name):
        raise UsageError(
            'An aspect is called "{name}", which cannot stand before a measure: it is empty or has one of '
            "{marks}. Rename the column.",
            name=name,
            marks=" ".join(RESERVED),
        )


def _read(text: str, steps: dict[str, list[float]]) -> None:
    """Add what one text names. A number behind thresholds is one more of them."""
    last: list[float] | None = None
    for part in text.split(","):
        name, equals, first = (piece.strip() for piece in part.partition("="))
        if not equals and last is not None and (number := _number(name)) is not None:
            last.append(number)
            continue
        _stop_at_no_name(name)
        if name in steps:
            raise UsageError('The aspect "{name}" was named twice. Name each once.', name=name)
        steps[name], last = [], None
        if equals:
            threshold = _number(first)
            if threshold is None:
                raise UsageError(
                    'In "{text}", the threshold of {name} is "{seen}"; expected numbers that rise, such as '
                    "{name}=1,10,30.",
                    text=text,
                    name=name,
                    seen=first,
                )
            last = steps[name]
            last.append(threshold)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number - number == 0 else None


def _found(columns: Columns, steps: Steps, path: str | Path) -> pl.DataFrame:
    """Ids, details and labels by our names; the column of an aspect's labels is its name behind LABEL."""
    names = columns.names
    ids = columns_by_role(names, ("query_id", "doc_id", *DETAILS)) if columns.named else {}
    if "query_id" not in ids or "doc_id" not in ids:
        raise UnreadableInput(
            "{file} was expected to have a header that names the query, the doc and a column for each aspect. Seen: "
            "{seen}. Name the columns, for example query_id,doc_id,click,conversion.",
            file=path,
            seen=", ".join(names)
            if columns.named
            else say("{n:column|columns} without a header", n=len(names)),
        )
    here = {folded(name): name for name in reversed(names)} | {name: name for name in names}
    labels = {}
    for aspect in steps:
        column = here.get(aspect, here.get(folded(aspect)))
        if column is None or column in (ids["query_id"], ids["doc_id"]):
            others = [name for name in names if name not in (ids["query_id"], ids["doc_id"])]
            raise UnknownName.of(say("column of labels"), aspect, others)
        labels[f"{LABEL}{aspect}"] = pl.col(column).str.strip_chars().replace("", None)
    details = {role: pl.col(name) for role, name in ids.items()}
    return columns.frame.select(LINE, **details, **labels)


def _aspect(
    frame: pl.DataFrame,
    asked: pl.Series,
    name: str,
    thresholds: Sequence[float],
    problems: Problems,
    chosen: Format,
) -> Judgments:
    """The judgments of one aspect; every query is asked."""
    labelled = frame.filter(pl.col(f"{LABEL}{name}").is_not_null())
    text = labelled[f"{LABEL}{name}"]
    grade = _binned(text, thresholds) if thresholds else whole_numbers(text)
    bad = labelled.filter(grade.is_null())
    if len(bad) and len(bad) == len(labelled):
        raise UsageError(
            'The column {name} of {file} has no grade, a whole number from 0; its first label is "{seen}". Name '
            "thresholds to make grades of numbers, such as {name}=1,10,30: the grade is how many are reached.",
            name=name,
            file=problems.file,
            seen=str(text[0])[:40],
        )
    for line, query, doc, seen in bad.select(LINE, "query_id", "doc_id", f"{LABEL}{name}").iter_rows():
        problems.add(BAD_LABEL, line, query=query, doc=doc, aspect=name, text=str(seen)[:40])
    good = labelled.with_columns(grade=grade.cast(pl.String)).filter(grade.is_not_null())
    everybody = pl.DataFrame({"query_id": asked}).with_columns(pl.lit(0, pl.Int64).alias(LINE))
    rows = pl.concat([good.select(pl.exclude(f"^{LABEL}.*$")), everybody], how="diagonal")
    return judgments_of(rows, problems, chosen)


def _binned(text: pl.Series, thresholds: Sequence[float]) -> pl.Series:
    """How many thresholds each number reaches; null where a text is no number."""
    number = text.cast(pl.Float64, strict=False)
    reached = np.searchsorted(np.array(thresholds), number.fill_null(0.0).to_numpy(), side="right")
    return pl.Series(reached, dtype=pl.Int64).set(~number.is_finite().fill_null(False), None)
