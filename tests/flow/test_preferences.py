"""Preferences and several raters on the command line."""

from pathlib import Path

import pytest

from flow.program import run

PREFERENCES = "q1 ann 0 A 3\nq1 ann 0 B 2\nq1 ann 0 C 0\nq1 bob 0 B 2\nq1 bob 0 A 1\n"
GRADES = "q1 ann A 1\nq1 ann B 0\nq1 bob A 0\nq1 bob B 1\n"
RUN = "q1 Q0 B 1 2.0 mine\nq1 Q0 A 2 1.0 mine\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, content in (("prefs", PREFERENCES), ("qrels", GRADES), ("run", RUN)):
        (tmp_path / f"{name}.txt").write_text(content)
    return {name: str(tmp_path / f"{name}.txt") for name in ("prefs", "qrels", "run")}


def printed(*arguments: str) -> dict[str, str]:
    done = run("evaluate", *arguments, "--format", "trec_eval")
    assert done.code == 0, done.error
    return {line.split("\t")[0]: line.split("\t")[2] for line in done.text.splitlines()}


def test_preferences_are_measured(files: dict[str, str]) -> None:
    """Displayed: B, A. By ann A > C and B > C are fulfilled and A > B is not; by bob B > A is."""
    assert printed(files["prefs"], files["run"]) == {
        "prefs_simp": "0.7500",
        "prefs_pair": "0.8333",
        "prefs_avgjg": "0.8333",
        "prefs_num_prefs_poss": "4",
        "prefs_num_prefs_ful": "3",
    }
    assert printed(files["prefs"], files["run"], "-m", "PrefSimp(counting=retrieved)") == {
        "prefs_simp_ret": "0.5000"
    }
    explained = run(
        "explain", files["prefs"], files["run"], "-q", "q1", "-m", "PrefSimp", "--format", "json"
    ).json
    assert explained[0]["parts"] == {"fulfilled": 3.0, "preferences": 4.0}


def test_grades_are_read_as_what_was_said(files: dict[str, str]) -> None:
    by_raters = (files["qrels"], files["run"], "-m", "map_avgjg", "-m", "map")
    assert printed(*by_raters) == {
        "map_avgjg": "0.5000",
        "map": "0.5000",
    }  # nobody said that there are raters
    assert printed(*by_raters, "--judgments-as", "raters") == {"map_avgjg": "0.7500", "map": "0.5000"}
    preferred = (files["qrels"], files["run"], "-m", "PrefSimp", "--judgments-as", "grades-as-preferences")
    assert printed(*preferred) == {"prefs_simp": "0.5000"}
    refused = run("evaluate", files["qrels"], files["run"], "-m", "PrefSimp")
    assert (refused.code, "--judgments-as preferences" in refused.error) == (2, True)
    refused = run("evaluate", files["prefs"], files["run"], "-m", "AP")
    assert (refused.code, "AP reads grades" in refused.error) == (2, True)


def test_a_comparison_by_preferences_and_a_check(files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("q1 Q0 A 1 2.0 other\nq1 Q0 B 2 1.0 other\n")
    compared = run(
        "compare",
        files["prefs"],
        files["run"],
        str(tmp_path / "other.txt"),
        "-m",
        "PrefSimp",
        "--format",
        "md",
    )
    assert compared.code == 0, compared.error
    assert "PrefSimp" in compared.text
    checked = run("check", files["prefs"], files["run"])
    assert (checked.code, "preferences, 5 rows" in checked.text) == (0, True)
    (tmp_path / "against.txt").write_text(PREFERENCES + "q1 bob 1 A 2\nq1 bob 1 B 1\n")
    checked = run("check", str(tmp_path / "against.txt"), files["run"])
    assert (checked.code, "contradicting-preferences" in checked.text) == (1, True)
