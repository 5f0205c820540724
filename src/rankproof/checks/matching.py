"""Checks of ids that mean the same and are written differently."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_queries
from rankproof.tables.findings import Finding, Kind
from rankproof.wording import say

ID_MISMATCH = Kind(
    "id-mismatch",
    "warning",
    "{count} {ids} of run {run} are unknown, but would match if case, blanks, leading zeros and .0 at the end "
    'did not count: "{first_id}" for "{known_id}".',
    "Ids match character by character; what does not match counts as unjudged or missing.",
    "Write ids alike in all files, as texts: spreadsheets and data frames turn 007 into 7 or 7.0.",
)
LOOK_ALIKE_QUERIES = Kind(
    "look-alike-queries",
    "warning",
    "{count:query id differs|query ids differ} from an earlier one only in case, blanks, leading zeros or .0 at the end: "
    '"{first_query}" and "{like}".',
    "They count as different queries; if one is meant, its judgments are torn apart.",
    "Write the id of a query alike in every line.",
)


def find_id_mismatches(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Ids of a run that nobody knows and that look like known ones which the run does not use."""
    table = inputs.judgments
    queries = Known({*inputs.asked, *table.query.names.tolist()})
    docs = Known({*inputs.documents.by_id, *table.doc.names.tolist()})
    for run in inputs.runs:
        for ids, known, names in (
            (say("query ids"), queries, run.query.names.tolist()),
            (say("doc ids"), docs, run.doc.names.tolist()),
        ):
            pairs = list(known.meant_by(names))
            if pairs:
                told = {"ids": ids, "first_id": pairs[0][0], "known_id": pairs[0][1], "pairs": tuple(pairs)}
                yield Finding(kind, told, run.source, run=run.name, count=len(pairs))


def find_look_alike_queries(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Asked or judged queries whose ids are the same but for the way of writing."""
    table = inputs.judgments
    names = list(dict.fromkeys([*inputs.asked, *table.query.names.tolist()]))
    first: dict[str, str] = {}
    again = [name for name in names if first.setdefault(look(name), name) != name]
    if again:
        yield all_queries(kind, table, again, like=first[look(again[0])])


def look(name: str) -> str:
    """What is left of an id without case, blanks, leading zeros, wide letters and .0 at its end."""
    plain = name if name.isascii() else normalize("NFKC", name)
    return plain.strip().casefold().removesuffix(".0").lstrip("0")


@dataclass(frozen=True)
class Known:
    """The ids that are known, by what they look like."""

    names: set[str]

    @cached_property
    def by_look(self) -> dict[str, list[str]]:
        """The known ids of each look, in order."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.names):
            found.setdefault(look(name), []).append(name)
        return found

    def meant_by(self, names: list[str]) -> Iterator[tuple[str, str]]:
        """Each unknown id with a known one of its look that is not itself among `names`.

        Where both stand there, as 7 and 007, they are two ids and not one written twice.
        """
        own = set(names)
        for name in sorted(own - self.names):
            like = self.by_look.get(look(name))
            if like and (free := [known for known in like if known not in own]):
                yield name, free[0]


CHECKS = (
    Check(ID_MISMATCH, find_id_mismatches, "KB-004 is displayed, kb-004 is judged."),
    Check(LOOK_ALIKE_QUERIES, find_look_alike_queries, '"reset vpn" and "RESET VPN" are both judged.'),
)
