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
# As it is installed, which asks what the processor has; as on a processor that has less; and with nothing that only some
# compilers and processors have. Small parts have more borders.
SMALL = ["-DCHUNK=192", "-DSIDE_BY_SIDE=2"]
BUILDS = {
    "usual": SMALL,
    "older": [*SMALL, "-DOLDER_PROCESSOR"],
    "plain": [*SMALL, "-DPLAIN_C"],
}


class NoSanitizers(Exception):
    """Why the driver cannot be built here."""


def compiler() -> str:
    """A C compiler whose programs run under the sanitizers; NoSanitizers where there is none."""
    names = [os.environ["CC"]] if os.environ.get("CC") else ["cc", "gcc", "clang"]
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "nothing.c"), Path(folder, "nothing")
        source.write_text("int main(void) { return 0; }\n", "utf-8")
        for name in filter(shutil.which, names):
            made = subprocess.run(
                [name, *SANITIZERS, source, "-o", program], capture_output=True, check=False
            )
            if made.returncode == 0 and subprocess.run([program], check=False).returncode == 0:
                return name
    raise NoSanitizers(f"none of {', '.join(names)} makes programs with AddressSanitizer")


def built(folder: Path, build: str) -> Path:
    """The driver, compiled into `folder`."""
    driver = folder / f"fuzz-{build}"
    kernels = [
        path for path in sorted(NATIVE.glob("*.c")) if path.stem != "module" and "call" not in path.stem
    ]
    command = [
        compiler(),
        "-std=c11",
        "-g",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        *SANITIZERS,
        *BUILDS[build],
    ]
    sources = map(str, (ROOT / "tests" / "fuzz" / "fuzz.c", *kernels))
    subprocess.run([*command, f"-I{NATIVE}", *sources, "-lm", "-o", driver], check=True)
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
