"""What one whole process costs: CPU seconds, wall seconds and the peak of its memory.

The peak that the system reports of a process starts at that of its parent. So each is started and waited for by
a small Python of its own (this file, run as a program), whose 10 MiB or so are the least that can be seen.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class FailedError(Exception):
    """A process ended with an error; says the last thing it said."""


@dataclass(frozen=True)
class Usage:
    """Of one process, from its start to its end: CPU (user and system) and wall in seconds, peak in MiB."""

    cpu: float
    wall: float
    peak: float


def measure(command: Sequence[str], output: Path, more: Mapping[str, str] | None = None) -> Usage:
    """What `command` costs; what it prints goes into the file `output`. FailedError where it fails."""
    errors = output.with_suffix(".errors")
    starter = [sys.executable, "-I", "-S", __file__, str(output), str(errors), *command]
    # Compiled modules are kept, as they are where a package is used for a second time.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        starter, env={**kept, **(more or {})}, stdout=subprocess.PIPE, text=True, check=True
    )
    status, cpu, wall, peak = done.stdout.split()
    if int(status):
        said = errors.read_text("utf-8", errors="replace").strip().splitlines()
        raise FailedError(said[-1] if said else f"status {status} and not a word")
    return Usage(float(cpu), float(wall), float(peak) / 1024)


def _start(output: str, errors: str, command: list[str]) -> None:
    """Run one command, wait for it, and print its status and what it used."""
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [(os.POSIX_SPAWN_OPEN, place, path, write, 0o644) for place, path in ((1, output), (2, errors))]
    began = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - began
    print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, wall, used.ru_maxrss)


if __name__ == "__main__":
    _start(sys.argv[1], sys.argv[2], sys.argv[3:])
