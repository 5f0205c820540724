"""The tools that are compared: how each is run on two files, and which version it is.

Peers live in an environment of their own below .cache/peers, so that what they need and what rankproof needs
never meet. trec_eval is C and comes from no package: it is taken from --trec-eval, from the variable
TREC_EVAL or from the PATH, and left out by name where it is in none.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".cache" / "peers"
PACKAGES = ("pytrec_eval-terrier", "ir_measures", "ranx", "polars", "scikit-learn")
MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100", "R@1000")
WITH_CUT = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "R@1000")
FOR_TREC_EVAL = ("ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100,1000")


class MissingError(Exception):
    """A tool is not here; says why."""


@dataclass(frozen=True)
class Tool:
    """How one tool measures a run: its command, given judgments, run and the file that the values go into."""

    name: str
    command: Callable[[Path, Path, Path], list[str]]
    version: Callable[[], str]
    variables: Mapping[str, str] = field(default_factory=dict)
    inside: bool = False  # it tells itself what the work took, apart from reading the files
    warm: bool = False  # what its first run compiles is no part of the figures
    prints: bool = True  # the values, to standard output; else it writes the file itself
    silent: bool = False  # it has no values


def environment(folder: Path, packages: Sequence[str]) -> Path:
    """The Python of an environment with `packages`, made and filled where it is not yet."""
    python, mark = folder / "bin" / "python", folder / "packages.txt"
    wanted = "\n".join(packages)
    if not (python.exists() and mark.exists() and mark.read_text("utf-8") == wanted):
        if not python.exists():
            venv.create(folder, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        if subprocess.run(pip, check=False).returncode:
            raise MissingError(f"{packages[0]} and what goes with it could not be installed")
        mark.write_text(wanted, "utf-8")
    return python


def peer_python() -> Path:
    """The Python of the peers' environment."""
    return environment(PEERS, PACKAGES)


def installed(package: str, python: Callable[[], Path | str]) -> str:
    """The version of a package in an environment."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python(), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def of_the_peers(
    name: str, job: str, package: str, *, inside: bool = False, warm: bool = False, silent: bool = False
) -> Tool:
    """A job that the Python of the peers' environment runs."""

    def command(qrels: Path, run: Path, _: Path) -> list[str]:
        return [str(peer_python()), "-P", str(ROOT / "benchmarks" / "jobs.py"), job, str(qrels), str(run)]

    return Tool(
        name, command, lambda: installed(package, peer_python), inside=inside, warm=warm, silent=silent
    )


def rankproof(
    name: str,
    *arguments: str,
    variables: Mapping[str, str] | None = None,
    measures: Sequence[str] = MEASURES,
) -> Tool:
    """The command of this project, as a user runs it."""

    def command(qrels: Path, run: Path, out: Path) -> list[str]:
        asked = [part for measure in measures for part in ("-m", measure)]
        shown = ["--per-query", "--format", "trec_eval", "-o", str(out)]
        program = str(Path(sys.executable).with_name("rankproof"))
        return [program, "evaluate", str(qrels), str(run), *asked, *shown, *arguments]

    return Tool(name, command, own_version, variables or {}, prints=False)


def own_version() -> str:
    """The version of this project."""
    return installed("rankproof", lambda: sys.executable)


def trec_eval_program() -> str:
    """Where trec_eval is; MissingError where it is not."""
    found = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if not found or not shutil.which(found):
        raise MissingError("no trec_eval: it is neither in --trec-eval nor in TREC_EVAL nor on the PATH")
    return found


def trec_eval_version() -> str:
    """What trec_eval says of itself."""
    said = subprocess.run([trec_eval_program(), "-v"], capture_output=True, text=True, check=False)
    return (said.stderr + said.stdout).strip().removeprefix("trec_eval version ")


def trec_eval_command(qrels: Path, run: Path, _: Path) -> list[str]:
    """The six measures, for each query."""
    asked = [part for measure in FOR_TREC_EVAL for part in ("-m", measure)]
    return [trec_eval_program(), "-q", *asked, str(qrels), str(run)]


def in_memory_command(qrels: Path, run: Path, _: Path) -> list[str]:
    """The job on dicts, run by this Python."""
    return [
        sys.executable,
        "-P",
        str(ROOT / "benchmarks" / "jobs.py"),
        "rankproof_dicts",
        str(qrels),
        str(run),
    ]


OURS = rankproof("rankproof")
PURE = rankproof("rankproof without compiled code", variables={"RANKPROOF_ENGINE": "pure"})
BY_SCORE = rankproof("rankproof, by score", "--dialect", "trec_eval")
OUR_DICTS = Tool("rankproof, dicts", in_memory_command, own_version, inside=True)
HELP = Tool(
    "rankproof --help",
    lambda *_: [str(Path(sys.executable).with_name("rankproof")), "--help"],
    own_version,
    silent=True,
)
TREC_EVAL = Tool("trec_eval", trec_eval_command, trec_eval_version)
PYTREC_EVAL = of_the_peers("pytrec_eval-terrier", "pytrec_eval", "pytrec_eval-terrier")
OURS_CUT = rankproof("rankproof, RR@10", measures=WITH_CUT)
IR_MEASURES = of_the_peers("ir_measures", "ir_measures", "ir_measures")
IR_MEASURES_CUT = of_the_peers("ir_measures, RR@10", "ir_measures_cut", "ir_measures")
RANX = of_the_peers("ranx", "ranx", "ranx", warm=True)
SCAN = of_the_peers("polars, bare scan", "polars_scan", "polars", silent=True)
DICTS = of_the_peers("pytrec_eval-terrier, dicts", "pytrec_eval_dicts", "pytrec_eval-terrier", inside=True)
DICTS_WHOLE = of_the_peers(
    "pytrec_eval-terrier, dicts, built anew", "pytrec_eval_dicts_whole", "pytrec_eval-terrier", inside=True
)
