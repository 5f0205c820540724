"""Where dots, lines and bars stand."""

import math

import pytest

from rankproof.reports.document import Dot, Dots, Movement, Shown
from rankproof.reports.figures import ABOVE, BELOW, HEIGHT, Plot, bar, lines, plot, scale_of, shade


def docs(names: str, grade: int | None = 1) -> list[Shown]:
    return [Shown(i + 1, name, "", grade, "") for i, name in enumerate(names)]


def laid(*values: float, lower: float | None = None, upper: float | None = None) -> Plot:
    return plot(Dots([Dot(f"q{i}", value) for i, value in enumerate(values)], lower, upper, "t", "m"))


def test_lines_join_the_same_doc_by_how_it_moved() -> None:
    rows, paths = lines(Movement("a", "b", docs("ABC"), docs("ACBD"), 3))
    assert rows == 4
    assert dict(paths) == {
        "e": "M0 0h4",
        "d": "M0 1C2 1 2 2 4 2",
        "u": "M0 2C2 2 2 1 4 1",
        "o": "M4 3h-.8",
    } | dict(paths)
    assert {kind for kind, _ in paths} == {"e", "u", "d", "o"}


def test_lines_are_faint_without_a_grade_above_0() -> None:
    assert {kind for kind, _ in lines(Movement("a", "b", docs("AB", 0), docs("BA", 0), 3))[1]} == {"uf", "df"}
    assert {kind for kind, _ in lines(Movement("a", "b", docs("A", None), docs("A", None), 3))[1]} == {"ef"}


def test_a_doc_that_stands_twice_is_joined_where_it_stands_first() -> None:
    assert lines(Movement("a", "b", docs("AA"), docs("A"), 3))[1] == (("e", "M0 0h4"),)


def test_dots_are_sorted_and_grouped_by_how_they_moved() -> None:
    p = laid(0.4, -0.2, 0.0, 1e-13, lower=-0.1, upper=0.2)
    assert [(tone, len(marks)) for tone, _, marks in p.groups] == [("down", 1), ("same", 2), ("up", 1)]
    assert [mark.across for _, _, marks in p.groups for mark in marks] == [12.5, 37.5, 62.5, 87.5]
    assert p.band is not None
    assert p.band[0] < p.zero < sum(p.band)


@pytest.mark.parametrize(
    "values", [(), (0.0,), (1.0,), (-1.0, -1.0), (1e-9, 2e-9), (1e6, -3.0), (math.nan, 0.5)]
)
def test_every_dot_stands_within_the_plot(values: tuple[float, ...]) -> None:
    p = laid(*values)
    assert p.number == sum(map(math.isfinite, values))
    assert 2 <= len(p.ticks) <= 8
    assert all(ABOVE <= m.down <= HEIGHT - BELOW for _, _, marks in p.groups for m in marks)
    assert ABOVE <= p.zero <= HEIGHT - BELOW


def test_only_extremes_are_named_and_no_names_meet() -> None:
    p = laid(*(math.sin(i) for i in range(600)))
    assert 2 <= len(p.labels) <= 8
    assert p.radius < 2
    few = laid(-0.5, -0.4, 0.0, 0.3, 0.6)
    assert [label.text for label in few.labels] == ["q0", "q1", "q4", "q3"]
    assert {label.anchor for label in few.labels} == {"mid"}


@pytest.mark.parametrize(
    ("grade", "top", "step"),
    [(0, 3, 0), (1, 3, 1), (2, 3, 3), (3, 3, 4), (1, 1, 4), (-1, 3, 0), (9, 3, 4), (1, 10, 1)],
)
def test_shades_run_from_none_to_the_top(grade: int, top: int, step: int) -> None:
    assert shade(grade, top) == step


def test_a_bar_stands_on_a_round_scale_with_zero() -> None:
    scale = scale_of([-0.045, 0.258])
    assert scale == (-0.2, 0.4)
    assert bar(scale, -0.1, 0.1, 0.4) == (33.3, 16.7, 100.0, 50.0)
