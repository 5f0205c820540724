"""Every value that trec_eval 9.0.8 and 10.0-rc3 print over public collections, under all recorded options."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from golden.recorded import Excuse, Held, Printed, excuses, held, measured, printed
from golden.tallying import Tally
from rankproof import (
    Judgments,
    Run,
    UsageError,
    conventions_of,
    evaluate,
    read_judgments,
    read_run,
)

SHARED = Path(__file__).parents[3] / "shared"
RECORDED = SHARED / "golden" / "trec_eval"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
# The options of each recorded command, as conventions.
CONFIGS: Mapping[str, dict[str, object]] = {
    "q": {},
    "qc": {"missing": "zero"},
    "qcl2": {"missing": "zero", "rel": 2},
    "qcM100": {"missing": "zero", "depth": 100},
    "qJ": {"unjudged": "condense"},
    "par": {"missing": "zero"},
    "dcg10": {"missing": "zero"},
    "rbp10": {"missing": "zero"},
}
VERSIONS = {"trec_eval-9": "9.0.8", "trec_eval-10": "10.0-rc3"}


class Case(NamedTuple):
    """One recorded command."""

    name: str
    run: str
    config: str
    version: str

    def __str__(self) -> str:
        return "/".join(self)


def cases() -> Iterator[Case]:
    """Every recorded command; those of one run side by side, so that it is read once."""
    for folder in sorted(path for path in RECORDED.glob("*") if path.is_dir()):
        for run in sorted({path.name.split(".")[0] for path in folder.iterdir()}):
            for config in CONFIGS:
                for version in VERSIONS:
                    case = Case(folder.name, run, config, version)
                    if files_of(case):
                        yield case


def files_of(case: Case) -> list[Path]:
    """The file of a command, or the one of version 9 and what version 10 printed otherwise."""
    stem = RECORDED / case.name / f"{case.run}.{case.config}"
    nine, delta, full = (
        Path(f"{stem}.{ending}.tsv.gz") for ending in ("9.0.8", "10.0-rc3.delta", "10.0-rc3.full")
    )
    if case.version == "trec_eval-9":
        return [nine] if nine.exists() else []
    if full.exists():
        return [full]
    return [nine, delta] if delta.exists() else []


def expected(case: Case) -> Printed:
    """What was printed."""
    values: Printed = {}
    for path in files_of(case):
        for measure, changed in printed(path).items():
            values[measure] = values.get(measure, {}) | changed
    return values


@lru_cache(maxsize=1)
def judged(name: str) -> Judgments:
    qrels = "qrels.adhoc.txt.gz" if name == "web2013" else "qrels.txt.gz"
    return read_judgments(SHARED / "data" / name / qrels)[0]


@lru_cache(maxsize=1)
def system(name: str, run: str) -> Run:
    return read_run(SHARED / "data" / name / f"run.{run}.txt.gz")[0]


def compared(case: Case) -> Held:
    """Every value of one command beside ours."""
    conventions = conventions_of(case.version, **CONFIGS[case.config])
    golden, run = expected(case), system(case.name, case.run)
    judgments, queries = judged(case.name), None
    if conventions.rel > judgments.top_grade:  # trec_eval goes on where nothing is relevant, and we do not
        queries = judgments.query.in_order_of_appearance()
        judgments = with_a_relevant_doc(judgments, conventions.rel)
    found, measures = measured(golden, judgments, run, conventions)
    return held(golden, run, found, measures, tool=case.version, config=case.config, among=queries)


def with_a_relevant_doc(judgments: Judgments, grade: int) -> Judgments:
    """The judgments and one more query, for which the run has nothing."""
    return Judgments.of(
        [*judgments.query.texts(), "one more"],
        [*judgments.doc.texts(), "doc"],
        [*judgments.grade.tolist(), grade],
        pooled=[*judgments.pooled.tolist(), False],
    )


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_every_printed_value_is_reproduced(case: Case) -> None:
    found = compared(case)
    assert found.different[:10] == []
    assert found.equal > 50


@pytest.mark.parametrize(
    "excuse", [one for one in excuses() if "/" in one.example], ids=lambda one: one.measures
)
def test_an_excuse_is_needed(excuse: Excuse) -> None:
    assert compared(Case(*excuse.example.split("/"))).excused[excuse.reason] > 0


def test_version_10_stops_where_a_judged_query_is_missing() -> None:
    with pytest.raises(UsageError, match="missing=error"):
        evaluate(
            judged("robust04"),
            system("robust04", "cedr-bm25-fold1"),
            "AP",
            conventions=conventions_of("trec_eval-10"),
        )


def tally() -> Iterator[Tally]:
    """The counts by version and configuration."""
    rows: dict[tuple[str, str], Held] = {}
    for case in cases() if SHARED.exists() else ():
        found, so_far = compared(case), rows.setdefault((case.version, case.config), Held())
        so_far.equal += found.equal
        so_far.different += found.different
        so_far.excused.update(found.excused)
    for (version, config), one in rows.items():
        yield Tally(
            f"trec_eval {VERSIONS[version]} {config}", one.compared, one.equal, dict(Counter(one.excused))
        )
