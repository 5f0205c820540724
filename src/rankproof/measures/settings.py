"""Settings: what can be set about a measure, each written once, and how its text is read."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rankproof.errors import UnknownName, UsageError
from rankproof.measures.gains import DISCOUNTS
from rankproof.tables.conventions import gain_of, plain_number
from rankproof.wording import say


@dataclass(frozen=True)
class Setting:
    """One thing about a measure that can be set. Written once, used by every measure that has it."""

    name: str
    default: object
    help: str
    read: Callable[[str], object]
    convention: str = ""  # the convention that gives the value where the measure's name does not
    always: bool = False  # stands in the name even at its default, since the field has no common one
    in_name: bool = True


def in_name(value: object) -> str:
    """How a value stands in the name of a measure.

    >>> in_name(1.0), in_name(0.25)
    ('1', '0.25')
    """
    return plain_number(value) if isinstance(value, float) else str(value)


def _number(text: str) -> float:
    """A number; one that is none is in no range."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def positive(text: str) -> float:
    """A number above 0 and below 1e9."""
    number = _number(text)
    if not 0 < number < 1e9:
        raise UsageError('"{seen}" is not a number above 0 and below 1e9.', seen=text)
    return number


def whole(text: str) -> int:
    """A grade from which a doc is relevant: a whole number from 0."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise UsageError('"{seen}" is not a whole number from 0 to 999999999.', seen=text[:40])
    return int(text)


def share(text: str) -> float:
    """A number between 0 and 1, neither included."""
    number = _number(text)
    if not 0 < number < 1:
        raise UsageError('"{seen}" is not a number between 0 and 1 (neither included).', seen=text)
    return number


def share_or_end(text: str) -> float:
    """A number from 0 to 1, both included."""
    number = _number(text)
    if not 0 <= number <= 1:
        raise UsageError('"{seen}" is not a number from 0 to 1.', seen=text)
    return number


def above_one(text: str) -> float:
    """A number above 1 and below 1e9."""
    number = _number(text)
    if not 1 < number < 1e9:
        raise UsageError('"{seen}" is not a number above 1 and below 1e9.', seen=text)
    return number


def one_of(*known: str) -> Callable[[str], str]:
    """A reader of one of the known words."""
    return partial(_known, known)  # not a function made here, which could not go to another process


def _known(known: tuple[str, ...], text: str) -> str:
    if text not in known:
        raise UnknownName.of(say("choice"), text, known)
    return text


REL = Setting("rel", 1, "A doc is relevant from this grade on.", whole, convention="rel")
GAIN = Setting(
    "gain",
    "linear",
    "What a grade is worth: linear (the grade), exp2 (2^grade - 1), binary (1 from grade 1 on), or a table "
    "1=1,2=3 (grades that it does not name keep their own worth).",
    gain_of,
    convention="gain",
)
DISCOUNT = Setting(
    "discount",
    "log",
    "What a place is worth: log (1 / log(rank + 1)), jk (1 / log(rank), and 1 down to rank `base`, the form of "
    "2002), zipf (1 / rank), or none (1).",
    one_of(*DISCOUNTS),
)
BASE = Setting(
    "base", 2.0, "The base of the logarithm; in nDCG it matters for the discount jk alone.", above_one
)
DENOMINATOR = Setting(
    "denominator",
    "all",
    "Divide by all relevant docs (all), by at most as many as fit in the cutoff (min_k), by the cutoff (k), or "
    "by the relevant docs found within it (found).",
    one_of("all", "min_k", "k", "found"),
)
STEP = Setting(
    "step",
    "doc",
    "Precision is taken after each relevant doc (doc), or after all docs of its score together (score), as in a "
    "curve over thresholds.",
    one_of("doc", "score"),
)
DIVISOR = Setting(
    "divisor",
    "cutoff",
    "Divide by the cutoff or by the number of docs displayed.",
    str,
    convention="precision_divisor",
    in_name=False,
)
P = Setting("p", 0.8, "The chance that a reader goes on to the next rank.", share, always=True)
MAX_GRADE = Setting(
    "max_grade",
    None,
    "The highest grade of the scale; without it the rubric's or the highest grade given, whichever is higher.",
    whole,
)
RATERS = Setting(
    "raters",
    "first",
    "Where several raters judged: the first grade of each doc counts (first), or the measure is computed by "
    "the judgments of each rater and averaged over the raters (mean).",
    one_of("first", "mean"),
)
# What a rater counts for whom the value is not defined; a convention, so no part of the name.
EMPTY = Setting(
    "empty", "null", "The value by a rater for whom it is not defined.", str, "no_relevant", in_name=False
)
BY_RATERS = (RATERS, EMPTY)
