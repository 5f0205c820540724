"""The laws for measures that look at more than judgments and runs, and for those of the whole run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.strategies import BEYOND, CUTOFFS, Case, cases, conventions, same
from rankproof import (
    Conventions,
    Document,
    Documents,
    History,
    Judgments,
    Measure,
    Measurements,
    Run,
    evaluate,
    parse_measure,
)
from rankproof.alignment import align
from rankproof.engines.local import measure_batches, measure_one
from rankproof.errors import NothingToEvaluate, UsageError
from rankproof.seeing import knowing

SETTINGS = (
    {},
    {"share": "interactions"},
    {"unit": "most"},
    {"over": "cutoff"},
    {"scale": "share"},
    {"distance": "jaccard"},
    {"distance": "hamming"},
    {"expected": "run"},
    {"expected": "popularity"},
    {"weight": "rbp", "patience": 0.8},
    {"weight": "log"},
    {"per": "relevance"},
    {"per": "relevance", "gain": "exp2"},
    {"target": "relevant"},
    {"target": "equal", "base": "e"},
)
VECTORS = ((0.0, 0.0), (1.0, 0.0), (0.0, 2.5), (-1.0, 1e-9), (3.0, 4.0), (1e200, -1e200), None)


def variants(row: Measure) -> dict[str, Measure]:
    """A measure at every useful cutoff and setting that it has."""
    found = {}
    for values in SETTINGS:
        for at in CUTOFFS:
            group = {"group": "one"} if row.name == "ExposureRatio" else {}
            try:
                made = row.with_(at, **values, **group).under(Conventions())
            except UsageError:  # it lacks the setting
                continue
            found[made.full_name] = made
    return found


EVERY = [measure for row in BEYOND for measure in variants(row).values()]
OF_A_QUERY = [measure for measure in EVERY if measure.mean != "run"]
OF_THE_RUN = [measure for measure in EVERY if measure.mean == "run"]


@dataclass(frozen=True)
class World:
    """A case with what is known of its docs and users."""

    case: Case
    rows: tuple[Document, ...]
    vectors: tuple[tuple[float, float] | None, ...]
    known: Mapping[str, list[str]]
    expected: Mapping[str, list[str]]

    @property
    def beside(self) -> dict[str, object]:
        """What is handed to evaluate beside judgments and runs."""
        vectors = np.array([v or (np.nan, np.nan) for v in self.vectors])
        return {
            "documents": Documents(self.rows, vectors=vectors),
            "history": History.from_dict(self.known),
            "expected": Run.from_dict("expected", self.expected),
        }

    def measured(
        self,
        measures: list[Measure],
        chosen: Conventions | None = None,
        run: Run | None = None,
        **more: object,
    ) -> Measurements:
        """The values of the run."""
        given = {**self.beside, **more}
        return evaluate(self.case.judgments, run or self.case.run, measures, conventions=chosen, **given)

    def renamed(self, query: Callable[[str], str], doc: Callable[[str], str]) -> "World":
        """The same under other ids; what is known goes along."""

        def lists(some: Mapping[str, list[str]]) -> dict[str, list[str]]:
            return {query(q): [doc(d) for d in docs] for q, docs in some.items()}

        rows = tuple(replace(row, doc_id=doc(row.doc_id)) for row in self.rows)
        known, expected = lists(self.known), lists(self.expected)
        return replace(self, case=self.case.renamed(query, doc), rows=rows, known=known, expected=expected)

    def in_order(self, order: list[int]) -> "World":
        """The same with the documents in another order."""
        rows, vectors = (tuple(some[i] for i in order) for some in (self.rows, self.vectors))
        return replace(self, rows=rows, vectors=vectors)


@st.composite
def worlds(draw: st.DrawFn, **asked: object) -> World:
    """A case; of some docs something is known, of others nothing."""
    case = draw(cases(**asked))
    docs = sorted({d for some in (*case.grades.values(), *case.shown.values()) for d in some})
    more = [*docs, "one of them", "the other"]
    blank = [draw(st.booleans()) for _ in docs]
    rows = tuple(
        Document(
            doc,
            categories=tuple(draw(st.lists(st.sampled_from("xyz"), unique=True, max_size=3))),
            group=draw(st.sampled_from(("one", "two", "three", ""))),
            popularity=None if blank[i % len(blank)] else draw(st.sampled_from((0.0, 1.0, 5.0, 5.0, 80.0))),
        )
        for i, doc in enumerate(more[:-2])
        if draw(st.integers(0, 4))
    )
    first = Document("one of them", categories=("x",), group="one", popularity=2.0)
    rows += (first, Document("the other", categories=("z", "w"), group="two"))
    vectors = tuple(draw(st.sampled_from(VECTORS)) for _ in rows[1:])
    users = [*case.grades, "somebody else"]
    known = {user: draw(st.lists(st.sampled_from(more), max_size=5)) for user in users}
    known["somebody else"] = [*known["somebody else"], docs[0]]
    expected = {
        query: listed
        for query in case.grades
        if (listed := draw(st.lists(st.sampled_from(more), unique=True, max_size=4)))
    } or {next(iter(case.grades)): docs[:1]}
    return World(case, rows, ((1.0, 1.0), *vectors), known, expected)


@given(worlds(), conventions)
def test_a_value_lies_in_its_range_or_is_null_with_a_reason(world: World, chosen: Conventions) -> None:
    found = world.measured(EVERY, chosen)
    assert (np.isnan(found.values) == (found.reasons > 0)).all()
    for name in found.measures:
        measure = parse_measure(name)
        low, high = measure.range
        values = found.of("run", name)
        values = values[~np.isnan(values)]
        assert not (measure.mean == "run" and len(values)), name
        mean = found.mean("run", name).value
        for value in [*values.tolist(), *([] if mean is None else [mean])]:
            assert np.isfinite(value), name
            assert value >= low, name
            assert high is None or value <= high + 1e-12, name
    for line in found.rows():
        assert (line["value"] is None) == (line["reason"] is not None)


@given(worlds(), conventions, st.integers(1, 40))
def test_queries_together_apart_and_in_batches(world: World, chosen: Conventions, rows: int) -> None:
    case, queries = world.case, list(world.case.grades)
    given_beside = knowing(case.judgments, [case.run], chosen, queries, *world.beside.values())
    rankings = align(case.judgments, case.run, chosen, queries, known=given_beside).rankings
    together = [measure_one(measure, rankings) for measure in EVERY]
    for size in (1, rows, 10**6):
        batched = measure_batches(EVERY, rankings, rows=size)
        for measure, one, other in zip(EVERY, together, batched, strict=True):
            np.testing.assert_array_equal(one.value, other.value, err_msg=measure.full_name)
            np.testing.assert_array_equal(one.defined, other.defined, err_msg=measure.full_name)
            assert one.whole == other.whole, measure.full_name
    alone = [rankings.part(q, q + 1) for q in range(rankings.n_queries)]
    for measure in OF_A_QUERY:
        apart = np.concatenate([measure_one(measure, part).value for part in alone])
        np.testing.assert_array_equal(measure_one(measure, rankings).value, apart, err_msg=measure.full_name)


def alike(one: Measurements, other: Measurements, **renamed: Callable[[str], str]) -> None:
    """As `same`, and the values of the whole run, which are sums over queries, to the last digits."""
    same(one, other, **renamed)
    for measure in one.measures:
        mine, theirs = one.mean(one.runs[0], measure), other.mean(other.runs[0], measure)
        assert (mine.value is None, mine.n, mine.n_total) == (theirs.value is None, theirs.n, theirs.n_total)
        assert mine.value is None or mine.value == pytest.approx(theirs.value, rel=1e-9, abs=1e-12), measure


@given(worlds(), conventions)
def test_other_names_of_the_same_order(world: World, chosen: Conventions) -> None:
    renamed = world.renamed(lambda q: f"query {q}", lambda d: f"doc {d}")
    alike(world.measured(EVERY, chosen), renamed.measured(EVERY, chosen), query=lambda q: f"query {q}")


@given(worlds())
def test_other_names_of_another_order(world: World) -> None:
    renamed = world.renamed(lambda q: q[::-1] + "'", lambda d: f"{chr(0x10FFFF - ord(d[0]))}{d}")
    alike(world.measured(EVERY), renamed.measured(EVERY), query=lambda q: q[::-1] + "'")


@given(worlds(min_queries=2), st.data())
def test_the_order_of_rows(world: World, data: st.DataObject) -> None:
    case = replace(world.case, style="ranks")
    world = replace(world, case=case)
    order = data.draw(st.permutations(range(len(case.run))))
    docs = data.draw(st.permutations(range(len(world.rows))))
    known = dict(data.draw(st.permutations(list(world.known.items()))))
    mixed = replace(world.in_order(docs), known={q: some[::-1] for q, some in known.items()})
    alike(world.measured(EVERY), mixed.measured(EVERY, run=case.run_in(order)))


@given(worlds(min_queries=2))
def test_queries_evaluated_one_by_one(world: World) -> None:
    found = world.measured(OF_A_QUERY)
    for query, docs in world.case.grades.items():
        try:
            alone = evaluate(Judgments.from_dict({query: docs}), world.case.run, OF_A_QUERY, **world.beside)
        except NothingToEvaluate:  # without a relevant doc, or with a run of other queries only
            continue
        for measure in found.measures:
            here = found.of("run", measure)[found.queries.index(query)]
            np.testing.assert_array_equal(here, alone.of("run", measure)[0], err_msg=measure)


@given(worlds())
def test_another_run_and_what_is_kept_change_nothing(world: World) -> None:
    alone = world.measured(EVERY)
    runs = [world.case.run, Run.from_dict("more", {q: ["never heard of"] for q in world.case.grades})]
    both = evaluate(world.case.judgments, runs, EVERY, **world.beside)
    for other in (both, world.measured(EVERY, keep=False)):
        same(alone, other)
        for measure in alone.measures:
            assert alone.mean("run", measure) == other.mean("run", measure), measure


@given(worlds())
def test_what_is_known_of_docs_never_changes_other_measures(world: World) -> None:
    plain = ["nDCG@3", "AP", "RepeatShare", "Filled@3"]
    beside = evaluate(world.case.judgments, world.case.run, [*plain, *OF_A_QUERY[:3]], **world.beside)
    same(evaluate(world.case.judgments, world.case.run, plain), beside)


@given(worlds(answered=True))
def test_more_of_the_catalogue_is_covered_further_down(world: World) -> None:
    found = world.measured([measure for measure in OF_THE_RUN if measure.name == "Coverage"])
    values = [found.mean("run", f"Coverage{at}").value for at in ("@1", "@3", "@10", "")]
    assert values == sorted(values)


def of_one_list(measure: str, **beside: object) -> float | None:
    judgments = Judgments.from_dict({"q": {"a": 1}})
    return (
        evaluate(judgments, Run.from_dict("run", {"q": ["a"]}), measure, **beside).mean("run", measure).value
    )


@pytest.mark.parametrize("measure", [m for m in BEYOND if m.sees == "known"], ids=str)
def test_without_what_it_needs_a_measure_says_what_to_give(measure: Measure) -> None:
    with pytest.raises(UsageError, match=r"--(documents|history)"):
        of_one_list(measure.full_name)


@pytest.mark.parametrize(
    ("measure", "column"),
    [
        ("ILD", "vector"),
        ("ILD(distance=jaccard)", "categories"),
        ("AWRF", "group"),
        ("AvgPopularity", "popularity"),
    ],
)
def test_docs_without_the_attribute_are_no_help(measure: str, column: str) -> None:
    with pytest.raises(UsageError, match=f"column {column}"):
        of_one_list(measure, documents=Documents((Document("a"),)))


def test_a_group_that_no_doc_has_names_the_nearest() -> None:
    documents = Documents((Document("a", group="women"),))
    with pytest.raises(UsageError, match="women"):
        of_one_list("ExposureRatio(group=woman)", documents=documents)
    with pytest.raises(UsageError, match=r"ExposureRatio\(group=women\)"):
        of_one_list("ExposureRatio", documents=documents)
