"""Names of measures, settings and files as nobody would write them: each ends soon, in one sentence that helps."""

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flow.program import BASELINE, CANDIDATE, QRELS, Done, run
from rankproof import (
    MEASURES,
    Judgments,
    Measure,
    MeasureFault,
    Rankings,
    Run,
    Sum,
    evaluate,
    explain_dialects,
    parse_measure,
)
from rankproof.testing import check_measure
from rankproof.wording import SYSTEM, reason_of


def said(done: Done) -> str:
    """The one sentence that was said of wrong use."""
    assert (done.code, done.raw) == (2, b"")
    assert "nobody foresaw" not in done.error
    assert len(done.error) < 3000
    return done.error


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("SDCG@999999999", "1000000 at most"),
        ("nDCG(against=full)@999999999", "1000000 at most"),
        ("Compat(depth=999999999)", "beyond 1000000"),
        ("INSQ(depth=0)", "neither a rank"),
        ("INSQ(depth=1000000000)", "neither a rank"),
        ("AUC(unjudged=foo)", "left_out"),
        ("AP(depth=5)", "choose depth=5"),
        ("INSQ(T=1e300)", "above 0 and below 1e9"),
        ("nDCG(base=1e300)", "above 1 and below 1e9"),
        ("nDCG(gain=linear, gain=exp2)", "gain is given twice"),
        ("nDCG(gain=1=2,1=3)", "each once"),
        ("0.5*0.5*nDCG + AP", "not weight*measure"),
        ("0.5*GMAP + 0.5*AP", "geometric mean"),
        ("0.5*RelString@5 + 0.5*AP", "no number"),
        ("1e9*AP + RR", "below 1e9"),
    ],
)
def test_a_setting_that_cannot_be_is_told_as_it_is(measure: str, expected: str) -> None:
    assert expected in said(run("evaluate", QRELS, BASELINE, "-m", measure))


@pytest.mark.parametrize("measure", ["alpha_DCG@999999999", "ERR_IA@999999999"])
def test_a_full_list_without_end_is_not_added_up(tmp_path: Path, measure: str) -> None:
    path = tmp_path / "qrels.csv"
    path.write_text("query_id,subtopic,doc_id,grade\n1,a,d,1\n", "utf-8")
    (tmp_path / "run.csv").write_text("query_id,doc_id\n1,d\n", "utf-8")
    assert "1000000 at most" in said(run("evaluate", path, tmp_path / "run.csv", "-m", measure))


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", QRELS, BASELINE, "-m", "a" * 100_000),
        ("evaluate", QRELS, BASELINE, "-m", " + ".join(["AP"] * 5000)),
        ("evaluate", QRELS, BASELINE, "--dialect", "a" * 100_000),
        ("measures", "a" * 100_000),
        ("measures", "--tool", "a" * 100_000),
        ("dialects", "a" * 100_000),
        ("a" * 100_000,),
        ("explain", QRELS, BASELINE, "-q", "a" * 100_000),
    ],
    ids=lambda a: " ".join(a)[:60],
)
def test_a_name_without_end_is_not_gone_over_again_and_again(arguments: tuple[str, ...]) -> None:
    assert "a" * 300 not in said(run(*arguments))


def test_not_all_of_a_thousand_known_names_are_listed(tmp_path: Path) -> None:
    qrels, shown = tmp_path / "qrels.csv", tmp_path / "run.csv"
    qrels.write_text("query_id,doc_id,grade\n" + "".join(f"q{n},d,1\n" for n in range(1000)), "utf-8")
    shown.write_text("query_id,doc_id\n" + "".join(f"q{n},d\n" for n in range(1000)), "utf-8")
    assert said(run("explain", qrels, shown, "-q", "?")).endswith(", ….\n")


def test_zero_has_no_sign() -> None:
    for measure, name in [("Utility(a=-0)", "Utility(a=0)"), ("nDCG(gain=1=-0)", "nDCG(gain=1=0)")]:
        done = run("evaluate", QRELS, BASELINE, "-m", measure, "--format", "json")
        assert done.json["measurements"][0]["measure"] == name


