"""What holds of every value: its range, a reason where there is none, and that the ideal order is the best."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY, NOT_FROM_0, Case, cases, conventions, questions
from rankproof import Conventions, Judgments, Measure, Measurements, Run, evaluate, parse_measure

EPSILON = 1e-12


@given(cases(), conventions, st.data())
def test_a_value_lies_in_its_range_or_is_null_with_a_reason(
    case: Case, chosen: Conventions, data: st.DataObject
) -> None:
    asked = data.draw(st.one_of(st.none(), questions(case)))
    found = evaluate(case.judgments, case.run, EVERY, conventions=chosen, questions=asked)
    undefined = np.isnan(found.values)
    assert (undefined == (found.reasons > 0)).all()
    for name in found.measures:
        low, high = parse_measure(name).range
        values = found.of("run", name)
        values = values[~np.isnan(values)]
        assert np.isfinite(values).all(), name
        assert low is None or (values >= low).all(), name
        assert high is None or (values <= high + EPSILON).all(), name
    judged = found.judged[~np.isnan(found.judged)]
    assert ((judged >= 0) & (judged <= 1)).all()
    for line in found.rows():
        assert (line["value"] is None) == (line["reason"] is not None)


@given(cases())
def test_a_mean_is_over_what_is_defined(case: Case) -> None:
    found = case.measured(EVERY)
    for measure in found.measures:
        mean, values = found.mean("run", measure), found.of("run", measure)
        defined = values[~np.isnan(values)]
        assert (mean.n, mean.n_total) == (len(defined), len(case.grades))
        if not mean.n:
            assert mean.value is None
        elif mean.total:
            assert mean.value == defined.sum()
        else:
            geometric = parse_measure(measure).mean == "geometric"
            wanted = np.exp(np.log(defined).mean()) if geometric else defined.mean()
            assert mean.value == pytest.approx(wanted, rel=EPSILON, abs=EPSILON)
            assert defined.min() <= mean.value <= defined.max()


GAINS = {str(measure.values.get("gain", "linear")): measure.values.get("gain", "linear") for measure in EVERY}


@dataclass(frozen=True)
class Judged:
    """The judged docs of one query."""

    grades: dict[str, int]

    def best(self, gain: object) -> list[str]:
        """The ideal order: the docs of most worth first."""
        worth = gain if isinstance(gain, dict) else {}
        return sorted(
            self.grades, key=lambda doc: worth.get(self.grades[doc], self.grades[doc]), reverse=True
        )

    def measured(self, measures: Iterable[Measure], **shown: Sequence[str]) -> Measurements:
        """The values of several lists."""
        runs = [Run.from_dict(name, {"q": docs}) for name, docs in shown.items()]
        return evaluate(Judgments.from_dict({"q": self.grades}), runs, measures)


def of_gain(gain: object) -> list[Measure]:
    return [measure for measure in EVERY if measure.values.get("gain", "linear") == gain]


@given(st.lists(st.sampled_from([0, 0, 1, 2, 3, 4, 37, 100]), min_size=1, max_size=9), st.data())
def test_no_order_beats_the_ideal_one(grades: list[int], data: st.DataObject) -> None:
    judged = Judged({f"d{place}": grade for place, grade in enumerate(grades)} | {"one": 1})
    some = data.draw(st.permutations([*judged.grades, "unjudged 1", "unjudged 2"]))
    shown = some[: data.draw(st.integers(0, len(some)))]
    for gain in GAINS.values():
        best = judged.best(gain)
        measures = [measure for measure in of_gain(gain) if measure.best_first]
        found = judged.measured(measures, shown=shown, best=best, short=best[: len(shown)])
        for measure in measures:
            name = measure.full_name
            by_length = measure.name in BY_LENGTH and measure.at is None
            value, most = found.of("shown", name)[0], found.of("short" if by_length else "best", name)[0]
            by_shown = measure.needs == "kinds"  # defined by what was displayed
            assert by_shown or np.isnan(value) == np.isnan(most), name
            assert np.isnan(value) or np.isnan(most) or value <= most + EPSILON * max(most, 1), name


# Without a cutoff they divide by the length of the list, so that a longer one has a lower value.
BY_LENGTH = ("P", "SetF", "SetAP")


def at_best(measure: Measure, docs: int, relevant: int) -> float | None:
    """What the ideal order gives; None where the measure has no such number."""
    k = docs if measure.at is None else measure.at
    found = min(relevant, k)
    match measure.name:
        case "nDCG" if measure.values["against"] == "uncut":
            return None
        case "nDCG" | "RR" | "Rprec" | "Success" | "Bpref" | "Judged" | "GMAP" | "GBpref":
            return 1
        case "IPrec" | "IPrec11" | "RprecMult" | "RelP" | "binG" | "ndcg_rel" | "Rndcg" | "NumQ":
            return 1
        case "SetAP":
            return relevant / docs
        case "Yaap":
            return float(np.log(1 + relevant))
        case "Unjudged":
            return 0
        case "AP":
            over = {"all": relevant, "min_k": found, "found": found, "k": measure.at or relevant}
            return found / over[str(measure.values["denominator"])]
        case "R":
            return found / relevant
        case "P":
            return found / k
        case "RBP" if measure.values["gain"] == "binary":
            return 1 - 0.8**found
        case "NumRet":
            return min(docs, k)
        case "NumRel":
            return relevant
        case "NumRelRet":
            return found
        case "Compat":
            return 1 if measure.values["normalize"] else None
        case "Accuracy" | "AUC":
            return 1 if relevant < docs and found < k else None
        case "PairAccuracy":
            return 1 if k >= docs and relevant < docs else None
    return None  # a sum without bound, or a value that only the law of the ideal order holds down


@given(st.lists(st.sampled_from([0, 1, 2, 3, 4, 37]), min_size=1, max_size=14))
def test_truth_against_truth_is_the_best_there_is(grades: list[int]) -> None:
    judged = Judged({f"d{place}": grade for place, grade in enumerate([*grades, 2])})
    for gain in GAINS.values():
        found = judged.measured(of_gain(gain), best=judged.best(gain))
        for measure in of_gain(gain):
            relevant = sum(grade >= measure.values.get("rel", 1) for grade in judged.grades.values())
            wanted = at_best(measure, len(judged.grades), relevant)
            value = found.of("best", measure.full_name)[0]
            assert wanted is None or value == pytest.approx(wanted, abs=EPSILON), measure.full_name


# Measures whose divisor does not change with the cutoff: looking further down never lowers them.
RISING = ("DCG", "IDCG", "ERR", "RR", "R", "Success", "RBP", "NumRet", "NumRelRet")


@given(cases())
def test_looking_further_down_never_lowers_a_sum(case: Case) -> None:
    found = case.measured(EVERY)
    for measure in EVERY:
        rises = measure.values.get("denominator", "all" if measure.name in RISING else "") == "all"
        if rises and measure.at is not None:
            further = {1: 3, 3: 10}.get(measure.at)
            whole = measure.full_name.removesuffix(f"@{measure.at}")
            name = f"{whole}@{further}" if f"{whole}@{further}" in found.measures else whole
            before, after = found.of("run", measure.full_name), found.of("run", name)
            assert np.array_equal(np.isnan(before), np.isnan(after))
            assert (before <= after + EPSILON)[~np.isnan(before)].all(), name


@given(cases())
def test_measures_that_count_the_same_docs_agree(case: Case) -> None:
    found = case.measured(EVERY)

    def of(name: str) -> np.ndarray:
        return np.nan_to_num(found.of("run", name))

    relevant = np.where(np.isnan(found.of("run", "R")), 0, found.of("run", "NumRel"))
    for k in (1, 3, 10):
        counted = of(f"NumRelRet@{k}")
        np.testing.assert_allclose(of(f"P@{k}") * k, counted, atol=EPSILON)
        np.testing.assert_allclose(of(f"R@{k}") * relevant, counted, atol=EPSILON)
        assert ((of(f"Success@{k}") == 1) == (counted > 0)).all()
        assert ((of(f"RR@{k}") > 0) == (counted > 0)).all()
        assert (of(f"RR@{k}") <= of("RR")).all()
    assert (of("AP@3") <= of("AP(denominator=min_k)@3") + EPSILON).all()
    assert (of("RR@1") == of("P@1")).all()
    np.testing.assert_allclose(of("DCG"), of("nDCG") * np.where(of("DCG") > 0, of("IDCG"), 1))


# Not about the run, so a query that the run lacks does not lower it.
ABOUT_THE_JUDGMENTS = ("IDCG",)


@given(cases())
def test_a_query_without_results_never_raises_a_mean(case: Case) -> None:
    more = {**case.grades, "and one more": {"d": 2, "e": 0}}
    found = case.measured(EVERY)
    longer = evaluate(Judgments.from_dict(more), case.run, EVERY)
    for measure in EVERY:
        before = found.mean("run", measure.full_name)
        after = longer.mean("run", measure.full_name)
        assert after.n_total == before.n_total + 1
        if measure.name in (*ABOUT_THE_JUDGMENTS, *NOT_FROM_0) or before.value is None or before.total:
            continue
        assert after.value is not None
        assert after.value <= before.value + EPSILON, measure
