"""The command measures: which ones are listed, everything about one, and every form."""

import csv
import io
from pathlib import Path

import pytest

from flow.program import run
from rankproof import FAMILIES, MEASURES, NEEDS, measure_rows, select_measures, tools_with_measures
from rankproof.measures.definition import definition, worked


def listed(*arguments: str) -> list[str]:
    """The names that are listed."""
    done = run("measures", *arguments, "--format", "json")
    assert done.code == 0, done.error
    return [row["name"] for row in done.json]


def test_all_of_them_family_by_family() -> None:
    assert listed() == list(MEASURES.names())
    text = run("measures").text
    places = [
        text.index(f"{family}: {FAMILIES[family]}") for family in dict.fromkeys(m.family for m in MEASURES)
    ]
    assert places == sorted(places)
    assert f"{len(MEASURES)} measures." in text


@pytest.mark.parametrize("family", sorted({row.family for row in MEASURES}))
def test_those_of_a_family(family: str) -> None:
    assert listed("--family", family) == [row.name for row in MEASURES if row.family == family]


@pytest.mark.parametrize("needs", sorted({row.needs for row in MEASURES}))
def test_those_that_need_something(needs: str) -> None:
    assert needs in NEEDS
    found = listed("--needs", needs or "nothing")
    assert found == [row.name for row in MEASURES if row.needs == needs]
    assert found


def test_those_of_a_range() -> None:
    assert listed("--range", "unbounded") == [row.name for row in MEASURES if None in row.range]
    assert listed("--range", "0..1") == [row.name for row in MEASURES if row.range == (0.0, 1.0)]
    assert listed("--range", "0..") == [row.name for row in MEASURES if row.range == (0.0, None)]
    assert listed("--range", "-7..7") == []


def test_those_that_read_lists() -> None:
    for sees in ("hits", "lists"):
        assert listed("--sees", sees) == [row.name for row in MEASURES if row.sees == sees]


@pytest.mark.parametrize("tool", tools_with_measures())
def test_those_of_a_tool_with_its_names(tool: str) -> None:
    found = listed("--tool", tool.lower())
    assert found == [row.name for row in MEASURES if any(one.tool == tool for one in row.spelt)]
    text = run("measures", "--tool", tool, width=400).text
    for name in found:
        texts = {one.text for one in MEASURES.find(name).spelt if one.tool == tool}
        assert any(one in text for one in texts), name


def test_those_in_whose_facts_a_text_stands() -> None:
    assert "ERR" in listed("--search", "chapelle")
    assert "RBP" in listed("--search", "RANK-BIASED")
    assert "AP" in listed("--search", "meanaverageprecisionat")
    assert listed("--search", "no such text") == []
    assert "No measure fits" in run("measures", "--search", "no such text").text


def test_what_is_asked_has_to_fit_altogether() -> None:
    found = listed("--tool", "ranx", "--family", "graded", "--range", "0..1")
    assert found == ["nDCG"]
    assert found == [row.name for row in select_measures(tool="ranx", family="graded", range="0..1")]


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("--family", "gradd"), "graded"),
        (("--needs", "relevnt"), "relevant"),
        (("--tool", "ranks"), "ranx"),
        (("--sees", "hit"), "hits"),
        (("--range", "low"), "0..1"),
        (("nDCG", "--tool", "ranx"), "not both"),
    ],
)
def test_what_nobody_knows_is_an_error(arguments: tuple[str, ...], near: str) -> None:
    done = run("measures", *arguments)
    assert done.code == 2
    assert near in done.error


@pytest.mark.parametrize("row", MEASURES, ids=str)
def test_everything_about_one(row: object) -> None:
    text = " ".join(run("measures", row.name, width=1000).text.split())
    facts = [row.title, definition(row), row.formula, row.family, NEEDS[row.needs].undefined, row.source]
    facts += [setting.help for setting in row.settings if setting.in_name]
    facts += [fact for one in worked(row) for fact in (one.call, one.arithmetic, one.value)]
    facts += [one.tool for one in row.spelt]
    for fact in facts:
        assert " ".join(fact.split()) in text, fact
    assert all(facts[:5])


def test_a_measure_is_found_by_the_name_that_another_tool_gives_it() -> None:
    assert run("measures", "recip_rank").text == run("measures", "RR").text
    assert run("measures", "NDCG:top=10;type=Exp").text == run("measures", "nDCG").text


def test_every_form(tmp_path: Path) -> None:
    rows = run("measures", "--format", "json").json
    assert rows == measure_rows()
    table = list(csv.DictReader(io.StringIO(run("measures", "--format", "csv").text)))
    assert [row["name"] for row in table] == [row["name"] for row in rows]
    assert [row["ties"] for row in table] == [row["ties"] for row in rows]
    markdown = run("measures", "--format", "md").text
    assert markdown.startswith("# Measures")
    assert all(f"| {row.name} |".replace("_", r"\_") in markdown for row in MEASURES)
    assert run("measures", "AP", "--format", "md").text.startswith("# AP")
    for suffix in ("json", "csv", "md"):
        assert run("measures", "-o", tmp_path / f"out.{suffix}").code == 0
        assert (tmp_path / f"out.{suffix}").read_bytes() == run("measures", "--format", suffix).raw


def test_what_ties_do_is_said() -> None:
    said = {row["name"]: row["ties"] for row in measure_rows()}
    assert (said["nDCG"], said["AP"]) == ("exact", "computed")
    assert "over 1000 that are drawn" in run("measures", "AP").text


def test_every_measure_has_a_worked_example() -> None:
    for row in MEASURES:
        assert worked(row), row.name
        assert any(one.arithmetic for one in worked(row)), row.name