@pytest.mark.parametrize("deviation", ["1e-320", "1e-200", "0"])
def test_next_to_no_deviation_is_no_reference(tmp_path: Path, deviation: str) -> None:
    scores = tmp_path / "reference.txt"
    scores.write_text(f"1 AP 0.123 {deviation}\n", "utf-8")
    done = run(
        "evaluate", QRELS, BASELINE, "-m", "AP", "--z-scores", scores, "--per-query", "--format", "json"
    )
    first = done.json["measurements"][0]
    assert (first["query_id"], first["value"], first["reason"]) == ("1", None, "no_reference")


@pytest.mark.parametrize("content", ["", "query_id,doc_id,grade\n", "a,b,c\nx,y,z\n"])
def test_judgments_without_a_row_are_told_as_such(tmp_path: Path, content: str) -> None:
    path = tmp_path / "judgments.csv"
    path.write_text(content, "utf-8")
    done = run("evaluate", path, BASELINE)
    assert (done.code, done.raw) == (3, b"")
    assert "no row of the judgments could be read" in done.error


def test_columns_without_a_header_are_counted_in_words(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("q1\nq2\n", "utf-8")
    done = run("evaluate", QRELS, BASELINE, "-m", "Novelty", "--history", path)
    assert "Seen: 1 column without a header." in said(done)


@pytest.mark.parametrize(
    "number", [errno.ENOENT, errno.EACCES, errno.ENAMETOOLONG, errno.ENOSPC, errno.EROFS]
)
def test_what_the_system_says_of_files_has_its_translation(number: int) -> None:
    told = reason_of(OSError(number, os.strerror(number)))
    assert told.template in SYSTEM
    assert told.to("en") == os.strerror(number)


PREFERENCES = "1 ann 1 A 3\n1 ann 1 B 2\n1 bob 1 B 2\n1 bob 1 A 1\n"


def test_a_combination_of_preferences_is_measured(tmp_path: Path) -> None:
    prefs, shown = tmp_path / "prefs.txt", tmp_path / "run.txt"
    prefs.write_text(PREFERENCES, "utf-8")
    shown.write_text("1 Q0 B 1 2.0 mine\n1 Q0 A 2 1.0 mine\n", "utf-8")
    both = "0.5*PrefSimp + 0.5*PrefPair"
    done = run("evaluate", prefs, shown, "-m", both, "--judgments-as", "preferences", "--format", "json")
    values = {row["measure"]: row["value"] for row in done.json["measurements"]}
    assert values == {both: 0.5, "PrefSimp": 0.5, "PrefPair": 0.5}
    graded = run("evaluate", prefs, shown, "-m", "0.5*PrefSimp + 0.5*AP", "--judgments-as", "preferences")
    assert "AP reads grades" in said(graded)


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        ("PrefSimp", "only preferences were given"),
        ("Novelty@5", "--history"),
        ("0.5*RR + 0.5*Novelty", "--history"),
        ("AWRF", "--documents"),
    ],
)
def test_dialects_say_what_is_not_given(measure: str, why: str) -> None:
    more = ("--judgments-as", "grades-as-preferences") if measure == "PrefSimp" else ()
    done = run("explain", QRELS, BASELINE, "-q", "1", "-m", measure, "--dialects", "--format", "json", *more)
    assert why in (done.text or done.error)


OF_GRADES = [
    m.name
    for m in MEASURES
    if m.sees not in ("known", "preferences") and m.mean != "run" and m.family != "text"
]


