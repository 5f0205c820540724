"""Arrow tables are read where they lie, in every layout, and given back."""

import gc
from collections.abc import Callable
from random import Random

import numpy as np
import polars as pl
import pytest

from formats.arrow_made import Laid, Made, bits, coded, numbers, texts, views
from rankproof import Judgments, StrictStop, UnreadableInput, UsageError, evaluate, read_judgments, read_run
from rankproof.formats import reading
from rankproof.formats.arrow import batches
from rankproof.formats.arrow_ids import ids_of, lists_of, scores_of, wholes_of
from rankproof.formats.blocks import NotPlain

SHORT = ["d1", "d22", "d1", "twelve bytes"]
LONG = ["a document with a long name", "d2", "another such document", "a document with a long name"]
LAYOUTS: list[Callable[[list[str]], Laid]] = [
    texts,
    lambda values: texts(values, "U"),
    lambda values: texts(values, skipped=3),
    views,
    lambda values: views(values, 3),
    coded,
    lambda values: coded(values, views, "C"),
    lambda values: coded(values, lambda known: texts(known, "U"), "l"),
]
MEASURES = ["nDCG@3", "AP", "P@2"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("values", [SHORT, LONG, ["文档一", "文档一", "d"]])
def test_texts_are_read_in_every_layout(layout: Callable[[list[str]], Laid], values: list[str]) -> None:
    (batch,) = batches(Made([{"id": layout(values)}]))
    assert ids_of(batch["id"]).texts() == values
    assert ids_of(batch["id"].rows(1, 3)).texts() == values[1:3]
    starts, names = lists_of(batch["id"])
    again = np.repeat(names.texts(), np.diff(starts, append=len(values)))
    assert again.tolist() == values


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "odd", ["", " d", "d ", "d\n1", "\u3000d", "a long name with a blank behind it ", "d\r"]
)
def test_an_id_that_is_not_plain_is_left_to_careful_readers(
    layout: Callable[[list[str]], Laid], odd: str
) -> None:
    (batch,) = batches(Made([{"id": layout(["d1", odd])}]))
    with pytest.raises(NotPlain):
        ids_of(batch["id"])


@pytest.mark.parametrize("type", ["c", "C", "s", "S", "i", "I", "l", "L"])
def test_whole_numbers_are_ids_as_they_are_written(type: str) -> None:
    kind = np.iinfo(numbers([0], type).buffers[1].dtype)  # type: ignore[union-attr]  # numbers have a second buffer
    values = [0, 7, 10, 99, 100, kind.max, kind.min, max(kind.min, -10)]
    (batch,) = batches(Made([{"id": numbers(values, type)}]))
    assert ids_of(batch["id"]).texts() == [str(one) for one in values]


def test_numbers_with_and_without_values() -> None:
    given = {
        "whole": numbers([1, 2, 3], "S"),
        "score": numbers([0.5, None, 2], "f"),
        "part": numbers([1, 2, 2.5], "g"),
    }
    (batch,) = batches(Made([given]))
    assert wholes_of(batch["whole"], 3).tolist() == [1, 2, 3]
    np.testing.assert_array_equal(scores_of(batch["score"], True), [0.5, np.nan, 2])
    assert wholes_of(batch["part"].rows(0, 2), 2).tolist() == [1, 2]
    for column in ("score", "part"):
        with pytest.raises(NotPlain):
            wholes_of(batch[column], 3)
    with pytest.raises(NotPlain):
        scores_of(batch["score"], False)


def test_bitmaps_are_read_from_any_bit_on() -> None:
    random = Random(5)
    present = [random.random() < 0.7 for _ in range(100)]
    column = Laid("l", 100, [bits(present), np.arange(100)], null_count=-1)
    (batch,) = batches(Made([{"n": column}]))
    for low in range(20):
        nulls = batch["n"].rows(low, 90).nulls()
        assert nulls is not None
        assert (~nulls).tolist() == present[low:90]


def test_every_batch_is_given_back_when_nobody_looks_at_it_any_more() -> None:
    made = Made([{"n": numbers([1, 2], "l")}, {"n": numbers([3], "l")}])
    held = [batch["n"].numbers() for batch in batches(made)]
    gc.collect()
    assert sorted(made.given_back) == ["schema", "stream"]
    assert [one.tolist() for one in held] == [[1, 2], [3]]
    held.clear()
    gc.collect()
    assert sorted(made.given_back) == ["batch", "batch", "schema", "stream"]


