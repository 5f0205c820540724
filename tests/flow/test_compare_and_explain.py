"""compare and explain: which system is better, and how one number came about."""

from pathlib import Path

import pytest

from flow.program import BASELINE, CANDIDATE, QRELS, SAMPLES, Done, run
from rankproof import DIALECTS

MEASURES = ("-m", "nDCG@5", "-m", "AP")


def compare(*arguments: object) -> Done:
    return run("compare", QRELS, BASELINE, CANDIDATE, *MEASURES, *arguments)


def explain(*arguments: object) -> Done:
    return run("explain", QRELS, BASELINE, *arguments)


@pytest.mark.parametrize("form", ["table", "json", "md", "html"])
def test_every_form_of_a_comparison(form: str, tmp_path: Path) -> None:
    done = compare("--format", form)
    assert (done.code, done.error) == (0, "")
    assert "nDCG@5" in done.text
    if form != "table":
        assert compare("-o", tmp_path / f"out.{form}").code == 0
        assert (tmp_path / f"out.{form}").read_bytes() == done.raw
    assert compare("-o", tmp_path / "out.csv").code == 2


def test_the_first_run_is_the_baseline() -> None:
    ahead = compare("--format", "json").json
    assert (ahead["baseline"], ahead["candidates"]) == ("run_baseline".removeprefix("run_"), ["candidate"])
    back = run("compare", QRELS, CANDIDATE, BASELINE, *MEASURES, "--format", "json").json
    for one, two in zip(ahead["comparisons"], back["comparisons"], strict=True):
        assert one["difference"] == -two["difference"]
        assert (one["wins"], one["ties"], one["losses"], one["p"]) == (
            two["losses"],
            two["ties"],
            two["wins"],
            two["p"],
        )


def test_the_numbers_of_the_samples() -> None:
    done = compare("--questions", SAMPLES / "topics.tsv", "--format", "json").json
    (row,) = [row for row in done["comparisons"] if row["measure"] == "nDCG@5"]
    assert (row["n"], row["wins"], row["ties"], row["losses"]) == (5, 2, 1, 2)
    assert {one["query_id"] for one in row["queries"] if (one["difference"] or 0) < 0} == {"2", "3"}
    undefined = {one["query_id"]: one["reason"] for one in row["queries"] if one["difference"] is None}
    assert undefined == {"6": "no_relevant", "7": "no_judgments"}
    populations = done["populations"]
    assert populations["asked"] == sum(
        populations[part] for part in ("evaluable", "no_relevant", "unjudged", "refuse")
    )


def test_a_comparison_needs_two_runs_and_a_query_in_common(tmp_path: Path) -> None:
    done = run("compare", QRELS, BASELINE)
    assert done.code == 2
    assert "Only one run" in done.error
    other = tmp_path / "other.txt"
    other.write_text("nobody Q0 kb-001 1 1.0 other\n", "utf-8")
    done = run("compare", QRELS, BASELINE, other)
    assert (done.code, done.raw) == (3, b"")
    assert "none of the 6 queries that were asked" in done.error
    assert run("compare", QRELS, BASELINE, CANDIDATE, "--seed", "-1").code == 2
    assert run("compare", QRELS, BASELINE, CANDIDATE, "-m", "nDGC").code == 2


def test_differing_candidates_are_refused_where_they_are_fixed() -> None:
    assert compare("--candidates", "open").code == 0
    done = compare("--candidates", "fixed", "--strict")
    assert done.code != 0


@pytest.mark.parametrize("form", ["table", "json", "md", "html"])
def test_every_form_of_a_sum(form: str, tmp_path: Path) -> None:
    done = explain("-q", "1", *MEASURES, "--format", form)
    assert (done.code, done.error) == (0, "")
    for name in ("nDCG@5", "AP", "kb-003"):
        assert name in done.text
    if form == "html":
        assert done.text.count("<html") == 1
    if form != "table":
        assert explain("-q", "1", *MEASURES, "-o", tmp_path / f"out.{form}").code == 0
        assert (tmp_path / f"out.{form}").read_bytes() == done.raw


def test_a_sum_can_be_followed() -> None:
    first, second = explain("-q", "1", *MEASURES, "--format", "json").json
    assert (first["measure"], second["measure"]) == ("nDCG@5", "AP")
    for told in (first, second):
        running = 0.0
        for term in told["terms"]:
            running += term["contribution"]
            assert term["running_sum"] == running
        assert running == told["sum"]
        assert told["value"] == told["sum"] / told["divisor"]
    assert first["ideal"][-1]["running_sum"] == first["divisor"]
    for term in first["terms"]:
        if term["grade"] is not None:
            assert term["contribution"] == term["gain"] * term["discount"]
    assert [term["note"] for term in first["terms"]] == [None, None, None, None, "unjudged"]


