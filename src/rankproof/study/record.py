"""The acceptance record: three files, the plan and a manifest, from which anybody can recompute everything."""

import json
import os
import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.errors import RankproofError, UnreadableInput, UsageError
from rankproof.study.inputs import first_file, inputs_of, lines_of, rows_of, second_file
from rankproof.study.plan import parse_plan
from rankproof.wording import Words, say

if TYPE_CHECKING:
    from rankproof.study.studying import Study

FIRST, SECOND, THIRD = "1-questions-and-judgments.jsonl", "2-runs.jsonl", "3-report.json"
PLAN, MANIFEST = "plan.toml", "manifest.json"
RENDERINGS = {"report.html": "html", "report.md": "md"}
FORMAT = 1  # of the record; raised when a reader of today could not read it


def write_record(study: "Study", place: Path) -> None:
    """Write the record into `place`; what stood there is replaced only when the new one is complete."""
    if place.exists() and not (place / MANIFEST).exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError(
            "{folder} exists and is not an acceptance record. Choose another folder.", folder=place
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_name(f".{place.name}.new-{os.getpid()}")
    old = place.with_name(f".{place.name}.old-{os.getpid()}")
    try:
        new.mkdir()
        for name, content in files_of(study).items():
            (new / name).write_bytes(content)
        if place.exists():
            place.rename(old)
        new.rename(place)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        if old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(old, ignore_errors=True)


def files_of(study: "Study") -> dict[str, bytes]:
    """Every file of the record and its bytes."""
    files = {
        FIRST: lines_of(first_file(study.inputs)),
        SECOND: lines_of(second_file(study.inputs, study.plan)),
        THIRD: as_json(evidence_of(study)),
        **{name: study.report(format).encode() for name, format in RENDERINGS.items()},
        PLAN: study.plan.text,
    }
    return {**files, MANIFEST: as_json(manifest_of(study, files))}


def evidence_of(study: "Study") -> dict[str, Any]:
    """The calculation report: everything that was computed, as plain values."""
    found = study.measurements
    main = study.comparisons.overall()
    return {
        "format": FORMAT,
        "study": study.plan.name,
        "planned_by": study.plan.by,
        "planned_at": study.plan.at,
        "plan_sha256": study.plan.sha256,
        "judgments_sha256": found.versions["judgments"],
        **study.decision.as_dict(),
        "counts": say(
            "{evaluable} of {asked} evaluable, {no_relevant} without relevant documents, {anomalous} anomalous",
            evaluable=len(found.populations.evaluable),
            asked=found.populations.asked,
            no_relevant=len(found.populations.no_relevant),
            anomalous=len(found.populations.anomalous),
        ).to("en"),
        **study.comparisons.as_dict(),
        "regressions": [
            {"candidate": row.candidate, "measure": row.measure, "queries": [q.query_id for q in row.worst]}
            for row in main
        ],
        "measurements": list(found.rows()),
        "findings": [finding.row() for finding in study.findings],
    }


def manifest_of(study: "Study", files: Mapping[str, bytes]) -> dict[str, Any]:
    """What the record consists of, and what it was made with. Its own hash is over itself without it."""
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "study": study.plan.name,
        "files": {name: sha256(content).hexdigest() for name, content in files.items()},
        "conventions": study.plan.conventions.as_dict(),
        "dialect": study.plan.conventions.dialect,
        "seeds": {"study": study.plan.seed},
        "versions": {
            "rankproof": version("rankproof"),
            "numpy": version("numpy"),
            "scipy": version("scipy"),
            "python": platform.python_version(),
            "platform": sys.platform,
        },
    }
    return {**manifest, "sha256": _hash_of(manifest)}


def _hash_of(manifest: Mapping[str, Any]) -> str:
    return sha256(as_json({k: v for k, v in manifest.items() if k != "sha256"})).hexdigest()


