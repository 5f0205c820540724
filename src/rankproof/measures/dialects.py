"""Dialects: the complete sets of conventions by which other tools compute."""

from dataclasses import dataclass

from rankproof.catalog import Catalog
from rankproof.tables.conventions import Conventions


@dataclass(frozen=True)
class Dialect:
    """A named set of conventions, how it was checked, and what to be careful of."""

    name: str
    conventions: Conventions
    status: str  # "own", "run" (values recorded from the tool itself) or "from source" (formula read)
    version: str
    cautions: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


_TREC_EVAL = Conventions(
    order="score",
    ties="doc_id_desc",
    score_width=32,
    missing="exclude",
    no_relevant="zero",
    dialect="trec_eval-9",
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
        ),
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
