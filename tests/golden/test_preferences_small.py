"""Preferences worked out by hand, every measure of them, read from files as trec_eval reads them."""

from pathlib import Path

import pytest

from rankproof import (
    Judgments,
    Preferences,
    Run,
    conventions_of,
    evaluate,
    parse_measure,
    read_judged,
    read_judgments,
    read_run,
    trec_eval_name,
)

# g1 ordered five docs as a whole: A > B > D > {C, F}, where C and F are not relevant. 9 preferences.
# g2 ordered in two parts: B > A, and A > E; B > E follows. 3 preferences.
# g3 ordered A above three docs that are not relevant. 3 preferences.
PREFERENCES = """\
q1 g1 s1 A 3
q1 g1 s1 B 2
q1 g1 s1 D 1
q1 g1 s1 C 0
q1 g1 s1 F 0
q1 g2 s1 B 0.7
q1 g2 s1 A 0.2
q1 g2 s2 A 9
q1 g2 s2 E 8.5
q2 g3 s1 A 1
q2 g3 s1 B 0
q2 g3 s1 C 0
q2 g3 s1 D 0
"""
RUN = """\
q1 Q0 C 1 4.0 mine
q1 Q0 A 2 3.0 mine
q1 Q0 B 3 2.0 mine
q1 Q0 E 4 1.0 mine
q2 Q0 A 1 3.0 mine
q2 Q0 B 2 2.0 mine
q2 Q0 C 3 1.0 mine
"""
# q1, g1: A>B yes; A>D, A>F, B>D, B>F yes, the other not displayed; A>C, B>C no; D>C no, D not displayed;
#     D>F neither displayed. q1, g2: B>A no; A>E, B>E yes. q2: A>B, A>C yes; A>D yes, D not displayed.
BY_HAND = {
    "prefs_num_prefs_poss": (9 + 3, 3),
    "prefs_num_prefs_ful": (5 + 2, 3),
    "prefs_num_prefs_ful_ret": (1 + 2, 2),
    "prefs_simp": ((5 + 2) / (9 + 3), 3 / 3),
    "prefs_simp_imp": ((5 + 2) / (8 + 3), 3 / 3),
    "prefs_simp_ret": ((1 + 2) / (3 + 3), 2 / 2),
    # A and B are compared twice and fulfilled once; all other pairs once
    "prefs_pair": ((1 / 2 + 4 + 2) / 11, 3 / 3),
    "prefs_pair_imp": ((1 / 2 + 4 + 2) / 10, 3 / 3),
    "prefs_pair_ret": ((1 / 2 + 0 + 0 + 1 + 1) / 5, 2 / 2),
    "prefs_avgjg": ((5 / 9 + 2 / 3) / 2, 3 / 3),
    "prefs_avgjg_imp": ((5 / 8 + 2 / 3) / 2, 3 / 3),
    "prefs_avgjg_ret": ((1 / 3 + 2 / 3) / 2, 2 / 2),
    # g1: R = 3, N = 2, one is missing: A and B stand above it and D does not. g2: R = 3, N = 0, three missing.
    # g3: R = 1, N = 3: only B counts; the program has B, C and D against B, too, and none is fulfilled.
    "PrefAvgJGRnonrel": (((5 + 2) / (9 + 3) + (2 + 9) / (3 + 9)) / 2, 1 / 1),
    "prefs_avgjg_Rnonrel": (((5 + 2) / (9 + 3) + (2 + 9) / (3 + 9)) / 2, 1 / (1 + 3)),
    # displayed docs alone: g1: R = 2, N = 1 (the program has the missing one against all 3). g3: R = 1, N = 2.
    "PrefAvgJGRnonrel(counting=retrieved)": (((1 + 2) / (3 + 2) + (2 + 9) / (3 + 9)) / 2, 1 / 1),
    "prefs_avgjg_Rnonrel_ret": (((1 + 2) / (3 + 3) + (2 + 9) / (3 + 9)) / 2, 1 / (1 + 2)),
}


@pytest.fixture
def inputs(tmp_path: Path) -> tuple[Preferences, Run]:
    (tmp_path / "prefs.txt").write_text(PREFERENCES)
    (tmp_path / "run.txt").write_text(RUN)
    preferences, findings = read_judged(tmp_path / "prefs.txt")
    assert isinstance(preferences, Preferences)
    assert [row.code for row in findings] == ["read-as-preferences"]
    return preferences, read_run(tmp_path / "run.txt")[0]


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("dialect", ["rankproof", "trec_eval-9", "trec_eval-10"])
def test_each_value_is_the_one_worked_out(inputs: tuple[Preferences, Run], name: str, dialect: str) -> None:
    measure = parse_measure(name)
    found = evaluate(*inputs, measure, conventions=conventions_of(dialect))
    assert found.of("run", measure.full_name).tolist() == pytest.approx(BY_HAND[name], abs=1e-12)
    assert trec_eval_name(measure) == name


def test_what_the_program_computes_differs_where_it_says_so() -> None:
    assert BY_HAND["PrefAvgJGRnonrel"][1] != BY_HAND["prefs_avgjg_Rnonrel"][1]
    assert BY_HAND["PrefAvgJGRnonrel(counting=retrieved)"] != BY_HAND["prefs_avgjg_Rnonrel_ret"]


def test_equal_scores_are_put_in_ascending_order_of_ids_for_preferences_alone() -> None:
    preferences = Preferences.of_pairs([("q", "a", "b")])
    run = Run.of("run", ["q", "q"], ["b", "a"], score=[1.0, 1.0])
    for dialect in ("trec_eval-9", "trec_eval-10"):
        found = evaluate(preferences, run, "PrefSimp", conventions=conventions_of(dialect))
        assert found.of("run", "PrefSimp").tolist() == [1.0]
    judgments = Judgments.from_dict({"q": {"a": 1}})
    both = evaluate(
        judgments, run, ["RR", "PrefSimp"], conventions=conventions_of("trec_eval"), preferences=preferences
    )
    assert [both.mean("run", m).value for m in both.measures] == [0.5, 1.0]


GRADES = """\
q1 ann A 1
q1 ann B 0
q1 ann C 1
q1 bob A 0
q1 bob B 1
q1 eve A 0
"""


def test_a_measure_by_each_rater(tmp_path: Path) -> None:
    """Displayed: B, A, X. By ann AP is (1/2)/2, by bob 1/1; by eve nothing is relevant."""
    (tmp_path / "qrels.txt").write_text(GRADES)
    judgments, _ = read_judgments(tmp_path / "qrels.txt", raters=True)
    run = Run.from_dict("run", {"q1": ["B", "A", "X"]})
    measures = ["map_avgjg", "P_avgjg_1", "AP"]
    own = evaluate(judgments, run, measures)
    assert [own.mean("run", m).value for m in own.measures] == [(1 / 4 + 1) / 2, (0 + 1) / 2, 1 / 4]
    theirs = evaluate(judgments, run, measures, conventions=conventions_of("trec_eval", ties="file"))
    expected = [(1 / 4 + 1 + 0) / 3, (0 + 1 + 0) / 3, 1 / 4]
    assert [theirs.mean("run", m).value for m in theirs.measures] == pytest.approx(expected, abs=1e-15)
