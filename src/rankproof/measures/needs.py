"""What a query must have for a measure to be defined: a sentence, a reason, and a test each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rankproof.measures.gains import worth
from rankproof.tables.columns import Bools
from rankproof.tables.rankings import Rankings


@dataclass(frozen=True)
class Need:
    """`undefined` says where the measure is not defined, `reason` stands beside the null.

    `met` takes the rankings, the settings and the cutoff of the measure and gives (n_queries,) True
    where the value means something. `about_relevance`: the convention no_relevant may give a value there.
    """

    undefined: str
    reason: str
    met: Callable[[Rankings, Mapping[str, object], int | None], Bools]
    about_relevance: bool = False


def _always(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return np.ones(r.n_queries, bool)


def _relevant(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return r.n_relevant(int(str(values.get("rel", 1)))) > 0


def _nonrelevant(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:
    """A relevant doc and one that is not, so that there is something to tell apart."""
    return _relevant(r, values, at) & (r.n_nonrelevant(int(str(values.get("rel", 1)))) > 0)


def _gain(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return r.pool.total(worth(r.pool.grade, values.get("gain", "linear"))) > 0


def _shown(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return r.n_shown(at) > 0


def _preferred(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return np.zeros(r.n_queries, bool) if r.preferred is None else r.preferred.n_pairs > 0


def _liked(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return np.zeros(r.n_queries, bool) if r.preferred is None else r.preferred.n_relevant > 0


NEEDS = {
    "": Need("never: it is defined for every query", "", _always),
    "relevant": Need("the query has no relevant doc", "no_relevant", _relevant, True),
    "nonrelevant": Need(
        "the query has no relevant doc, or none that is judged not relevant",
        "no_relevant",
        _nonrelevant,
        True,
    ),
    "gain": Need("no judged doc of the query is worth anything", "no_relevant", _gain, True),
    "preference": Need("no doc of the query is preferred to another", "no_preference", _preferred, True),
    "liked": Need("no doc of the query is worth more than 0 to anybody", "no_relevant", _liked, True),
    "shown": Need("nothing was displayed", "nothing_shown", _shown),
}
