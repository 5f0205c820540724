"""What plug-in authors try their measures on: every measure here keeps it, and each law is seen broken."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rankproof import (
    GAIN,
    MEASURES,
    REL,
    Measure,
    MeasureFault,
    Rankings,
    Spelling,
    Sum,
    UnknownName,
    UsageError,
    check_measure,
    worth,
)
from rankproof.testing.cases import POOLED, UNJUDGED, Query, queries
from rankproof.testing.laying import lay


@pytest.mark.parametrize("row", MEASURES, ids=str)
def test_every_measure_keeps_the_laws(row: Measure) -> None:
    check_measure(row, seed=3)


def gain_by_rank(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Gain of each doc, divided by its rank, added up."""
    gains = worth(r.grade, gain)
    return Sum(r, gains / r.rank * r.top(cutoff), 1.0, {"gain": gains})


SOUND = Measure(
    "GBR",
    gain_by_rank,
    (GAIN,),
    title="gain by rank",
    formula="Σ gain / rank",
    source="our search team, 2026",
    needs="gain",
    range=(0.0, None),
)
CALLS: list[int] = []


def all_together(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """A share of what all queries gain."""
    found = gain_by_rank(r, cutoff=cutoff, gain=gain)
    return Sum.each(r, found.value / max(found.value.sum(), 1.0))


def never_empty(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Looks at the first query before it knows whether there is one."""
    return Sum(r, gain_by_rank(r, cutoff=cutoff, gain=gain).terms, float(r.n_retrieved[0] >= 0))


def counts_its_calls(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Remembers."""
    CALLS.append(1)
    return Sum.each(r, np.full(r.n_queries, float(len(CALLS))))


def writes(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Changes what it was given."""
    r.grade[:] = 1
    return gain_by_rank(r, cutoff=cutoff, gain=gain)


def first_doc(r: Rankings, value: Callable[[int], float]) -> Sum:
    """A number of the first displayed doc of each query."""
    starts = r.lists.offsets[:-1]
    docs = [int(r.lists.doc[start]) if n else -1 for start, n in zip(starts, r.n_retrieved, strict=True)]
    return Sum.each(r, np.array([value(doc) if doc >= 0 else 0.0 for doc in docs], float))


def by_row(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Where the query stands among the others."""
    return Sum.each(r, np.arange(r.n_queries, dtype=float))


def by_id(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Whether the id of the first doc begins with d."""
    if r.lists is None:
        return gain_by_rank(r, cutoff=cutoff, gain=gain)
    return first_doc(r, lambda doc: float(str(r.lists.names[doc]).startswith("d")))


def worst_first(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Gain times rank."""
    return Sum(r, worth(r.grade, gain) * r.rank)


def longer_lists(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """How many docs were displayed."""
    return Sum.each(r, r.n_shown(cutoff))


def other_factors(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """A factor for more than the terms."""
    found = gain_by_rank(r, cutoff=cutoff, gain=gain)
    return Sum(r, found.terms, 1.0, {"gain": np.ones(len(found.terms) + 1)})


def not_so_deep(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """A place far down is worth more than a number can hold."""
    with np.errstate(over="ignore", invalid="ignore"):
        far = 0 * r.peak(np.exp2(r.rank.astype(float)))
        return Sum.each(r, gain_by_rank(r, cutoff=cutoff, gain=gain).value + far)


def fails(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    """Cannot measure what is not judged."""
    if (r.n_retrieved > np.diff(r.offsets)).any():
        raise ZeroDivisionError("nothing")
    return gain_by_rank(r, cutoff=cutoff, gain=gain)


NEVER = replace(REL, default=1000, convention="")


def never(r: Rankings, *, cutoff: int | None, rel: int) -> Sum:
    """Relevant is what nobody finds so."""
    return Sum(r, r.relevant(rel) * r.within(cutoff))


def nowhere() -> Callable[..., Sum]:
    """A function that stands nowhere, so that another process cannot find it."""

    def inside(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
        """Gain by rank."""
        return gain_by_rank(r, cutoff=cutoff, gain=gain)

    return inside


BROKEN = {
    "range": replace(SOUND, range=(0.0, 1.0)),
    "defined": replace(SOUND, function=never, settings=(NEVER,), needs="relevant"),
    "apart": replace(SOUND, function=all_together, range=(0.0, 1.0), best_first=False),
    "none": replace(SOUND, function=never_empty),
    "again": replace(SOUND, function=counts_its_calls, best_first=False),
    "rows": replace(SOUND, function=by_row, best_first=False),
    "names": replace(SOUND, function=by_id, sees="lists", best_first=False),
    "best": replace(SOUND, function=worst_first),
    "truth": replace(SOUND, function=longer_lists),
    "ties": replace(SOUND, linear=True),
    "terms": replace(SOUND, function=other_factors),
    "process": replace(SOUND, function=nowhere()),
    "depth": replace(SOUND, function=not_so_deep),
}


def test_a_sound_measure_keeps_them() -> None:
    check_measure(SOUND)
    check_measure(SOUND.with_(at=2), settings={"gain": ["1=2", "exp2"]})


@pytest.mark.parametrize("law", BROKEN)
def test_each_law_is_seen_broken(law: str) -> None:
    with pytest.raises(MeasureFault, match=f'^The measure GBR.* breaks the law "{law}": ') as fault:
        check_measure(BROKEN[law])
    assert fault.value.facts["law"] == law


def test_what_writes_into_its_argument_is_seen() -> None:
    with pytest.raises(MeasureFault, match="read-only"):
        check_measure(replace(SOUND, function=writes))


def test_an_error_of_the_measure_is_a_fault_with_its_case() -> None:
    with pytest.raises(MeasureFault, match=r'ZeroDivisionError: nothing Smallest case found: "(1 0|[.-])"\.'):
        check_measure(replace(SOUND, function=fails))


def test_the_smallest_case_is_small() -> None:
    with pytest.raises(MeasureFault, match=r'Smallest case found: "2"\.'):
        check_measure(BROKEN["range"])
    with pytest.raises(MeasureFault, match=r'Smallest case found: "[0.-] 1"\.'):
        check_measure(BROKEN["best"])


def test_a_fault_is_a_failed_test_and_an_error_of_ours() -> None:
    with pytest.raises(AssertionError):
        check_measure(BROKEN["range"])
    assert issubclass(MeasureFault, ValueError)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": ""}, "It has no title"),
        ({"formula": " "}, "It has no formula"),
        ({"source": ""}, "It has no source"),
        ({"source": "our search team"}, "names no year"),
        ({"family": "ours"}, 'Its family "ours" is none of graded'),
        ({"needs": "luck"}, 'What it needs, "luck", is none of relevant'),
        ({"mean": "median"}, 'Its mean "median"'),
        ({"cutoff": "maybe"}, 'Its cutoff "maybe"'),
        ({"range": (1.0, 0.0)}, "Its range ends"),
        ({"settings": (GAIN, REL)}, "does not take rel"),
        ({"settings": (replace(GAIN, help=""),)}, "Its setting gain has no help"),
        ({"settings": (replace(GAIN, default="best"),)}, "cannot read its own default"),
        ({"name": "AP"}, 'The name "AP" is taken by average precision'),
        ({"also": ("map",)}, 'The name "map" is taken by average precision'),
        ({"name": "our measure"}, '"our measure" is no name'),
    ],
)
def test_facts_and_names(change: dict[str, object], told: str) -> None:
    with pytest.raises(MeasureFault, match=told):
        check_measure(replace(SOUND, **change))


def bare(r: Rankings, *, cutoff: int | None, gain: object) -> Sum:
    return gain_by_rank(r, cutoff=cutoff, gain=gain)


def test_a_measure_without_a_docstring() -> None:
    with pytest.raises(MeasureFault, match="has no docstring"):
        check_measure(replace(SOUND, function=bare))


def test_a_spelling_that_is_read_otherwise() -> None:
    taken = replace(MEASURES.find("RR"), spelt=(Spelling("ranx", "map@{k}"),))
    with pytest.raises(MeasureFault, match='"map@5" of ranx is read as AP'):
        check_measure(taken)


def test_settings_that_are_unknown_are_the_callers_mistake() -> None:
    with pytest.raises(UnknownName):
        check_measure(SOUND, settings={"gian": ["exp2"]})
    with pytest.raises(UsageError):
        check_measure(SOUND, settings={"gain": ["much"]})


def test_a_measure_that_can_be_computed_at_no_cutoff() -> None:
    without = replace(SOUND, cutoff="none", at=3)
    with pytest.raises(MeasureFault, match='breaks the law "variants"'):
        check_measure(without)


def test_cases_are_the_same_for_the_same_seed_and_written_as_examples_are() -> None:
    assert queries(1, 5) == queries(1, 5) != queries(2, 5)
    assert str(Query((1, UNJUDGED, 0, POOLED), (2,), (1, 3))) == '"1 (. 0 -)", missed="2"'
    query = Query((1, UNJUDGED, 0), (2,), (1, 2))
    assert [order.shown for order in query.orders()] == [(1, UNJUDGED, 0), (1, 0, UNJUDGED)]
    assert query.n_orders() == 2


def test_cases_are_laid_as_they_are_written_and_cannot_be_changed() -> None:
    r = lay([Query((1, UNJUDGED, 0), (2,), (1, 2)), Query((POOLED,), (1,))])
    assert r.rank.tolist() == [1, 3]
    assert r.grade.tolist() == [1, 0]
    assert r.n_retrieved.tolist() == [3, 1]
    assert r.pool_grade.tolist() == [2, 1, 0, 1]
    with pytest.raises(ValueError, match="read-only"):
        r.grade[0] = 3
