"""Every value of scikit-learn 1.9.1 over public collections: ties averaged or not, retrieved docs alone or with the rest."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from golden.tallying import Tally
from rankproof import Judgments, Measurements, Run, conventions_of, evaluate, read_judgments, read_run

SHARED = Path(__file__).parents[3] / "shared"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
FILES = [path.name.removesuffix(".tsv.gz") for path in sorted((SHARED / "golden/sklearn").glob("*.tsv.gz"))]
# Whose name begins so was asked of that dialect, for these docs, and is that measure.
KINDS = {
    "retrieved.ndcg": ("sklearn", "retrieved", "nDCG"),
    "retrieved.ndcg_ignore_ties": ("sklearn_ignore_ties", "retrieved", "nDCG"),
    "retrieved.dcg": ("sklearn", "retrieved", "DCG"),
    "retrieved.average_precision": ("sklearn", "retrieved", "AP"),
    "union.ndcg": ("sklearn", "union", "nDCG"),
}


@lru_cache(maxsize=1)
def judged(data: str) -> Judgments:
    qrels = "qrels.adhoc.txt.gz" if data == "web2013" else "qrels.txt.gz"
    return read_judgments(SHARED / "data" / data / qrels)[0]


@lru_cache(maxsize=2)
def system(data: str, run: str, docs: str) -> Run:
    """The run; of the union, with the judged docs that it lacks below all others, at one score."""
    retrieved = read_run(SHARED / "data" / data / f"run.{run}.txt.gz")[0]
    if docs == "retrieved":
        return retrieved
    assert retrieved.score is not None
    rows = [*zip(retrieved.query.texts(), retrieved.doc.texts(), retrieved.score.tolist(), strict=True)]
    shown, asked = {row[:2] for row in rows}, {query for query, _, _ in rows}
    below, truth = min(score for _, _, score in rows) - 1, judged(data)
    pairs = zip(truth.query.texts(), truth.doc.texts(), strict=True)
    rows += [(*pair, below) for pair in pairs if pair[0] in asked and pair not in shown]
    query, doc, score = zip(*rows, strict=True)
    return Run.of(run, query, doc, score=score)


def name_of(recorded: str) -> tuple[str, str, str]:
    """Dialect, docs and measure of a recorded name."""
    kind, _, cutoff = recorded.partition("@")
    dialect, docs, measure = KINDS[kind]
    return dialect, docs, measure if cutoff in ("", "None") else f"{measure}@{cutoff}"


@lru_cache(maxsize=8)
def measured(file: str, dialect: str, docs: str, names: tuple[str, ...], ties: str = "") -> Measurements:
    """Our values; negative grades are 0, as whoever recorded theirs had made them."""
    data, run = file.split(".", 1)
    chosen = {"negative_grades": "zero"} | ({"ties": ties} if ties else {})
    conventions = conventions_of(dialect, **chosen)
    return evaluate(judged(data), system(data, run, docs), names, conventions=conventions, keep=False)


def recorded(file: str) -> dict[str, dict[str, str]]:
    """What was recorded, by its name and by query; the mean stands under "mean"."""
    found: dict[str, dict[str, str]] = {}
    with gzip.open(SHARED / "golden/sklearn" / f"{file}.tsv.gz", "rt", encoding="utf-8") as lines:
        next(lines)  # its heading
        for line in lines:
            name, query, value = line.rstrip("\n").split("\t")
            found.setdefault(name, {})[query] = value
    return found


UNSTABLE = (
    "ignore_ties=True sorts by a sort that keeps no order of equal scores; the value is one that they allow"
)


@dataclass(frozen=True)
class Compared:
    """One recorded value beside ours; `lowest` and `highest` are what the orders of equal scores allow."""

    name: str
    query: str
    recorded: float
    ours: float
    lowest: float
    highest: float

    @property
    def same(self) -> bool:
        """Ten significant digits are the same."""
        return abs(self.ours - self.recorded) <= 0.5e-9 * max(abs(self.recorded), 0.1) + 1e-9

    @property
    def excused(self) -> bool:
        """True where nobody can say in which order that tool put equal scores."""
        within = self.lowest - 1e-9 <= self.recorded <= self.highest + 1e-9
        return not self.same and within and "ignore_ties" in self.name


@lru_cache
def compared(file: str) -> tuple[Compared, ...]:
    """Every recorded value of a file beside ours; the mean is over the queries that were recorded."""
    golden, rows = recorded(file), []
    for name, values in golden.items():
        dialect, docs, measure = name_of(name)
        asked = tuple(dict.fromkeys(name_of(one)[2] for one in golden if name_of(one)[:2] == (dialect, docs)))
        columns = []
        for ties in ("", "pessimistic", "optimistic") if "ignore_ties" in name else ("",) * 3:
            found = measured(file, dialect, docs, asked, ties)
            ours = found.of(found.runs[0], found.measures[asked.index(measure)]).tolist()
            column = dict(zip(found.queries, ours, strict=True))
            columns.append(
                column | {"mean": float(np.mean([column[query] for query in values if query != "mean"]))}
            )
        rows += [
            Compared(name, query, float(value), *(column[query] for column in columns))
            for query, value in values.items()
        ]
    return tuple(rows)


@pytest.mark.parametrize("file", FILES)
def test_every_value_is_ours(file: str) -> None:
    rows = compared(file)
    assert len(rows) > 1000
    assert [row for row in rows if not row.same and not row.excused] == []


def tally() -> Iterator[Tally]:
    """The counts of each file."""
    for file in FILES if SHARED.exists() else ():
        rows = compared(file)
        n, same = sum(not row.excused for row in rows), sum(row.same for row in rows)
        yield Tally(
            f"scikit-learn 1.9.1, {file}", n, same, {UNSTABLE: len(rows) - n} if len(rows) > n else {}
        )
