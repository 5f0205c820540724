"""What holds of every measure, whatever it measures: one function a law, over many queries at once."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rankproof.measures.dialects import conventions_of
from rankproof.measures.gains import worth
from rankproof.measures.measure import Measure
from rankproof.tables.columns import Bools, Floats
from rankproof.tables.conventions import Conventions
from rankproof.tables.rankings import Rankings
from rankproof.tables.sums import Sum
from rankproof.testing.cases import SCORES, UNJUDGED, Query, lay

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


def _sum(m: Measure, r: Rankings, conventions: Conventions | None = None) -> Sum:
    return m.under(conventions or Conventions()).of(r)


def _values(m: Measure, r: Rankings, conventions: Conventions | None = None) -> Floats:
    return _sum(m, r, conventions).value


def _defined(m: Measure, r: Rankings, conventions: Conventions | None = None) -> Bools:
    return m.under(conventions or Conventions()).defined(r)


def _differing(one: Floats, other: Floats, what: str) -> list[str]:
    """Where two columns are not the same to the last bit."""
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    return [
        "" if alike else f"{a!r}, {what} {b!r}"
        for alike, a, b in zip(same, one.tolist(), other.tolist(), strict=True)
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
        r = lay(asked, conventions)
        value, defined = _values(m, r, conventions), _defined(m, r, conventions)
        fits = np.isfinite(value) & (value >= low - NEAR) & (value <= high + NEAR)
        for place in np.flatnonzero(defined & ~fits).tolist():
            seen[place] = seen[place] or f"{float(value[place])!r} under {conventions}"
    return seen


def in_own_range(m: Measure, asked: Asked) -> list[str]:
    """The same under our own conventions."""
    return in_range(m, asked, (Conventions(),))


def defined_somewhere(m: Measure, asked: Asked) -> list[str]:
    """A law about no value holds of every value: some query has to have what the measure needs."""
    return (
        []
        if _defined(m, lay(asked)).any()
        else ["the measure is defined for none of the queries"] * len(asked)
    )


def together_or_apart(m: Measure, asked: Asked) -> list[str]:
    r = lay(asked)
    parts = [r.part(place, place + 1) for place in range(len(asked))]
    alone = np.array([_values(m, part)[0] for part in parts])
    defined = np.array([_defined(m, part)[0] for part in parts], float)
    told = _differing(_values(m, r), alone, "and measured alone")
    also = _differing(_defined(m, r).astype(float), defined, "(1 where it is defined), and measured alone")
    return [one or other for one, other in zip(told, also, strict=True)]


def no_query(m: Measure, asked: Asked) -> list[str]:  # noqa: ARG001 - every law is asked alike
    none = lay(())
    shapes = (_values(m, none).shape, _defined(m, none).shape)
    return [] if shapes == ((0,), (0,)) else [f"shapes {shapes} for no query"]


def second_time(m: Measure, asked: Asked) -> list[str]:
    r = lay(asked)  # writing into it is an error
    return _differing(_values(m, r), _values(m, r), "then")


def order_of_rows(m: Measure, asked: Asked) -> list[str]:
    """The rows mixed, and the queries the other way round."""
    mixed = _values(m, lay(asked[::-1], shuffle=7))[::-1]
    return _differing(_values(m, lay(asked)), mixed, "and in another order")


def names_of_docs(m: Measure, asked: Asked) -> list[str]:
    other = lay(asked, named=_other_name)
    return _differing(_values(m, lay(asked)), _values(m, other), "and under other ids")


def _other_name(doc: str) -> str:
    """An id that stands elsewhere in the order of ids."""
    return doc[::-1] + "'"


def _best(m: Measure, grades: Sequence[int]) -> tuple[int, ...]:
    """Grades in the order of what they are worth to the measure; docs without a grade come last."""
    gain = m.under(Conventions()).values.get("gain", "linear")
    value = {grade: float(worth(np.array([grade]), gain)[0]) for grade in grades if grade >= 0}
    return tuple(sorted(grades, key=lambda grade: (-value.get(grade, -1.0), -grade)))


def best_first(m: Measure, asked: Asked) -> list[str]:
    """The same docs in the ideal order."""
    plain = [Query(query.shown, query.missed) for query in asked]
    ordered = [Query(_best(m, query.shown), query.missed) for query in asked]
    r = lay(plain)
    return _beaten(_values(m, r), _values(m, lay(ordered)), _defined(m, r), "but best first")


def truth(m: Measure, asked: Asked) -> list[str]:
    """All judged docs and nothing else, best first; or those that are relevant."""
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
    if m.sees != "hits" and not m.linear:
        return []
    few = [place for place, query in enumerate(asked) if 1 < query.n_orders() <= FEW]
    orders = [order for place in few for order in asked[place].orders()]
    # the queries themselves stand beside their orders, so that the scale of grades is the same
    every = _values(m, lay((*orders, *asked)))
    value = _values(m, lay([asked[place] for place in few] + [Query((), (_top(asked),))], SCORES), SCORES)
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
    r = lay(asked)
    found = _sum(m, r)
    n_rows = len(found.rankings.rank)
    columns = {"terms": found.terms, **found.factors}
    wrong = {name: len(column) for name, column in columns.items() if len(column) != n_rows}
    wrong |= {name: len(column) for name, column in found.parts.items() if len(column) != len(asked)}
    if wrong or found.value.shape != (len(asked),):
        return [f"columns {wrong}, a value of shape {found.value.shape}"] * len(asked)
    return []


def another_process(m: Measure, asked: Asked) -> list[str]:
    try:
        again = pickle.loads(pickle.dumps(m))
    except Exception as error:
        return [f"{type(error).__name__}: {error}"] * len(asked)
    return _differing(_values(m, lay(asked)), _values(again, lay(asked)), "and there")


LAWS = (
    Law("defined", "It is defined for some of the queries.", defined_somewhere),
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
