"""Conventions: every choice that changes a number, each a row with its help."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rankproof.errors import UnknownName, UsageError
from rankproof.wording import say

GainTable = Mapping[int, float]
LARGEST_GAIN = 1e100  # sums of larger ones would soon be no numbers any more


def plain_number(value: float) -> str:
    """A number as short as it can be read back: 3, 0.8, 3.0000001; a zero has no sign."""
    return f"{value + 0.0:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True)
class Convention:
    """One choice: its name, its values (default first), and what it decides."""

    name: str
    values: tuple[object, ...]
    help: str
    takes: str = ""  # what else may stand there, beside the listed values


CONVENTIONS = (
    Convention(
        "order",
        ("displayed", "score"),
        "Which order counts: the one displayed (the rank column, else the order of the list), "
        "or the order of the scores.",
    ),
    Convention(
        "ties",
        ("file", "file_last", "doc_id_desc", "doc_id_asc", "average", "optimistic", "pessimistic", "error"),
        "Who comes first among equal scores when order=score: the earlier line (file) or the later one (file_last), "
        "the greater id (doc_id_desc) or the smaller (doc_id_asc), nobody, so that the mean over all orders counts "
        "(average), the better grade (optimistic) or the worse (pessimistic); or stop (error).",
    ),
    Convention(
        "score_width",
        (64, 32),
        "Bits of a score when scores are compared. 32 makes the ties that single precision makes.",
    ),
    Convention(
        "gain",
        ("linear", "exp2", "binary"),
        "What a grade is worth: the grade itself, 2^grade - 1, or 1 from grade 1 on.",
        takes="a table such as 1=1,2=3,3=7",
    ),
    Convention(
        "ideal",
        ("judged", "candidates", "shown"),
        "What the best possible list is made of: all judged docs of the query, those among the candidates "
        "of all compared systems, or those that this system displayed.",
    ),
    Convention(
        "pool",
        ("all", "shown"),
        "Which judged docs of a query there are: all of them, or only those that this system displayed, "
        "for who is given nothing but the list.",
    ),
    Convention("rel", (1,), "A doc is relevant from this grade on.", takes="a whole number"),
    Convention(
        "unjudged",
        ("zero", "condense", "error"),
        "What a displayed doc without judgment does: it is worth nothing, it is left out of the list, "
        "or it stops the evaluation.",
    ),
    Convention(
        "missing",
        ("zero", "exclude", "error"),
        "What a judged query without a list does: it counts as an empty list, which is worth 0 to measures of how "
        "good a list is (zero), it is left out (exclude), or it stops the evaluation (error).",
    ),
    Convention(
        "extra",
        ("exclude", "zero", "error"),
        "What a query of the run that was not asked does: it is left out, worth 0, or stops the evaluation.",
    ),
    Convention(
        "no_relevant",
        ("null", "zero", "one", "error"),
        "The value of a query without a relevant doc, for measures that need one.",
    ),
    Convention(
        "duplicates",
        ("first", "keep", "error"),
        "What a doc that stands twice in one list does: the first showing counts and the repeat keeps its "
        "place and is worth nothing; every showing counts; or it stops the evaluation.",
    ),
    Convention(
        "negative_grades",
        ("pooled", "zero", "skip", "error"),
        "What a grade below 0 means: in the pool and not judged, grade 0, nothing (as if the line were not "
        "there), or stop.",
    ),
    Convention(
        "precision_divisor",
        ("cutoff", "shown"),
        "Precision divides by the cutoff, or by the number of docs displayed within it.",
    ),
    Convention(
        "depth", (None,), "Cut every list after this rank before anything else.", takes="a whole number"
    ),
)


@dataclass(frozen=True)
class Conventions:
    """A complete set of choices. The defaults are those of rankproof; `dialect` names the set."""

    order: str = "displayed"
    ties: str = "file"
    score_width: int = 64
    gain: str | GainTable = "linear"
    ideal: str = "judged"
    pool: str = "all"
    rel: int = 1
    unjudged: str = "zero"
    missing: str = "zero"
    extra: str = "exclude"
    no_relevant: str = "null"
    duplicates: str = "first"
    negative_grades: str = "pooled"
    precision_divisor: str = "cutoff"
    depth: int | None = None
    dialect: str = field(default="rankproof")

    def __post_init__(self) -> None:
        for row in CONVENTIONS:
            value = getattr(self, row.name)
            object.__setattr__(self, row.name, _checked(row, value))

    def but(self, **choices: Any) -> "Conventions":
        """These conventions with some choices made differently; texts are read as values."""
        known = {row.name for row in CONVENTIONS} | {"dialect"}
        for name in choices:
            if name not in known:
                raise UnknownName.of(say("convention"), name, sorted(known))
        return replace(self, **choices)

    def as_dict(self) -> dict[str, object]:
        """Every choice by its name, plain enough for JSON."""
        plain = asdict(self)
        if isinstance(self.gain, Mapping):
            plain["gain"] = {str(grade): worth for grade, worth in self.gain.items()}
        return plain


def _checked(row: Convention, value: object) -> object:
    if row.name == "gain":
        return gain_of(value)
    if row.takes == "a whole number" and value is not None:
        return _whole(row, value)
    for known in row.values:
        if str(value) == str(known):
            return known
    raise UsageError(
        'The convention {name} is "{seen}"; it is one of {known}.',
        name=row.name,
        seen=value,
        known=", ".join(str(one) for one in row.values),
    )


def _whole(row: Convention, value: object) -> int:
    lowest = 0 if row.name == "rel" else 1
    try:
        number = int(str(value))
    except ValueError:
        number = lowest - 1
    if number < lowest:
        raise UsageError(
            'The convention {name} is "{seen}"; expected a whole number from {lowest}.',
            name=row.name,
            seen=value,
            lowest=lowest,
        )
    return number


def gain_of(value: object) -> str | GainTable:
    """A gain as given: "linear", "exp2", "binary", a table {grade: gain}, or "1=1,2=3"."""
    if value in ("linear", "exp2", "binary"):
        return str(value)
    try:
        given = value.items() if isinstance(value, Mapping) else [p.split("=") for p in str(value).split(",")]
        pairs = [(int(str(grade)), float(worth) + 0.0) for grade, worth in given]
        table = dict(pairs)
        if not 0 < len(table) == len(pairs) or any(
            grade < 0 or not 0 <= worth <= LARGEST_GAIN for grade, worth in table.items()
        ):
            raise ValueError
    except (ValueError, TypeError, OverflowError) as error:
        raise UsageError(
            'The gain is "{seen}"; expected linear, exp2, binary, or a table of whole grades from 0, each once, and '
            "gains from 0 to 1e100, such as 1=1,2=3,3=7.",
            seen=value,
        ) from error
    return Gains(sorted(table.items()))


class Gains(dict[int, float]):
    """A gain table that can stand in a frozen object: never changed after it is made."""

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none; this one never changes
        return hash(tuple(self.items()))

    def __str__(self) -> str:
        return ",".join(f"{grade}={plain_number(worth)}" for grade, worth in self.items())