def test_the_first_measure_is_explained_where_none_is_named() -> None:
    (told,) = explain("-q", "1", "--format", "json").json
    assert told["measure"] == "nDCG@10"


def test_a_value_that_is_not_defined_says_why() -> None:
    (told,) = explain("-q", "6", "-m", "AP", "--format", "json").json
    assert (told["value"], told["reason"]) == (None, "no_relevant")
    assert "not defined (no relevant document)" in explain("-q", "6", "-m", "AP").text


def test_a_part_of_the_list() -> None:
    (told,) = explain("-q", "1", "-m", "AP", "--show", 2, "--format", "json").json
    assert [term["rank"] for term in told["terms"]] == [1, 2]
    (cut,) = explain("-q", "1", "-m", "NumRet", "--depth", 2, "--format", "json").json
    assert cut["value"] == 2


def test_an_unknown_query_answers_with_the_nearest(tmp_path: Path) -> None:
    qrels, lists = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("query-1 0 a 1\nquery-2 0 a 1\n", "utf-8")
    lists.write_text("query-1 Q0 a 1 1.0 t\n", "utf-8")
    done = run("explain", qrels, lists, "-q", "qery-1")
    assert done.code == 2
    assert "query-1" in done.error
    assert run("explain", qrels, lists).code == 2


def test_a_value_by_the_conventions_of_every_tool(tmp_path: Path) -> None:
    done = explain("-q", "1", *MEASURES, "--dialects")
    assert (done.code, done.error) == (0, "")
    assert all(done.text.count(f" {row.name} ") >= 2 for row in DIALECTS)  # a row in either table
    assert "gain=exp2" in done.text
    assert "has no such measure" in done.text
    told = explain("-q", "1", *MEASURES, "--dialects", "--format", "json").json
    assert [one["measure"] for one in told] == ["nDCG@5", "AP"]
    assert [row["dialect"] for row in told[0]["readings"]] == list(DIALECTS.names())
    by_name = {row["dialect"]: row for row in told[0]["readings"]}
    assert [choice["name"] for choice in by_name["gdeval"]["choices"]] == ["gain"]
    shown = explain("-q", "1", "-m", "nDCG@5", "--format", "json").json[0]
    assert by_name["rankproof"]["value"] == shown["value"]
    for form in ("md", "html"):
        assert explain("-q", "1", "--dialects", "-o", tmp_path / f"out.{form}").code == 0
        assert "torchmetrics" in (tmp_path / f"out.{form}").read_text("utf-8")


def test_the_values_of_every_tool_may_be_held_to_one_of_them() -> None:
    (told,) = explain("-q", "1", "-m", "P@5", "--dialects", "--dialect", "quepid", "--format", "json").json
    rows = {row["dialect"]: row for row in told["readings"]}
    assert (told["base"], told["readings"][0]["dialect"]) == ("quepid", "quepid")
    assert rows["elasticsearch"]["choices"] == []
    chosen = explain("-q", "1", "-m", "P@5", "--dialects", "--rel", 3, "--format", "json").json[0]
    assert {row["measure"] for row in chosen["readings"]} == {"P(rel=3)@5", None}
    assert explain("-q", "no such query", "--dialects").code == 2


def test_the_values_of_every_tool_see_what_the_value_sees(tmp_path: Path) -> None:
    history, preferences = tmp_path / "history.tsv", tmp_path / "preferences.txt"
    history.write_text("query_id\tdoc_id\n1\tkb-003\n", "utf-8")
    asked = ("-q", "1", "-m", "Novelty@3", "--history", history, "--format", "json")
    (told,) = explain(*asked, "--dialects").json
    assert told["readings"][0]["value"] == explain(*asked).json[0]["value"] < 1
    preferences.write_text("1 ann 1 kb-003 2\n1 ann 1 kb-001 1\n", "utf-8")
    done = run("explain", preferences, BASELINE, "-q", "1", "--judgments-as", "preferences", "--dialects")
    assert (done.code, "only preferences were given" in done.error) == (2, True)


def test_docs_that_add_nothing_to_a_value_are_not_said_to_add_0() -> None:
    (told,) = explain("-q", "1", "-m", "NumRel", "--format", "json").json
    assert {(term["contribution"], term["running_sum"]) for term in told["terms"]} == {(None, None)}
    assert "contribution" not in explain("-q", "1", "-m", "NumRel").text
    assert "contribution" in explain("-q", "1", "-m", "AP").text
