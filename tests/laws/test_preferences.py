"""Laws of preferences: ranges, batches, ids, order of rows, the best list, ties, and what a definition says."""

import itertools
import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import ids, variants
from rankproof import (
    MEASURES,
    Conventions,
    Judgments,
    Measure,
    Preferences,
    Run,
    UsageError,
    conventions_of,
    evaluate,
    parse_measure,
)
from rankproof.alignment import align
from rankproof.engines.local import Measured, measure_batches, measure_one
from rankproof.seeing import Seeing
from rankproof.tables.rankings import Rankings

ROWS = [row for row in MEASURES if row.sees == "preferences"]
EVERY = [
    *(measure for row in ROWS for measure in variants(row)),
    *(
        parse_measure(f"{row.name}(counting={counting})").under(Conventions())
        for row in ROWS
        if row.settings
        for counting in ("implied", "retrieved")
        if (row.name, counting) != ("PrefAvgJGRnonrel", "implied")
    ),
    *(
        parse_measure(f"PrefAvgJGRnonrel(form=coded{more})").under(Conventions())
        for more in ("", ",counting=retrieved")
    ),
]
CODED = [measure for measure in EVERY if measure.values.get("form") == "coded"]
CONVENTIONS = (
    Conventions(),
    Conventions(order="score", ties="average"),
    Conventions(depth=2, no_relevant="one"),
    conventions_of("trec_eval", missing="zero"),
)

Row = tuple[str, str, str, str, float]


@dataclass(frozen=True)
class Choices:
    """What people preferred, and what one system displayed, best first, with scores."""

    rows: tuple[Row, ...]
    shown: dict[str, list[str]]
    scores: dict[str, list[float]]

    @property
    def preferences(self) -> Preferences:
        query, group, subgroup, doc, value = zip(*self.rows, strict=True)
        return Preferences.of(query, doc, value, group=group, subgroup=subgroup)

    @property
    def run(self) -> Run:
        lines = [
            (query, doc, score)
            for query, docs in self.shown.items()
            for doc, score in zip(docs, self.scores[query], strict=True)
        ]
        query, doc, score = zip(*lines, strict=True) if lines else ((), (), ())
        return Run.of(
            "run", query, doc, score=score, states={q: "empty" for q in self.shown if q not in query}
        )

    def renamed(self, query: Callable[[str], str], doc: Callable[[str], str]) -> "Choices":
        return Choices(
            tuple((query(q), g, s, doc(d), value) for q, g, s, d, value in self.rows),
            {query(q): [doc(d) for d in docs] for q, docs in self.shown.items()},
            {query(q): scores for q, scores in self.scores.items()},
        )

    def values(
        self, conventions: Conventions, measures: Sequence[Measure] = EVERY
    ) -> dict[tuple[str, str], float]:
        found = evaluate(self.preferences, self.run, measures, conventions=conventions)
        return {
            (m, q): value
            for m in found.measures
            for q, value in zip(found.queries, found.of("run", m).tolist(), strict=True)
        }


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    """At least one query with a preference; groups of one or two subgroups, some of which contradict themselves."""
    queries = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    docs = draw(st.lists(ids, min_size=2, max_size=6, unique=True))
    rows: list[Row] = [(queries[0], "g0", "s0", docs[0], 1.0), (queries[0], "g0", "s0", docs[1], 0.0)]
    groups = st.tuples(st.sampled_from("ab"), st.sampled_from(("1", "1", "2")))
    for query in queries:
        for group, subgroup in draw(st.lists(groups, min_size=1, max_size=4)):
            values = draw(
                st.lists(
                    st.sampled_from((None, 0.0, 0.0, 1.0, 1.5, 3.0)), min_size=len(docs), max_size=len(docs)
                )
            )
            rows += [
                (query, group, subgroup, d, v) for d, v in zip(docs, values, strict=True) if v is not None
            ]
        rows.append((query, "a", "1", docs[-1], 2.0))
    once = {row[:4]: row for row in reversed(rows)}  # a doc stands once in a subgroup
    shown, scores = {}, {}
    for query in queries:
        shown[query] = draw(st.permutations([*docs, "judged by nobody"]))[: draw(st.integers(0, len(docs)))]
        steps = draw(
            st.lists(st.sampled_from((0.0, 0.5)), min_size=len(shown[query]), max_size=len(shown[query]))
        )
        scores[query] = (9.0 - np.cumsum(steps)).tolist()
    return Choices(tuple(once.values()), shown, scores)


conventions = st.sampled_from(CONVENTIONS)


def rankings(case: Choices, chosen: Conventions) -> Rankings:
    """What the measures see."""
    preferences = case.preferences
    judgments = preferences.judgments
    queries = judgments.query.in_order_of_appearance()
    seeing = Seeing.of(EVERY, judgments, preferences, queries, chosen, 1)
    return seeing.over(align(judgments, case.run, chosen), case.run, [case.run]).rankings


