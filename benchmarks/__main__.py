"""Every benchmark, one after the other; each writes its own section of docs/benchmarks.md.

    python benchmarks [--quick] [--write]

--quick is a smoke test on small data, whose figures say nothing. Ends with 1 where one of them does: where
tools give different values, or one of ours fails.
"""

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Program:
    """A benchmark, what makes it quick, and the folder it reads, where it reads one."""

    name: str
    quick: tuple[str, ...]
    reads: Path | None = None


PROGRAMS = (
    Program("against_peers.py", ("--quick",)),
    Program("compare_files.py", ("--runs", "1"), HERE.parent.parent / "shared" / "data" / "robust03"),
    Program("measure_speed.py", ("--rows", "100000")),
)


def main() -> int:
    """Run what can be run here, and say what cannot."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    failed = []
    for program in PROGRAMS:
        if program.reads and not program.reads.exists():
            print(f"{program.name}: not run, {program.reads.name} is not beside the project", flush=True)
            continue
        more = [*(program.quick if asked.quick else ()), *(["--write"] if asked.write else [])]
        print(f"\n{program.name} {' '.join(more)}", flush=True)
        if subprocess.run([sys.executable, HERE / program.name, *more], check=False).returncode:
            failed.append(program.name)
    print(f"\nFailed: {', '.join(failed) or 'none'}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
