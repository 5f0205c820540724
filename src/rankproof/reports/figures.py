"""Where things stand in the page's pictures: dots, lines between two lists, interval bars. Only numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rankproof.reports.document import Dot, Dots, Movement, Shown, Tone
from rankproof.reports.markup import clipped, width

EQUAL = 1e-12  # differences smaller than this are none
HEIGHT, ABOVE, BELOW = 240, 26, 26
LABEL, LABELS, DIGIT = 16, 4, 7.2  # characters of a name, names on each side, pixels of a digit
# How wide the plot is on a phone and on a desk, for the places of its labels.
NARROW, BROAD = 280.0, 660.0
Box = tuple[float, float, float]
Anchor = Literal["", "mid", "end"]


@dataclass(frozen=True)
class Mark:
    """One dot: across in percent, down in pixels."""

    across: float
    down: float
    dot: Dot


@dataclass(frozen=True)
class Label:
    """A name beside one of the extreme dots; `broad` where a phone has no room for it."""

    across: float
    down: float
    text: str
    anchor: Anchor
    broad: bool


@dataclass(frozen=True)
class Plot:
    """A dot plot laid out: heights in pixels, groups by tone with the path of their stems."""

    ticks: tuple[tuple[float, str], ...]
    zero: float
    band: tuple[float, float] | None
    groups: tuple[tuple[Tone, str, tuple[Mark, ...]], ...]
    labels: tuple[Label, ...]
    radius: float
    number: int


def plot(dots: Dots) -> Plot:
    """The dots sorted and laid out on a scale that holds them, zero and the interval."""
    rows = sorted((dot for dot in dots.dots if math.isfinite(dot.value)), key=lambda dot: dot.value)
    bounds = [x for x in (dots.lower, dots.upper) if x is not None and math.isfinite(x)]
    ticks = _ticks([0.0, *(dot.value for dot in rows), *bounds])
    low, high = ticks[0], ticks[-1]

    def down(value: float) -> float:
        return round(ABOVE + (HEIGHT - ABOVE - BELOW) * (high - value) / (high - low), 1)

    marks = [Mark((i + 0.5) / len(rows) * 100, down(dot.value), dot) for i, dot in enumerate(rows)]
    return Plot(
        tuple((down(tick), f"{tick:+.6g}" if tick else "0") for tick in ticks),
        down(0.0),
        (down(bounds[1]), max(1.0, down(bounds[0]) - down(bounds[1]))) if len(bounds) == 2 else None,
        _groups(marks, down(0.0)),
        _labels(marks),
        next(r for most, r in ((40, 5.0), (120, 3.5), (400, 2.5), (math.inf, 1.8)) if len(rows) <= most),
        len(rows),
    )


def tone_of(value: float) -> Tone:
    """Up, down or same."""
    return "same" if abs(value) < EQUAL else "up" if value > 0 else "down"


def lines(movement: Movement) -> tuple[int, tuple[tuple[str, str], ...]]:
    """How many rows the two lists need, and a path for each kind of line between them.

    Units: four across, one a row. A doc that only one list shows has a short stub.
    """
    left, right = (_places(docs) for docs in (movement.left_docs, movement.right_docs))
    paths: dict[str, list[str]] = {}
    for doc, (a, shown) in left.items():
        if doc in right:
            b = right[doc][0]
            kind = ("e", "u", "d")[(a > b) - (a < b)] + ("" if shown.grade else "f")
            paths.setdefault(kind, []).append(f"M0 {a}h4" if a == b else f"M0 {a}C2 {a} 2 {b} 4 {b}")
        else:
            paths.setdefault("o", []).append(f"M0 {a}h.8")
    for doc, (b, _) in right.items():
        if doc not in left:
            paths.setdefault("o", []).append(f"M4 {b}h-.8")
    rows = max(len(movement.left_docs), len(movement.right_docs))
    return rows, tuple((kind, "".join(steps)) for kind, steps in paths.items())


def shade(grade: int, top: int) -> int:
    """A grade's place on the five steps of the colour scale."""
    return 0 if grade <= 0 else max(1, min(4, round(4 * grade / max(top, 1))))


def bar(scale: tuple[float, float], lower: float, value: float, upper: float) -> tuple[float, ...]:
    """Zero, the two ends and the value in percent of the scale."""
    low, high = scale
    return tuple(round(100 * (x - low) / (high - low), 1) for x in (0.0, lower, upper, value))


def scale_of(values: Sequence[float]) -> tuple[float, float]:
    """A round scale that holds every value and zero."""
    ticks = _ticks([0.0, *values])
    return ticks[0], ticks[-1]


def _ticks(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    rough = (high - low or 0.3) / 3
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    return [round(i * step, 12) for i in range(first, last + 1)]


def _groups(marks: Sequence[Mark], zero: float) -> tuple[tuple[Tone, str, tuple[Mark, ...]], ...]:
    groups: dict[Tone, list[tuple[int, Mark]]] = {}
    for i, mark in enumerate(marks):
        groups.setdefault(tone_of(mark.dot.value), []).append((i, mark))
    return tuple(
        (tone, "".join(f"M{2 * i + 1} {zero}V{mark.down}" for i, mark in group), tuple(m for _, m in group))
        for tone, group in groups.items()
    )


def _labels(marks: Sequence[Mark]) -> tuple[Label, ...]:
    """Names of the extremes, under the worst and over the best, where they meet no other name.

    Set about the dot where it has room, else away from its longer neighbour.
    """
    worst = [mark for mark in marks if tone_of(mark.dot.value) == "down"][:LABELS]
    best = [mark for mark in reversed(marks) if tone_of(mark.dot.value) == "up"][:LABELS]
    labels: list[Label] = []
    taken: dict[float, list[Box]] = {NARROW: [], BROAD: []}
    for mark in (*worst, *best):
        text, up = clipped(mark.dot.label, LABEL), mark.dot.value > 0
        half = DIGIT * width(text) / 2 + 8
        outer = (
            mark in (worst[:1] + best[:1]) and half < min(mark.across, 100 - mark.across) / 100 * NARROW + 12
        )
        anchor: Anchor = "mid" if outer or half < BROAD / len(marks) else "end" if up else ""
        label = Label(mark.across, round(mark.down + (-10 if up else 19), 1), text, anchor, False)
        free = {room: _free(label, room, taken[room]) for room in taken}
        free[NARROW] &= anchor != "mid" or outer or half < NARROW / len(marks)
        for room in taken:
            taken[room].extend([_box(label, room)] if free[room] else [])
        if free[BROAD]:
            labels.append(replace(label, broad=not free[NARROW]))
    return tuple(labels)


def _free(label: Label, room: float, taken: Sequence[Box]) -> bool:
    box = _box(label, room)
    return box[0] > -14 and box[1] < room + 14 and not any(_meet(box, one) for one in taken)


def _box(label: Label, room: float) -> Box:
    at, long = label.across / 100 * room, DIGIT * width(label.text)
    start = at - {"": 0.0, "mid": long / 2, "end": long}[label.anchor]
    return start, start + long, label.down


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[1] + 6 and b[0] < a[1] + 6 and abs(a[2] - b[2]) < 15


def _places(docs: Sequence[Shown]) -> dict[str, tuple[int, Shown]]:
    """Each doc's first place, from 0."""
    return {shown.doc_id: (i, shown) for i, shown in reversed(list(enumerate(docs)))}