@pytest.mark.parametrize("name", [*OF_GRADES, "AP(raters=mean)", "nDCG(raters=mean)"])
def test_a_value_under_every_dialect_is_the_value(name: str) -> None:
    measure = parse_measure(name)
    measure = measure.with_(at=2) if measure.cutoff == "required" else measure
    grades = {"a": (2, "x", "ann"), "b": (0, "x", "ann"), "c": (1, "y", "bob"), "d": (1, "x", "bob")}
    judgments = Judgments.of(
        ["q"] * 4 + ["r"],
        [*grades, "z"],
        [*(grade for grade, _, _ in grades.values()), 2],
        subtopic=[*(subtopic for _, subtopic, _ in grades.values()), "x"],
        details={"rater": [*(rater for _, _, rater in grades.values()), "ann"]},
    )
    shown = Run.from_dict("run", {"q": ["b", "c", "e", "a"], "r": ["z"]})
    found = evaluate(judgments, shown, measure)
    told = explain_dialects(judgments, shown, "q", measure).of("rankproof")
    assert told.error is None
    assert told.value == pytest.approx(found.of("run", found.measures[0])[0], abs=1e-12)


def test_a_text_is_shown_and_not_compared() -> None:
    alone = run("compare", QRELS, BASELINE, CANDIDATE, "-m", "RelString@5")
    assert "Only counts, texts and means" in said(alone)
    beside = run(
        "compare", QRELS, BASELINE, CANDIDATE, "-m", "nDCG@5", "-m", "RelString@5", "--format", "json"
    )
    assert {row["measure"] for row in beside.json["comparisons"]} == {"nDCG@5"}


def nothing_known(r: Rankings, *, cutoff: int | None) -> Sum:
    """A value that is none."""
    return Sum.each(r, np.full(r.n_queries, np.nan))


def without_end(r: Rankings, *, cutoff: int | None) -> Sum:
    """A value that no JSON has."""
    return Sum.each(r, np.full(r.n_queries, np.inf))


def broken(r: Rankings, *, cutoff: int | None) -> Sum:
    """A value that is never reached."""
    raise ZeroDivisionError(r.n_queries)


OURS = Measure(
    "Ours", nothing_known, (), title="ours", formula="none", source="us, 2026", family="other", needs="shown"
)


@pytest.mark.parametrize("function", [nothing_known, without_end])
def test_a_measure_that_gives_no_number_is_at_fault(function: Callable[..., Sum]) -> None:
    judgments, shown = Judgments.from_dict({"q": {"A": 1}}), Run.from_dict("run", {"q": ["A"]})
    with pytest.raises(MeasureFault, match=r"gave (nan|inf) for query q of run run"):
        evaluate(judgments, shown, replace(OURS, function=function))


@pytest.mark.parametrize(
    ("row", "seen"),
    [
        (replace(OURS, function=broken), "ZeroDivisionError"),
        (replace(OURS, range=None), "Its range is None"),  # type: ignore[arg-type]  # what a hostile row holds
        (replace(OURS, sees="stars"), 'What it sees, "stars"'),
    ],
    ids=["broken", "range", "sees"],
)
def test_a_hostile_row_is_a_fault_and_no_crash(row: Measure, seen: str) -> None:
    with pytest.raises(MeasureFault, match=seen):
        check_measure(row)


def test_ranges_of_very_many_measures_are_not_all_told(tmp_path: Path) -> None:
    qrels, shown = tmp_path / "qrels.csv", tmp_path / "run.csv"
    qrels.write_text("query_id,doc_id,grade\nq,a,1\nq,b,0\n", "utf-8")
    shown.write_text("query_id,doc_id,score\nq,a,1\nq,b,1\n", "utf-8")
    names = ("nDCG", "AP", "RR", "P@1", "R@1", "ERR", "Success@1", "RBP(p=0.5)")
    asked = [part for name in names for part in ("-m", name)]
    done = run("evaluate", qrels, shown, *asked, "--order", "score", "--format", "json")
    (told,) = (one["message"] for one in done.json["findings"] if one["code"] == "tie-range")
    assert "and 3 more measures" in told
    assert "RBP" not in told


@pytest.mark.parametrize("aspects", ["", ",", "=", "grade,", "=0,10"])
def test_an_aspect_without_a_name_is_told_as_such(aspects: str) -> None:
    assert 'An aspect is called ""' in said(run("evaluate", QRELS, BASELINE, "--aspects", aspects))
