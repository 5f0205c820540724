"""Measures that see more than hits are tried like the others: what docs cover, preferences, what is known, whole runs, texts."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rankproof import Measure, MeasureFault, Rankings, Sum, check_measure
from rankproof.measures.lines import Lines, beside
from rankproof.tables.rankings import ratio
from rankproof.testing.cases import Query, queries
from rankproof.testing.known import SUBTOPICS, covered
from rankproof.testing.laying import lay


def subtopic_numbers(r: Rankings, *, cutoff: int | None) -> Sum:
    """The number of the first subtopic that is covered, of all queries together."""
    shown = r.subtopics.shown  # type: ignore[union-attr]  # a measure of subtopics is given them
    first = np.append(shown.subtopic, 0)[shown.starts[shown.offsets[:-1]]]
    return Sum.each(r, first.astype(float))


def unlike(r: Rankings, *, cutoff: int | None) -> Sum:
    """Twice the share of preferences that are fulfilled."""
    preferred = r.preferred
    kept = preferred.of_queries(preferred.of_groups(preferred.place < 3))  # type: ignore[union-attr]  # it is given them
    return Sum.each(r, kept)


def second_half(r: Rankings, *, cutoff: int | None) -> Sum:
    """The share of displayed docs that stand in the second half of the ids."""
    lines = Lines.of(r, cutoff)
    late = lines.total(lines.doc >= len(beside(r).known) / 2)
    return Sum.each(r, ratio(late, lines.n))


def of_the_first(r: Rankings, *, cutoff: int | None) -> Sum:
    """How many docs the first query displays, as the value of the whole run."""
    return Sum.of_the_run(r, float(r.n_retrieved[0]) if r.n_queries else None)


def numbered(r: Rankings, *, cutoff: int | None) -> Sum:
    """A text that says where the query stands among the others."""
    return Sum(r.one_row_each(), np.zeros(r.n_queries), texts=tuple(f"query {n}" for n in range(r.n_queries)))


def ours(function: Callable[..., Sum], **facts: object) -> Measure:
    made = Measure("Ours", function, (), title="ours", formula="ours", source="our search team, 2026")
    return replace(made, best_first=False, range=(0.0, None), **facts)  # type: ignore[arg-type]  # facts of a row


@pytest.mark.parametrize(
    ("measure", "law"),
    [
        (ours(subtopic_numbers, sees="subtopics", needs="subtopic"), "rows"),
        (replace(ours(unlike, sees="preferences", needs="preference"), range=(0.0, 1.0)), "range"),
        (ours(second_half, sees="known", needs="shown"), "names"),
        (ours(of_the_first, sees="known", needs="", mean="run"), "rows"),
        (ours(numbered, sees="lists", needs="number", family="text"), "rows"),
        (ours(second_half, needs="shown"), "variants"),
    ],
)
def test_a_law_is_seen_broken(measure: Measure, law: str) -> None:
    with pytest.raises(MeasureFault) as fault:
        check_measure(measure)
    assert fault.value.facts["law"] == law


def test_a_measure_that_one_rater_alone_decides_is_within_its_range() -> None:
    r = lay([Query((2, 2), docs=(1, 3))], sees="raters")
    assert r.raters.offsets.tolist() == [0, 2]  # type: ignore[union-attr]  # raters are laid out
    assert r.raters.rankings.grade.tolist() == [2, 2, 1]  # type: ignore[union-attr]  # the second judged doc 1 lower, and not doc 3


def test_what_docs_cover_follows_from_their_numbers() -> None:
    assert {name for doc in range(7) for name in covered(doc)} == set(SUBTOPICS)
    assert all(covered(doc) for doc in range(30))
    query = queries(1, 1)[-1]
    assert str(query).endswith(f"docs {' '.join(map(str, query.numbers))}")
    orders = [one.numbers for one in Query((1, 0), (2,), (2,), (7, 3, 5)).orders()]
    assert orders == [(7, 3, 5), (3, 7, 5)]
