"""check_measure: every law on every variant of a measure, and the smallest case that breaks one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rankproof.errors import MeasureFault, UsageError
from rankproof.measures.measure import Measure
from rankproof.tables.conventions import Conventions
from rankproof.testing.cases import UNJUDGED, Query, queries
from rankproof.testing.facts import missing_facts, wrong_names
from rankproof.testing.laws import ABOUT_THE_BEST, DEFINED, LAWS, Asked, Law, in_own_range
from rankproof.testing.laying import lay, seen_by

CUTOFFS = (None, 1, 3, 10)
FOR_SETTINGS = (None, 3)
# Values of the settings that are shared, tried where a measure has them.
SHARED: Mapping[str, Sequence[str]] = {
    "rel": ("2",),
    "gain": ("exp2", "binary", "1=5,2=1,3=0.5"),
    "discount": ("jk", "none"),
    "denominator": ("min_k",),
    "max_grade": ("4",),
    "raters": ("mean",),
    "group": ("left",),
}
DEPTH_OF_LISTS = 100_000
DEPTH = Law("depth", "", in_own_range)


def check_measure(
    measure: Measure,
    *,
    settings: Mapping[str, Sequence[object]] | None = None,
    seed: int = 0,
    n: int = 60,
) -> None:
    """Raise MeasureFault where a measure breaks a law that holds of every measure; nothing where it keeps all.

    Tried are its facts and names, and at several cutoffs the laws of `rankproof.testing.laws`: values in the
    range, the same together or apart, whatever the order of rows and the ids of docs, the best order unbeaten,
    ties as the mean over all orders, and the edges: no query, nothing displayed, one doc, equal scores, grades
    up to 100, lists of 100,000. `settings` names values of its settings to be tried, too, such as {"p":
    [0.5, 0.9]}; the shared settings (rel, gain ...) are tried anyway. The `n` queries look random, and are the
    same for the same `seed`. A measure with a cutoff is tried at that one. What the row says that it `sees`
    (subtopics, preferences, what is known of docs and users) is laid out; a value of the whole run and a text
    are compared as values are.

    >>> from rankproof import MEASURES
    >>> check_measure(MEASURES.find("RR"), n=10)
    """
    _stop(measure, "facts", "Its row says everything.", [*missing_facts(measure), *wrong_names(measure)])
    asked = queries(seed, n)
    variants = list(_variants(measure, settings or {}))
    for given in {str(one.values): one.values for one in variants}.values():
        some = [one for one in variants if one.values == given]
        if all(any(_seen(one, DEFINED, asked)) for one in some):
            _check(some[0], DEFINED, asked)
    for variant in variants:
        for law in LAWS:
            if measure.best_first or law.name not in ABOUT_THE_BEST:
                _check(variant, law, asked)
    _check_depth(replace(variants[0], at=measure.at))


def _variants(measure: Measure, settings: Mapping[str, Sequence[object]]) -> Iterator[Measure]:
    """The measure at every cutoff, and at two with each value of each setting; what cannot be is left out."""
    own: dict[str, Sequence[object]] = dict(settings)
    for name, given in own.items():
        for value in given:
            measure.with_(None, **{name: value})  # an unknown setting or value is a mistake of the caller
    known = {setting.name for setting in measure.every_setting if setting.in_name}
    tried = {name: given for name, given in {**SHARED, **own}.items() if name in known}
    options: list[tuple[dict[str, object], Sequence[int | None]]] = [({}, CUTOFFS)]
    options += [({name: value}, FOR_SETTINGS) for name, given in tried.items() for value in given]
    seen: set[str] = set()
    for values, cutoffs in options:
        for at in cutoffs if measure.at is None else (measure.at,):
            try:
                made = measure.with_(at, **values)
                made.under(Conventions()).of(lay([Query((1, 0))], sees=seen_by(made)))
            except UsageError:  # it has no cutoff, needs one, or the value is none of its own
                continue
            except Exception as error:
                told = f"{type(error).__name__}: {error}"
                _stop(made, "variants", "It can be computed.", [told], [Query((1, 0))])
            if made.full_name not in seen:
                seen.add(made.full_name)
                yield made
    if not seen:
        _stop(measure, "variants", "It can be computed.", ["There is no cutoff at which it can."])


def _check(measure: Measure, law: Law, asked: Asked) -> None:
    first = next((one for one in _seen(measure, law, asked) if one), "")
    if not first:
        return
    smallest = _smallest(measure, law, list(asked))
    # a measure that remembers may keep the law the next time
    told = next((one for one in _seen(measure, law, smallest) if one), first)
    _stop(measure, law.name, law.sentence, [told], smallest)


def _seen(measure: Measure, law: Law, asked: Asked) -> list[str]:
    """What was seen where a law is broken; an error of the measure is one, too."""
    try:
        return law.broken(measure, asked)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _smallest(measure: Measure, law: Law, asked: list[Query]) -> list[Query]:
    """The smallest case found that breaks the law: queries are taken away, then docs, then grades lowered."""
    for query in asked:  # most laws are broken by one query alone
        if any(_seen(measure, law, [query])):
            asked = [query]
            break
    going = True
    while going:
        going = False
        for case in _smaller(asked):
            if any(_seen(measure, law, case)):
                asked, going = case, True
                break
    return asked


def _smaller(asked: list[Query]) -> Iterator[list[Query]]:
    for place in range(len(asked)):
        rest = asked[:place] + asked[place + 1 :]
        if rest:
            yield rest
    if len(asked) <= 2:
        for place, query in enumerate(asked):
            for simpler in query.smaller():
                yield [*asked[:place], simpler, *asked[place + 1 :]]


def _check_depth(measure: Measure) -> None:
    """One list of very many docs, looked at down to the first, to the last, and without a cutoff."""
    shown = tuple(place % 4 if place % 71 == 0 else UNJUDGED for place in range(DEPTH_OF_LISTS))
    for at in (None, 1, DEPTH_OF_LISTS):
        try:
            made = measure.with_(at)
            made.under(Conventions())
        except UsageError:
            continue
        _stop(
            made,
            "depth",
            "A list of 100,000 docs has a value, too.",
            _seen(made, DEPTH, [Query(shown, (2,))]),
        )


def _stop(measure: Measure, law: str, sentence: str, told: Sequence[str], case: Sequence[Query] = ()) -> None:
    """MeasureFault, where something was seen."""
    told = [one for one in told if one]
    if told:
        raise MeasureFault(
            'The measure {measure} breaks the law "{law}": {sentence} Seen: {seen}{case}',
            measure=measure.full_name,
            law=law,
            sentence=sentence,
            seen=" ".join(told),
            case=f" Smallest case found: {'; '.join(map(str, case))}." if case else "",
        )
