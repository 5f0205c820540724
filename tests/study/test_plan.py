"""A plan is checked when it is read: each value of a wrong type or out of range is named."""

import json
import math
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from rankproof import Study, read_run
from rankproof.errors import RankproofError, UnreadableInput, UsageError
from rankproof.formats.names import run_name
from rankproof.study.plan import parse_plan

PLAN = """
[study]
name = "Help centre"
language = "en"
candidates = "open"
seed = 7
[files]
questions = "questions.csv"
judgments = "judgments.csv"
rubric = "rubric.toml"
documents = "documents.jsonl"
[[runs]]
name = "old"
file = "old.jsonl"
role = "baseline"
[[runs]]
name = "new"
file = "new.jsonl"
role = "candidate"
[measures]
primary = ["nDCG@5"]
secondary = ["AP", "Judged@5"]
[conventions]
dialect = "rankproof"
order = "displayed"
ties = "file"
score_width = 64
gain = { 1 = 1, 2 = 3.5 }
ideal = "judged"
rel = 1
unjudged = "zero"
missing = "zero"
extra = "exclude"
no_relevant = "null"
duplicates = "first"
negative_grades = "pooled"
precision_divisor = "cutoff"
depth = 100
[plan]
by = "search team"
at = 2026-11-12T09:00:00Z
alpha = 0.05
looks = 2
[[gates]]
kind = "non_inferior"
measure = "nDCG(gain=linear)@5"
margin = 0.02
tag = "critical"
min_queries = 20
[[gates]]
kind = "no_worse"
beyond = 0.1
[[gates]]
kind = "floor"
at_least = 0.5
measure = "AP"
[[gates]]
kind = "max_unjudged"
at_most = 0.1
measure = "Judged@5"
""".replace('nDCG@5"]', 'nDCG(gain=linear)@5"]')

VALUES: tuple[Any, ...] = (
    3, -1, 1.5, math.nan, math.inf, -math.inf, 10**30, True, "x", "", "\0", "\ud7ff\u2028", [], [1], ["x"], [[]],
    {}, {"x": 1}, {"1": "x"}, {"1": True}, {"1": []}, {"1": math.nan}, {"-1": 1}, [{}], [{"x": 1}], datetime(2026, 1, 2),
)  # fmt: skip  # a table, read row by row


def toml(value: Any) -> str:
    """A value as it is written in a plan."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=True) if isinstance(value, str) else str(value)


def written(tables: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in tables.items()).encode()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the plan, tables and lists included."""
    if path:
        yield path
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield from places(value[key], (*path, key))


def changed(path: tuple[Any, ...], value: Any) -> bytes:
    tables = tomllib.loads(PLAN)
    inside = tables
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return written(tables)


def kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def at(path: tuple[Any, ...]) -> Any:
    value: Any = tomllib.loads(PLAN)
    for key in path:
        value = value[key]
    return value


PLACES = list(places(tomllib.loads(PLAN)))
# A value of these may be of another type, too.
FREE = {("plan", "at"): {"str"}, ("conventions", "gain"): {"str"}, ("conventions", "score_width"): {"str"}}


def test_the_plan_itself_can_be_read() -> None:
    plan = parse_plan(written(tomllib.loads(PLAN)), "study.toml")
    assert [gate.measure for gate in plan.gates] == ["nDCG@5", None, "AP", "Judged@5"]
    assert [measure.full_name for measure in plan.measures] == ["nDCG@5", "AP", "Judged@5"]
    assert plan.conventions.gain == {1: 1.0, 2: 3.5}


@pytest.mark.parametrize("path", PLACES, ids=lambda path: ".".join(map(str, path)))
def test_a_wrong_value_is_an_error_that_names_its_place(path: tuple[Any, ...]) -> None:
    named = {str(part) for part in path} | {"measure", "gate"}
    for value in VALUES:
        same = kind_of(value) == kind_of(at(path))
        complaint = error_of(changed(path, value))
        if complaint is None:
            assert same or kind_of(value) in FREE.get(path, ()), value
        elif not same:
            assert any(part in complaint for part in named), (value, complaint)


def error_of(raw: bytes) -> str | None:
    """What the plan is refused for; None where it is not."""
    try:
        parse_plan(raw, "study.toml")
    except RankproofError as error:
        return str(error) if error.exit_code == 2 else None
    return None


