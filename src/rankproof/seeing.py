"""What a few measures see beside hits: preferences, the judgments of each rater, what is known of docs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankproof.alignment import Aligned, align, free
from rankproof.errors import UsageError
from rankproof.measures.combining import Combination
from rankproof.measures.measure import Measure
from rankproof.tables.attributes import Documents
from rankproof.tables.beside import beside
from rankproof.tables.columns import Ints
from rankproof.tables.conventions import Conventions
from rankproof.tables.displayed import REPEAT
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import Judgments
from rankproof.tables.known import History, Known
from rankproof.tables.lists import Beside
from rankproof.tables.preferences import Preferences
from rankproof.tables.preferred import HIDDEN, Preferred
from rankproof.tables.rankings import Raters
from rankproof.tables.raters import Parted, parted
from rankproof.tables.run import Run


@dataclass(frozen=True, eq=False)
class Seeing:
    """What some measures ask for, of the queries of one evaluation; None where none of them asks."""

    conventions: Conventions
    top_grade: int
    preferences: Preferences | None = None
    choices: Preferred | None = None
    raters: Parted | None = None

    @classmethod
    def of(
        cls,
        measures: Iterable[Measure],
        judgments: Judgments,
        preferences: Preferences | None,
        queries: Sequence[str],
        conventions: Conventions,
        top_grade: int,
    ) -> "Seeing":
        """What these measures ask for."""
        asked = {m.sees for m in measures} | {f"raters={m.values.get('raters')}" for m in measures}
        shown = preferences if "preferences" in asked else None
        return cls(
            conventions,
            top_grade,
            shown,
            shown.choices(queries) if shown else None,
            parted(judgments, queries) if "raters=mean" in asked else None,
        )

    def over(self, laid: Aligned, run: Run, candidates: Iterable[Run]) -> Aligned:
        """The run laid over judgments, with what was asked for laid over it."""
        preferred, raters = None, None
        if self.preferences is not None and self.choices is not None:
            preferred = self.choices.displayed(self._places(laid, self.preferences, self.choices))
        if self.raters is not None:
            raters = self._by_rater(self.raters, run, candidates)
        return replace(laid, rankings=replace(laid.rankings, preferred=preferred, raters=raters))

    def _places(self, laid: Aligned, preferences: Preferences, choices: Preferred) -> Ints:
        """(n_docs,) where each doc of the preferences stands in its list; HIDDEN where it does not."""
        shown = laid.displayed
        start, _ = free(shown, self.conventions)
        rank = start if laid.rankings.averaged else shown.rank
        n = max(len(preferences.doc.names), 1)
        doc = shown.run.doc.into(preferences.doc)[shown.run.doc.codes[shown.row]]
        query = np.repeat(np.arange(len(shown.queries)), np.diff(shown.offsets))
        lines = np.flatnonzero((doc >= 0) & (shown.grade != REPEAT))
        key = query[lines] * n + doc[lines]
        order = np.argsort(key)
        key, rank = key[order], rank[lines][order]
        wanted = choices.query_of_group[choices.group_of_doc] * n + choices.doc
        at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
        if not len(key):
            return np.full(len(wanted), HIDDEN)
        return np.where(key[at] == wanted, rank[at], HIDDEN)

    def _by_rater(self, by: Parted, run: Run, candidates: Iterable[Run]) -> Raters:
        repeated = [by.run(one) for one in candidates] if self.conventions.ideal == "candidates" else []
        laid = align(
            by.judgments,
            by.run(run),
            self.conventions,
            by.parts,
            candidates=repeated,
            top_grade=self.top_grade,
        )
        return Raters(by.offsets, laid.rankings)


def stop_where_unseen(
    measures: Iterable[Measure], judgments: Judgments | Preferences | Judged, preferences: Preferences | None
) -> None:
    """UsageError where a measure would read what was not given: preferences, subtopics, or grades.

    A combination reads nothing itself; its parts are asked when they are measured.
    """
    ungraded = isinstance(judgments, Preferences)
    if ungraded and preferences is not None:
        raise UsageError(
            "Preferences were given twice. Give judgments and preferences, or preferences alone."
        )
    for measure in measures:
        if measure.sees == "preferences" and not ungraded and preferences is None:
            raise UsageError(
                "{measure} reads preferences, and only grades were given. Say what the file holds: "
                "--judgments-as preferences, or grades-as-preferences; in Python, give a table of Preferences.",
                measure=measure.full_name,
            )
        if measure.sees == "subtopics" and isinstance(judgments, Judgments) and judgments.subtopic is None:
            raise UsageError(
                "{measure} needs to know which subtopics a doc covers, and the judgments do not say. Give a file "
                "that has the columns query_id, subtopic, doc_id and grade; where it is a TREC file of diversity "
                "judgments (topic subtopic doc grade), say so: --subtopics, or read_judgments(..., subtopics=True).",
                measure=measure.full_name,
            )
        if measure.sees != "preferences" and ungraded and not isinstance(measure, Combination):
            raise UsageError(
                "{measure} reads grades, and only preferences were given, which say nothing of how good a doc is. "
                "Give judgments with grades, or ask for PrefSimp, PrefPair or PrefAvgJG.",
                measure=measure.full_name,
            )


def knowing(
    judgments: Judgments,
    runs: Iterable[Run],
    conventions: Conventions,
    queries: Sequence[str],
    documents: Documents,
    history: History | None = None,
    expected: Run | None = None,
) -> Beside:
    """What is known of docs and users beside `queries`: attributes, history, and what another run displayed."""
    every = [*runs, *((expected,) if expected else ())]
    known = Known.of(documents, history, judgments.doc, *(run.doc for run in every))
    plain = conventions.but(
        unjudged="zero", duplicates="first", depth=None
    )  # they are about the runs measured
    shown = align(judgments, expected, plain, queries).rankings.lists if expected else None
    return beside(known, queries, judgments, shown)


def fingerprint(
    measures: Iterable[Measure],
    judgments: Judgments,
    documents: Documents | None = None,
    history: History | None = None,
    expected: Run | None = None,
) -> str:
    """A hash of what these measures look at beside the grades that count; empty where they look at nothing else.

    It is the same for the same things in another order of rows.
    """
    from hashlib import sha256  # not loaded where nobody compares results

    measures = list(measures)
    seen: dict[str, object] = {}
    if any(measure.sees == "known" for measure in measures):
        seen["attributes"] = _attributes(documents or Documents())
        if history:
            seen["history"] = sorted(_rows(history.query.texts(), history.doc.texts()))
        if expected:
            numbers = [one for one in (expected.rank, expected.score) if one is not None]
            lines = _rows(expected.query.texts(), expected.doc.texts(), *numbers)
            seen["expected"] = sorted(lines, key=lambda line: str(line[0]))  # a list stays in its order
    if any(measure.values.get("raters") == "mean" for measure in measures):
        about = () if judgments.subtopic is None else (judgments.subtopic.texts(),)
        query, doc, rater = judgments.query.texts(), judgments.doc.texts(), judgments.texts("rater")
        seen["raters"] = sorted(map(repr, _rows(query, doc, judgments.grade, rater, *about)))
    return sha256(repr(seen).encode()).hexdigest() if seen else ""


def _rows(*columns: np.ndarray) -> list[tuple[object, ...]]:
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _attributes(documents: Documents) -> list[str]:
    """What is known of each doc, sorted."""
    vectors = [None] * len(documents) if documents.vectors is None else documents.vectors.tolist()
    place = {row.doc_id: at for at, row in reversed(list(enumerate(documents.rows)))}
    return sorted(
        repr((doc, sorted(row.categories), row.group, row.popularity, vectors[place[doc]]))
        for doc, row in documents.by_id.items()
    )
