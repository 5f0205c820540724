"""What a query must have for a measure to be defined: a sentence, a reason, and a test each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rankproof.measures import lines
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
    gain = values.get("gain", "linear")
    if isinstance(gain, str):
        return r.n_relevant(1) > 0  # each of them is above 0 from grade 1 on
    return r.pool.total(worth(r.pool.grade, gain)) > 0


def _subtopic(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    from rankproof.measures.covered import Covered  # not loaded where no subtopic is looked at

    return Covered.by(r, int(str(values.get("rel", 1)))).n_subtopics > 0


def _worth(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:
    """A doc that is worth something: a relevant one, or one with a grade above 0 where grades are gains."""
    if values.get("gain", "binary") == "binary":
        return _relevant(r, values, at)
    return r.n_relevant(1) > 0


def _gain_and_relevant(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:
    return _gain(r, values, at) & _relevant(r, values, at)


def _never(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return np.zeros(r.n_queries, bool)


def _grades(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    """Two judged docs of different grades."""
    return r.pool.peak(r.pool.grade) > -r.pool.peak(-r.pool.grade)


def _shown(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:
    return (r.n_shown(at) > 0) | (values.get("unanswered") == "zero")


def _kinds(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:
    """A relevant doc and another one among those displayed, so that there is something to tell apart.

    Where ties are averaged, in some order of equal scores at least.
    """
    found = r.total(r.relevant(int(str(values.get("rel", 1)))) * r.within(at))
    counted = r.total(r.within(at)) if values.get("unjudged") == "left_out" else r.n_shown(at)
    return (found > 0) & (found < counted)


def _preferred(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return np.zeros(r.n_queries, bool) if r.preferred is None else r.preferred.n_pairs > 0


def _liked(r: Rankings, values: Mapping[str, object], at: int | None) -> Bools:  # noqa: ARG001 - every need is asked alike
    return np.zeros(r.n_queries, bool) if r.preferred is None else r.preferred.n_relevant > 0


# What a measure reads, by its `sees`.
SEES = {
    "hits": "the judged docs that were displayed, with their ranks",
    "lists": "every displayed line, with its doc",
    "known": "every displayed line, with what is known of its doc and of the user",
    "subtopics": "the judged docs that were displayed, with the subtopics that they cover",
    "preferences": "which doc is preferred to which, and where both stand",
}

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
    "subtopic": Need("no judged doc of the query covers a subtopic", "no_relevant", _subtopic, True),
    "worth": Need("no judged doc of the query is worth anything", "no_relevant", _worth, True),
    "gain and relevant": Need(
        "the query has no relevant doc, or none that is worth anything",
        "no_relevant",
        _gain_and_relevant,
        True,
    ),
    "number": Need("always: it is a text and no number", "a_text", _never),
    "grades": Need("no two judged docs of the query have different grades", "no_relevant", _grades, True),
    "kinds": Need(
        "the docs displayed within the cutoff are all relevant, or none of them is", "one_kind", _kinds
    ),
    "preference": Need("no doc of the query is preferred to another", "no_preference", _preferred, True),
    "liked": Need("no doc of the query is worth more than 0 to anybody", "no_relevant", _liked, True),
    "shown": Need("nothing was displayed", "nothing_shown", _shown),
    "popularity": Need("no displayed doc has a popularity", "nothing_known", lines.AtLeast(1, lines.popular)),
    "categories": Need(
        "no displayed doc has a category", "nothing_known", lines.AtLeast(1, lines.categorised)
    ),
    "pair": Need(
        "fewer than two displayed docs have a vector (or a category, for jaccard)",
        "nothing_known",
        lines.AtLeast(2, lines.comparable),
    ),
    "expected": Need(
        "nothing was displayed, or nothing is known to be expected",
        "nothing_known",
        lines.listed_and_expected,
    ),
    "target": Need(
        "no displayed doc has a group, or no relevant doc has one where the target is taken from them",
        "nothing_known",
        lines.targeted,
    ),
}
