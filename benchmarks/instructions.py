"""How many instructions the scanner needs for a line: a gate, since they do not depend on who else is busy.

    python benchmarks/instructions.py [--write]

`rankproof evaluate` runs on a small made-up file under valgrind's callgrind; what is counted are the
instructions of the compiled scanner itself, for each line of the run. More than the recorded figure by more
than the tolerance ends with 1; so does much less, since then the record is out of date: --write records anew.
Where valgrind or the compiled scanner is absent, or another compiler made it, it says so and ends with 0.
"""

import argparse
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from data import Data, make
from peers import OURS, ROOT

RECORD = Path(__file__).with_name("instructions.json")
CACHE = ROOT / ".cache" / "bench"
FILES = Data("M", queries=40)
TOLERANCE = 0.02
_COST = re.compile(r"[\d+*-]\S* \d+")  # a place in the source, and what it cost
_NAME = re.compile(r"c?ob=\((\d+)\)(?: (.+))?$")


def by_object(lines: Iterable[str]) -> Counter[str]:
    """Instructions of each file of machine code, without what it calls, from the lines of callgrind."""
    names: dict[str, str] = {}
    found: Counter[str] = Counter()
    here, called = "", False
    for line in lines:
        told = _NAME.match(line)
        if told:
            number, name = told.groups()
            names.setdefault(number, name or "")
            here = here if line.startswith("c") else names[number]
        elif line.startswith("calls="):
            called = True  # the next line is what the called function cost
        elif _COST.match(line):
            if not called:
                found[here] += int(line.split()[1])
            called = False
    return found


def compiler_of(extension: Path) -> str:
    """Who compiled a file, as it says itself."""
    told = re.search(rb"(GCC: \([^)]*\) [\d.]+|clang version [\d.]+)", extension.read_bytes())
    return told[1].decode() if told else "unknown"


def counted(extension: Path) -> float:
    """Instructions of the scanner for each line."""
    qrels, run = make(FILES, CACHE)
    out = CACHE / "instructions"
    command = [
        *("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}.callgrind"),
        *(sys.executable, *OURS.command(qrels, run, out.with_suffix(".values"))),
    ]
    environment = {
        **os.environ,
        "RANKPROOF_ENGINE": "native",
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"valgrind failed: {done.stderr[-800:]}")
    with Path(f"{out}.callgrind").open(encoding="utf-8") as file:
        found = by_object(file)
    own = sum(count for name, count in found.items() if Path(name).name == extension.name)
    return own / FILES.lines


def verdict(per_line: float, recorded: float, tolerance: float) -> str:
    """What is wrong with a figure; empty where nothing is."""
    if per_line > recorded * (1 + tolerance):
        return f"the scanner needs more than it did: {per_line:.1f} instructions a line, recorded are {recorded:.1f}"
    if per_line < recorded * (1 - tolerance):
        return f"the scanner needs less than it did, record it: {per_line:.1f} instructions a line, recorded are {recorded:.1f}"
    return ""


def main() -> int:
    """Count, and hold the count to the record."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    found = importlib.util.find_spec("rankproof._scan")
    if not found or not found.origin:
        print("Not counted: the compiled scanner is not there.")
        return 0
    if not shutil.which("valgrind"):
        print("Not counted: valgrind is not there.")
        return 0
    extension = Path(found.origin)
    made_by = {"compiler": compiler_of(extension), "processor": platform.machine()}
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    if not asked.write and {key: record.get(key) for key in made_by} != made_by:
        print(f"Not counted: the record is of {record or 'nothing'}, and this scanner was made by {made_by}.")
        return 0
    per_line = counted(extension)
    if not per_line:
        sys.exit("Not one instruction of the scanner ran: the command did not use it.")
    print(f"{per_line:.1f} instructions a line, {FILES.lines:,} lines, {made_by['compiler']}")
    if asked.write:
        record = {"instructions_a_line": round(per_line, 1), "lines": FILES.lines, **made_by}
        RECORD.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
        return 0
    wrong = verdict(per_line, record["instructions_a_line"], TOLERANCE)
    print(wrong or "As recorded.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
