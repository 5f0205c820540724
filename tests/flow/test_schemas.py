"""The published schemas are sound, say what the lists of the program say, and fit what it really writes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from flow.program import BASELINE, CANDIDATE, DATA, QRELS, SAMPLES, run
from rankproof import CONVENTIONS
from rankproof.study.record import FORMAT
from rankproof.tables.findings import SEVERITIES
from rankproof.tables.measurements import REASONS
from rankproof.tables.populations import RUN_STATES

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
SCHEMAS: dict[str, Any] = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text("utf-8"))
    for path in sorted(FOLDER.glob("*.schema.json"))
}
REGISTRY: Registry[Any] = Registry().with_resources(
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()]
)
EVERY = pytest.mark.parametrize("name", SCHEMAS)


def fits(name: str, value: object) -> None:
    """Raise where a value is not what the schema says."""
    problems = Draft202012Validator(SCHEMAS[name], registry=REGISTRY).iter_errors(value)
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


def inside(schema: object) -> Iterator[dict[str, Any]]:
    """Every object of a schema, however deep."""
    if isinstance(schema, dict):
        yield schema
        for one in schema.values():
            yield from inside(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from inside(one)


def test_all_are_there() -> None:
    wanted = {
        "evaluate-row",
        "check-row",
        "evaluate",
        "compare",
        "explain",
        "explain-dialects",
        "accept",
        "verify",
        "evidence",
        "manifest",
    }
    assert set(SCHEMAS) == wanted


@EVERY
def test_a_schema_is_sound_closed_and_explained(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert schema["$id"] == f"{name}.schema.json"
    assert schema["title"]
    assert schema["description"]
    conditions = [part for rule in schema.get("allOf", []) for part in inside(rule)]
    for one in inside(schema):
        if "properties" in one and one.get("type") == "object":
            assert "additionalProperties" in one
            assert set(one["required"]) <= set(one["properties"])
            for key, value in one["properties"].items():
                assert "$ref" in value or value.get("description"), key
        elif "properties" in one and one is not schema["properties"]:
            assert one in conditions


def test_the_lists_are_those_of_the_program() -> None:
    row, finding = SCHEMAS["evaluate-row"]["properties"], SCHEMAS["check-row"]["properties"]
    assert set(row["reason"]["enum"]) == {*REASONS[1:], "nothing_evaluable", None}
    assert finding["severity"]["enum"] == list(SEVERITIES)
    parts = SCHEMAS["compare"]["$defs"]
    told = parts["conventions"]["properties"]
    assert list(told) == [*(convention.name for convention in CONVENTIONS), "dialect"]
    for convention in CONVENTIONS:
        if not convention.takes:
            assert told[convention.name]["enum"] == list(convention.values)
    reading = SCHEMAS["explain-dialects"]["items"]["properties"]["readings"]["items"]["properties"]
    assert set(reading["reason"]["enum"]) == {*REASONS[1:], None}
    assert list(parts["run"]["properties"]) == [*RUN_STATES, "extra", "queries"]
    assert set(parts["query"]["properties"]["reason"]["enum"]) == {*REASONS[1:], None}
    assert SCHEMAS["evidence"]["properties"]["format"]["const"] == FORMAT


CHOICES = (
    (),
    ("--dialect", "trec_eval", "--missing", "zero"),
    ("--gain", "1=1,2=3,3=7", "--depth", 3, "--no-relevant", "one"),
    ("--questions", SAMPLES / "topics.tsv", "--rel", 2, "--missing", "exclude", "--ideal", "shown"),
    ("--extra", "zero", "--unjudged", "condense"),
)
MEASURES = (
    "-m",
    "nDCG@5",
    "-m",
    "AP",
    "-m",
    "Judged@3",
    "-m",
    "NumRet",
    "-m",
    "ERR",
    "-m",
    "Bpref",
    "-m",
    "RBP",
)
INPUTS = (
    (QRELS, BASELINE, CANDIDATE),
    (
        QRELS,
        DATA / "dirty" / "run_duplicate_doc_and_gap.txt",
        DATA / "dirty" / "run_unknown_query_and_docs.txt",
    ),
    (QRELS, BASELINE, DATA / "dirty" / "run_ties_and_rank_conflict.txt"),
)


@pytest.mark.parametrize("choices", CHOICES, ids=str)
@pytest.mark.parametrize("inputs", INPUTS, ids=["clean", "dirty", "tied"])
def test_what_is_printed_fits(inputs: tuple[object, ...], choices: tuple[object, ...]) -> None:
    arguments = (*inputs, *MEASURES, *choices)
    rows = run("evaluate", *arguments, "--per-query", "--format", "jsonl").rows
    assert rows
    for row in rows:
        fits("evaluate-row", row)
    fits("evaluate", run("evaluate", *arguments, "--format", "json").json)
    fits("compare", run("compare", *arguments, "--format", "json").json)
    for query in ("1", "6"):
        explained = run("explain", *inputs[:2], *MEASURES, *choices, "-q", query, "--format", "json")
        fits("explain", explained.json)
        assert len(explained.json) == 7


@pytest.mark.parametrize("inputs", INPUTS, ids=["clean", "dirty", "tied"])
def test_readings_fit(inputs: tuple[object, ...]) -> None:
    for query in ("1", "6"):
        for choices in ((), ("--dialect", "ranx", "--rel", 2), ("--ties", "error", "--gain", "1=1,2=3")):
            asked = (*inputs[:2], "-m", "nDCG@5", "-m", "AP", "-q", query, *choices)
            found = run("explain", *asked, "--dialects", "--format", "json").json
            fits("explain-dialects", found)
            assert [one["query_id"] for one in found] == [query] * 2


@pytest.mark.parametrize("inputs", INPUTS, ids=["clean", "dirty", "tied"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_findings_fit(inputs: tuple[object, ...], language: str) -> None:
    done = run("check", *inputs, "--format", "jsonl", language=language)
    for row in done.rows:
        fits("check-row", row)


def test_findings_of_every_dirty_file_fit() -> None:
    for path in sorted((DATA / "dirty").iterdir()):
        role = "--run" if path.name.startswith("run") else "--judgments"
        if path.suffix in (".txt", ".csv"):
            for row in run("check", role, path, "--format", "jsonl").rows:
                fits("check-row", row)


@pytest.mark.parametrize("name", ["help-centre", "help-centre-small"])
def test_a_record_fits(studies: Path, tmp_path: Path, name: str) -> None:
    place = studies / name / "acceptance"
    fits("evidence", json.loads((place / "3-report.json").read_bytes()))
    fits("manifest", json.loads((place / "manifest.json").read_bytes()))
    fits("accept", run("accept", studies / name, "-o", tmp_path / "out", "--format", "json").json)
    fits("verify", run("verify", tmp_path / "out", "--format", "json").json)
    (tmp_path / "out" / "report.md").unlink()
    fits("verify", run("verify", tmp_path / "out", "--format", "json").json)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("evaluate-row", {"value": None}),
        ("evaluate-row", {"reason": "no_relevant"}),
        ("evaluate-row", {"value": "0.5"}),
        ("evaluate-row", {"n": 3}),
        ("evaluate-row", {"query_id": None}),
        ("evaluate-row", {"more": 1}),
        ("evaluate-row", {"judged": 1.5}),
    ],
)
def test_a_schema_refuses_what_does_not_fit(name: str, change: dict[str, object]) -> None:
    row = run("evaluate", QRELS, BASELINE, "-m", "AP", "--per-query", "--format", "jsonl").rows[0]
    fits(name, row)
    with pytest.raises(AssertionError):
        fits(name, row | change)
