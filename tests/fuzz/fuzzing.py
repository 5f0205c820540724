"""Builds the driver that feeds the kernels what nobody should write, and runs it.

    python tests/fuzz/fuzzing.py [EXECUTIONS [SEED]]

The compiler is the one that CC names, else the first of cc, gcc and clang; it has to bring AddressSanitizer.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# As it is installed; and with nothing that only some compilers and processors have. Small chunks have more borders.
BUILDS = {"usual": ["-DCHUNK=192"], "plain": ["-DCHUNK=192", "-DPLAIN_C"]}


class NotBuilt(Exception):
    """Why there is no driver."""


def compiler() -> str:
    """The C compiler of this machine."""
    names = [os.environ["CC"]] if os.environ.get("CC") else ["cc", "gcc", "clang"]
    for name in names:
        if found := shutil.which(name):
            return found
    raise NotBuilt(f"no C compiler: looked for {', '.join(names)}")


def built(folder: Path, build: str) -> Path:
    """The driver, compiled into `folder`; NotBuilt where that cannot be done here."""
    driver = folder / f"fuzz-{build}"
    kernels = [path for path in sorted(NATIVE.glob("*.c")) if "Python" not in path.read_text("utf-8")]
    kernels = [path for path in kernels if not path.name.startswith("call")]
    command = [compiler(), "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", *SANITIZERS, *BUILDS[build]]
    command += [f"-I{NATIVE}", str(ROOT / "tests/fuzz/fuzz.c"), *map(str, kernels), "-lm", "-o", str(driver)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuilt(done.stderr.strip())
    return driver


def main() -> None:
    """Run every build, and end as the first that fails does."""
    executions, seed = (*sys.argv[1:], *("1000000", "1")[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder:
        for build in BUILDS:
            print(f"{build}: ", end="", flush=True)
            done = subprocess.run([built(Path(folder), build), seed, executions], check=False)
            if done.returncode:
                sys.exit(done.returncode)


if __name__ == "__main__":
    main()
