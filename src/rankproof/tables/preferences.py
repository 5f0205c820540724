"""Preferences: which docs somebody placed above which others, without saying how good each one is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from rankproof.errors import UsageError
from rankproof.tables.closure import closed, ordered_pairs
from rankproof.tables.columns import Bools, Floats, Ids, Ints, first_of_each, frozen, offsets_of
from rankproof.tables.examples import written
from rankproof.tables.judgments import Judgments
from rankproof.tables.preferred import HIDDEN, Preferred
from rankproof.tables.rankings import Rankings


class Contradiction(NamedTuple):
    """Two docs of a group that are both above each other; `row` is the first row of the one in that group."""

    row: int
    doc: str
    other: str


@dataclass(frozen=True, eq=False, repr=False)
class Preferences:
    """One row a doc that somebody placed among others, as read. `value` is 0 or more.

    Within a (query, group, subgroup) a doc is preferred to every doc of a lower value; equal values say
    nothing. What the values are does not matter, but 0 says that the doc is not relevant. A group is what
    one person thought at one time: its subgroups are parts of one order, so that a above b in one and b above
    c in another make a above c. Different groups may disagree. `line` is the line of the file, or 0.
    """

    query: Ids
    group: Ids
    subgroup: Ids
    doc: Ids
    value: Floats
    line: Ints | None = None
    source: str = ""

    def __repr__(self) -> str:
        return f"Preferences({len(self)} rows, {len(self.query.names)} queries)"

    def __post_init__(self) -> None:
        n = len(self.query)
        for name in ("group", "subgroup", "doc"):
            frozen(getattr(self, name).codes, np.int64, name, n)
        object.__setattr__(self, "value", frozen(self.value, np.float64, "value", n))
        line = frozen(np.zeros(n) if self.line is None else self.line, np.int64, "line", n)
        object.__setattr__(self, "line", line)
        wrong = np.flatnonzero(~(np.isfinite(self.value) & (self.value >= 0)))
        if len(wrong):
            raise UsageError(
                "Row {row} of the preferences has the value {value}; a value is a number from 0.",
                row=int(wrong[0]),
                value=float(self.value[wrong[0]]),
            )

    @classmethod
    def of(
        cls,
        query: Sequence[str],
        doc: Sequence[str],
        value: Sequence[float],
        *,
        group: Sequence[str] | None = None,
        subgroup: Sequence[str] | None = None,
    ) -> "Preferences":
        """Preferences from plain columns, one value a row; without groups everything is one group a query."""
        one = ["0"] * len(query)
        return cls(
            Ids.of(query),
            Ids.of(one if group is None else group),
            Ids.of(one if subgroup is None else subgroup),
            Ids.of(doc),
            np.asarray(value, np.float64),
        )

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str, str]]) -> "Preferences":
        """Preferences from (query, better doc, worse doc), all of one group, which makes them one order.

        >>> Preferences.of_pairs([("q", "a", "b"), ("q", "b", "c")]).choices(["q"]).n_pairs  # a > c follows
        array([3.])
        """
        rows = [
            (query, str(n), doc, value)
            for n, (query, better, worse) in enumerate(pairs)
            for doc, value in ((better, 2.0), (worse, 1.0))
        ]
        query, subgroup, doc, value = (
            (list(column) for column in zip(*rows, strict=True)) if rows else [[]] * 4
        )
        return cls.of(query, doc, value, subgroup=subgroup)

    @classmethod
    def of_judgments(cls, judgments: Judgments) -> "Preferences":
        """Grades read as preferences: each rater is a group, and a doc is preferred to those of lower grades.

        Docs that are in the pool and not judged are left out.

        >>> graded = Judgments.from_dict({"q": {"a": 2, "b": 1, "c": 1}})
        >>> Preferences.of_judgments(graded).choices(["q"]).n_pairs  # a > b, a > c
        array([2.])
        """
        rows = np.flatnonzero(~judgments.pooled)
        rater = [name or "" for name in judgments.texts("rater")[rows].tolist()]
        line = None if judgments.line is None else judgments.line[rows]
        return cls(
            Ids(judgments.query.codes[rows], judgments.query.names),
            Ids.of(rater),
            Ids.of(["0"] * len(rows)),
            Ids(judgments.doc.codes[rows], judgments.doc.names),
            judgments.grade[rows].astype(np.float64),
            line,
            judgments.source,
        )

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def _unit(self) -> Ints:
        """(n_rows,) a number for each (query, group, subgroup), in their order."""
        return _numbered(self.group_of_row, self.subgroup)

    @cached_property
    def group_of_row(self) -> Ints:
        """(n_rows,) a number for each (query, group), in their order."""
        return _numbered(self.query.codes, self.group)

    @cached_property
    def first(self) -> Bools:
        """(n_rows,) True for the row that counts: the first of its doc in the subgroup."""
        return first_of_each(_numbered(self._unit, self.doc))

    @cached_property
    def _laid(self) -> tuple[Preferred, Ints, list[tuple[int, int]]]:
        """What was preferred to what, the first row of each doc, and the pairs that contradict themselves."""
        key = _numbered(self.group_of_row, self.doc)
        _, first, of_row = np.unique(key, return_index=True, return_inverse=True)
        group = self.group_of_row[first]
        n_groups = int(group.max(initial=-1)) + 1
        query = np.zeros(n_groups, np.int64)
        query[self.group_of_row] = self.query.codes
        docs = offsets_of(group, n_groups)
        _, parts = np.unique(self._unit, return_index=True)
        whole = np.bincount(self.group_of_row[parts], minlength=n_groups) < 2
        rows = np.flatnonzero(self.first)
        better, worse = ordered_pairs(self._unit[rows], self.value[rows], of_row[rows])
        pairs, better, worse, against = closed(group, docs, whole, better, worse)
        laid = Preferred(
            offsets_of(query, len(self.query.names)),
            docs,
            pairs,
            self.doc.codes[first],
            np.bincount(of_row, weights=self.value > 0, minlength=len(first)) > 0,
            better,
            worse,
            whole,
            np.full(len(first), HIDDEN),
        )
        return laid, first, against

    def choices(self, queries: Sequence[str]) -> Preferred:
        """What was preferred to what for these queries, before anything was displayed."""
        find = self.query.code.get
        return self._laid[0].of_the_queries(
            np.fromiter((find(q, -1) for q in queries), np.int64, len(queries))
        )

    def contradictions(self) -> Iterator[Contradiction]:
        """Docs of one group that are above each other; none of the preferences between them counts."""
        _, first, against = self._laid
        for one, other in against:
            names = self.doc.texts_at(first[[one, other]])
            yield Contradiction(int(first[one]), *names)

    def mixed(self) -> Ints:
        """The first rows of docs that are not relevant in one subgroup and relevant in another of their group."""
        _, of_row = np.unique(_numbered(self.group_of_row, self.doc), return_inverse=True)
        _, first, times = np.unique(of_row, return_index=True, return_counts=True)
        liked = np.bincount(of_row, weights=self.value > 0, minlength=len(first))
        return first[(liked > 0) & (liked < times)]

    @cached_property
    def judgments(self) -> Judgments:
        """Who is asked and which docs were looked at: a doc has grade 1 if it is worth more than 0 to anybody."""
        order = np.lexsort((-self.value, self.doc.codes, self.query.codes))
        order = order[first_of_each((self.query.codes * max(len(self.doc.names), 1) + self.doc.codes)[order])]
        rows = np.sort(order)
        return Judgments(
            Ids(self.query.codes[rows], self.query.names),
            Ids(self.doc.codes[rows], self.doc.names),
            (self.value[rows] > 0).astype(np.int64),
            np.zeros(len(rows), bool),
            {},
            None if self.line is None else self.line[rows],
            self.source,
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what was preferred how: the same for the same preferences in another order of rows."""
        rows = np.flatnonzero(self.first)
        ids = (self.query, self.group, self.subgroup, self.doc)
        rows = rows[np.lexsort([one.codes[rows] for one in reversed(ids)])]
        digest = sha256()
        for column in (*(one.texts()[rows] for one in ids), self.value[rows]):
            digest.update("\0".join(map(str, column.tolist())).encode())
            digest.update(b"\1")
        return digest.hexdigest()


