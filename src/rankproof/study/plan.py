"""The plan: study.toml, read and checked before any number is made."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from rankproof.errors import UnreadableInput, UsageError
from rankproof.formats.names import run_name
from rankproof.gates.deciding import read_gate
from rankproof.measures.combining import parts_of
from rankproof.measures.dialects import conventions_of
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measures
from rankproof.study.values import KEYS as KEYS
from rankproof.study.values import fits, known_keys, one_of, path_of, table_of, tables_of, text_of, whole_of
from rankproof.tables.conventions import Conventions
from rankproof.tables.decisions import Gate
from rankproof.wording import LANGUAGES, reason_of


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
    primary: tuple[Measure, ...]
    secondary: tuple[Measure, ...]
    conventions: Conventions
    gates: tuple[Gate, ...]
    by: str = ""
    at: str = ""
    alpha: float = 0.05
    looks: int = 1

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure, the primary ones first."""
        return (*self.primary, *self.secondary)

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
            reason=reason_of(error),
        ) from error


def parse_plan(raw: bytes, source: str) -> Plan:
    """The plan in the bytes of a study.toml."""
    try:
        tables = tomllib.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise UnreadableInput("{file} is not TOML: {reason}.", file=source, reason=str(error)) from error
    fits(tables, "", source)
    known_keys(tables, "", source)
    study, files, measures, plan = (
        table_of(tables, name, source) for name in ("study", "files", "measures", "plan")
    )
    runs = tuple(_run(row, place, source) for place, row in enumerate(tables_of(tables, "runs", source)))
    _distinct(runs, source)
    if "judgments" not in files:
        raise UsageError('{file}: [files] needs the key "judgments".', file=source)
    conventions = _conventions(table_of(tables, "conventions", source), source)
    primary = _measures(measures, "primary", conventions, source) or _under(conventions, ["nDCG@10"])
    secondary = _measures(measures, "secondary", conventions, source)
    names = list(dict.fromkeys(measure.full_name for measure in (*primary, *secondary)))
    return Plan(
        raw,
        text_of(study, "name", source, "study"),
        one_of(study, "language", LANGUAGES, source),
        one_of(study, "candidates", ("open", "fixed"), source) == "fixed",
        whole_of(study, "seed", 0, source),
        {key: path_of(files, key, source) for key in files},
        runs,
        primary,
        tuple(measure for measure in secondary if measure.full_name in names[len(primary) :]),
        conventions,
        tuple(read_gate(row, names, conventions) for row in tables_of(tables, "gates", source)),
        text_of(plan, "by", source),
        _when(plan.get("at", ""), source),
        *_alpha_and_looks(plan, source),
    )


def _run(row: dict[str, Any], place: int, source: str) -> RunEntry:
    known_keys(row, "runs", source)
    if "file" not in row:
        raise UsageError('{file}: [[runs]] number {n} needs the key "file".', file=source, n=place + 1)
    file = path_of(row, "file", source)
    role = one_of(row, "role", ("candidate", "baseline"), source)
    return RunEntry(text_of(row, "name", source) or run_name(file), file, role)


def _distinct(runs: Sequence[RunEntry], source: str) -> None:
    """An error for less than two runs, two of one name, and two baselines."""
    if len(runs) < 2:
        raise UsageError("{file}: a study compares at least two runs; {n} given.", file=source, n=len(runs))
    names = [run.name for run in runs]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                '{file}: two [[runs]] have name = "{name}", by the key or by their files. Give each a name of '
                "its own.",
                file=source,
                name=name,
            )
    bases = [run.name for run in runs if run.role == "baseline"]
    if len(bases) > 1:
        raise UsageError(
            '{file}: {first} and {second} both have role = "baseline"; expected one.',
            file=source,
            first=bases[0],
            second=bases[1],
        )


LEAST_ALPHA = 1e-6  # of one look; below it no sample of signs can tell


def _alpha_and_looks(table: Mapping[str, Any], source: str) -> tuple[float, int]:
    alpha, looks = table.get("alpha", 0.05), whole_of(table, "looks", 1, source)
    if not isinstance(alpha, (int, float)) or isinstance(alpha, bool) or not 0 < alpha <= 0.5:
        raise UsageError(
            "{file}: alpha is {seen}; expected a number between 0 and 1, at most 0.5.",
            file=source,
            seen=repr(alpha),
        )
    if alpha / looks < LEAST_ALPHA:
        raise UsageError(
            "{file}: alpha is {alpha} and looks is {looks}, which leaves less than {least} for a look. Plan "
            "fewer looks.",
            file=source,
            alpha=alpha,
            looks=looks,
            least=LEAST_ALPHA,
        )
    return float(alpha), looks


def _measures(
    table: Mapping[str, Any], key: str, conventions: Conventions, source: str
) -> tuple[Measure, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError(
            "{file}: {key} is {seen}; expected a list of measures.", file=source, key=key, seen=repr(value)
        )
    measures = _under(conventions, value)
    for part in parts_of(measures):
        if part.aspect:
            raise UsageError(
                "{file}: {measure} is measured in an aspect, and the judgments of a study are of one alone. Write a "
                "file of that aspect's grades, and leave its name out.",
                file=source,
                measure=part.full_name,
            )
        if part.sees == "preferences":
            raise UsageError(
                "{file}: {measure} reads preferences, and a study is judged by grades. Compare by preferences "
                "without a study: rankproof compare.",
                file=source,
                measure=part.full_name,
            )
    return measures


def _under(conventions: Conventions, names: Sequence[str]) -> tuple[Measure, ...]:
    """Each measure once, with what its name leaves open filled in."""
    measures = (measure.under(conventions) for measure in parse_measures(names))
    return tuple({measure.full_name: measure for measure in measures}.values())


def _when(value: object, source: str) -> str:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, str):
        return value
    raise UsageError("{file}: at is {seen}; expected a date and time.", file=source, seen=repr(value))


def _conventions(table: Mapping[str, Any], source: str) -> Conventions:
    choices = {key: value for key, value in table.items() if key != "dialect"}
    if isinstance(choices.get("gain"), dict):
        choices["gain"] = _gains(choices["gain"], source)
    for key, value in choices.items():
        if isinstance(value, bool):  # Python would take them for 0 and 1
            raise UsageError(
                "{file}: {key} is {seen}; expected a text or a number.", file=source, key=key, seen=value
            )
    return conventions_of(text_of(table, "dialect", source, "rankproof"), **choices)


def _gains(table: Mapping[str, Any], source: str) -> dict[int, float]:
    for grade, worth in table.items():
        number = isinstance(worth, (int, float)) and not isinstance(worth, bool)
        if not (grade.isascii() and grade.isdigit() and len(grade) < 19 and number):
            raise UsageError(
                "{file}: gain has {grade} = {worth}; expected a grade, a whole number from 0, and what it is "
                "worth, a number.",
                file=source,
                grade=grade,
                worth=repr(worth),
            )
    return {int(grade): float(worth) for grade, worth in table.items()}
