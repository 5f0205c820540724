"""The values of a study.toml: each is checked where it is taken, and an error names its table and key."""

from collections.abc import Mapping, Sequence
from typing import Any

from rankproof.errors import UnknownName, UsageError
from rankproof.tables.conventions import CONVENTIONS
from rankproof.wording import say

# Every table of the file and its keys; an unknown key is an error with the nearest known one.
KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("study", "files", "runs", "measures", "conventions", "plan", "gates"),
    "study": ("name", "language", "candidates", "seed"),
    "files": ("questions", "judgments", "rubric", "documents", "history", "expected"),
    "runs": ("name", "file", "role"),
    "measures": ("primary", "secondary"),
    "conventions": ("dialect", *(row.name for row in CONVENTIONS)),
    "plan": ("by", "at", "alpha", "looks"),
}


def fits(value: object, key: str, source: str) -> None:
    """An error for a whole number that is none of TOML: they have 64 bits."""
    inside = value.items() if isinstance(value, dict) else ()
    listed = value if isinstance(value, list) else ()
    for name, one in (*inside, *((key, one) for one in listed)):
        fits(one, name, source)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise UsageError(
            "{file}: {key} is {seen}; that is too large for a whole number.",
            file=source,
            key=key,
            seen=value,
        )


def known_keys(table: Mapping[str, Any], name: str, source: str) -> None:
    """An error for a key that the table does not have."""
    for key in table:
        if key not in KEYS[name]:
            inside = say("key of [{table}] in {file}", table=name, file=source)
            raise UnknownName.of(inside if name else say("table of {file}", file=source), key, KEYS[name])


def table_of(tables: Mapping[str, Any], name: str, source: str) -> dict[str, Any]:
    """One table of the file; an empty one where it is not there."""
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(
            "{file}: {name} is {seen}; expected a table [{name}].", file=source, name=name, seen=repr(table)
        )
    known_keys(table, name, source)
    return table


def tables_of(tables: Mapping[str, Any], name: str, source: str) -> list[dict[str, Any]]:
    """Every table of an array of tables."""
    rows = tables.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(
            "{file}: {name} is {seen}; expected tables [[{name}]].", file=source, name=name, seen=repr(rows)
        )
    return rows


def text_of(table: Mapping[str, Any], key: str, source: str, default: str = "") -> str:
    """A text; the default where it is not there."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise UsageError("{file}: {key} is {seen}; expected a text.", file=source, key=key, seen=repr(value))
    return value


def path_of(table: Mapping[str, Any], key: str, source: str) -> str:
    """The name of a file."""
    value = text_of(table, key, source)
    if not value or "\0" in value:
        raise UsageError(
            "{file}: {key} is {seen}; expected the name of a file.", file=source, key=key, seen=repr(value)
        )
    return value


def one_of(table: Mapping[str, Any], key: str, known: Sequence[str], source: str) -> str:
    """One of the known words, the first where it is not there."""
    value = text_of(table, key, source, known[0])
    if value not in known:
        raise UsageError(
            '{file}: {key} is "{seen}"; it is one of {known}.',
            file=source,
            key=key,
            seen=value,
            known=", ".join(known),
        )
    return value


def whole_of(table: Mapping[str, Any], key: str, default: int, source: str) -> int:
    """A whole number from the default on."""
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < default:
        raise UsageError(
            "{file}: {key} is {seen}; expected a whole number from {lowest}.",
            file=source,
            key=key,
            seen=repr(value),
            lowest=default,
        )
    return value
