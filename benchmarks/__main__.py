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

from peers import ROOT, MissingError, environment

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Program:
    """A benchmark, and what makes it quick."""

    name: str
    quick: tuple[str, ...] | None  # None: it cannot be quick
    reads: Path | None = None  # a folder it needs
    packages: tuple[str, ...] = ()  # of an environment of its own; it is not made for --quick


PROGRAMS = (
    Program("against_peers.py", ("--quick",)),
    Program("compare_files.py", ("--runs", "1"), reads=ROOT.parent / "shared" / "data" / "robust03"),
    Program("measure_speed.py", ("--rows", "100000")),
    Program("statistics_speed.py", None),  # one of its peers takes a minute
    Program(
        "batch_speed.py",
        ("--pairs", "1", "--queries", "200"),
        packages=("torch==2.13.0", "torchmetrics", "array-api-compat", "-e", str(ROOT)),
    ),
)


def python_for(program: Program, quick: bool) -> str:
    """The Python that runs it; MissingError, which says why, where it cannot be run."""
    if not (HERE / program.name).exists():
        raise MissingError("it is not here")
    if program.reads and not program.reads.exists():
        raise MissingError(f"{program.reads.name} is not beside the project")
    if quick and program.quick is None:
        raise MissingError("it cannot be quick")
    if not program.packages:
        return sys.executable
    folder = ROOT / ".cache" / "peers-torch"
    if quick and not (folder / "packages.txt").exists():
        raise MissingError("its environment is made by a run without --quick")
    return str(environment(folder, program.packages))


def main() -> int:
    """Run what can be run here, and say what cannot."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.quick and asked.write:
        parser.error("the figures of a quick run say nothing: they are not written")
    failed = []
    for program in PROGRAMS:
        try:
            python = python_for(program, asked.quick)
        except MissingError as reason:
            print(f"\n{program.name}: not run, {reason}", flush=True)
            continue
        more = [*((program.quick or ()) if asked.quick else ()), *(["--write"] if asked.write else [])]
        print(f"\n{program.name} {' '.join(more)}", flush=True)
        if subprocess.run([python, HERE / program.name, *more], check=False).returncode:
            failed.append(program.name)
    print(f"\nFailed: {', '.join(failed) or 'none'}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
