"""What holds of measures of diversity: they are what the plain definition says, whatever the order and the names."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import e, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import EVERY, Case, cases, conventions
from rankproof import (
    MEASURES,
    Conventions,
    Judgments,
    Measure,
    Measurements,
    Run,
    evaluate,
    explain,
    parse_measure,
    parse_measures,
)
from rankproof.alignment import align
from rankproof.engines.local import measure_batches, measure_one
from rankproof.errors import UsageError

DIVERSE = parse_measures(
    [
        "alpha_DCG@1,3,10", "alpha_nDCG@1,3", "alpha_nDCG", "alpha_nDCG(alpha=0.25)@3", "alpha_nDCG(alpha=1)",
        "alpha_nDCG(alpha=0)@3", "alpha_nDCG(rel=2)@3", "ERR_IA@1,3,10", "ERR_IA(alpha=0.9)@3", "nERR_IA@3",
        "nERR_IA", "NRBP", "NRBP(alpha=0.25, beta=0.8)", "nNRBP", "nNRBP(beta=0.8)", "AP_IA", "AP_IA@3", "P_IA@1,3,10",
        "P_IA", "P_IA(rel=2)@3", "StRecall@1,3", "StRecall",
    ]
)  # fmt: skip  # a table, read row by row
Row = tuple[str, str, str, int]  # query, doc, subtopic, grade
SUBTOPICS = ("", "1", "10", "2", "preis", "查询")


@dataclass(frozen=True)
class Diverse:
    """A case whose judgments say which subtopic a grade is about."""

    case: Case
    rows: tuple[Row, ...]

    @property
    def judgments(self) -> Judgments:
        return judged(self.rows, self.case.grades)

    def measured(self, measures: Sequence[Measure], chosen: Conventions | None = None) -> Measurements:
        return evaluate(self.judgments, self.case.run, measures, conventions=chosen)


def judged(rows: Sequence[Row], also: Iterable[str] = ()) -> Judgments:
    return Judgments.of(
        [q for q, _, _, _ in rows],
        [d for _, d, _, _ in rows],
        [max(g, 0) for _, _, _, g in rows],
        pooled=[g < 0 for _, _, _, g in rows],
        subtopic=[s for _, _, s, _ in rows],
        also=also,
    )


@st.composite
def diverse(draw: st.DrawFn, style: str | None = None) -> Diverse:
    """A case in which at least one query has a subtopic that some doc covers."""
    case = draw(cases(style=style))
    first = next(iter(case.grades))
    rows: list[Row] = [(first, next(iter(case.grades[first])), "1", 3)]
    for query, docs in case.grades.items():
        for doc in docs:
            named = draw(st.lists(st.sampled_from(SUBTOPICS), max_size=4, unique=True))
            rows += [(query, doc, s, draw(st.sampled_from((-1, 0, 1, 1, 1, 2, 3)))) for s in named]
    return Diverse(case, tuple({row[:3]: row for row in reversed(rows)}.values()))


def close(one: Measurements, other: Measurements, query: Callable[[str], str] = lambda q: q) -> None:
    """Raise where two results differ by more than the order of adding can make."""
    places = [other.queries.index(query(q)) for q in one.queries]
    for measure in one.measures:
        theirs = other.of(other.runs[0], measure)[places]
        np.testing.assert_allclose(one.of(one.runs[0], measure), theirs, rtol=1e-12, err_msg=measure)


# The definitions, one query, one doc, one subtopic at a time.
def plainly(measure: Measure, covers: Mapping[str, set[str]], shown: Sequence[str]) -> float | None:
    """The value of one list by the definition; None where no subtopic is covered. `covers`: by judged doc."""
    subtopics = set().union(*covers.values())
    if not subtopics:
        return None
    depth = len(shown) if measure.at is None else measure.at
    cut = [covers.get(doc, set()) for doc in shown[:depth]]
    n, values = len(subtopics), measure.values
    if measure.name == "StRecall":
        return len(set().union(*cut)) / n
    if measure.name == "P_IA":
        return sum(map(len, cut)) / (depth * n) if depth else 0.0
    if measure.name == "AP_IA":
        return sum(_precision(s, cut, covers) for s in subtopics) / n
    alpha, beta = float(str(values["alpha"])), float(str(values.get("beta", 0.5)))
    worth = _worth(measure.name, beta)
    reached = _gained(cut, alpha, worth)
    if measure.name == "NRBP":
        return reached * (1 - (1 - alpha) * beta) / n
    if measure.name in ("alpha_DCG", "ERR_IA"):
        return reached / _gained([subtopics] * depth, alpha, worth)
    ideal = _greedy(covers, alpha)
    return reached / _gained(ideal if measure.at is None else ideal[: measure.at], alpha, worth)


def _precision(subtopic: str, cut: Sequence[set[str]], covers: Mapping[str, set[str]]) -> float:
    hits = [rank for rank, covered in enumerate(cut, 1) if subtopic in covered]
    return sum(n / rank for n, rank in enumerate(hits, 1)) / sum(subtopic in c for c in covers.values())


def _worth(name: str, beta: float) -> Callable[[int], float]:
    if "DCG" in name:
        return lambda rank: 1 / log2(rank + 1)
    return (lambda rank: 1 / rank) if "ERR" in name else (lambda rank: beta ** (rank - 1))


def _gained(cut: Sequence[set[str]], alpha: float, worth: Callable[[int], float]) -> float:
    total = 0.0
    for rank, covered in enumerate(cut, 1):
        seen = [sum(s in above for above in cut[: rank - 1]) for s in covered]
        total += worth(rank) * sum((1 - alpha) ** times for times in seen)
    return total


def _greedy(covers: Mapping[str, set[str]], alpha: float) -> list[set[str]]:
    """Place by place the doc that adds most; the greatest id of those that add the same."""
    left, chosen = sorted(covers, reverse=True), []
    while left:
        gain = {doc: _gained([*chosen, covers[doc]], alpha, lambda _: 1.0) for doc in left}
        most = max(gain.values())
        doc = next(doc for doc in left if gain[doc] > most - 1e-9)
        left.remove(doc)
        chosen.append(covers[doc])
    return chosen


@given(diverse(style="ranks"))
def test_values_are_those_of_the_definition(given_: Diverse) -> None:
    found = given_.measured(DIVERSE)
    for name in found.measures:
        measure = parse_measure(name).under(Conventions())
        rel = int(str(measure.values["rel"]))
        for place, query in enumerate(found.queries):
            graded = [(d, s, g) for q, d, s, g in given_.rows if q == query]
            covers: dict[str, set[str]] = {d: set() for d, _, g in graded if g >= 0}
            for doc, subtopic, grade in graded:
                if grade >= rel and subtopic:
                    covers[doc].add(subtopic)
            wanted = plainly(measure, covers, given_.case.shown.get(query, ())) if covers else None
            value = found.of("run", name)[place]
            assert np.isnan(value) == (wanted is None), (name, query)
            assert wanted is None or value == pytest.approx(wanted, rel=1e-9, abs=1e-12), (name, query)


@given(
    st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=5),
    st.sampled_from((0.25, 0.5, 1.0)),
)
def test_no_order_beats_the_greedy_one_by_more_than_is_known(docs: list[set[str]], alpha: float) -> None:
    covers = {f"d{place}": covered for place, covered in enumerate(docs)}
    rows = [("q", doc, s, 1) for doc, covered in covers.items() for s in covered]
    orders = list(itertools.permutations(covers))
    runs = [Run.from_dict(str(place), {"q": list(order)}) for place, order in enumerate(orders)]
    names = [
        f"{name}(alpha={alpha}){at}" for name, at in (("alpha_nDCG", "@2"), ("nERR_IA", ""), ("nNRBP", ""))
    ]
    found = evaluate(judged(rows), runs, names, keep=False)
    best = found.values.max(axis=0)
    assert (best >= 1 - 1e-12).all()  # the greedy list is one of the orders
    assert (best <= e / (e - 1)).all()
    assert all(parse_measure(name).range[1] == pytest.approx(e / (e - 1)) for name in names)


@given(diverse(), conventions)
def test_a_value_lies_in_its_range_or_is_null_with_a_reason(given_: Diverse, chosen: Conventions) -> None:
    found = given_.measured(DIVERSE, chosen)
    assert (np.isnan(found.values) == (found.reasons > 0)).all()
    for name in found.measures:
        low, high = parse_measure(name).range
        values = found.of("run", name)
        values = values[~np.isnan(values)]
        assert np.isfinite(values).all(), name
        assert (values >= low).all(), name
        assert high is not None
        assert (values <= high + 1e-12).all(), name


@given(diverse(), conventions, st.integers(1, 40))
def test_queries_together_apart_and_in_batches(given_: Diverse, chosen: Conventions, rows: int) -> None:
    rankings = align(given_.judgments, given_.case.run, chosen).rankings
    measures = [measure.under(chosen) for measure in DIVERSE]
    together = [measure_one(measure, rankings) for measure in measures]
    for size in (1, rows):
        for one, other in zip(together, measure_batches(measures, rankings, rows=size), strict=True):
            for mine, theirs in zip(one[:3], other[:3], strict=True):
                np.testing.assert_array_equal(mine, theirs)


@given(diverse(style="ranks"), conventions, st.data())
def test_the_order_of_rows(given_: Diverse, chosen: Conventions, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(given_.rows))
    order = data.draw(st.permutations(range(len(given_.case.run))))
    chosen = chosen.but(order="displayed")
    again = judged(rows, given_.case.grades)
    shuffled = evaluate(again, given_.case.run_in(order), DIVERSE, conventions=chosen)
    found = given_.measured(DIVERSE, chosen)
    places = [shuffled.queries.index(query) for query in found.queries]
    np.testing.assert_array_equal(found.values, shuffled.values[:, :, places])
    assert again.fingerprint == given_.judgments.fingerprint


@given(diverse(style="ranks"), conventions)
def test_other_names(given_: Diverse, chosen: Conventions) -> None:
    """Of queries and subtopics any; of docs those of the same order, which settles what the greedy list ties."""
    case = given_.case.renamed(lambda q: q[::-1] + "'", lambda d: f"doc {d}")
    rows = [(q[::-1] + "'", f"doc {d}", s and f"{9 - len(s)}{s[::-1]}", g) for q, d, s, g in given_.rows]
    again = Diverse(case, tuple(rows))
    close(given_.measured(DIVERSE, chosen), again.measured(DIVERSE, chosen), lambda q: q[::-1] + "'")


@given(diverse(style="ranks"), conventions)
def test_a_subtopic_that_nobody_covers_changes_nothing(given_: Diverse, chosen: Conventions) -> None:
    more = [(q, d, "nobody covers it", 0) for q, d, _, g in given_.rows if g >= 0]
    again = Diverse(given_.case, (*given_.rows, *dict.fromkeys(more)))
    chosen = chosen.but(rel=max(chosen.rel, 1))
    close(given_.measured(DIVERSE, chosen), again.measured(DIVERSE, chosen))


@given(diverse(), conventions)
def test_other_measures_see_the_highest_grade(given_: Diverse, chosen: Conventions) -> None:
    plain: dict[str, dict[str, int]] = {query: {} for query in given_.case.grades}
    for query, doc, _, grade in given_.rows:
        plain[query][doc] = max(plain[query].get(doc, -1), grade)
    measures = EVERY[::3]
    one = given_.measured(measures, chosen)
    other = evaluate(Judgments.from_dict(plain), given_.case.run, measures, conventions=chosen)
    places = [other.queries.index(query) for query in one.queries]
    np.testing.assert_array_equal(one.values, other.values[:, :, places])


@given(diverse(style="scores"))
def test_the_mean_over_equal_scores_is_that_over_all_orders(given_: Diverse) -> None:
    case = given_.case
    found = given_.measured(DIVERSE, Conventions(order="score", ties="average"))
    for query, docs in case.shown.items():
        groups = [
            list(group)
            for _, group in itertools.groupby(docs, dict(zip(docs, case.scores[query], strict=True)).get)
        ]
        orders = [
            list(itertools.chain(*order)) for order in itertools.product(*map(itertools.permutations, groups))
        ]
        if query not in found.queries or len(orders) > 24:
            continue
        runs = [Run.from_dict(str(place), {query: order}) for place, order in enumerate(orders)]
        rows = [row for row in given_.rows if row[0] == query]
        if not any(subtopic and grade >= 1 for _, _, subtopic, grade in rows):
            continue
        each = evaluate(judged(rows), runs, DIVERSE, keep=False)
        for measure in found.measures:
            mean = np.mean([each.of(run.name, measure)[0] for run in runs])
            value = found.of("run", measure)[found.queries.index(query)]
            assert value == pytest.approx(mean, rel=1e-9, abs=1e-12, nan_ok=True), measure


@given(diverse(), conventions)
def test_the_terms_give_the_value(given_: Diverse, chosen: Conventions) -> None:
    found = given_.measured(DIVERSE, chosen)
    for measure in found.measures:
        for place, query in enumerate(found.queries):
            told = explain(found, "run", query, measure)
            assert (told.value is None) == bool(np.isnan(found.of("run", measure)[place]))
            if told.value is not None and told.divisor:
                assert told.value == told.added / told.divisor
            if chosen.ties != "average":
                assert told.terms[-1].running == pytest.approx(told.added) if told.terms else told.added == 0


def test_judgments_without_subtopics_are_refused_by_name() -> None:
    judgments, run = Judgments.from_dict({"q": {"a": 1}}), Run.from_dict("run", {"q": ["a"]})
    for row in (row for row in MEASURES if row.sees == "subtopics"):
        measure = row.with_(at=5) if row.cutoff == "required" else row
        with pytest.raises(UsageError, match=rf"{row.name}.* subtopics .*--subtopics"):
            evaluate(judgments, run, ["AP", measure])
        with pytest.raises(UsageError, match="subtopic by subtopic"):
            measure.of(align(judgments, run, Conventions()).rankings)


def test_every_measure_of_subtopics_is_tried() -> None:
    assert {m.name for m in DIVERSE} == {row.name for row in MEASURES if row.sees == "subtopics"}