@given(choices(), conventions)
def test_values_are_in_range_and_have_a_reason_where_there_are_none(
    case: Choices, chosen: Conventions
) -> None:
    found = evaluate(case.preferences, case.run, EVERY, conventions=chosen)
    for measure in EVERY:
        values = found.of("run", measure.full_name)
        lowest, highest = measure.range
        assert (
            np.isnan(values) | ((values >= lowest) & (values <= (math.inf if highest is None else highest)))
        ).all()
        reasons = [found.reason("run", measure.full_name, query) for query in found.queries]
        assert [bool(reason) for reason in reasons] == np.isnan(values).tolist()
    poss, done, both = (
        found.of("run", name)
        for name in ("NumPrefs", "NumPrefsFulfilled", "NumPrefsFulfilled(counting=retrieved)")
    )
    assert ((both <= done) & (done <= poss)).all()


@given(choices(), conventions, st.integers(1, 5))
def test_queries_together_apart_and_in_batches(case: Choices, chosen: Conventions, rows: int) -> None:
    r = rankings(case, chosen)
    together = [measure_one(measure, r) for measure in EVERY]
    batches = measure_batches(EVERY, r, rows=rows)
    parts = [r.part(q, q + 1) for q in range(r.n_queries)]
    for measure, whole, batch in zip(EVERY, together, batches, strict=True):
        apart = [measure_one(measure, part) for part in parts]
        alone = Measured(*(np.concatenate([part[i] for part in apart]) for i in range(3)))
        for one, two, three in zip(whole[:3], alone[:3], batch[:3], strict=True):
            np.testing.assert_array_equal(one, two, err_msg=measure.full_name)
            np.testing.assert_array_equal(one, three, err_msg=measure.full_name)


@given(choices(), conventions, st.data())
def test_the_order_of_rows(case: Choices, chosen: Conventions, data: st.DataObject) -> None:
    shuffled = replace(case, rows=tuple(data.draw(st.permutations(case.rows))))
    assert shuffled.preferences.fingerprint == case.preferences.fingerprint
    np.testing.assert_equal(shuffled.values(chosen), case.values(chosen))


@given(choices(), st.sampled_from(CONVENTIONS[:3]))
def test_other_ids(case: Choices, chosen: Conventions) -> None:
    """Ids settle no tie here. Sums may come in another order, so the last bit may differ.

    The program of trec_eval takes docs that are not displayed in the order of their ids.
    """
    by_place = [measure for measure in EVERY if measure not in CODED]
    renamed = case.renamed(lambda q: f"{q[::-1]}'", lambda d: f"{chr(0x10FFFF - ord(d[0]))}{d}")
    before, after = case.values(chosen, by_place), renamed.values(chosen, by_place)
    for (measure, query), value in before.items():
        np.testing.assert_allclose(after[measure, f"{query[::-1]}'"], value, rtol=1e-13, err_msg=measure)


@given(
    st.lists(st.sampled_from((0.0, 1.0, 2.0, 3.0)), min_size=2, max_size=5).filter(lambda v: len(set(v)) > 1),
    st.data(),
)
def test_one_order_is_never_beaten_by_another(values: list[float], data: st.DataObject) -> None:
    docs = [f"d{place}" for place in range(len(values))]
    best = [doc for _, doc in sorted(zip(values, docs, strict=True), reverse=True)]
    other = data.draw(st.permutations(best))[: data.draw(st.integers(0, len(docs)))]
    preferences = Preferences.of(["q"] * len(docs), docs, values)
    found = evaluate(
        preferences, [Run.from_dict("best", {"q": best}), Run.from_dict("other", {"q": other})], EVERY
    )
    for measure in EVERY:
        first, second = (found.of(run, measure.full_name)[0] for run in ("best", "other"))
        if measure not in CODED:  # trec_eval's program counts more against a longer list
            assert first >= second, measure
            assert first == 1.0 or measure.mean == "total", measure


