"""Looks: whether a file begins like TREC judgments or a TREC run, without doubt, so that it can be scanned."""

import re

from rankproof.formats.blocks import NotPlain
from rankproof.formats.sources import Source
from rankproof.formats.unpacking import without_packing

COLUMNS = {
    b"PAR1": "scan_parquet",
    b"ARROW1": "scan_ipc",
}  # how files of columns begin; who reads them in polars
HEAD = 65536  # bytes that are looked at
_OTHERS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
_WHOLE = re.compile(rb"[+-]?[0-9]{1,15}(\.0*)?")


def scan_of(source: Source) -> str | None:
    """The name of polars' function that reads a file of columns; None for any other file, and for pipes."""
    if source.is_pipe or not source.path.is_file():
        return None
    try:
        with source.path.open("rb") as stream:
            head = stream.read(8)
    except OSError:  # whoever reads it says so
        return None
    return next((scan for mark, scan in COLUMNS.items() if head.startswith(mark)), None)


def is_delimited(source: Source) -> bool:
    """True for a file that is called CSV or TSV."""
    return without_packing(source.path.name.lower()).endswith((".csv", ".tsv"))


def stop_unless_run(name: str, block: bytes | bytearray) -> None:
    """NotPlain unless a file called so begins with lines of "query Q0 doc rank score tag"."""
    rows = _rows(name, block, 6)
    says_q0 = all(row[1].upper() == b"Q0" for row in rows)
    if not (_mostly_whole(rows, 3) and (says_q0 or not _mostly_whole(rows, 5))):
        raise NotPlain("it does not look like a run")


def stop_unless_judgments(name: str, block: bytes | bytearray) -> None:
    """NotPlain unless a file called so begins with lines of "query iteration doc grade"."""
    rows = _rows(name, block, 4)
    if not _mostly_whole(rows, 3):
        raise NotPlain("it does not look like judgments")


def _rows(name: str, block: bytes | bytearray, fields: int) -> list[list[bytes]]:
    """The fields of the first lines; NotPlain unless most have so many."""
    head = bytes(block[:HEAD])
    if without_packing(name.lower()).endswith(_OTHERS) or head.lstrip()[:1] in (b"{", b"[", b""):
        raise NotPlain("another format")
    lines = head.splitlines()
    lines = lines[:-1] if len(block) > HEAD else lines  # the last one is cut
    parted = [parts for line in lines if (parts := line.split())]
    rows = [parts for parts in parted if len(parts) == fields]
    first = parted[:50]
    if not rows or 2 * sum(len(parts) == fields for parts in first) <= len(first):
        raise NotPlain("another number of fields")
    return rows


def _mostly_whole(rows: list[list[bytes]], place: int) -> bool:
    return 2 * sum(_WHOLE.fullmatch(row[place]) is not None for row in rows) > len(rows)
