"""What other tools printed, held against the package value by value; excuses stand in excused.toml, with their reasons.

Printed                 {measure: {query: text}}, "all" for the mean
printed(path)           a recorded file: measure, query and text between tabs
held(found, ...)        how many of the printed values are ours
"""

import gzip
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from golden.tallying import same
from rankproof import Conventions, Judgments, Measure, Measurements, Run, evaluate, parse_measure

Printed = dict[str, dict[str, str]]
IS_TEXT = re.compile(r"relstring(_\d+)?")


@dataclass(frozen=True)
class Excuse:
    """Values that are not ours on purpose: where they stand, and the defect of the tool that made them."""

    reason: str
    tool: str
    measures: str
    example: str
    configs: tuple[str, ...] = ()
    queries: str = ".*"

    def covers(self, tool: str, config: str, measure: str, query: str) -> bool:
        """True where this value of the tool is excused."""
        return bool(
            re.fullmatch(self.tool, tool)
            and (not self.configs or config in self.configs)
            and re.fullmatch(self.measures, measure)
            and re.fullmatch(self.queries, query)
        )


def excuses() -> tuple[Excuse, ...]:
    """Every excuse that there is."""
    rows = tomllib.loads((Path(__file__).parent / "excused.toml").read_text("utf-8"))["excuse"]
    return tuple(Excuse(**{**row, "configs": tuple(row.get("configs", ()))}) for row in rows)


@dataclass
class Held:
    """What became of the printed values; `different` says the first ones that are not ours."""

    equal: int = 0
    different: list[str] = field(default_factory=list)
    excused: Counter[str] = field(default_factory=Counter)

    @property
    def compared(self) -> int:
        """Values that were compared and are not excused."""
        return self.equal + len(self.different)


def printed(path: Path) -> Printed:
    """What the tool printed, by measure and query."""
    found: Printed = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            measure, query, value = line.rstrip("\n").split("\t")
            found.setdefault(measure.strip(), {})[query] = value
    return found


def asked(golden: Printed, conventions: Conventions) -> dict[str, Measure]:
    """The measure of each printed name; "runid" is none."""
    return {name: parse_measure(name).under(conventions) for name in golden if name != "runid"}


def measured(
    golden: Printed, judgments: Judgments, run: Run, conventions: Conventions
) -> tuple[Measurements, dict[str, Measure]]:
    """Our values of everything that was printed."""
    measures = asked(golden, conventions)
    return evaluate(judgments, run, measures.values(), conventions=conventions, keep=False), measures


def held(
    golden: Printed,
    run: Run,
    found: Measurements,
    measures: Mapping[str, Measure],
    *,
    tool: str,
    config: str,
    equal: Callable[[str, str, float], bool] = lambda _, text, value: same(text, value),
    among: Sequence[str] | None = None,
) -> Held:
    """Each printed value beside ours; `equal` is asked with the measure, the printed text and our value.

    Means are over the queries `among`, where they are given.
    """
    so_far, known = Held(), excuses()
    for name, values in golden.items():
        for query, text in values.items():
            ours = _ours(name, query, run, found, measures, among)
            if ours == text if isinstance(ours, str) else equal(name, text, ours):
                so_far.equal += 1
                continue
            excuse = next((one for one in known if one.covers(tool, config, name, query)), None)
            if excuse is not None:
                so_far.excused[excuse.reason] += 1
            else:
                so_far.different.append(f"{name} of {query}: printed {text}, ours {ours}")
    return so_far


def _ours(
    name: str,
    query: str,
    run: Run,
    found: Measurements,
    measures: Mapping[str, Measure],
    among: Sequence[str] | None,
) -> str | float:
    if name == "runid":
        return run.tags[-1]
    ours = measures[name].full_name
    if IS_TEXT.fullmatch(name):
        return f"'{found.text(run.name, ours, query)}'"
    if query == "all":
        mean = found.mean(run.name, ours, among).value
        return math.nan if mean is None else mean
    return float(found.of(run.name, ours)[found.queries.index(query)])