def fulfilled_by_definition(
    case: Choices, query: str, group: str, counting: str
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The preferences of a group that count, and those of them that the list fulfils, doc by doc."""
    rows = [row for row in case.rows if row[:2] == (query, group)]
    above = {(a[3], b[3]) for a, b in itertools.product(rows, rows) if a[2] == b[2] and a[4] > b[4]}
    docs = sorted({row[3] for row in rows})
    for via, one, two in itertools.product(docs, docs, docs):
        if (one, via) in above and (via, two) in above:
            above.add((one, two))
    shown = case.shown[query]
    enough = {"all": 0, "implied": 1, "retrieved": 2}[counting]
    above = {(a, b) for a, b in above if (b, a) not in above and (a in shown) + (b in shown) >= enough}
    done = {(a, b) for a, b in above if a in shown and (b not in shown or shown.index(a) < shown.index(b))}
    return above, done


@given(choices(), st.sampled_from(("all", "implied", "retrieved")))
def test_what_the_definitions_say(case: Choices, counting: str) -> None:
    names = [
        f"{name}(counting={counting})" for name in ("PrefSimp", "PrefPair", "PrefAvgJG", "NumPrefsFulfilled")
    ]
    found = evaluate(case.preferences, case.run, names, conventions=Conventions(no_relevant="zero"))
    for query in found.queries:
        groups = sorted({row[1] for row in case.rows if row[0] == query})
        sets = [fulfilled_by_definition(case, query, group, counting) for group in groups]
        n_asked, n_done = (sum(len(one[i]) for one in sets) for i in (0, 1))
        pairs: dict[frozenset[str], list[bool]] = {}
        for asked, done in sets:
            for pair in asked:
                pairs.setdefault(frozenset(pair), []).append(pair in done)
        expected = [
            n_done / max(n_asked, 1),
            sum(sum(told) / len(told) for told in pairs.values()) / max(len(pairs), 1),
            sum(len(done) / max(len(asked), 1) for asked, done in sets) / len(sets),
            n_done,
        ]
        got = [found.of("run", name)[found.queries.index(query)] for name in found.measures]
        np.testing.assert_allclose(got, expected, atol=1e-12)


@given(choices())
def test_averaged_ties_are_the_mean_over_all_orders(case: Choices) -> None:
    """Exactly so for all but PrefAvgJGRnonrel of a group ordered in parts, whose divisor depends on the order."""
    query = next(iter(case.shown))
    docs, scores = case.shown[query], case.scores[query]
    one = Choices(tuple(row for row in case.rows if row[0] == query), {query: docs}, {query: scores})
    ordered = Conventions(no_relevant="zero")
    measures = [m for m in EVERY if m.name != "PrefAvgJGRnonrel" and m.values.get("counting") != "implied"]
    if not {row[1:3] for row in one.rows} & {("a", "2"), ("b", "2")}:
        measures += [m for m in EVERY if m.name == "PrefAvgJGRnonrel" and m not in CODED]
    orders = [
        [docs[at] for at in order]
        for order in itertools.permutations(range(len(docs)))
        if [scores[at] for at in order] == scores
    ]
    if len(orders) > 24:
        return
    lists = [Run.from_dict(f"{n}", {query: order}) for n, order in enumerate(orders)]
    apart = evaluate(one.preferences, lists, measures, conventions=ordered)
    averaged = one.values(ordered.but(order="score", ties="average"), measures)
    for measure in measures:
        mean = math.fsum(apart.of(run, measure.full_name)[0] for run in apart.runs) / len(lists)
        np.testing.assert_allclose(averaged[measure.full_name, query], mean, atol=1e-12, err_msg=str(measure))


@given(choices())
def test_contradictions_are_found_and_count_for_nobody(case: Choices) -> None:
    preferences = case.preferences
    found = {
        (preferences.query.texts_at(np.array([c.row]))[0], frozenset((c.doc, c.other)))
        for c in preferences.contradictions()
    }
    expected = set()
    for query, group in {row[:2] for row in case.rows}:
        rows = [row for row in case.rows if row[:2] == (query, group)]
        above = {(a[3], b[3]) for a, b in itertools.product(rows, rows) if a[2] == b[2] and a[4] > b[4]}
        docs = sorted({row[3] for row in rows})
        for via, one, two in itertools.product(docs, docs, docs):
            if (one, via) in above and (via, two) in above:
                above.add((one, two))
        expected |= {(query, frozenset((a, b))) for a, b in above if a != b and (b, a) in above}
    assert found == expected


@pytest.mark.parametrize("measure", EVERY, ids=str)
def test_a_name_is_read_back_and_travels(measure: Measure) -> None:
    assert parse_measure(str(measure)).full_name == str(measure)
    assert pickle.loads(pickle.dumps(measure)).full_name == str(measure)


def test_grades_read_as_preferences_and_what_cannot_be() -> None:
    judgments = Judgments.from_dict({"q": {"a": 2, "b": 1, "c": 0, "d": -1}})
    run = Run.from_dict("run", {"q": ["b", "a", "d"]})
    table = Preferences.of_judgments(judgments)
    assert evaluate(table, run, "PrefSimp").of("run", "PrefSimp").tolist() == [
        2 / 3
    ]  # a > c, b > c; not a > b
    both = evaluate(judgments, run, ["AP", "PrefSimp"], preferences=table)
    assert both.of("run", "AP").tolist() == [1.0]
    assert both.versions != evaluate(judgments, run, "AP").versions
    assert "PrefSimp" in evaluate(table, run).measures
    with pytest.raises(UsageError, match="PrefSimp reads preferences"):
        evaluate(judgments, run, "PrefSimp")
    with pytest.raises(UsageError, match="AP reads grades"):
        evaluate(table, run, "AP")
    with pytest.raises(UsageError, match="given twice"):
        evaluate(table, run, "PrefSimp", preferences=table)
    with pytest.raises(UsageError, match="a value is a number from 0"):
        Preferences.of(["q"], ["a"], [-1.0])
    assert len(Preferences.of_pairs([])) == 0
    alone = evaluate(
        Preferences.of(["q", "q"], ["a", "b"], [1.0, 1.0]), run, ["PrefSimp", "PrefAvgJGRnonrel"]
    )
    assert alone.reason("run", "PrefSimp", "q") == "no_preference"
    assert alone.of("run", "PrefAvgJGRnonrel").tolist() == [
        1.0
    ]  # R = 2, N = 0: both stand above what is missing
