"""What other tools said of inputs made at random: grades below 0, ties, missing lists, all at once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from golden.tallying import Tally
from rankproof import Conventions, Judgments, Run, conventions_of, evaluate, parse_measure

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "random_cases" / "cases.jsonl").read_text("utf-8").splitlines()
]
ASKED = {
    "pytrec_eval l1": conventions_of("trec_eval-9"),
    "pytrec_eval l2": conventions_of("trec_eval-9", rel=2),
    "ir_measures": conventions_of("ir_measures"),
    "trectools": conventions_of("trectools"),
}

Compared = tuple[int, str, str, str, float, float | None]  # seed, tool, measure, query, theirs, ours


def tables(case: dict[str, list[list[str]]]) -> tuple[Judgments, Run]:
    """The judgments and the run of a case, row by row."""
    query, doc, grade = (list(column) for column in zip(*case["qrels"], strict=True))
    below = [int(g) < 0 for g in grade]
    judgments = Judgments.of(query, doc, [max(int(g), -1) for g in grade], pooled=below)
    query, doc, score = (list(column) for column in zip(*case["run"], strict=True))
    return judgments, Run.of("run", query, doc, score=[float(s) for s in score])


def compared(tool: str, conventions: Conventions) -> Iterator[Compared]:
    for case in CASES:
        judgments, run = tables(case)
        recorded = case["values"][tool]
        measures = {name: parse_measure(name).under(conventions) for name in recorded}
        found = evaluate(judgments, run, measures.values(), conventions=conventions, keep=False)
        for name, measure in measures.items():
            ours = dict(zip(found.queries, found.of("run", measure.full_name).tolist(), strict=True))
            ours["all"] = found.mean("run", measure.full_name).value
            for query, value in recorded[name].items():
                yield case["seed"], tool, name, query, value, ours[query]


def same(row: Compared) -> bool:
    *_, theirs, ours = row
    return ours is not None and abs(ours - theirs) <= 1e-10 * max(1.0, abs(theirs))


@pytest.mark.parametrize("tool", ASKED)
def test_every_value_is_reproduced(tool: str) -> None:
    rows = list(compared(tool, ASKED[tool]))
    assert [row for row in rows if not same(row)] == []
    assert len(rows) > 80


def test_the_cases_have_what_makes_them_hard() -> None:
    tops = []
    for case in CASES:
        grades: dict[str, int] = {}
        for query, _, grade in case["qrels"]:
            grades[query] = max(grade, grades.get(query, grade))
        tops.append(grades)
    shown = [{row[0] for row in case["run"]} for case in CASES]
    assert any(top < 0 for grades in tops for top in grades.values())
    assert any(grades.keys() - listed for grades, listed in zip(tops, shown, strict=True))
    assert any(listed - grades.keys() for grades, listed in zip(tops, shown, strict=True))


def tally() -> Iterator[Tally]:
    """The counts of each tool."""
    for tool, conventions in ASKED.items():
        rows = list(compared(tool, conventions))
        yield Tally(f"{tool}, random cases", len(rows), sum(map(same, rows)))