def test_numbers_out_of_range() -> None:
    for path, bad in (
        (("study", "seed"), (-1, 1.5, 2**63)),
        (("plan", "looks"), (0, -1, 1.5, 10**9, 2**62)),
        (("plan", "alpha"), (0, 1, 5, -0.1, 0.51, 1e-9, math.nan, math.inf)),
        (("conventions", "rel"), (-1, 1.5, math.nan)),
        (("conventions", "depth"), (0, -1, 1.5)),
    ):
        for value in bad:
            with pytest.raises(UsageError, match=path[-1]):
                parse_plan(changed(path, value), "study.toml")


@pytest.mark.parametrize("raw", [b"[study", b"\xff\xfe\0x\x80", b"a = " + b"[" * 9999, b"a = " + b"9" * 9999])
def test_what_is_no_toml(raw: bytes) -> None:
    with pytest.raises(UnreadableInput, match="not TOML"):
        parse_plan(raw, "study.toml")


def test_two_runs_of_one_name_and_two_baselines() -> None:
    for old, new, words in (
        ('name = "new"', 'name = "old"', "name = .old."),
        ('role = "candidate"', 'role = "baseline"', "role = .baseline."),
        ('name = "new"\nfile = "new.jsonl"', 'file = "old.jsonl.gz"', "name = .old."),
    ):
        assert old in PLAN
        with pytest.raises(UsageError, match=words):
            parse_plan(PLAN.replace(old, new).encode(), "study.toml")


@pytest.mark.parametrize("file", ["run.a.txt", "run_b.jsonl", "c.trec.gz", "d.e.trec", "f", "g.run"])
def test_a_run_is_called_the_same_in_a_plan_and_by_itself(tmp_path: Path, file: str) -> None:
    plan = parse_plan(PLAN.replace('name = "new"\nfile = "new.jsonl"', f'file = "{file}"').encode(), "x")
    path = tmp_path / file
    path.write_text("q Q0 d 1 1.0 x\n", "utf-8")
    assert plan.runs[1].name == read_run(path)[0].name == run_name(path)


def test_a_gate_names_a_measure_of_the_plan_in_any_spelling(study: Path) -> None:
    path = study / "study.toml"
    text = path.read_text("utf-8")
    gate = '\n[[gates]]\nkind = "floor"\nat_least = 0\nmeasure = "{}"\n'
    conventions = '\n[conventions]\ngain = "exp2"\nrel = 2\n'
    for spelling, more, name in (
        ("ndcg@3", "", "nDCG@3"),
        ("ndcg_cut_3", "", "nDCG@3"),
        ("nDCG@3", conventions, "nDCG(gain=exp2)@3"),
        ("map", conventions, "AP(rel=2)"),
        ("AP(rel=2)", conventions, "AP(rel=2)"),
    ):
        path.write_text(text + gate.format(spelling) + more, "utf-8")
        found = Study.read(study).accept().decision.gates[-1]
        assert (found.gate.measure, found.measured is None) == (name, False)
    path.write_text(text + gate.format("nDCG@5"), "utf-8")
    with pytest.raises(UsageError, match=r"nDCG@3, AP, RR@10, Judged@3"):
        Study.read(study)


def test_a_measure_keeps_its_own_setting_under_a_convention(study: Path) -> None:
    path = study / "study.toml"
    text = path.read_text("utf-8").replace('"AP"', '"AP(rel=1)", "AP"') + "\n[conventions]\nrel = 2\n"
    path.write_text(text, "utf-8")
    assert Study.read(study).measurements.measures[1:3] == ("AP", "AP(rel=2)")


def test_judgments_held_against_versions_are_counted(study: Path) -> None:
    path = study / "study.toml"
    path.write_text(path.read_text("utf-8") + '\n[[gates]]\nkind = "no_expired"\n', "utf-8")
    found = Study.read(study)
    assert found.n_versioned > 0
    assert found.decision.gates[-1].verdict == "accepted"
    text = path.read_text("utf-8")
    path.write_text("".join(x for x in text.splitlines(True) if not x.startswith("documents")), "utf-8")
    found = Study.read(study)
    assert found.n_versioned == 0
    assert found.decision.gates[-1].verdict == "inconclusive"
