"""How long `rankproof compare` takes from files to the page, and the same values by a peer, in one run.

    python benchmarks/compare_files.py FOLDER [--runs N] [--write]

FOLDER holds qrels.txt.gz and run.*.txt.gz. The peer is ir_measures (which calls the C code of trec_eval),
installed into its own environment under .cache/peers; it computes the same per-query values and neither
audits, compares nor reports. The two take turns, whole processes from a cold start. With --write the
figures go to docs/benchmarks.md.
"""

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path

from page import write_section
from peers import peer_python

HEADING = "Eight runs, from gzip files to the page"
ROOT = Path(__file__).resolve().parent.parent
MEASURES = ("nDCG@10", "AP", "P@10", "RR")
PEER = """
import sys, ir_measures
measures = [ir_measures.parse_measure(name) for name in sys.argv[1].split(",")]
for path in sys.argv[3:]:
    qrels = ir_measures.read_trec_qrels(sys.argv[2])
    for value in ir_measures.iter_calc(measures, qrels, ir_measures.read_trec_run(path)):
        print(path, value.query_id, value.measure, value.value)
"""


def figures(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak MiB of one whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit(f"{command[:2]} failed: {child.stderr.read().decode()[-500:] if child.stderr else ''}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, usage.ru_maxrss / 1024


def spread(values: list[float], digits: int = 2) -> str:
    """min - median - max."""
    return " - ".join(f"{v:.{digits}f}" for v in (min(values), statistics.median(values), max(values)))


def main() -> None:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared/data/robust03")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    qrels, runs = asked.folder / "qrels.txt.gz", sorted(asked.folder.glob("run.*.txt.gz"))
    if not qrels.exists() or not runs:
        sys.exit(f"{asked.folder} has no qrels.txt.gz and run.*.txt.gz; nothing was measured.")
    page = Path(tempfile.mkdtemp()) / "report.html"
    names = [argument for name in MEASURES for argument in ("-m", name)]
    files = [str(qrels), *map(str, runs)]
    ours = [str(ROOT / ".venv/bin/rankproof"), "compare", *files, *names, "-o", str(page)]
    theirs = [str(peer_python()), "-c", PEER, ",".join(MEASURES), *files]
    pairs = [(figures(ours), figures(theirs)) for _ in range(asked.runs)]
    mine, other = zip(*pairs, strict=True)
    rows = ["| | rankproof compare | ir_measures, values only | ratio |", "|---|---|---|---|"]
    for place, what in enumerate(("wall s", "CPU s", "peak MiB")):
        a, b = [one[place] for one in mine], [one[place] for one in other]
        ratios = [x / y for x, y in zip(a, b, strict=True)]
        rows.append(f"| {what} | {spread(a)} | {spread(b)} | {spread(ratios)} |")
    peer = subprocess.run(
        [peer_python(), "-c", "from importlib.metadata import version; print(version('ir_measures'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    text = f"""`{"python benchmarks/compare_files.py"}` on the TREC 2003 Robust track: 100 questions, {len(runs)} systems, measures {", ".join(MEASURES)}. rankproof reads, audits, measures, compares seven systems
with the first (intervals, sign-flip tests, every query) and writes one HTML page of {page.stat().st_size / 1024:.0f} kB;
the peer computes the same per-query values and stops there. Each cell: min - median - max of {asked.runs} runs in
turn, whole processes.

{chr(10).join(rows)}

{date.today().isoformat()}, {os.cpu_count()} cores, Python {platform.python_version()}, rankproof {version("rankproof")},
numpy {version("numpy")}, polars {version("polars")}, ir_measures {peer}. The machine is shared: read the ratios, not
the seconds.
"""
    print(f"## {HEADING}\n\n{text}")
    if asked.write:
        write_section(HEADING, text)


if __name__ == "__main__":
    main()
