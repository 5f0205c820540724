"""Spreads from files: what reference runs reached, as trec_eval reads it for standard scores."""

from pathlib import Path
from typing import Any

from rankproof.formats.bytes import content, decoded, lines_of
from rankproof.formats.noticing import Problems
from rankproof.formats.problems import BAD_VALUE, EMPTY_FILE, FIELD_COUNT
from rankproof.formats.sources import printable
from rankproof.tables.findings import Findings
from rankproof.tables.spreads import Spread
from rankproof.wording import say

FIELDS = 4


def read_spreads(path: str | Path, *, strict: bool = False) -> tuple[dict[tuple[str, str], Spread], Findings]:
    """Mean and standard deviation by query and measure: lines "query measure mean deviation", between blanks.

    A measure stands under any name that is read elsewhere. Of two lines for one query and measure the last
    one counts. A line that cannot be read is a finding and set aside; blank lines are passed over.
    """
    problems = Problems(printable(Path(path)))
    found: dict[tuple[str, str], Spread] = {}
    for number, line in enumerate(lines_of(decoded(content(Path(path), problems), problems)), 1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != FIELDS:
            problems.add(FIELD_COUNT, number, seen=len(cells), expected=FIELDS, text=line[:80])
            continue
        query, measure, *numbers = cells
        spread = _spread(numbers)
        if spread is None:
            facts: dict[str, Any] = {
                "what": "mean and deviation",
                "expected": say("two numbers, the second one from 0"),
                "done": say("the line was set aside"),
            }
            problems.add(BAD_VALUE, number, query=query, text=" ".join(numbers)[:40], **facts)
        else:
            found[query, measure] = spread
    if not found:
        problems.add(EMPTY_FILE)
    findings = problems.findings()
    if strict:
        findings.stop_at_error()
    return found, findings


def _spread(numbers: list[str]) -> Spread | None:
    try:
        mean, deviation = (float(number) for number in numbers)
        return Spread(mean, deviation)
    except ValueError:  # also a UsageError, which is one
        return None
