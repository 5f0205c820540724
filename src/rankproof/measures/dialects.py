"""DIALECTS: the complete sets of conventions by which other tools compute, and what a measure means in one."""

from collections.abc import Mapping
from typing import Any

from rankproof.catalog import Catalog
from rankproof.measures import learning_tools, recommender_tools, search_tools, workbench_tools
from rankproof.measures.dialect import Dialect
from rankproof.tables.conventions import CONVENTIONS, Conventions

NO_TOOL = "no tool"  # the dialect of conventions that are taken as they stand

_TREC_EVAL = Conventions(
    order="score",
    ties="doc_id_desc",
    score_width=32,
    missing="exclude",
    no_relevant="zero",
    dialect="trec_eval-9",
)

# ir_measures leaves each measure to another program, and each of those orders equal scores in its own way.
_BY_ID = {"ties": "doc_id_asc", "score_width": 64}
_AS_GIVEN = {"ties": "file", "score_width": 64}
_IR_MEASURES = Dialect(
    "ir_measures",
    _TREC_EVAL.but(missing="zero", dialect="ir_measures"),
    "run",
    "0.4.3",
    (
        "Breaks ties by doc id, descending; for RR with a cutoff, Judged, Compat and measures of diversity ascending; for RBP, INST, INSQ, BPM, "
        "SDCG, NERR and Accuracy by the order of the lines. So RR@10 may be above RR.",
        "Compares scores in single precision where it asks trec_eval, in double precision elsewhere.",
        "A query without a list counts 0, and so does one without a relevant doc; NumQ and NumRel leave out those without a list.",
        "ERR has the scale of grades up to 4, whatever the grades are.",
        "Judged counts a doc whose grade is below 0 as judged.",
        "The mean of Accuracy is over the queries for which a relevant doc was displayed.",
    ),
    settings={
        "ERR": {"max_grade": "4"},
        "Judged": {"unanswered": "zero"},
        "Compat": {"depth": "lists"},
    },
    covers=(
        *(
            "AP",
            "RR",
            "P",
            "R",
            "Rprec",
            "Success",
            "nDCG",
            "ERR",
            "RBP",
            "Bpref",
            "InfAP",
            "IPrec",
            "Judged",
        ),
        *("SetF", "SetAP", "RelP", "NumQ", "NumRet", "NumRel", "NumRelRet", "INST", "INSQ", "BPM", "SDCG"),
        *(
            "NERR8",
            "NERR9",
            "NERR10",
            "NERR11",
            "Compat",
            "Accuracy",
            "alpha_DCG",
            "alpha_nDCG",
            "ERR_IA",
            "nERR_IA",
        ),
        *("NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"),
    ),
    exceptions={
        "RR@": _BY_ID,
        "Compat": _BY_ID,
        "Judged": {**_BY_ID, "negative_grades": "zero"},
        "NumQ": {"missing": "exclude"},
        "NumRel": {"missing": "exclude"},
        "ERR": {"score_width": 64},
        "nDCG(gain=exp2)": {"score_width": 64},
        **dict.fromkeys(
            ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"),
            _BY_ID,
        ),
        **dict.fromkeys(
            (
                "RBP",
                "INST",
                "INSQ",
                "BPM",
                "SDCG",
                "NERR8",
                "NERR9",
                "NERR10",
                "NERR11",
                "Accuracy",
            ),
            _AS_GIVEN,
        ),
    },
)
# Among equal scores it takes the greater id first, but for preferences the smaller one.
_PREFERENCES = {
    name: {"ties": "doc_id_asc"}
    for name in ("PrefSimp", "PrefPair", "PrefAvgJG", "PrefAvgJGRnonrel", "NumPrefs", "NumPrefsFulfilled")
}
_OF_TREC_EVAL = (
    *(
        "AP",
        "GMAP",
        "SetAP",
        "InfAP",
        "Yaap",
        "Bpref",
        "GBpref",
        "RR",
        "nDCG",
        "ndcg_rel",
        "Rndcg",
        "G",
        "binG",
    ),
    *("P", "R", "Rprec", "RprecMult", "RelP", "SetF", "Success", "IPrec", "IPrec11", "RelString"),
    *("Utility", "NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"),
    *_PREFERENCES,
)