def test_an_error_of_the_maker_is_told_and_everything_given_back() -> None:
    made = Made([{"n": numbers([1], "l")}] * 3, fails_at=1)
    with pytest.raises(UnreadableInput, match="the disk is gone"):
        list(batches(made))
    gc.collect()
    assert sorted(made.given_back) == ["batch", "schema", "stream"]
    with pytest.raises(UnreadableInput, match="single column"):
        list(batches(Made([{"n": numbers([1], "l")}], format=b"l")))


def table(rows: list[tuple[object, ...]], *names: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(names), orient="row")


JUDGED = table([("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d1", 1)], "query_id", "doc_id", "grade")
SHOWN = table(
    [("q1", "d2", 3.5), ("q1", "d1", 3.0), ("q2", "d9", 1.0), ("q2", "d1", 0.5)],
    "query_id",
    "doc_id",
    "score",
)


@pytest.mark.parametrize("keep", [True, False])
def test_tables_are_evaluated_as_what_they_hold(keep: bool) -> None:
    run = read_run(SHOWN, name="first")[0]
    expected = evaluate(read_judgments(JUDGED)[0], run, MEASURES)
    for judgments in (JUDGED, read_judgments(JUDGED)[0]):
        found = evaluate(judgments, {"first": SHOWN, "second": SHOWN[::-1]}, (m for m in MEASURES), keep=keep)
        assert found.runs == ("first", "second")
        np.testing.assert_array_equal(found.values[0], expected.values[0])
    assert evaluate(JUDGED, SHOWN, MEASURES, keep=keep).runs == ("run",)
    assert evaluate(JUDGED, [SHOWN, SHOWN], MEASURES, keep=keep).runs == ("run 1", "run 2")
    assert bool(evaluate(JUDGED, SHOWN, MEASURES, keep=keep).lists) == keep
    beside = [("shown", SHOWN), ("lists", {"q1": ["d1"]}), SHOWN]
    found = evaluate({"q1": {"d1": 2}, "q2": {"d1": 1}}, beside, MEASURES, keep=keep)
    assert found.runs == ("shown", "lists", "run 3")
    np.testing.assert_array_equal(found.of("shown", "AP"), expected.values[0, 1])


def test_without_keeping_tables_are_scanned_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = evaluate(JUDGED, SHOWN, MEASURES)
    monkeypatch.setattr(reading, "read_run", None)
    monkeypatch.setattr(reading, "read_judgments", None)
    by_layout = [
        Made([{"query": coded(["q1"] * 2), "doc": layout(["d2", "d1"]), "rank": numbers([1, 2], "i")},
              {"query": coded(["q2"] * 2), "doc": layout(["d9", "d1"]), "rank": numbers([1, 2], "i")}])
        for layout in LAYOUTS
    ]  # fmt: skip  # a batch in a line
    found = evaluate(JUDGED, by_layout, MEASURES, keep=False)
    for values in found.values:
        np.testing.assert_array_equal(values, expected.values[0])


class ReadOnce:
    """A reader that hands out its batches once, as those of pyarrow do."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame: pl.DataFrame | None = frame

    def __next__(self) -> None: ...

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        frame, self.frame = self.frame, None
        assert frame is not None
        return frame.__arrow_c_stream__(requested_schema)


def test_a_reader_that_can_be_read_once_is_enough() -> None:
    odd = SHOWN.with_columns(doc_id=pl.col("doc_id") + " ")  # which only the careful readers mend
    expected = evaluate(JUDGED, SHOWN, MEASURES)
    for shown in (SHOWN, odd):
        found = evaluate(ReadOnce(JUDGED), ReadOnce(shown), MEASURES, keep=False)
        np.testing.assert_array_equal(found.values, expected.values)


def test_rows_that_cannot_be_read_stop_it_and_are_findings_of_the_readers() -> None:
    broken = SHOWN.with_columns(score=pl.when(pl.col("doc_id") == "d9").then(float("nan")).otherwise(1.0))
    for keep in (True, False):
        with pytest.raises(StrictStop, match="is not a number"):
            evaluate(JUDGED, broken, MEASURES, keep=keep)
    run, findings = read_run(broken)
    assert len(run) == 4
    assert [row.code for row in findings] == ["bad-score"]


def test_a_table_of_something_else_is_told() -> None:
    with pytest.raises(UsageError, match="The table was expected to be a run, but it looks like judgments"):
        read_run(JUDGED)
    with pytest.raises(
        UnreadableInput, match="The table was expected to be judgments, but no column is doc_id"
    ):
        read_judgments(JUDGED.drop("doc_id"))
    with pytest.raises(UsageError, match="A file or a table was expected"):
        read_run(3)  # type: ignore[arg-type]  # it is wrong, and said to be
    judged = Judgments.from_dict({"q1": {"d1": 1}})
    assert evaluate(judged, SHOWN, "P@2", keep=False).values.tolist() == [[[0.5]]]
