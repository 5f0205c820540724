"""Which measures and conventions a padded batch can keep, and how deep they look."""

from collections.abc import Iterable, Mapping

from rankproof.batch.kernels import OFFERED
from rankproof.errors import UsageError
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measures
from rankproof.tables.conventions import Conventions

# What a batch can do, where a convention has more choices than that.
KEPT: Mapping[str, tuple[object, ...]] = {
    "ties": ("file", "file_last", "average"),
    "unjudged": ("zero", "condense"),
    "missing": ("zero", "exclude"),
    "no_relevant": ("null", "zero", "one"),
    "negative_grades": ("pooled", "zero", "skip"),
    "depth": (None,),
}


def chosen(measures: str | Measure | Iterable[str | Measure], conventions: Conventions) -> list[Measure]:
    """Each measure once, with what its name leaves open filled in; an error where a batch does not have it."""
    listed = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    read = [
        measure
        for one in listed
        for measure in ((one,) if isinstance(one, Measure) else parse_measures(one, conventions.dialect))
    ]
    if not read:
        raise UsageError("No measure was asked for. Name at least one, such as nDCG@10.")
    found = list({m.full_name: m for m in (one.under(conventions) for one in read)}.values())
    for measure in found:
        if measure.name not in OFFERED or measure.aspect or measure.values.get("raters", "first") != "first":
            raise UsageError(
                "{measure} cannot be had of a padded batch. These can: {known}.",
                measure=measure.full_name,
                known=", ".join(OFFERED),
            )
    return found


def fitting(measure: Measure, conventions: Conventions) -> Measure:
    """The measure; an error where a batch cannot keep the conventions by which it is measured."""
    for name, known in KEPT.items():
        seen = getattr(conventions, name)
        if seen not in known:
            raise UsageError(
                "A padded batch cannot keep the convention {name}={seen}; it keeps {known}.",
                name=name,
                seen=seen,
                known=", ".join(str(one) for one in known),
            )
    if conventions.ties == "average" and not measure.linear:
        raise UsageError(
            "{measure} is not linear in what places are worth, so a padded batch cannot average it over the orders of "
            "equal scores. Measure it by ties=file, or with evaluate.",
            measure=measure.full_name,
        )
    return measure


def by_score(measure: Measure) -> bool:
    """True where a measure looks at groups of equal scores."""
    return measure.values.get("step") == "score"


def deepest(measures: Iterable[Measure], conventions: Conventions, depth: int) -> int:
    """How many places must be put in order for all these measures."""
    if conventions.ties == "average":
        return depth
    return min(depth, max(depth if m.at is None or by_score(m) else m.at for m in measures))
