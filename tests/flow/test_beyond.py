"""Measures beyond relevance from the command line: attributes, histories and what is expected, as files."""

from pathlib import Path

import pytest

from flow.program import Done, run

FILES = {
    "relevant.csv": "query_id,doc_id,grade\nu1,b,1\nu2,c,1\n",
    "shown.csv": "query_id,doc_id\nu1,a\nu1,b\nu2,d\nu2,c\n",
    "other.csv": "query_id,doc_id\nu1,a\nu1,c\nu2,d\n",
    "history.csv": "user_id,item_id\nu1,a\nu2,a\nu2,b\nu3,c\n",
    "docs.jsonl": '{"doc_id": "a", "categories": ["x"], "group": "g", "vector": [1, 0]}\n'
    '{"doc_id": "b", "categories": ["x", "y"], "group": "h", "vector": [0, 1]}\n'
    '{"doc_id": "c", "categories": ["z"], "group": "h", "vector": [1, 1]}\n'
    '{"doc_id": "d"}\n{"doc_id": "e"}\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def asked(folder: Path, verb: str, *runs: str, measures: tuple[str, ...], **options: str) -> Done:
    named = [word for name in measures for word in ("-m", name)]
    given = [
        word
        for name, value in options.items()
        for word in (f"--{name}", folder / value if (folder / value).exists() else value)
    ]
    return run(verb, folder / "relevant.csv", *(folder / name for name in runs), *named, *given)


def test_values_of_queries_and_of_the_run(folder: Path) -> None:
    measures = ("ILD@2", "Coverage@2", "KnownShare@2", "Unexpectedness(expected=run)@2")
    files = {"documents": "docs.jsonl", "history": "history.csv", "expected": "other.csv"}
    done = asked(folder, "evaluate", "shown.csv", measures=measures, format="json", **files)
    assert done.code == 0, done.error
    means = {row["measure"]: row for row in done.json["measurements"]}
    # a and b are at a right angle; d has no vector, so that c has nothing to be compared with
    assert (means["ILD@2"]["value"], means["ILD@2"]["n"]) == (1.0, 1)
    assert (means["Coverage@2"]["value"], means["Coverage@2"]["n"]) == (4 / 5, 2)  # all but e
    assert means["KnownShare@2"]["value"] == 1 / 4  # u1 met a
    assert means["Unexpectedness(expected=run)@2"]["value"] == 1 / 2  # b and c
    assert "unknown-attribute" in {finding["code"] for finding in done.json["findings"]}


def test_no_query_has_a_value_of_the_run(folder: Path) -> None:
    done = run(
        "evaluate",
        folder / "relevant.csv",
        folder / "shown.csv",
        "-m",
        "Coverage@2",
        "--per-query",
        "--format",
        "jsonl",
        "--history",
        folder / "history.csv",
    )
    first, second, mean = done.rows
    assert [(row["value"], row["reason"]) for row in (first, second)] == [(None, "of_the_run")] * 2
    assert (mean["value"], mean["reason"], mean["n"], mean["n_total"]) == (1.0, None, 2, 2)


@pytest.mark.parametrize("form", ["table", "md", "html"])
def test_a_comparison_shows_both_values_of_the_run_and_tests_none(folder: Path, form: str) -> None:
    measures = ("Coverage@2", "ILD@2")
    done = asked(
        folder, "compare", "shown.csv", "other.csv", measures=measures, documents="docs.jsonl", format=form
    )
    assert done.code == 0, done.error
    assert "0.8000" in done.text
    assert "0.6000" in done.text
    told = asked(
        folder, "compare", "shown.csv", "other.csv", measures=measures, documents="docs.jsonl", format="json"
    )
    assert {row["measure"] for row in told.json["comparisons"]} == {"ILD@2"}


def test_a_comparison_of_nothing_but_values_of_the_run_is_refused(folder: Path) -> None:
    done = asked(
        folder, "compare", "shown.csv", "other.csv", measures=("Coverage@2",), documents="docs.jsonl"
    )
    assert done.code == 2
    assert "has a value for each query" in done.error


def test_an_explanation_shows_what_a_value_was_made_of(folder: Path) -> None:
    files = {"documents": "docs.jsonl", "history": "history.csv", "query": "u1"}
    done = asked(folder, "explain", "shown.csv", measures=("Novelty@2", "Coverage@2"), format="json", **files)
    novelty, coverage = done.json
    # a was met by 2 of 3 users, b by 1
    assert novelty["parts"] == {"self-information added up": pytest.approx(2.169925), "divided by": 2.0}
    assert novelty["value"] == pytest.approx(2.169925 / 2)
    assert (coverage["value"], coverage["reason"]) == (None, "of_the_run")
    assert coverage["parts"] == {"docs displayed": 4.0, "docs in the catalogue": 5.0}
    shown = asked(folder, "explain", "shown.csv", measures=("Coverage@2",), **files)
    assert "of the whole run, not of one query" in shown.text
    assert "docs in the catalogue" in shown.text


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("ILD@2", "column vector"),
        ("CategoryDiversity@2", "column categories"),
        ("Coverage", "--history FILE"),
        ("Novelty", "--history FILE"),
        ("Unexpectedness(expected=run)", "--expected FILE"),
        ("AWRF", "column group"),
    ],
)
def test_what_is_lacking_is_named(folder: Path, measure: str, wanted: str) -> None:
    done = asked(folder, "evaluate", "shown.csv", measures=(measure,))
    assert done.code == 2
    assert wanted in done.error
    assert not done.text
