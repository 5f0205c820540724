"""Directions: whether more of a measure is better, worse, or neither, for those who draw conclusions."""

from rankproof.errors import UsageError
from rankproof.measures.combining import parts_of
from rankproof.measures.measure import Measure
from rankproof.measures.naming import parse_measure

# Families that say nothing of how well docs were ordered, though more of them may be wanted.
NOT_ABOUT_ORDER = ("beyond accuracy", "fairness")


def direction_of(name: str) -> str:
    """ "up" where more is better, "down" where less is, "none" where neither is; parts that disagree give "none".

    >>> direction_of("nDCG@10"), direction_of("Unjudged@10"), direction_of("0.5*nDCG + 0.5*KnownShare")
    ('up', 'down', 'none')
    """
    found = {one.direction for one in _measures(name)} or {"up"}
    return found.pop() if len(found) == 1 else "none"


def says_ranked_better(name: str) -> bool:
    """True where more of a measure means that docs were ordered better."""
    return all(one.direction == "up" and one.family not in NOT_ABOUT_ORDER for one in _measures(name))


def _measures(name: str) -> list[Measure]:
    """The measure of a name in a result, or its parts; Z(AP) is as AP is."""
    bare = name[2:-1] if name.startswith("Z(") else name
    try:
        return parts_of([parse_measure(bare)])
    except UsageError:  # a measure handed over as an object, which no list knows
        return []
