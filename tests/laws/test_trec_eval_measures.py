"""What holds between the measures of trec_eval, how it spells them, and its standard scores."""

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import Case, cases, conventions
from rankproof import (
    Conventions,
    Judgments,
    Measurements,
    Run,
    Spread,
    UsageError,
    conventions_of,
    evaluate,
    parse_measure,
    parse_measures,
    read_spreads,
    standardised,
    trec_eval_final,
    trec_eval_lines,
    trec_eval_name,
)

NEAR = 1e-12
LEVELS = [f"IPrec(recall={tenth / 10:g})" for tenth in range(11)]


def columns(found: Measurements) -> Callable[[str], np.ndarray]:
    return lambda name: found.of("run", name)


@given(cases())
def test_precision_at_a_level_never_rises_with_it_and_eleven_levels_are_their_mean(case: Case) -> None:
    of = columns(case.measured([*LEVELS, "IPrec11", "AP", "P@1"]))
    at = [of(name) for name in LEVELS]
    for low, high in pairwise(at):
        assert (np.isnan(low) | (low >= high)).all()
    np.testing.assert_allclose(of("IPrec11"), np.mean(at, axis=0), atol=NEAR)
    assert (np.isnan(at[0]) | (at[0] >= np.nan_to_num(of("P@1")))).all()


@given(cases(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]))
def test_levels_are_counted_in_three_ways_that_differ_by_one_doc_at_most(case: Case, recall: float) -> None:
    names = [f"IPrec(recall={recall:g}, count={count})" for count in ("round", "add09", "ceil")]
    for values in zip(
        *(case.measured(names).of("run", m) for m in case.measured(names).measures), strict=True
    ):
        rounded, added, fewest = values
        assert math.isnan(rounded) or rounded >= added >= fewest


@given(cases(), conventions)
def test_sets(case: Case, chosen: Conventions) -> None:
    beta = ("SetF", "SetF(beta=1000)", "SetF(beta=0.001)")
    whole = ("P", "R", "SetAP", "RelP", *beta)
    at_3 = ("P@3", "R@3", "RelP@3", "SetF@3")
    found = case.measured([*whole, *at_3], chosen.but(gain="linear"))
    named = dict(zip([*whole, *at_3], found.measures, strict=True))
    one = {name: np.nan_to_num(found.of("run", full)) for name, full in named.items()}
    known = ~np.isnan(found.of("run", named["R"]))
    p, r = one["P"][known], one["R"][known]
    np.testing.assert_allclose(one["SetAP"][known], p * r, atol=NEAR)
    np.testing.assert_allclose(one["RelP"][known], np.maximum(p, r), atol=NEAR)
    f = one["SetF"][known]
    assert ((np.minimum(p, r) - NEAR <= f) & (f <= np.maximum(p, r) + NEAR)).all()
    np.testing.assert_allclose(one["SetF(beta=1000)"][known], r, atol=1e-4)
    np.testing.assert_allclose(one["SetF(beta=0.001)"][known], p, atol=1e-4)
    if chosen.precision_divisor == "cutoff":
        np.testing.assert_allclose(one["RelP@3"][known], np.maximum(one["P@3"], one["R@3"])[known], atol=NEAR)


@given(cases())
def test_counts_add_up(case: Case) -> None:
    names = ("NumRet", "NumRelRet", "NumNonrelRet", "NumRel", "Unjudged", "Unjudged@3", "Utility", "NumQ")
    found = case.measured(
        [
            *names,
            "NumRet@3",
            "NumRelRet@3",
            "NumNonrelRet@3",
            "Utility(b=0,c=1)",
            "Utility(b=1,c=1,d=1,docs=50)",
        ]
    )
    of = columns(found)
    unjudged = of("NumRet") - of("NumRelRet") - of("NumNonrelRet")
    np.testing.assert_allclose(of("Unjudged") * of("NumRet"), unjudged, atol=NEAR)
    at_3 = of("NumRet@3") - of("NumRelRet@3") - of("NumNonrelRet@3")
    np.testing.assert_allclose(of("Unjudged@3") * 3, at_3, atol=NEAR)
    np.testing.assert_array_equal(of("Utility"), 2 * of("NumRelRet") - of("NumRet"))
    np.testing.assert_array_equal(of("Utility(b=0, c=1)"), of("NumRel"))
    known = ~np.isnan(of("Utility(b=1, c=1, d=1, docs=50)"))
    assert (of("Utility(b=1, c=1, d=1, docs=50)")[known] == 50).all()  # each doc of the collection counts 1
    assert found.mean("run", "NumQ").value == known.sum()


