"""A measure has one name, and many spellings that are read."""

import pickle
from dataclasses import replace

import pytest

from laws.strategies import EVERY
from rankproof import (
    DIALECTS,
    FAMILIES,
    MEASURES,
    Conventions,
    Measure,
    Spelling,
    UnknownName,
    UsageError,
    conventions_of,
    parse_measure,
    parse_measures,
    trec_eval_name,
)
from rankproof.measures.mistakes import unknown
from rankproof.measures.naming import _canonical


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
def test_other_spellings_are_read(row: Measure) -> None:
    for name in (row.name, *row.also):
        if row.cutoff != "required":
            assert parse_measure(name).name == row.name
        if row.cutoff != "none":
            assert parse_measure(f"{name}@7").at == 7
    for spelling in row.spelt:
        text = example_of(row, spelling)
        (read,) = parse_measures(text)
        assert read.name == row.name
        implied = dict(spelling.values)
        cutoff = implied.pop("k", "5" if "k" in spelling.places else None)
        assert str(read.at) == str(cutoff) or ours(text)
        if spelling.tool == "trec_eval" and spelling.places == ("k",):
            assert trec_eval_name(read) == text
            several = parse_measures(spelling.text.replace("_{k}", ".5,10"))
            assert [measure.at for measure in several] == [5, 10]


def example_of(row: Measure, spelling: Spelling) -> str:
    """A text in this spelling."""
    settings = {setting.name: str(setting.default) for setting in row.settings}
    return spelling.example({**settings, "k": 5, "gain": "1=3", "digits": 85, "max_grade": 3, "rel": 2})


def ours(text: str) -> bool:
    """True where rankproof's own grammar can read a text; then no other tool is asked."""
    try:
        return bool(_canonical(text))
    except UsageError:
        return False


@pytest.mark.parametrize("row", MEASURES, ids=str)
def test_a_spelling_implies_its_settings_where_no_tool_means_something_else_by_it(row: Measure) -> None:
    every = [(other, one) for other in MEASURES for one in other.spelt]
    for spelling in row.spelt:
        text = example_of(row, spelling)
        meant = [found for _, one in every for found in one.read(text)]
        common = {
            (name, value)
            for name, value in set.intersection(*(set(found.items()) for found in meant))
            if name != "k"
        }
        read = {name: str(value) for name, value in parse_measure(text).values.items()}
        if ours(text):
            assert not set(read) & set(spelling.values) or spelling.values.items() <= read.items()
        else:
            wanted = row.with_(**dict(common)).values
            assert read == {name: str(value) for name, value in wanted.items()}, text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp2)@10"),
        ("nDCG(gains={0:0,1:1,2:3})@10", "nDCG(gain=0=0,1=1,2=3)@10"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("RBP(p=0.85,rel=1)", "RBP(p=0.85)"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)"),
        ("ndcg_burges@10", "nDCG(gain=exp2)@10"),
        ("map-l2", "AP(rel=2)"),
        ("map@100-l2", "AP(rel=2)@100"),
        ("ndcg@5-l2", "nDCG(gain=1=0)@5"),
        ("hit_rate@5", "Success@5"),
        ("r-precision", "Rprec"),
        ("rbp.85", "RBP(p=0.85)"),
        ("MRR @10", "RR@10"),
        ("map_at_k@10", "AP(denominator=min_k)@10"),
        ("map_at_10", "AP@10"),  # min_k to recommenders, all to MTEB
        ("ndcg_score(k=10)", "nDCG@10"),
        ("meanAveragePrecisionAt(10)", "AP(denominator=min_k)@10"),
        ("ndcgAt(10)", "nDCG(gain=binary)@10"),
        ("RetrievalMAP(top_k=5)", "AP@5"),
        ("ndcg@10", "nDCG@10"),  # exp2 to XGBoost
        ("pre", "P@32"),
        ("pre@5", "P@5"),
        ("NDCG:top=10;type=Exp", "nDCG(gain=exp2)@10"),
        ("MAP:top=10", "AP(denominator=min_k)@10"),
        ("R_cap@10", "RelP@10"),
        ("expected_reciprocal_rank(maximum_relevance=3)@5", "ERR(max_grade=3)@5"),
        ("precision", "P"),
    ],
)
def test_other_tools_words(text: str, wanted: str) -> None:
    assert parse_measure(text).full_name == wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("AP(rel=2,judged_only=True)@5", r"Write AP\(rel=2\)@5, and choose unjudged=condense"),
        ("nDCG(gain=exp2, ties=average)@5", r"Write nDCG\(gain=exp2\)@5, and choose ties=average"),
        (
            "AP(judged_only=True, missing=zero, rel=2)",
            r"Write AP\(rel=2\), and choose unjudged=condense, missing=zero",
        ),
        ("dcg_score(ignore_ties=False)", "Write DCG, and choose ties=average"),
        ("ndcg@10-", "Write nDCG@10, and choose no_relevant=zero"),
        ("mean nDCG@10", "the mean over its queries: write nDCG@10"),
        ("mean_ndcg@10", "write nDCG@10"),
        ("average precision", "is written AP"),
        ("Hole@10", "Write Judged@10"),
        ("label_ranking_average_precision_score", "Write AP"),
        ("label_ranking_loss", "of the family pairwise"),
    ],
)
def test_a_word_that_says_more_than_a_measure_says_what_to_write(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_measure(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "nGDC@10",
            r"Did you mean: nDCG, .*\? nDCG is normalised discounted cumulative gain and needs nothing more",
        ),
        ("EER@5", "ERR is expected reciprocal rank and takes max_grade"),
        ("RPB", "RBP is rank-biased precision and takes p"),
        ("recip_rnk", "Did you mean: recip_rank.* RR is reciprocal rank"),
        ("normalized discounted cumulative gain", "is not the name of a measure"),
        ("xyzzy", "none that looks like it"),
    ],
)
def test_the_nearest_names_say_what_they_are_and_need(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_measure(text)


def test_a_name_that_needs_a_cutoff_says_so() -> None:
    row = replace(MEASURES.find("ERR"), cutoff="required")
    assert "ERR is expected reciprocal rank and needs a cutoff and takes max_grade." in str(
        unknown("EER", [row])
    )
    again = pickle.loads(pickle.dumps(unknown("EER", [row])))
    assert str(again) == str(unknown("EER", [row]))


def test_a_text_that_two_measures_claim_is_not_guessed() -> None:
    texts = {example_of(row, one) for row in MEASURES for one in row.spelt}
    for text in sorted(texts):
        claimed = {row.name for row in MEASURES for one in row.spelt if one.read(text)}
        assert len(claimed) == 1 or ours(text), text


def test_families_are_known_and_stand_together() -> None:
    places = [list(FAMILIES).index(row.family) for row in MEASURES]
    assert places == sorted(places)
    assert all(help_.endswith(".") for help_ in FAMILIES.values())


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