def as_json(value: object) -> bytes:
    """JSON that a person can read and a program reads back to the same doubles."""
    return (json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


@dataclass(frozen=True)
class Verification:
    """What `verify` found: the files whose hashes or numbers differ, first one first, and why."""

    differences: tuple[tuple[str, Words], ...]
    verdict: str = ""

    @property
    def sound(self) -> bool:
        """True where the record recomputes."""
        return not self.differences


def verify(folder: str | Path) -> Verification:
    """Recompute a record from its data files alone, and compare everything.

    Every file is held against its hash in the manifest, the manifest against its own, and every number of
    3-report.json against the one recomputed. Somebody who rewrites files *and* manifest consistently is
    caught only by a signature. Raises UnreadableInput for a folder that is no record.
    """
    folder = Path(folder)
    manifest = _manifest(folder)
    differences: list[tuple[str, Words]] = []
    if manifest.get("sha256") != _hash_of(manifest):
        differences.append((MANIFEST, say("its own hash does not fit what it says")))
    listed = manifest.get("files")
    listed = listed if isinstance(listed, dict) else {}
    expected = (FIRST, SECOND, THIRD, *RENDERINGS, PLAN)
    for name in dict.fromkeys((*expected, *listed)):
        if name not in listed:
            differences.append((MANIFEST, say("it does not list {name}", name=name)))
        elif name not in expected:
            differences.append((MANIFEST, say("it lists {name}, which is no part of a record", name=name)))
        elif not (folder / name).is_file():
            differences.append((name, say("the file is missing")))
        elif sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            differences.append((name, say("its hash is not the one in the manifest")))
    known = {*expected, MANIFEST}
    strangers = (path.name for path in sorted(folder.iterdir()) if path.name not in known)
    differences += [(name, say("the file is no part of the record")) for name in strangers]
    if any(name in (FIRST, SECOND, THIRD, PLAN) for name, _ in differences):
        return Verification(tuple(differences))
    return _recomputed(folder, manifest, differences)


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise UnreadableInput(
            "{folder} is not an acceptance record: {file} cannot be read ({reason}).",
            folder=folder,
            file=MANIFEST,
            reason=error.strerror or str(error),
        ) from error
    except ValueError:
        manifest = {}
    return manifest if isinstance(manifest, dict) else {}


def _recomputed(
    folder: Path, manifest: Mapping[str, Any], differences: list[tuple[str, Words]]
) -> Verification:
    from rankproof.study.studying import Study

    try:
        plan = parse_plan((folder / PLAN).read_bytes(), PLAN)
        first = rows_of((folder / FIRST).read_bytes(), FIRST)
        second = rows_of((folder / SECOND).read_bytes(), SECOND)
        study = Study(plan, inputs_of(first, second), folder)
        again = json.loads(as_json(evidence_of(study)))
        recorded = json.loads((folder / THIRD).read_bytes())
    except (RankproofError, KeyError, TypeError, ValueError, AttributeError) as error:
        differences.append((THIRD, say("it cannot be recomputed: {reason}", reason=str(error))))
        return Verification(tuple(differences))
    where = first_difference(recorded, again)
    if where is not None:
        differences.append((THIRD, say("{where} is not what the data files give", where=where)))
    if manifest.get("conventions") != plan.conventions.as_dict():
        differences.append((MANIFEST, say("its conventions are not those of the plan")))
    return Verification(tuple(differences), str(recorded.get("verdict", "")))


def first_difference(recorded: object, again: object, where: str = "") -> str | None:
    """Where two plain values differ first; None where they do not. Numbers must agree to 12 digits."""
    if isinstance(recorded, dict) and isinstance(again, dict):
        keys = dict.fromkeys((*recorded, *again))
        pairs = ((f"{where}.{k}" if where else k, recorded.get(k), again.get(k)) for k in keys)
    elif isinstance(recorded, list) and isinstance(again, list):
        if len(recorded) != len(again):
            return f"{where} (its length)"
        pairs = ((f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(recorded, again, strict=True)))
    else:
        return None if _same(recorded, again) else where
    return next((found for name, a, b in pairs if (found := first_difference(a, b, name)) is not None), None)


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-12 * max(1.0, abs(one), abs(other))
    return type(one) is type(other) and one == other