def _numbered(of: Ints, ids: Ids) -> Ints:
    """(n_rows,) a number for each pair of a number and an id, in their order."""
    numbers: Ints = np.unique(of * max(len(ids.names), 1) + ids.codes, return_inverse=True)[1]
    return numbers


def preferring(*groups: str, shown: str, worthless: str = "") -> Rankings:
    """One query written down for an example: what each group prefers, and what was displayed.

    "a>b>c d>c" is a group of two subgroups; `worthless` names the docs that are not relevant.

    >>> preferring("a>b b>c", shown="c b").preferred.place.tolist() == [HIDDEN, 2, 1]  # of a, b and c
    True
    """
    rows = [
        (str(g), str(s), doc, 0.0 if doc in worthless.split() else float(len(chain) - at))
        for g, text in enumerate(groups)
        for s, chain in enumerate(text.split())
        for at, doc in enumerate(chain.split(">"))
    ]
    group, subgroup, doc, value = (list(column) for column in zip(*rows, strict=True))
    table = Preferences.of(["q"] * len(rows), doc, value, group=group, subgroup=subgroup)
    preferred, rank = table.choices(["q"]), {doc: n for n, doc in enumerate(shown.split(), 1)}
    names = table.doc.names[preferred.doc].tolist()
    place = np.array([rank.get(name, HIDDEN) for name in names], np.int64)
    return replace(written(" ".join("." for _ in rank)), preferred=preferred.displayed(place))
