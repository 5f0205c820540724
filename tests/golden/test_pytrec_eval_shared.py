"""Every value that pytrec_eval-terrier gives over public collections, to twelve digits."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from golden.recorded import Held, held, measured, printed
from golden.tallying import Tally
from golden.test_trec_eval_shared import judged, system
from rankproof import conventions_of

SHARED = Path(__file__).parents[3] / "shared"
RECORDED = SHARED / "golden" / "pytrec_eval"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="third-party data: not beside the project"),
]
LOGARITHMS = ("gm_map", "gm_bpref")  # of each query it gives the logarithm that goes into the mean


def twelve_digits(measure: str, text: str, ours: float) -> bool:
    """True where our value is the recorded one, which has twelve digits."""
    value = math.log(ours) if measure in LOGARITHMS else ours
    return math.isclose(value, float(text), rel_tol=1e-11, abs_tol=1e-12)


def compared(path: Path) -> Held:
    """Every value of one file beside ours."""
    name, run, level = path.name.removesuffix(".tsv.gz").split(".")
    conventions = conventions_of("trec_eval-9", rel=int(level.removeprefix("l")))
    golden = printed(path)
    found, measures = measured(golden, judged(name), system(name, run), conventions)
    return held(
        golden, system(name, run), found, measures, tool="pytrec_eval", config=level, equal=twelve_digits
    )


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.tsv.gz")), ids=lambda path: path.name)
def test_twelve_digits_are_the_same(path: Path) -> None:
    found = compared(path)
    assert found.different[:10] == []
    assert found.equal > 1000


def tally() -> Iterator[Tally]:
    """The counts of all files."""
    whole = Held()
    for path in sorted(RECORDED.glob("*.tsv.gz")):
        found = compared(path)
        whole.equal += found.equal
        whole.different += found.different
        whole.excused.update(found.excused)
    if whole.compared:
        yield Tally("pytrec_eval-terrier 0.5.11", whole.compared, whole.equal, dict(whole.excused))
