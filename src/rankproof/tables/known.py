"""What is known beside relevance: attributes of docs, which docs a user knew before, which were expected."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError
from rankproof.tables.attributes import Document, Documents
from rankproof.tables.columns import Bools, Floats, Ids, Ints, texts_of


@dataclass(frozen=True, eq=False)
class History:
    """Which docs each user (query) met before, a pair a row; a pair that stands twice is two interactions.

    >>> history = History.from_dict({"u1": ["a", "b"], "u2": ["a"]})
    >>> len(history), history.doc.names.tolist()
    (3, ['a', 'b'])
    """

    query: Ids
    doc: Ids
    source: str = ""

    @classmethod
    def of(cls, query: Iterable[str], doc: Iterable[str], source: str = "") -> "History":
        """A history from two columns of one length."""
        one, other = Ids.of(query), Ids.of(doc)
        if len(one) != len(other):
            raise UsageError(
                "The columns of a history have {queries} and {docs} rows; expected as many.",
                queries=len(one),
                docs=len(other),
            )
        return cls(one, other, source)

    @classmethod
    def from_dict(cls, docs: Mapping[str, Iterable[str]]) -> "History":
        """A history from the docs of each user."""
        pairs = [(query, doc) for query, some in docs.items() for doc in some]
        return cls.of([query for query, _ in pairs], [doc for _, doc in pairs])

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True, eq=False)
class Known:
    """Attributes as columns over `ids.names`: every doc of the documents, the history, the runs, the judgments.

    A column is made when a measure asks for it. One that cannot be made is a UsageError that says which
    column of which file is needed. A popularity that is not known is NaN, a group -1, a vector a row of NaN.
    """

    ids: Ids
    documents: Documents = field(default_factory=Documents)
    history: History | None = None

    @classmethod
    def of(cls, documents: Documents, history: History | None, *others: Ids) -> "Known":
        """What `documents` and `history` tell, over their docs and the docs of `others`."""
        every = (*others, history.doc) if history else others
        names = {*documents.by_id, *(name for ids in every for name in ids.names.tolist())}
        return cls(Ids(np.empty(0, np.int64), texts_of(sorted(names))), documents, history)

    def __len__(self) -> int:
        return len(self.ids.names)

    @cached_property
    def _rows(self) -> list[tuple[int, Document]]:
        """Each document with the place of its id."""
        return [(self.ids.code[doc], row) for doc, row in self.documents.by_id.items()]

    @cached_property
    def catalogue(self) -> Bools:
        """(n_docs,) True for the docs that could be shown: the documents, or the docs of the history without them."""
        found = np.zeros(len(self), bool)
        if len(self.documents):
            found[[place for place, _ in self._rows]] = True
        elif self.history:
            found[self.history.doc.into(self.ids)] = True
        else:
            raise UsageError(
                "A measure over the catalogue was asked for, and no catalogue is known. Give the documents that "
                "could be shown (--documents FILE with a column doc_id), or a history (--history FILE, in a study the key history), whose docs "
                "then are the catalogue."
            )
        return found

    @cached_property
    def popularity(self) -> Floats:
        """(n_docs,) how many interactions a doc had: as the documents say, else counted from the history."""
        said = [(place, row.popularity) for place, row in self._rows if row.popularity is not None]
        if said:
            found = np.full(len(self), np.nan)
            found[[place for place, _ in said]] = [value for _, value in said]
            return found
        if self.history:
            return np.bincount(self._history_doc, minlength=len(self)).astype(np.float64)
        raise UsageError(
            "A measure of popularity was asked for, and no doc has one. Give a column popularity in the "
            "documents (--documents FILE), or a history to count it from (--history FILE, in a study the key "
            "history)."
        )

    @cached_property
    def users(self) -> Floats:
        """(n_docs,) how many users of the history met a doc."""
        return np.bincount(self._pairs % max(len(self), 1), minlength=len(self)).astype(np.float64)

    @property
    def n_users(self) -> int:
        """How many users the history has."""
        return len(np.unique(self._told.query.codes))

    @property
    def _told(self) -> History:
        if not self.history:
            raise UsageError(
                "A measure of what users knew before was asked for, and there is no history. Give a file with "
                "the columns query_id and doc_id (--history FILE, in a study the key history)."
            )
        return self.history

    @cached_property
    def _history_doc(self) -> Ints:
        return self._told.doc.into(self.ids)[self._told.doc.codes]

    @cached_property
    def _pairs(self) -> Ints:
        """(n_pairs,) each pair of the history once, sorted: user code * n_docs + place of the doc."""
        return np.unique(self._told.query.codes * max(len(self), 1) + self._history_doc)

    def knew(self, user: Ints, doc: Ints) -> Bools:
        """(n,) True where the user met the doc before; user -1 is nobody and knew nothing."""
        key = user * max(len(self), 1) + doc
        return np.isin(key, self._pairs) & (user >= 0)

    @cached_property
    def categories(self) -> NDArray[np.uint64]:
        """(n_docs, n_words) the categories of each doc, a bit each."""
        names = {
            name: i for i, name in enumerate(sorted({c for _, row in self._rows for c in row.categories}))
        }
        if not names:
            raise UsageError(
                "A measure of categories was asked for, and no doc has one. Give a column categories in the "
                "documents (--documents FILE), several categories of a doc apart by semicolons."
            )
        found = np.zeros((len(self), (len(names) + 63) // 64), np.uint64)
        pairs = [(place, names[category]) for place, row in self._rows for category in row.categories]
        place, code = np.array(pairs, np.int64).T
        np.bitwise_or.at(found, (place, code // 64), np.uint64(1) << (code % 64).astype(np.uint64))
        return found

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of docs, sorted."""
        found = tuple(sorted({row.group for _, row in self._rows if row.group}))
        if not found:
            raise UsageError(
                "A measure of groups was asked for, and no doc has a group. Give a column group in the "
                "documents (--documents FILE)."
            )
        return found

    @cached_property
    def group(self) -> Ints:
        """(n_docs,) the place in `groups` of each doc's group; -1 where it is not known."""
        code = {name: place for place, name in enumerate(self.groups)}
        found = np.full(len(self), -1)
        for place, row in self._rows:
            found[place] = code.get(row.group, -1)
        return found

    @cached_property
    def vectors(self) -> Floats:
        """(n_docs, n_dimensions) the vector of each doc; NaN where it has none."""
        given = self.documents.vectors
        if given is None or np.isnan(given).all():
            raise UsageError(
                "A measure of vectors was asked for, and no doc has one. Give a column vector in the documents "
                "(--documents FILE), a JSON list of numbers such as [0.1, 0.9] for each doc."
            )
        found = np.full((len(self), given.shape[1]), np.nan)
        rows = {row.doc_id: at for at, row in reversed(list(enumerate(self.documents.rows)))}
        found[[place for place, _ in self._rows]] = given[[rows[doc] for doc in self.documents.by_id]]
        return found

    @cached_property
    def directions(self) -> Floats:
        """(n_docs, n_dimensions) the vectors with length 1; one of nothing but 0 stays, what is not known is 0."""
        vectors = np.nan_to_num(self.vectors)
        largest = np.abs(vectors).max(axis=1, keepdims=True)  # first, so that no square is infinite
        scaled = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)
        length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
        found: Floats = np.divide(scaled, length, out=scaled, where=length > 0)
        return found