@given(cases())
def test_kin_of_average_precision(case: Case) -> None:
    of = columns(
        case.measured(["AP", "GMAP", "Bpref", "GBpref", "InfAP", "Yaap", "Rprec", "RprecMult(times=1)"])
    )
    np.testing.assert_array_equal(of("GMAP"), np.maximum(of("AP"), 1e-5))
    np.testing.assert_array_equal(of("GBpref"), np.maximum(of("Bpref"), 1e-5))
    np.testing.assert_array_equal(of("RprecMult(times=1)"), of("Rprec"))
    assert (np.isnan(of("AP")) | (of("InfAP") <= 1)).all()
    relevant = case.measured("NumRel").of("run", "NumRel")
    odds = (1 + of("AP") * relevant) / (1 + relevant - of("AP") * relevant)
    np.testing.assert_allclose(of("Yaap"), np.log(odds), atol=1e-9)


@given(cases())
def test_without_pooled_docs_the_sample_is_all_there_is(case: Case) -> None:
    """Then inferred average precision is average precision, but for its small constants."""
    judged = {q: {d: max(g, 0) for d, g in docs.items()} for q, docs in case.grades.items()}
    found = evaluate(Judgments.from_dict(judged), case.run, ["AP", "InfAP"])
    np.testing.assert_allclose(found.of("run", "InfAP"), found.of("run", "AP"), atol=1e-4)


@given(cases(), conventions)
def test_what_could_still_be_gained(case: Case, chosen: Conventions) -> None:
    names = [
        "RBP(p=0.7,gain=binary)",
        "RBP(p=0.7,gain=scaled)",
        "RBPResidual(p=0.7,beyond=all)",
        "RBPResidual(p=0.7,beyond=unjudged)",
    ]
    found = case.measured(names, chosen.but(rel=1, no_relevant="null"))
    binary, scaled, rest, cut = (np.nan_to_num(found.of("run", m)) for m in found.measures)
    assert (binary + rest <= 1 + NEAR).all()
    assert (scaled <= binary + NEAR).all()
    assert ((cut == rest) | (cut == 0)).all()


@given(cases())
def test_gain_over_what_was_missed_is_the_binary_one_where_gains_are(case: Case) -> None:
    of = columns(case.measured(["binG", "G(gain=binary)", "ndcg_rel(gain=binary)", "nDCG(gain=binary)"]))
    np.testing.assert_allclose(of("binG"), of("G(gain=binary)"), atol=NEAR)


@given(cases(), st.sampled_from([1, 3, 10]))
def test_a_string_has_a_character_a_doc(case: Case, k: int) -> None:
    found = case.measured([f"RelString@{k}", f"NumRet@{k}", f"NumRelRet@{k}"])
    for place, query in enumerate(found.queries):
        text = found.text("run", f"RelString@{k}", query)
        if text is not None:
            assert len(text) == found.of("run", f"NumRet@{k}")[place]
            relevant = sum(mark == ">" or (mark.isdigit() and mark > "0") for mark in text)
            assert relevant == found.of("run", f"NumRelRet@{k}")[place]
    assert found.mean("run", f"RelString@{k}").value is None


