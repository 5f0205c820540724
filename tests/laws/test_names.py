"""A measure has one name, and many spellings that are read."""

import pickle

import pytest

from laws.strategies import EVERY
from rankproof import (
    DIALECTS,
    MEASURES,
    Conventions,
    UnknownName,
    UsageError,
    conventions_of,
    parse_measure,
    parse_measures,
    trec_eval_name,
)


@pytest.mark.parametrize("measure", EVERY, ids=str)
def test_a_name_is_read_back(measure: object) -> None:
    again = parse_measure(str(measure))
    assert again.full_name == str(measure)
    assert again.under(Conventions()).values == measure.values
    for spelling in (str(measure).upper(), str(measure).lower()):
        if "(" not in spelling:  # what stands in the parentheses is not folded
            assert parse_measure(spelling).full_name == str(measure)
    loose = str(measure).replace("(", " ( ").replace("=", " = ").replace("@", " @ ")
    assert parse_measure(loose).full_name == str(measure)


@pytest.mark.parametrize("row", MEASURES, ids=str)
def test_other_spellings_are_read(row: object) -> None:
    for name in (row.name, *row.also):
        if row.cutoff != "required":
            assert parse_measure(name).name == row.name
        if row.cutoff != "none":
            assert parse_measure(f"{name}@7").at == 7
    for spelling in row.spelt:
        example = {
            "k": "5",
            **{setting.name: str(setting.default) for setting in row.settings},
            "gain": "1=3",
        }
        text = spelling.text.format_map(example)
        (read,) = parse_measures(text)
        assert read.name == row.name
        implied = dict(spelling.values)
        cutoff = implied.pop("k", "5" if "k" in spelling.places else None)
        assert str(read.at) == str(cutoff)
        assert implied.items() <= {name: str(value) for name, value in read.values.items()}.items()
        if spelling.tool == "trec_eval" and spelling.places == ("k",):
            assert trec_eval_name(read) == text
            several = parse_measures(spelling.text.replace("_{k}", ".5,10"))
            assert [measure.at for measure in several] == [5, 10]


def test_several_measures_in_one_text_and_none_twice() -> None:
    found = parse_measures(["nDCG@5,10", "ndcg_cut_5", "MAP", "AP", "P(rel=1)", "P"])
    assert [measure.full_name for measure in found] == ["nDCG@5", "nDCG@10", "AP", "P", "P"]
    with pytest.raises(UsageError, match="names 2 measures"):
        parse_measure("nDCG@5,10")


@pytest.mark.parametrize(
    "text",
    [
        "nDCG@0",
        "nDCG@-1",
        "nDCG@",
        "nDCG@1.5",
        "nDCG@²",
        "P@5,",
        "RBP(p=1)",
        "RBP(p=x)",
        "P(rel=-1)",
        "P(rel)",
    ],
)
def test_what_cannot_be_is_an_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_measure(text)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("nGDC@10", "nDCG"),
        ("MPA", "MAP"),
        ("recip_rnk", "recip_rank"),
        ("nDCG(gian=exp2)", "gain"),
        ("AP(denominator=min)", "min_k"),
    ],
)
def test_what_nobody_knows_answers_with_the_nearest(text: str, near: str) -> None:
    with pytest.raises(UnknownName, match=near):
        parse_measure(text)


def test_a_measures_own_setting_wins_over_the_conventions() -> None:
    conventions = Conventions(rel=3, gain="exp2")
    assert parse_measure("P@5").under(conventions).full_name == "P(rel=3)@5"
    assert parse_measure("P(rel=1)@5").under(conventions).full_name == "P@5"
    assert parse_measure("nDCG").under(conventions).full_name == "nDCG(gain=exp2)"
    assert parse_measure("nDCG(gain=linear)").under(conventions).full_name == "nDCG"


def test_a_dialect_is_a_complete_set_with_a_name() -> None:
    for row in DIALECTS:
        assert row.conventions.dialect == row.name
        assert row.status in ("own", "run", "from source")
        assert (row.status == "own") == (not row.version)
        assert conventions_of(row.name) == row.conventions
    assert conventions_of("trec_eval") == conventions_of("trec_eval-9")
    assert conventions_of("trec_eval", gain="1=1,2=3").as_dict()["gain"] == {"1": 1.0, "2": 3.0}
    with pytest.raises(UnknownName, match="trec_eval"):
        conventions_of("trec_evl")


def test_measures_and_conventions_travel_to_another_process() -> None:
    for measure in EVERY:
        assert pickle.loads(pickle.dumps(measure)).full_name == measure.full_name
    for row in DIALECTS:
        assert pickle.loads(pickle.dumps(row.conventions)) == row.conventions
    table = Conventions(gain="1=1,2=3")
    assert pickle.loads(pickle.dumps(table)) == table
    assert hash(table) == hash(Conventions(gain={2: 3.0, 1: 1.0}))
