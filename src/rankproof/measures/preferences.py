"""Measures of preferences: how many of them a list fulfils by showing the preferred doc above the other."""

from rankproof.errors import UsageError
from rankproof.measures.balance import Balance, coded, stated
from rankproof.measures.measure import Measure
from rankproof.measures.settings import Setting, one_of
from rankproof.measures.spelling import Spelling
from rankproof.tables.preferred import Preferred
from rankproof.tables.rankings import Rankings, ratio
from rankproof.tables.sums import Sum

COUNTING = Setting(
    "counting",
    "all",
    "Which preferences count: all of them (one with neither doc displayed is not fulfilled), those with at least "
    "one doc displayed (implied), or those with both (retrieved).",
    one_of("all", "implied", "retrieved"),
)


def of(r: Rankings) -> Preferred:
    """The preferences that a measure reads."""
    if r.preferred is None:
        raise UsageError("There are no preferences to measure by. Give evaluate a table of Preferences.")
    return r.preferred


def simple(r: Rankings, *, cutoff: int | None, counting: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """The share of the preferences that the list fulfils.

    >>> simple(preferring("a>b a>c b>c", shown="b a"), cutoff=None, counting="all").value.round(4)
    array([0.6667])
    >>> # b stands above a: not fulfilled; c is not displayed: a > c and b > c are; 2/3
    """
    p = of(r)
    counts = p.counted(counting)
    done, asked = (p.of_queries(p.of_pairs(one)) for one in (p.fulfilled * counts, counts))
    return Sum.each(r, ratio(done, asked), {"fulfilled": done, "preferences": asked})


def pairwise(r: Rankings, *, cutoff: int | None, counting: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """The share of fulfilled preferences of each pair of docs, averaged over the pairs.

    >>> two = preferring("a>b a>c b>c", "b>a", shown="b a c")
    >>> pairwise(two, cutoff=None, counting="all").value.round(4)  # (1/2 + 1 + 1) / 3
    array([0.8333])
    """
    p = of(r)
    share = p.counted(counting) / p.together
    done, pairs = (p.of_queries(p.of_pairs(one)) for one in (p.fulfilled * share, share))
    return Sum.each(r, ratio(done, pairs), {"fulfilled": done, "pairs of docs": pairs})


def by_group(r: Rankings, *, cutoff: int | None, counting: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """The share of its preferences that the list fulfils, averaged over the groups; one without any counts 0.

    >>> two = preferring("a>b a>c b>c", "b>a", shown="a b c")
    >>> by_group(two, cutoff=None, counting="all").value  # (3/3 + 0/1) / 2
    array([0.5])
    """
    p = of(r)
    counts = p.counted(counting)
    added = p.of_queries(ratio(p.of_pairs(p.fulfilled * counts), p.of_pairs(counts)))
    groups = p.n_groups.astype(float)
    return Sum.each(r, ratio(added, groups), {"sum over groups": added, "groups": groups})


def balanced(r: Rankings, *, cutoff: int | None, counting: str, form: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """As `by_group`, with as many docs that are not relevant as there are relevant ones in each group.

    Only the first R docs that are not relevant count, in the order of the list; where there are fewer, the
    missing ones stand below everything displayed.

    >>> one = preferring("a>c a>d", shown="c a d", worthless="c d")
    >>> balanced(one, cutoff=None, counting="all", form="stated").value  # R = 1: only a > c, not fulfilled
    array([0.])
    """
    p = of(r)
    balance = (stated if form == "stated" else coded)(Balance.of(p, counting == "retrieved"))
    added = p.of_queries(balance)
    groups = p.n_groups.astype(float)
    return Sum.each(r, ratio(added, groups), {"sum over groups": added, "groups": groups})


def n_preferences(r: Rankings, *, cutoff: int | None) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """How many preferences there are, those that follow from others included.

    >>> n_preferences(preferring("a>b b>c", shown="a"), cutoff=None).value  # a > c follows
    array([3.])
    """
    return Sum.each(r, of(r).n_pairs)


def n_fulfilled(r: Rankings, *, cutoff: int | None, counting: str) -> Sum:  # noqa: ARG001 - every measure takes a cutoff; this one has none
    """How many preferences the list fulfils.

    >>> n_fulfilled(preferring("a>b a>c b>c", shown="b a"), cutoff=None, counting="all").value  # a > c, b > c
    array([2.])
    """
    p = of(r)
    return Sum.each(r, p.of_queries(p.of_pairs(p.fulfilled * p.counted(counting))))


COUNTED = Setting(
    "counting",
    "all",
    "Which preferences count: all of them, or those with both docs displayed (retrieved).",
    one_of("all", "retrieved"),
)
FORM = Setting(
    "form",
    "stated",
    "The measure as trec_eval describes it (stated), or as its program computes it (coded): a group ordered as a "
    "whole also has the docs that are not relevant against each other, the relevant docs not displayed count "
    "where retrieved ones alone should, and one group without any preference makes the whole query 0.",
    one_of("stated", "coded"),
)
_CODED = {"form": "coded"}
_IMPLIED, _RETRIEVED = {"counting": "implied"}, {"counting": "retrieved"}
_SOURCE = "Carterette, Bennett, Chickering and Dumais 2008; trec_eval 9 (2008)"


MEASURES = (
    Measure(
        "PrefSimp",
        simple,
        (COUNTING,),
        title="preferences fulfilled",
        formula="preferences fulfilled / preferences",
        source=_SOURCE,
        family="preference",
        needs="preference",
        cutoff="none",
        sees="preferences",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "prefs_simp"),
            Spelling("trec_eval", "prefs_simp_imp", _IMPLIED),
            Spelling("trec_eval", "prefs_simp_ret", _RETRIEVED),
        ),
    ),
    Measure(
        "PrefPair",
        pairwise,
        (COUNTING,),
        title="preferences fulfilled, each pair of docs alike",
        formula="the mean over pairs of docs: preferences fulfilled / preferences about the two",
        source=_SOURCE,
        family="preference",
        needs="preference",
        cutoff="none",
        sees="preferences",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "prefs_pair"),
            Spelling("trec_eval", "prefs_pair_imp", _IMPLIED),
            Spelling("trec_eval", "prefs_pair_ret", _RETRIEVED),
        ),
    ),
    Measure(
        "PrefAvgJG",
        by_group,
        (COUNTING,),
        title="preferences fulfilled, each group alike",
        formula="the mean over groups: preferences fulfilled / preferences of the group",
        source=_SOURCE,
        family="preference",
        needs="preference",
        cutoff="none",
        sees="preferences",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "prefs_avgjg"),
            Spelling("trec_eval", "prefs_avgjg_imp", _IMPLIED),
            Spelling("trec_eval", "prefs_avgjg_ret", _RETRIEVED),
        ),
    ),
    Measure(
        "PrefAvgJGRnonrel",
        balanced,
        (COUNTED, FORM),
        title="preferences fulfilled, each group alike and with as many relevant docs as others",
        formula="the mean over groups: preferences fulfilled / preferences, with R docs that are not relevant",
        source=_SOURCE,
        family="preference",
        needs="liked",
        cutoff="none",
        sees="preferences",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "prefs_avgjg_Rnonrel", _CODED),
            Spelling("trec_eval", "prefs_avgjg_Rnonrel_ret", _CODED | _RETRIEVED),
        ),
    ),
    Measure(
        "NumPrefs",
        n_preferences,
        (),
        title="preferences there are",
        formula="the number of preferences, those that follow from others included",
        source="trec_eval 9 (2008)",
        family="preference",
        range=(0.0, None),
        needs="",
        cutoff="none",
        mean="total",
        sees="preferences",
        best_first=False,
        spelt=(Spelling("trec_eval", "prefs_num_prefs_poss"),),
    ),
    Measure(
        "NumPrefsFulfilled",
        n_fulfilled,
        (COUNTING,),
        title="preferences fulfilled, as a number",
        formula="the number of preferences fulfilled",
        source="trec_eval 9 (2008)",
        family="preference",
        range=(0.0, None),
        needs="",
        cutoff="none",
        mean="total",
        sees="preferences",
        best_first=False,
        spelt=(
            Spelling("trec_eval", "prefs_num_prefs_ful"),
            Spelling("trec_eval", "prefs_num_prefs_ful_ret", _RETRIEVED),
        ),
    ),
)
