"""Roles of the columns of plain tables: those with nothing but what scanning looks at; NotPlain for any other."""

from collections.abc import Sequence
from dataclasses import replace

from rankproof.formats.blocks import NotPlain
from rankproof.formats.headings import JUDGMENT_COLUMNS, RUN_COLUMNS, columns_by_role, role_of_headings
from rankproof.tables.hits import Ordering


def judgment_roles(names: Sequence[str], file: str) -> dict[str, str]:
    """The names of the columns query_id, doc_id and grade of judgments."""
    roles = columns_by_role(names, JUDGMENT_COLUMNS)
    scored = columns_by_role(names, ("score",))
    if "grade" not in roles and scored:
        roles["grade"] = scored["score"]
    wrong = role_of_headings(list(names), file) in ("run", "preferences")
    if wrong or set(roles) != {"query_id", "doc_id", "grade"}:
        raise NotPlain("more than a grade of each doc")
    return roles


def run_roles(names: Sequence[str], file: str) -> dict[str, str]:
    """The names of the columns query_id and doc_id of a run, and of rank, score and run where they are there."""
    roles = columns_by_role(names, RUN_COLUMNS)
    wrong = role_of_headings(list(names), file) in ("judgments", "preferences")
    if wrong or "state" in roles or not {"query_id", "doc_id"} <= set(roles):
        raise NotPlain("more than docs of queries")
    return roles


def ordering_of(ordering: Ordering, scored: bool) -> Ordering:
    """What orders the lists of a run; without scores, ranks do and then the order of the rows."""
    return ordering if scored else replace(ordering, order="displayed", score_width=64)
