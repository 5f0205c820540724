"""Tools take turns: what each run used, and whether they said the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import values
from cases import Case
from data import make
from page import number
from peers import ROOT, MissingError, Tool
from processes import FailedError, Usage, measure

CACHE = ROOT / ".cache" / "bench"


@dataclass
class Outcome:
    """What came of a case: the rounds, and what is missing, failed or contradicted itself."""

    case: Case
    rounds: list[dict[str, Usage]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)  # not here; not our fault
    wrong: list[str] = field(default_factory=list)

    def each(self, names: Sequence[str]) -> list[dict[str, Usage]]:
        """The rounds that have all of `names`."""
        return [one for one in self.rounds if all(name in one for name in names)]


def take_turns(case: Case, runs: int, cache: Path = CACHE) -> Outcome:
    """Run the entries in turn, every other round backwards; compare what they say in the first."""
    outcome = Outcome(case)
    files = {entry.name: make(entry.data, cache) for entry in case.entries}
    outputs = cache / "values"
    outputs.mkdir(parents=True, exist_ok=True)
    commands: dict[str, tuple[Tool, list[str], Path]] = {}
    for place, entry in enumerate(case.entries):
        output = outputs / f"{case.name}-{place}.txt"
        try:
            commands[entry.name] = entry.tool, entry.tool.command(*files[entry.name], output), output
        except MissingError as reason:
            outcome.missing[entry.name] = str(reason)
    for name in [name for name, (tool, *_) in commands.items() if tool.warm]:
        _run(name, commands, outcome)
    for round_ in range(runs):
        outcome.rounds.append({})
        for name in list(commands)[:: -1 if round_ % 2 else 1]:
            used = _run(name, commands, outcome)
            if used:
                outcome.rounds[-1][name] = used
                print(f"  {name}: {number(used.cpu)} s CPU, {number(used.peak)} MiB", flush=True)
        if not round_:
            outcome.wrong += _disagreements(case, {name: path for name, (*_, path) in commands.items()})
    for *_, path in commands.values():
        path.unlink(missing_ok=True)
    return outcome


def _run(name: str, commands: dict[str, tuple[Tool, list[str], Path]], outcome: Outcome) -> Usage | None:
    """What one run used; nothing, and the tool leaves the case, where it fails."""
    tool, command, output = commands[name]
    printed = output if tool.prints else output.with_suffix(".printed")
    try:
        used = measure(command, printed, tool.variables)
    except FailedError as error:
        outcome.wrong.append(f"{name} failed: {error}")
        del commands[name]
        return None
    if tool.inside:  # the job itself says what the work took; the memory is that of the whole process
        with output.open(encoding="utf-8") as file:
            cpu, wall = map(float, file.readline().removeprefix("#").split())
        used = Usage(cpu, wall, used.peak)
    return used


def _disagreements(case: Case, outputs: Mapping[str, Path]) -> list[str]:
    """Where two tools of a group say different things; the first of a group is what the others are held to."""
    told = []
    first: dict[str, tuple[str, values.Values]] = {}
    for entry in case.entries:
        if entry.tool.silent or entry.name not in outputs:
            continue
        found = values.read(outputs[entry.name])
        name, held = first.setdefault(entry.group, (entry.name, found))
        different = values.differences(held, found)
        if different or not found.of:
            shown = "; ".join(different[:3]) or "no values at all"
            told.append(f"{name} and {entry.name} differ in {len(different)} values: {shown}")
    return told