DIALECTS: Catalog[Dialect] = Catalog(
    "dialect",
    (
        Dialect("rankproof", Conventions(), "own", ""),
        Dialect(
            "trec_eval-9",
            _TREC_EVAL,
            "run",
            "9.0.8",
            (
                "Reads scores in single precision, so that scores closer than that are ties.",
                "Ignores the rank column and breaks ties by doc id, descending.",
                "Leaves out judged queries that the run does not have; its option -c is missing=zero.",
                "A query without a relevant doc counts 0.",
                "A level of recall is the whole part of recall times R, plus 0.9.",
                "Breaks ties by doc id, ascending, in the measures of preferences.",
            ),
            also=("trec_eval",),
            settings={
                "IPrec": {"count": "add09"},
                "IPrec11": {"count": "add09"},
                "Yaap": {"unanswered": "zero"},
                "Utility": {"unanswered": "zero"},
            },
            exceptions=_PREFERENCES,
            covers=_OF_TREC_EVAL,
            decimals=4,
        ),
        Dialect(
            "trec_eval-10",
            _TREC_EVAL.but(score_width=64, missing="error", dialect="trec_eval-10"),
            "run",
            "10.0-rc3",
            (
                "Compares scores in double precision.",
                "Stops where a judged query is missing from the run, unless -c is given; -c is missing=zero.",
                "A query without a relevant doc counts 0.",
                "A level of recall is recall times R, rounded, and so may be less than the recall that was asked.",
                "The residual of RBP is 0 where every displayed doc is judged.",
                "Breaks ties by doc id, ascending, in the measures of preferences.",
            ),
            settings={
                "IPrec": {"count": "round"},
                "IPrec11": {"count": "round"},
                "RBP": {"p": "0.9", "gain": "scaled"},
                "RBPResidual": {"p": "0.9", "beyond": "unjudged"},
            },
            exceptions=_PREFERENCES,
            covers=(*_OF_TREC_EVAL, "DCG", "IDCG", "RBP", "RBPResidual", "Unjudged"),
            decimals=4,
        ),
        _IR_MEASURES,
        *search_tools.TOOLS,
        *recommender_tools.TOOLS,
        *learning_tools.TOOLS,
        *workbench_tools.TOOLS,
    ),
    names=lambda row: (row.name, *row.also),
    member_type=Dialect,
    group="rankproof.dialects",
)


def conventions_of(dialect: str = "rankproof", **choices: object) -> Conventions:
    """The conventions of a dialect, with some choices made differently.

    >>> conventions_of("trec_eval", missing="zero").ties
    'doc_id_desc'
    """
    return DIALECTS.find(dialect).conventions.but(**choices)


def settings_of(dialect: str, measure: str, at: int | None = None) -> Mapping[str, str]:
    """What the name of a measure means in a dialect, with or without a cutoff, where it leaves a setting open."""
    return _chosen(DIALECTS.find(dialect).settings, measure, at) if dialect in DIALECTS else {}


def conventions_for(conventions: Conventions, measure: str, at: int | None, called: str = "") -> Conventions:
    """The conventions by which one measure is computed: a dialect may make an exception for it.

    An exception may be for the measure, for one `called` by a name with settings, such as nDCG(gain=exp2), or
    for the measure with a cutoff. A choice that is not the dialect's own any more stays as it was made.
    """
    if conventions.dialect not in DIALECTS:
        return conventions
    row = DIALECTS.find(conventions.dialect)
    named = called.partition("@")[0]
    exceptions = {**_chosen(row.exceptions, measure, at), **row.exceptions.get(named, {})}
    own = {c.name for c in CONVENTIONS if getattr(row.conventions, c.name) == getattr(conventions, c.name)}
    return conventions.but(**{name: value for name, value in exceptions.items() if name in own})


def _chosen(rows: Mapping[str, Mapping[str, Any]], measure: str, at: int | None) -> dict[str, Any]:
    """What stands in the rows for a measure; with a cutoff, what stands under its name and "@" wins."""
    return {**rows.get(measure, {}), **(rows.get(f"{measure}@", {}) if at is not None else {})}
