"""The plan: study.toml, read and checked before any number is made."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from rankproof.errors import UnknownName, UnreadableInput, UsageError
from rankproof.gates.deciding import read_gate
from rankproof.measures.dialects import conventions_of
from rankproof.measures.naming import parse_measures
from rankproof.tables.conventions import CONVENTIONS, Conventions
from rankproof.tables.decisions import Gate
from rankproof.wording import LANGUAGES, say

# Every table of the file and its keys; an unknown key is an error with the nearest known one.
KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("study", "files", "runs", "measures", "conventions", "plan", "gates"),
    "study": ("name", "language", "candidates", "seed"),
    "files": ("questions", "judgments", "rubric", "documents"),
    "runs": ("name", "file", "role"),
    "measures": ("primary", "secondary"),
    "conventions": ("dialect", *(row.name for row in CONVENTIONS)),
    "plan": ("by", "at", "alpha", "looks"),
}


@dataclass(frozen=True)
class RunEntry:
    """One run as the plan names it."""

    name: str
    file: str
    role: str


@dataclass(frozen=True)
class Plan:
    """What was decided beforehand. `text` is the file, to the byte."""

    text: bytes
    name: str
    language: str
    fixed: bool
    seed: int
    files: Mapping[str, str]
    runs: tuple[RunEntry, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    conventions: Conventions
    gates: tuple[Gate, ...]
    by: str = ""
    at: str = ""
    alpha: float = 0.05
    looks: int = 1
    about: Mapping[str, object] = field(default_factory=dict)

    @property
    def baseline(self) -> str:
        """The run against which the others are compared."""
        return next((run.name for run in self.runs if run.role == "baseline"), self.runs[0].name)

    @property
    def sha256(self) -> str:
        """The hash of the plan's file."""
        return sha256(self.text).hexdigest()

    @property
    def level(self) -> float:
        """How sure an interval is: 1 - alpha, alpha shared out over the planned looks."""
        return 1 - self.alpha / self.looks


def read_plan(path: Path) -> Plan:
    """The plan in a study.toml. Errors name the table and the key."""
    try:
        return parse_plan(path.read_bytes(), str(path))
    except OSError as error:
        raise UnreadableInput(
            "There is no study file {file} ({reason}). Expected a study.toml, or a folder that has one.",
            file=path,
            reason=error.strerror or str(error),
        ) from error


def parse_plan(raw: bytes, source: str) -> Plan:
    """The plan in the bytes of a study.toml."""
    try:
        tables = tomllib.loads(raw.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnreadableInput("{file} is not TOML: {reason}.", file=source, reason=str(error)) from error
    _known(tables, "", source)
    study, files, measures, plan = (
        _table(tables, name, source) for name in ("study", "files", "measures", "plan")
    )
    runs = tuple(_run(row, place, source) for place, row in enumerate(_rows(tables, "runs", source)))
    if len(runs) < 2:
        raise UsageError("{file}: a study compares at least two runs; {n} given.", file=source, n=len(runs))
    if "judgments" not in files:
        raise UsageError('{file}: [files] needs the key "judgments".', file=source)
    primary = _names(measures, "primary", source) or ("nDCG@10",)
    return Plan(
        raw,
        _text(study, "name", source, "study"),
        _one_of(study, "language", LANGUAGES, source),
        _one_of(study, "candidates", ("open", "fixed"), source) == "fixed",
        _whole(study, "seed", 0, source),
        {key: _text(files, key, source) for key in files},
        runs,
        primary,
        _names(measures, "secondary", source),
        _conventions(_table(tables, "conventions", source)),
        tuple(read_gate(row) for row in _rows(tables, "gates", source)),
        _text(plan, "by", source),
        _when(plan.get("at", ""), source),
        _alpha(plan, source),
        max(_whole(plan, "looks", 1, source), 1),
    )


def _known(table: Mapping[str, Any], name: str, source: str) -> None:
    for key in table:
        if key not in KEYS[name]:
            inside = say("key of [{table}] in {file}", table=name, file=source)
            raise UnknownName.of(inside if name else say("table of {file}", file=source), key, KEYS[name])


def _table(tables: Mapping[str, Any], name: str, source: str) -> dict[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(
            "{file}: {name} is {seen}; expected a table [{name}].", file=source, name=name, seen=repr(table)
        )
    _known(table, name, source)
    return table


def _rows(tables: Mapping[str, Any], name: str, source: str) -> list[dict[str, Any]]:
    rows = tables.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(
            "{file}: {name} is {seen}; expected tables [[{name}]].", file=source, name=name, seen=repr(rows)
        )
    return rows


def _run(row: dict[str, Any], place: int, source: str) -> RunEntry:
    _known(row, "runs", source)
    if "file" not in row:
        raise UsageError('{file}: [[runs]] number {n} needs the key "file".', file=source, n=place + 1)
    role = _one_of(row, "role", ("candidate", "baseline"), source)
    return RunEntry(
        _text(row, "name", source) or Path(str(row["file"])).stem, _text(row, "file", source), role
    )


def _text(table: Mapping[str, Any], key: str, source: str, default: str = "") -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise UsageError("{file}: {key} is {seen}; expected a text.", file=source, key=key, seen=repr(value))
    return value


def _one_of(table: Mapping[str, Any], key: str, known: Sequence[str], source: str) -> str:
    value = _text(table, key, source, known[0])
    if value not in known:
        raise UsageError(
            '{file}: {key} is "{seen}"; it is one of {known}.',
            file=source,
            key=key,
            seen=value,
            known=", ".join(known),
        )
    return value


def _whole(table: Mapping[str, Any], key: str, default: int, source: str) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(
            "{file}: {key} is {seen}; expected a whole number from 0.", file=source, key=key, seen=repr(value)
        )
    return value


def _alpha(table: Mapping[str, Any], source: str) -> float:
    value = table.get("alpha", 0.05)
    if not isinstance(value, (int, float)) or not 0 < value < 1:
        raise UsageError(
            "{file}: alpha is {seen}; expected a number between 0 and 1.", file=source, seen=repr(value)
        )
    return float(value)


def _names(table: Mapping[str, Any], key: str, source: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError(
            "{file}: {key} is {seen}; expected a list of measures.", file=source, key=key, seen=repr(value)
        )
    return tuple(measure.full_name for measure in parse_measures(value))


def _when(value: object, source: str) -> str:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, str):
        return value
    raise UsageError("{file}: at is {seen}; expected a date and time.", file=source, seen=repr(value))


def _conventions(table: Mapping[str, Any]) -> Conventions:
    choices = {key: value for key, value in table.items() if key != "dialect"}
    if isinstance(choices.get("gain"), dict):
        choices["gain"] = {int(grade): worth for grade, worth in choices["gain"].items()}
    return conventions_of(str(table.get("dialect", "rankproof")), **choices)
