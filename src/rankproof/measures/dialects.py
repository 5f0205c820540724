"""DIALECTS: the complete sets of conventions by which other tools compute, and what a measure means in one."""

from collections.abc import Mapping
from typing import Any

from rankproof.catalog import Catalog
from rankproof.measures import learning_tools, recommender_tools, search_tools, workbench_tools
from rankproof.measures.dialect import Dialect
from rankproof.tables.conventions import CONVENTIONS, Conventions

_TREC_EVAL = Conventions(
    order="score",
    ties="doc_id_desc",
    score_width=32,
    missing="exclude",
    no_relevant="zero",
    dialect="trec_eval-9",
)

_OF_TREC_EVAL = (
    *("AP", "GMAP", "SetAP", "InfAP", "Yaap", "Bpref", "GBpref", "RR", "nDCG", "Rndcg", "G", "RelString"),
    *("P", "R", "Rprec", "RprecMult", "RelP", "SetP", "SetR", "SetF", "Success", "IPrec", "IPrec11"),
    *("Utility", "NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"),
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
            ),
            also=("trec_eval",),
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
            ),
            covers=(*_OF_TREC_EVAL, "DCG", "IDCG", "RBP", "RBPResidual", "Unjudged"),
            decimals=4,
        ),
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


def conventions_for(conventions: Conventions, measure: str, at: int | None) -> Conventions:
    """The conventions by which one measure is computed: a dialect may make an exception for it.

    A choice that is not the dialect's own any more stays as it was made.
    """
    if conventions.dialect not in DIALECTS:
        return conventions
    row = DIALECTS.find(conventions.dialect)
    exceptions = _chosen(row.exceptions, measure, at)
    own = {c.name for c in CONVENTIONS if getattr(row.conventions, c.name) == getattr(conventions, c.name)}
    return conventions.but(**{name: value for name, value in exceptions.items() if name in own})


def _chosen(rows: Mapping[str, Mapping[str, Any]], measure: str, at: int | None) -> dict[str, Any]:
    """What stands in the rows for a measure; with a cutoff, what stands under its name and "@" wins."""
    return {**rows.get(measure, {}), **(rows.get(f"{measure}@", {}) if at is not None else {})}
