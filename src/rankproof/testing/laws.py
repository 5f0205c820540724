"""What holds of every measure, whatever it measures: one function a law, over many queries at once."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankproof.measures.dialects import conventions_of
from rankproof.measures.gains import worth
from rankproof.measures.measure import Measure
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.conventions import Conventions
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum
from rankproof.testing.cases import UNJUDGED, Query
from rankproof.testing.laying import SCORES, lay, seen_by

Asked = Sequence[Query]
NEAR = 1e-9  # how far two ways of adding up the same terms may lie apart, relative to the larger
FEW = 120  # orders of equal scores that are gone through
EVERYWHERE = (
    Conventions(),
    conventions_of("trec_eval-9"),
    Conventions(rel=2, gain="exp2"),
    Conventions(ideal="shown", unjudged="condense"),
    Conventions(negative_grades="zero", depth=2, precision_divisor="shown"),
    SCORES,
)


@dataclass(frozen=True)
class Law:
    """`sentence` says what holds; `broken` gives (n_queries,) what was seen where it does not, "" where it does."""

    name: str
    sentence: str
    broken: Callable[[Measure, Asked], list[str]]


def _laid(m: Measure, asked: Asked, conventions: Conventions | None = None, **how: Any) -> Rankings:
    """The queries as this measure sees them."""
    return lay(asked, conventions, sees=seen_by(m), **how)


def _sum(m: Measure, r: Rankings, conventions: Conventions | None = None) -> Sum:
    return m.under(conventions or Conventions()).of(r)


def _values(m: Measure, r: Rankings, conventions: Conventions | None = None) -> Floats:
    """(n_queries,) the values; that of the whole run for every query where no query has one, NaN without."""
    found = _sum(m, r, conventions)
    if m.mean != "run":
        return found.value
    return np.full(r.n_queries, np.nan if found.whole is None else found.whole)


def _told(m: Measure, r: Rankings) -> list[float | str]:
    """(n_queries,) what the measure says of each query: the value, or a text where it is none."""
    return list(_sum(m, r).texts) or _values(m, r).tolist()


def _defined(m: Measure, r: Rankings, conventions: Conventions | None = None) -> Bools:
    if m.mean == "run":
        return ~np.isnan(_values(m, r, conventions))
    return m.under(conventions or Conventions()).defined(r)


def _differing(one: Sequence[float | str], other: Sequence[float | str], what: str) -> list[str]:
    """Where two columns are not the same to the last bit."""
    return [
        "" if a == b or (a != a and b != b) else f"{a!r}, {what} {b!r}"
        for a, b in zip(one, other, strict=True)
    ]


def _beaten(value: Floats, most: Floats, defined: Bools, what: str) -> list[str]:
    """Where a value is above what should be the most."""
    over = defined & (value > most + NEAR * np.maximum(np.abs(most), 1))
    return [
        f"{a!r}, {what} {b!r}" if o else ""
        for o, a, b in zip(over, value.tolist(), most.tolist(), strict=True)
    ]


def in_range(m: Measure, asked: Asked, under: Sequence[Conventions] = EVERYWHERE) -> list[str]:
    """Where a query has what the measure needs, under whatever conventions."""
    low, high = (
        (-np.inf if m.range[0] is None else m.range[0]),
        (np.inf if m.range[1] is None else m.range[1]),
    )
    seen = [""] * len(asked)
    for conventions in under:
        r = _laid(m, asked, conventions)
        value, defined = _values(m, r, conventions), _defined(m, r, conventions)
        fits = np.isfinite(value) & (value >= low - NEAR) & (value <= high + NEAR)
        for place in np.flatnonzero(defined & ~fits).tolist():
            seen[place] = seen[place] or f"{float(value[place])!r} under {conventions}"
    return seen


def in_own_range(m: Measure, asked: Asked) -> list[str]:
    """The same under our own conventions."""
    return in_range(m, asked, (Conventions(),))


def defined_somewhere(m: Measure, asked: Asked) -> list[str]:
    """A law about no value holds of every value: some query has to have what the measure needs, or a text."""
    r = _laid(m, asked)
    if _defined(m, r).any() or any(_sum(m, r).texts):
        return []
    return ["the measure is defined for none of the queries"] * len(asked)


def together_or_apart(m: Measure, asked: Asked) -> list[str]:
    if m.mean == "run":  # what is of the whole run is not of each query
        return []
    r = _laid(m, asked)
    parts = [r.part(place, place + 1) for place in range(len(asked))]
    told = _differing(_told(m, r), [_told(m, part)[0] for part in parts], "and measured alone")
    defined = [float(_defined(m, part)[0]) for part in parts]
    also = _differing(
        _defined(m, r).astype(float).tolist(), defined, "(1 where it is defined), and measured alone"
    )
    return [one or other for one, other in zip(told, also, strict=True)]


def no_query(m: Measure, asked: Asked) -> list[str]:  # noqa: ARG001 - every law is asked alike
    none = _laid(m, ())
    shapes = (_sum(m, none).value.shape, _defined(m, none).shape)
    return [] if shapes == ((0,), (0,)) else [f"shapes {shapes} for no query"]


def second_time(m: Measure, asked: Asked) -> list[str]:
    r = _laid(m, asked)  # writing into it is an error
    return _differing(_told(m, r), _told(m, r), "then")


def order_of_rows(m: Measure, asked: Asked) -> list[str]:
    """The rows mixed, and the queries the other way round."""
    mixed = _told(m, _laid(m, asked[::-1], shuffle=7))[::-1]
    return _differing(_told(m, _laid(m, asked)), mixed, "and in another order")


def names_of_docs(m: Measure, asked: Asked) -> list[str]:
    """Where docs cover subtopics, the order of ids settles which of two equals stands in the ideal list."""
    other = _laid(m, asked, named=_longer_name if m.sees == "subtopics" else _other_name)
    return _differing(_told(m, _laid(m, asked)), _told(m, other), "and under other ids")


def _other_name(doc: str) -> str:
    """An id that stands elsewhere in the order of ids."""
    return doc[::-1] + "'"


def _longer_name(doc: str) -> str:
    """An id that stands where it stood in the order of ids."""
    return f"'{doc}"


def _best(m: Measure, grades: Sequence[int]) -> tuple[int, ...]:
    """Grades in the order of what they are worth to the measure; docs without a grade come last."""
    gain = m.under(Conventions()).values.get("gain", "linear")
    value = {grade: float(worth(np.array([grade]), gain)[0]) for grade in grades if grade >= 0}
    return tuple(sorted(grades, key=lambda grade: (-value.get(grade, -1.0), -grade)))


def _by_grades(m: Measure) -> bool:
    """True where grades say which order is the ideal one; what docs cover, or several raters, may say another."""
    return seen_by(m) in ("hits", "lists")


def best_first(m: Measure, asked: Asked) -> list[str]:
    """The same docs in the ideal order."""
    if not _by_grades(m):
        return []
    plain = [Query(query.shown, query.missed) for query in asked]
    ordered = [Query(_best(m, query.shown), query.missed) for query in asked]
    r = lay(plain)
    return _beaten(_values(m, r), _values(m, lay(ordered)), _defined(m, r), "but best first")


def truth(m: Measure, asked: Asked) -> list[str]:
    """All judged docs and nothing else, best first; or those that are relevant."""
    if not _by_grades(m):
        return []
    rel = int(str(m.under(Conventions()).values.get("rel", 1)))
    r = lay([Query(query.shown, query.missed) for query in asked])
    most = np.full(len(asked), -np.inf)
    for least in (0, rel):
        judged = [_best(m, [g for g in (*query.shown, *query.missed) if g >= 0]) for query in asked]
        lists = [
            Query(
                tuple(g for g in grades if g >= least),
                (*(g for g in grades if g < least), *(g for g in query.shown if UNJUDGED < g < 0)),
            )
            for grades, query in zip(judged, asked, strict=True)
        ]
        most = np.maximum(most, _values(m, lay(lists)))
    return _beaten(_values(m, r), most, _defined(m, r), "but the judgments themselves")


def mean_over_ties(m: Measure, asked: Asked) -> list[str]:
    """ties=average is the mean over all orders in which docs of equal scores could have stood."""
    if m.sees not in ("hits", "subtopics") and not m.linear:
        return []
    if seen_by(m) == "raters" and m.needs == "kinds":  # a rater counts in those orders in which it is defined
        return []
    few = [place for place, query in enumerate(asked) if 1 < query.n_orders() <= FEW]
    orders = [order for place in few for order in asked[place].orders()]
    # the queries themselves stand beside their orders, so that the scale of grades is the same
    every = _values(m, _laid(m, (*orders, *asked)))
    tied = [asked[place] for place in few] + [Query((), (_top(asked),))]
    value = _values(m, _laid(m, tied, SCORES), SCORES)
    seen, start = [""] * len(asked), 0
    for place, mean_given in zip(few, value.tolist()[:-1], strict=True):
        stop = start + asked[place].n_orders()
        mean = float(np.mean(every[start:stop]))
        if not abs(mean_given - mean) <= NEAR * max(abs(mean), 1):
            seen[place] = f"{mean_given!r}, but over all orders {mean!r}"
        start = stop
    return seen


def _top(asked: Asked) -> int:
    """The highest grade of all."""
    return max((0, *(grade for query in asked for grade in (*query.shown, *query.missed))))


def terms(m: Measure, asked: Asked) -> list[str]:
    found = _sum(m, _laid(m, asked))
    n_rows = len(found.rankings.rank)
    columns = {"terms": found.terms, **found.factors}
    wrong = {name: len(column) for name, column in columns.items() if len(column) != n_rows}
    wrong |= {name: len(column) for name, column in found.parts.items() if len(column) != len(asked)}
    if found.texts and len(found.texts) != len(asked):
        return [f"{len(found.texts)} texts for {len(asked)} queries"] * len(asked)
    if wrong or found.value.shape != (len(asked),):
        return [f"columns {wrong}, a value of shape {found.value.shape}"] * len(asked)
    return []


def another_process(m: Measure, asked: Asked) -> list[str]:
    try:
        again = pickle.loads(pickle.dumps(m))
    except Exception as error:
        return [f"{type(error).__name__}: {error}"] * len(asked)
    return _differing(_told(m, _laid(m, asked)), _told(again, _laid(m, asked)), "and there")


# Asked of a measure with its settings, not at each cutoff: one doc alone may have nothing to be compared with.
DEFINED = Law("defined", "It is defined for some of the queries.", defined_somewhere)
LAWS = (
    Law("again", "A second time gives the same, and nothing is written into what was given.", second_time),
    Law("rows", "The order of rows and queries in the files changes nothing.", order_of_rows),
    Law("range", "Where it is defined, its value is a number within its range.", in_range),
    Law("apart", "Queries measured together or apart have the same values.", together_or_apart),
    Law("none", "No query has no value.", no_query),
    Law("names", "Other ids of docs change nothing.", names_of_docs),
    Law("best", "No order of the same docs beats the best one first (best_first=True).", best_first),
    Law("truth", "No list beats the judgments themselves (best_first=True).", truth),
    Law("ties", "ties=average is the mean over all orders of equal scores (linear=True).", mean_over_ties),
    Law("terms", "It returns a term for each row, and a value for each query.", terms),
    Law("process", "It can be sent to another process.", another_process),
)
ABOUT_THE_BEST = ("best", "truth")
