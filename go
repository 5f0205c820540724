#!/usr/bin/env python3
"""Everything that can be done here, with nothing but Python 3.11 or newer.

    ./go demo     make .venv, install what the package needs, run the demo
    ./go test     make .venv, install the development tools, run the whole check
    ./go NAME     any recipe of the justfile

The recipes stand in the justfile; each line of it can also be typed.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def run(*command: str | Path) -> None:
    """Run a command here; its failure is ours."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def installed(lock: str) -> None:
    """The lock and the package itself in .venv; nothing where they are there already."""
    mark = VENV / f".{lock}"
    names = ("pyproject.toml", "hatch_build.py", "requirements/core.txt", f"requirements/{lock}.txt")
    files = [*(ROOT / name for name in names), *sorted((ROOT / "native").glob("*.[ch]"))]
    state = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    if mark.exists() and mark.read_text() == state and PYTHON.exists():
        return
    if not PYTHON.exists():
        print("Making .venv ...", flush=True)
        venv.create(VENV, with_pip=True)
    print(f"Installing requirements/{lock}.txt ...", flush=True)
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--requirement", f"requirements/{lock}.txt")
    run(*pip, "--no-deps", "--editable", ".")
    mark.write_text(state)


def main() -> None:
    """Do what was asked."""
    if sys.version_info < (3, 11):
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    asked = sys.argv[1:]
    if not asked or asked[0] in ("-h", "--help", "help"):
        print(__doc__)
        return
    if asked[0] == "demo":
        installed("core")
        run(PYTHON, "-m", "rankproof", "demo", *asked[1:])
        return
    installed("dev")
    run(BIN / "just", *asked)


if __name__ == "__main__":
    main()
