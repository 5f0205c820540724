"""What a run is called after its file."""

from collections.abc import Iterable
from pathlib import Path

from rankproof.formats.sources import printable
from rankproof.formats.unpacking import without_packing

# Of the formats that come with the package.
SUFFIXES = (
    ".parquet",
    ".arrow",
    ".feather",
    ".ipc",
    ".jsonl",
    ".ndjson",
    ".csv",
    ".tsv",
    ".trec",
    ".qrels",
    ".run",
    ".txt",
)


def run_name(path: str | Path, suffixes: Iterable[str] = SUFFIXES) -> str:
    """A run's name from its file: without folder and suffixes, and without a leading "run.".

    >>> run_name("systems/run.bm25.txt.gz")
    'bm25'
    """
    if str(path) == "-":
        return "stdin"
    name = without_packing(printable(Path(Path(path).name)))
    for suffix in suffixes:
        name = name.removesuffix(suffix)
    return name.removeprefix("run.").removeprefix("run_") or str(path)