# Spellings


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        ("iprec_at_recall_0.10", "IPrec(recall=0.1)"),
        ("iprec_at_recall..25", "IPrec(recall=0.25)"),
        ("IPrec@0.1", "IPrec(recall=0.1)"),
        ("11pt_avg..25,.5,.75", "IPrec11(levels=0.25,0.5,0.75)"),
        ("set_F_4", "SetF(beta=2)"),
        ("set_F.0.5", f"SetF(beta={math.sqrt(0.5)!r})"),
        ("F1@10", "SetF@10"),
        ("SetP", "P"),
        ("SetR(rel=2)", "R(rel=2)"),
        ("SetRelP", "RelP"),
        ("relative_P_7", "RelP@7"),
        ("utility_2,-1,0,0", "Utility(a=2)"),
        ("G_1=1,2=3", "G(gain=1=1,2=3)"),
        ("relstring", "RelString@10"),
        ("relstring_20", "RelString@20"),
        ("rbp.p=0.8", "RBP(p=0.8, gain=scaled)"),
        ("rbp_resid_p=0.8", "RBPResidual(p=0.8)"),
        ("unj_5", "Unjudged@5"),
        ("Rprec_mult_1.00", "RprecMult(times=1)"),
    ],
)
def test_its_spellings(spelt: str, name: str) -> None:
    assert parse_measure(spelt).full_name == name


@pytest.mark.parametrize(
    "spelt",
    ["iprec_at_recall_0.10", "set_F_0.5", "set_F", "utility_2,-1,0,0", "utility", "G_1=1,2=3", "relstring",
     "relstring_20", "rbp_p=0.8", "rbp_resid_p=0.5", "Rprec_mult_0.35", "11pt_avg", "gm_map", "set_P"],
)  # fmt: skip  # a table
def test_what_it_spells_is_written_so_again(spelt: str) -> None:
    for dialect in ("rankproof", "trec_eval-9", "trec_eval-10"):
        chosen = conventions_of(dialect)
        assert trec_eval_name(parse_measure(spelt), chosen) == spelt
        assert trec_eval_name(parse_measure(parse_measure(spelt).under(chosen).full_name), chosen) == spelt


def test_what_a_name_of_ours_leaves_open_is_what_the_dialect_says() -> None:
    ten = conventions_of("trec_eval-10")
    for spelt, name in (
        ("rbp", "RBP(p=0.9, gain=scaled)"),
        ("rbp_resid", "RBPResidual(p=0.9, beyond=unjudged)"),
    ):
        measure = parse_measure(spelt).under(ten)
        assert measure.full_name == name
        assert trec_eval_name(measure, ten) == spelt
    assert parse_measure("rbp").under(Conventions()).full_name == "RBP(p=0.8)"


def test_a_measure_that_it_does_not_have_keeps_its_name() -> None:
    for name in (
        "RBP(p=0.8)",
        "nDCG(gain=exp2)",
        "IPrec(recall=0.1, count=round)",
        "SetF@5",
        "Utility(a=2, docs=7)",
    ):
        assert trec_eval_name(parse_measure(name)) == name


@pytest.mark.parametrize(
    "name",
    ["IPrec(recall=1.1)", "IPrec(recall=x)", "IPrec11(levels=0,2)", "IPrec11(levels=0,,1)", "SetF(beta=0)",
     "Utility(a=x)", "Utility(a=nan)", "RprecMult(times=0)", "RelString", "IPrec(recall=0.1)@3"],
)  # fmt: skip  # a table
def test_what_cannot_be_is_an_error(name: str) -> None:
    with pytest.raises(UsageError):
        parse_measure(name).under(Conventions())


def test_utility_needs_the_size_of_the_collection_where_it_counts_the_rest() -> None:
    judgments, run = Judgments.from_dict({"q": {"a": 1}}), Run.from_dict("run", {"q": ["a"]})
    with pytest.raises(UsageError, match="docs=1000000"):
        evaluate(judgments, run, "Utility(d=1)")
    assert evaluate(judgments, run, "Utility(d=1, docs=10)").mean("run", "Utility(d=1, docs=10)").value == 10


def test_groups() -> None:
    nine, ten = parse_measures("all_trec", "trec_eval-9"), parse_measures("all_trec", "trec_eval-10")
    assert [m.full_name for m in ten[: len(nine)]] == [m.full_name for m in nine]
    assert [m.full_name for m in ten[len(nine) :]] == [
        "RBP", "RBPResidual(p=0.9)", "Unjudged@5", "Unjudged@10", "Unjudged@20",
    ]  # fmt: skip  # a row
    names = [m.full_name for m in nine]
    assert [m.full_name for m in parse_measures("all_trec")] == names
    official = [m.full_name for m in parse_measures("official")]
    assert official == names[: len(official)]
    assert len(parse_measures(["official", "all_trec"])) == len(nine)
    assert parse_measures("runid") == ()


