"""A value under every dialect is the value that `evaluate` gives there, whatever the measure looks at."""

import numpy as np
import pytest

from rankproof import (
    DIALECTS,
    MEASURES,
    Document,
    Documents,
    History,
    Judgments,
    Measure,
    Preferences,
    Run,
    UsageError,
    evaluate,
    explain_dialects,
    parse_measure,
)

ROWS = [  # query, subtopic, doc, grade, rater
    ("q", "s1", "a", 1, "r1"),
    ("q", "s2", "a", 3, "r2"),
    ("q", "s1", "b", 0, "r1"),
    ("q", "s1", "b", 2, "r2"),
    ("q", "s2", "c", 2, "r1"),
    ("q", "s2", "d", 0, "r1"),
    ("p", "s1", "a", 2, "r1"),
    ("p", "s3", "e", 1, "r2"),
    ("p", "s3", "d", 0, "r2"),
]
QUERY, SUBTOPIC, DOC, GRADE, RATER = (list(column) for column in zip(*ROWS, strict=True))
JUDGMENTS = Judgments.of(QUERY, DOC, GRADE, details={"rater": RATER}, subtopic=SUBTOPIC)
RUN = Run.from_dict("run", {"q": {"c": 3.0, "b": 2.0, "a": 2.0, "x": 1.0}, "p": {"d": 2.0, "a": 1.0}})
BESIDE = {
    "documents": Documents(
        tuple(
            Document(
                doc, categories=("odd",) if n % 2 else ("even", "all"), group="GH"[n % 2], popularity=n + 1
            )
            for n, doc in enumerate("abcdex")
        ),
        vectors=np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 0.5], [0.0, 2.0]]),
    ),
    "history": History.from_dict({"q": ["a", "d"], "p": ["a"], "else": ["a", "b", "c"]}),
    "expected": Run.from_dict("expected", {"q": ["a", "e"], "p": ["d"]}),
    "preferences": Preferences.of_pairs([("q", "a", "b"), ("q", "b", "c"), ("p", "a", "d")]),
}
DIALECT = ("rankproof", "trec_eval-9", "ir_measures")


def ready(row: Measure) -> Measure:
    return row.with_(3) if row.cutoff == "required" else row


ASKED = [
    *(ready(row) for row in MEASURES if row.mean != "run" and row.needs != "number"),
    *(
        ready(row).with_(raters="mean")
        for row in MEASURES
        if any(setting.name == "raters" for setting in row.every_setting)
    ),
    *map(parse_measure, ("0.5*AP + 0.5*RR@3", "0.5*StRecall@3 + 0.25*AP(raters=mean) + PrefSimp")),
]


@pytest.mark.parametrize("measure", ASKED, ids=str)
def test_a_reading_is_the_value_that_evaluate_gives(measure: Measure) -> None:
    told = explain_dialects(JUDGMENTS, RUN, "q", measure, dialects=DIALECT, **BESIDE)
    parts = getattr(measure, "parts", (measure,))
    for reading in told.rows:
        row = DIALECTS.find(reading.dialect)
        assert bool(reading.measure) == all(row.has(part.name, part.at) for part in parts)
        if reading.measure:
            found = evaluate(JUDGMENTS, RUN, measure, conventions=row.conventions, **BESIDE)
            assert (reading.measure, reading.error) == (found.measures[0], None)
            value = found.of("run", found.measures[0])[found.queries.index("q")]
            assert reading.value == pytest.approx(None if np.isnan(value) else value, abs=1e-12)
            assert reading.reason == found.reason("run", found.measures[0], "q")


def test_the_choices_of_a_combination_are_those_of_its_parts() -> None:
    told = explain_dialects(JUDGMENTS, RUN, "q", "0.5*AP@1 + 0.5*nDCG", dialects=["lightgbm"])
    assert told.of("lightgbm").measure == ""  # it has no nDCG without a cutoff
    one = explain_dialects(JUDGMENTS, RUN, "q", "0.5*AP@1 + 0.5*nDCG@3", dialects=["lightgbm"]).rows[1]
    choices = {choice.name: choice for choice in one.choices}
    assert one.measure == "0.5*AP(denominator=min_k)@1 + 0.5*nDCG(gain=exp2)@3"
    assert set(choices) == {"gain", "denominator"}
    alone = {m: explain_dialects(JUDGMENTS, RUN, "q", m, dialects=["lightgbm"]) for m in ("AP@1", "nDCG@3")}
    ap, ndcg = (found.of("lightgbm") for found in alone.values())
    assert one.value == pytest.approx(0.5 * ap.value + 0.5 * ndcg.value)
    (gain,) = (choice for choice in ndcg.choices if choice.name == "gain")
    assert choices["gain"].value == pytest.approx(0.5 * ap.value + 0.5 * gain.value)


def test_a_grade_that_nobody_gave_may_be_the_first_that_counts() -> None:
    told = explain_dialects(JUDGMENTS, RUN, "q", "AP", choices={"rel": "7"}, dialects=["ranx"]).of(
        "rankproof"
    )
    assert (told.value, told.reason, told.error) == (None, "no_relevant", None)


def test_preferences_are_refused() -> None:
    with pytest.raises(UsageError, match="only preferences were given"):
        explain_dialects(BESIDE["preferences"], RUN, "q", "PrefSimp")
