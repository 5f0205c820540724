"""Every value that ir_measures 0.4.3 gives of the measures we have, over public collections."""

import gzip
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from golden.tallying import Tally
from rankproof import (
    Conventions,
    Judgments,
    Measure,
    Run,
    conventions_of,
    evaluate,
    parse_measure,
    read_judgments,
    read_run,
)

SHARED = Path(__file__).parents[3] / "shared"
GOLDEN = SHARED / "golden" / "ir_measures"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
# How that tool's names are written here; a name that none of these fits is the same in both.
SPELT = (
    (r"nDCG\(dcg='exp-log2'\)@(\d+)", r"nDCG(gain=exp2)@\1"),
    (r"nDCG\(gains=\{2:3,3:7,4:15\}\)@(\d+)", r"nDCG(gain=2=3,3=7,4=15)@\1"),
    (r"SetAP", "set_map"),
    (r"SetF\(beta=([\d.]+)\)", r"set_F.\1"),  # handed on to trec_eval as it is
    (r"SetF", "set_F"),
    (r"SetP", "set_P"),
    (r"SetR", "set_recall"),
    (r"IPrec@([\d.]+)", r"iprec_at_recall_\g<1>0"),
    (r"(.+)\(judged_only=True\)(.*)", r"\1\2"),
)

Values = dict[str, dict[str, str]]


def ours(name: str) -> str:
    """A measure's name as it is written here."""
    for pattern, written in SPELT:
        if match := re.fullmatch(pattern, name):
            return match.expand(written)
    return name


def conventions(name: str) -> Conventions:
    condensed = {"unjudged": "condense"} if "judged_only=True" in name else {}
    return conventions_of("ir_measures", **condensed)


def files() -> list[Path]:
    return [path for path in sorted(GOLDEN.glob("*/*.tsv.gz")) if ".diversity." not in path.name]


@lru_cache(maxsize=1)
def judged(name: str) -> Judgments:
    qrels = "qrels.adhoc.txt.gz" if name == "web2013" else "qrels.txt.gz"
    return read_judgments(SHARED / "data" / name / qrels)[0]


@lru_cache(maxsize=1)
def system(path: Path) -> Run:
    return read_run(SHARED / "data" / path.parent.name / f"run.{path.name.removesuffix('.tsv.gz')}.txt.gz")[0]


def recorded(path: Path) -> tuple[Values, set[str]]:
    """The values by measure and query, and the measures that were printed with five decimals."""
    values: Values = {}
    rounded = set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            measure, provider, query, value = line.rstrip("\n").split("\t")
            values.setdefault(measure, {})[query] = value
            if provider == "gdeval":
                rounded.add(measure)
    return values, rounded


def same(text: str, value: float, rounded: bool) -> bool:
    """True where `value` is what was written with ten significant digits, or with five decimals."""
    theirs = float(text)
    last = -5 if rounded else math.floor(math.log10(abs(theirs) or 1.0)) - 9
    return abs(value - theirs) <= 0.5 * 10.0**last * (1 + 1e-4) + 1e-14  # sums of ten thousand terms


def found(path: Path, names: Mapping[str, Measure]) -> dict[str, dict[str, float]]:
    """Our values by their names and the query; "all" is the mean."""
    run = system(path)
    values = {}
    for condensed in (False, True):
        asked = {name: row for name, row in names.items() if ("judged_only" in name) == condensed}
        if asked:
            own = conventions("judged_only=True" if condensed else "")
            result = evaluate(judged(path.parent.name), run, asked.values(), conventions=own, keep=False)
            for name, row in asked.items():
                measure = row.under(own).full_name
                column = dict(zip(result.queries, result.of(run.name, measure).tolist(), strict=True))
                mean = result.mean(run.name, measure).value
                values[name] = {**column, "all": np.nan if mean is None else mean}
    return values


def compared(path: Path) -> Iterator[tuple[str, str, str, float, bool]]:
    values, rounded = recorded(path)
    names = {name: parse_measure(ours(name)) for name in values}
    mine = found(path, names)
    for name in names:
        for query, text in values[name].items():
            yield name, query, text, mine[name][query], name in rounded


IDEAL = "Compat's ideal list has docs that were not displayed at score 0, and equal scores in the judgments' order"


@lru_cache(maxsize=1)
def other_ideal(judgments: Judgments, run: Run) -> set[str]:
    """The queries for which that tool's ideal list has displayed docs at other places than the published one has."""
    assert run.score is not None
    grades: dict[str, dict[str, int]] = {}
    for query, doc, grade in zip(
        judgments.query.texts(), judgments.doc.texts(), judgments.grade, strict=True
    ):
        if grade > 0:
            grades.setdefault(query, {})[doc] = int(grade)
    scores: dict[str, dict[str, float]] = {}
    for query, doc, score in zip(run.query.texts(), run.doc.texts(), run.score.tolist(), strict=True):
        scores.setdefault(query, {})[doc] = score
    found = {"all"}
    for query, of_query in grades.items():
        score = scores.get(query, {})
        shown = {doc: place for place, doc in enumerate(sorted(score, key=lambda doc: (-score[doc], doc)))}
        published = sorted(of_query, key=lambda doc: (-of_query[doc], shown.get(doc, len(shown))))
        theirs = sorted(of_query, key=lambda doc: (-of_query[doc], -score.get(doc, 0.0)))
        if [doc if doc in shown else "" for doc in published] != [
            doc if doc in shown else "" for doc in theirs
        ]:
            found.add(query)
    return found


def excuse(path: Path, name: str, query: str) -> str:
    """Why a value may differ; nothing where it may not."""
    if name.startswith("Compat") and query in other_ideal(judged(path.parent.name), system(path)):
        return IDEAL
    return ""


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_value_is_reproduced(path: Path) -> None:
    one, different = counted(path)
    assert not different
    assert one.compared > 1000


def counted(path: Path) -> tuple[Tally, list[tuple[str, str, str, float]]]:
    """How many values of one file are ours, and which are not."""
    equal, excused, different = 0, Counter[str](), []
    for name, query, text, value, rounded in compared(path):
        if same(text, value, rounded):
            equal += 1
        elif reason := excuse(path, name, query):
            excused[reason] += 1
        else:
            different.append((name, query, text, value))
    source = f"ir_measures 0.4.3, {path.parent.name}, {path.name.removesuffix('.tsv.gz')}"
    return Tally(source, equal + len(different), equal, dict(excused)), different


def tally() -> Iterator[Tally]:
    """All files, one by one."""
    if SHARED.exists():
        yield from (counted(path)[0] for path in files())