def test_what_it_prints_for_the_mean_alone_and_for_queries_alone() -> None:
    judgments, run = Judgments.from_dict({"q": {"a": 1}}), Run.from_dict("run", {"q": ["a", "b"]})
    found = evaluate(judgments, run, ["gm_map", "num_q", "relstring", "map"])
    rows = {name: parse_measure(name) for name in found.measures}
    names = {name: trec_eval_name(row) for name, row in rows.items()}
    final = [name for name, row in rows.items() if trec_eval_final(row)]
    lines = trec_eval_lines(found.rows(), names, ["NumQ"], final, {"run": "tag"}).decode().splitlines()
    assert lines == [
        "runid\tall\ttag",
        "gm_map\tall\t1.0000",
        "num_q\tall\t1",
        "relstring\tq\t'1-'",
        "map\tq\t1.0000",
        "map\tall\t1.0000",
    ]


# Standard scores


@given(cases(answered=True))
def test_standard_scores_of_the_runs_that_are_the_reference(case: Case) -> None:
    runs = [case.run, Run.from_dict("other", {q: ["nothing", *docs] for q, docs in case.shown.items()})]
    found = evaluate(case.judgments, runs, ["AP", "nDCG@3", "NumRet"])
    spreads = {
        (query, measure): Spread(float(found.values[:, m, q].mean()), float(found.values[:, m, q].std()))
        for m, measure in enumerate(found.measures)
        for q, query in enumerate(found.queries)
        if not np.isnan(found.values[:, m, q]).any()
    }
    scores = standardised(found, spreads)
    assert scores.measures == ("Z(AP)", "Z(nDCG@3)", "Z(NumRet)")
    known = ~np.isnan(scores.values)
    sums = np.where(known, scores.values, 0).sum(axis=0)
    np.testing.assert_allclose(sums, 0, atol=1e-6)
    assert (known == (scores.reasons == 0)).all()


def test_where_there_is_nothing_to_stand_on() -> None:
    judgments = Judgments.from_dict({q: {"a": 1} for q in ("known", "flat", "equal", "unknown")})
    run = Run.from_dict("run", {q: ["x", "a"] for q in ("known", "flat", "equal", "unknown")})
    found = evaluate(judgments, run, ["RR", "P@1", "RelString@2"])
    spreads = {
        ("known", "recip_rank"): Spread(0.25, 0.5),
        ("flat", "RR"): Spread(0.25, 0.0),
        ("equal", "RR"): Spread(0.5, 0.0),
        ("unknown", "no such measure"): Spread(0.5, 0.1),
    }
    scores = standardised(found, spreads)
    assert scores.of("run", "Z(RR)")[[0, 2]].tolist() == [0.5, 0.0]
    for query in ("flat", "unknown"):
        assert scores.reason("run", "Z(RR)", query) == "no_reference"
    assert scores.mean("run", "Z(RR)").n == 2
    assert scores.mean("run", "Z(P@1)").value is None
    assert scores.text("run", "RelString@2", "known") == "-1"


@pytest.mark.parametrize("numbers", [(math.nan, 1), (0, math.nan), (0, -1), (math.inf, 1)])
def test_a_spread_of_no_numbers_is_an_error(numbers: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="deviation"):
        Spread(*numbers)


def test_a_file_of_spreads(tmp_path: Path) -> None:
    path = tmp_path / "spreads.txt"
    path.write_text("q map 0.5 0.25\n\n  q P_5\t0.5 x\nq map\nq ndcg 0.5 -1\nr map 1 0\n", "utf-8")
    found, findings = read_spreads(path)
    assert found == {("q", "map"): Spread(0.5, 0.25), ("r", "map"): Spread(1, 0)}
    assert [(one.code, one.line) for one in findings] == [
        ("bad-value", 3),
        ("field-count", 4),
        ("bad-value", 5),
    ]
    path.write_text("\n", "utf-8")
    assert [one.code for one in read_spreads(path)[1]] == ["empty-file"]
