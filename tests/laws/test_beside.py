"""What stands beside judgments and runs: it says which queries there are, and conventions leave it alone."""

import numpy as np

from rankproof import (
    MEASURES,
    Conventions,
    Document,
    Documents,
    History,
    Judgments,
    Preferences,
    Question,
    Questions,
    Run,
    evaluate,
)


def test_a_list_that_is_missing_is_left_out_as_missing() -> None:
    """Whatever the measure says of an empty list, where missing=exclude leaves the query out."""
    judgments = Judgments.from_dict({"q": {"a": 1}, "r": {"a": 1}})
    documents = Documents(
        (Document("a", categories=("c",), group="g", popularity=1),), vectors=np.ones((1, 2))
    )
    beside = {
        "documents": documents,
        "history": History.from_dict({"q": ["a"]}),
        "expected": Run.from_dict("e", {"q": ["a"], "r": ["a"]}),
        "preferences": Preferences.of_pairs([("q", "a", "b"), ("r", "a", "b")]),
    }
    run = Run.from_dict("run", {"q": ["a"]})
    for row in MEASURES:
        if row.mean != "run" and row.sees != "subtopics":
            measure = row.with_(3) if row.cutoff == "required" else row
            found = evaluate(judgments, run, measure, conventions=Conventions(missing="exclude"), **beside)
            about_judgments = found.reason("run", found.measures[0], "q") == "no_relevant"
            assert about_judgments or found.reason("run", found.measures[0], "r") == "missing", row.name
    found = evaluate(
        judgments,
        run,
        "PrefSimp",
        conventions=Conventions(missing="exclude"),
        preferences=Preferences.of_pairs([("q", "a", "b")]),
    )
    assert found.reason("run", "PrefSimp", "r") == "missing"


def test_queries_that_only_preferences_have_are_asked() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1}})
    preferences = Preferences.of_pairs([("q", "a", "b"), ("p", "a", "b")])
    run = Run.from_dict("run", {"q": ["a"], "p": ["b", "a"]})
    found = evaluate(judgments, run, ["PrefSimp", "AP"], preferences=preferences)
    assert (found.queries, found.populations.unjudged) == (("q", "p"), ("p",))
    assert found.of("run", "PrefSimp").tolist() == [1, 0]
    assert found.reason("run", "AP", "p") == "no_judgments"
    asked = evaluate(
        judgments, run, "PrefSimp", preferences=preferences, questions=Questions((Question("q"),))
    )
    assert asked.queries == ("q",)


def test_no_grade_is_asked_of_preferences() -> None:
    preferences, run = Preferences.of_pairs([("q", "a", "b")]), Run.from_dict("run", {"q": ["a", "b"]})
    for rel in (0, 1, 2, 7):
        found = evaluate(preferences, run, "PrefSimp", conventions=Conventions(rel=rel))
        assert (found.of("run", "PrefSimp").tolist(), found.conventions.rel) == ([1], rel)
        assert found.populations.evaluable == ("q",)


def test_what_is_expected_is_not_cut_as_what_is_measured() -> None:
    judgments = Judgments.from_dict({"q": {"a": 1}})
    run, expected = Run.from_dict("run", {"q": ["a"]}), Run.from_dict("other", {"q": ["x", "x", "a"]})
    for chosen in (
        {},
        {"depth": 1},
        {"unjudged": "condense"},
        {"unjudged": "error"},
        {"duplicates": "error"},
    ):
        found = evaluate(
            judgments,
            run,
            "Unexpectedness(expected=run)",
            conventions=Conventions(**chosen),
            expected=expected,
        )
        assert found.of("run", found.measures[0]).tolist() == [0], chosen
