"""Groups: several measures under one name, as trec_eval has them, each in the order in which it prints them."""

from collections.abc import Mapping

RUN_ID = "runid"  # a line with the tag of the run, and no measure
_LEVELS = tuple(f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11))
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def _at(name: str) -> tuple[str, ...]:
    return tuple(f"{name}_{k}" for k in _CUTOFFS)


_COUNTS = (RUN_ID, "num_q", "num_ret", "num_rel", "num_rel_ret")
_OFFICIAL = (
    *_COUNTS,
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    *_LEVELS,
    *_at("P"),
)
_TIMES = tuple(f"Rprec_mult_{tenth / 10:.2f}" for tenth in range(2, 21, 2))
_ALL = (
    *_OFFICIAL,
    "relstring",
    *_at("recall"),
    "infAP",
    "gm_bpref",
    *_TIMES,
    "utility",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    *_at("ndcg_cut"),
    *_at("map_cut"),
    *_at("relative_P"),
    "success_1",
    "success_5",
    "success_10",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
)
_UNJUDGED = ("unj_5", "unj_10", "unj_20")

_NINE: Mapping[str, tuple[str, ...]] = {
    RUN_ID: (RUN_ID,),
    "official": _OFFICIAL,
    "all_trec": _ALL,
    "set": (*_COUNTS, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    "iprec_at_recall": _LEVELS,
    "Rprec_mult": _TIMES,
    "ndcg_cut": _at("ndcg_cut"),
    "map_cut": _at("map_cut"),
    "relative_P": _at("relative_P"),
}
GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "trec_eval-9": _NINE,
    "trec_eval-10": {**_NINE, "all_trec": (*_ALL, "rbp", "rbp_resid", *_UNJUDGED), "unj": _UNJUDGED},
}


def group_of(name: str, dialect: str) -> tuple[str, ...]:
    """The measures that `name` stands for in a dialect (those of trec_eval 9 in any other), or nothing.

    >>> group_of("set", "trec_eval-9")[:3]
    ('runid', 'num_q', 'num_ret')
    """
    return GROUPS.get(dialect, _NINE).get(name, ())
