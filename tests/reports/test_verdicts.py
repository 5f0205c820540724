"""A sentence says "ranks better" only of measures that say how well docs were ordered."""

import pytest

from rankproof import Judgments, Run, compare, evaluate, report

JUDGMENTS = Judgments.from_dict({f"q{n}": {"a": 1, "b": 0} for n in range(8)})
RUNS = [
    Run.from_dict("old", {f"q{n}": ["a", "b"] for n in range(8)}),
    Run.from_dict("new", {f"q{n}": ["x", "y", "b"] if n else ["x", "a"] for n in range(8)}),
]


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("Unjudged@3", "Unjudged@3 is higher in new than in old"),
        ("RBPResidual(p=0.8)", "RBPResidual(p=0.8) is higher in new than in old"),
        ("nDCG@3", "new ranks worse than old: nDCG@3"),
        ("0.5*nDCG@3 + 0.5*Judged@3", "new ranks worse than old"),
    ],
)
def test_what_is_higher_is_not_always_better(measure: str, said: str) -> None:
    found = evaluate(JUDGMENTS, RUNS, measure)
    text = report(found, compare(found), format="md")
    assert said in text
    assert ("ranks better" in text or "ranks worse" in text) == ("ranks" in said)
