"""The acceptance record: three files, the plan and a manifest, from which anybody can recompute everything."""

import json
import platform
import sys
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rankproof.errors import UsageError
from rankproof.study.inputs import first_file, lines_of, second_file
from rankproof.study.placing import healed, put
from rankproof.study.results import StudyResults
from rankproof.wording import say

FIRST, SECOND, THIRD = "1-questions-and-judgments.jsonl", "2-runs.jsonl", "3-report.json"
PLAN, MANIFEST = "plan.toml", "manifest.json"
RENDERINGS = {"report.html": "html", "report.md": "md"}
PARTS = (FIRST, SECOND, THIRD, *RENDERINGS, PLAN)  # what the manifest lists
NAMES = (*PARTS, MANIFEST)
FORMAT = 1  # of the record; raised when a reader of today could not read it


def write_record(study: StudyResults, place: Path) -> None:
    """Write the record into `place`; what stood there is replaced only when the new one is complete.

    Only a missing or empty folder and an earlier record are replaced; anything else is refused.
    """
    place = place.resolve()
    healed(place, NAMES, is_record)
    if place.exists() and (not place.is_dir() or any(place.iterdir())) and not is_record(place):
        raise UsageError(
            "{folder} exists and is not an acceptance record. Choose another folder.", folder=place
        )
    put(files_of(study), place)


def is_record(place: Path) -> bool:
    """True for a folder with a manifest of this format, and no file that is not of a record."""
    try:
        own = all(path.name in NAMES and path.is_file() for path in place.iterdir())
        if not own:
            return False
        manifest = json.loads((place / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    fits = isinstance(manifest, dict) and manifest.get("format") == FORMAT
    files = manifest.get("files") if fits else None
    return isinstance(files, dict) and set(files) == set(PARTS)


def verdict_of_another(place: Path, plan_sha256: str) -> str:
    """The verdict of the record in `place` where another plan made it; empty where there is none."""
    if not is_record(place):
        return ""
    try:
        found = json.loads((place / THIRD).read_bytes())
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(found, dict) or found.get("plan_sha256") == plan_sha256:
        return ""
    return str(found.get("verdict", ""))


def files_of(study: StudyResults) -> dict[str, bytes]:
    """Every file of the record and its bytes."""
    files = {
        FIRST: lines_of(first_file(study.inputs)),
        SECOND: lines_of(second_file(study.inputs, study.plan)),
        THIRD: as_json(evidence_of(study)),
        **{name: study.report(format).encode() for name, format in RENDERINGS.items()},
        PLAN: study.plan.text,
    }
    return {**files, MANIFEST: as_json(manifest_of(study, files))}


def evidence_of(study: StudyResults) -> dict[str, Any]:
    """The calculation report: everything that was computed, as plain values."""
    found = study.measurements
    main = study.comparisons.overall()
    return {
        "format": FORMAT,
        "study": study.plan.name,
        "planned_by": study.plan.by,
        "planned_at": study.plan.at,
        "plan_sha256": study.plan.sha256,
        "judgments_sha256": study.inputs.judgments.fingerprint,
        **study.decision.as_dict(),
        "counts": say(
            "{evaluable} of {asked} evaluable, {no_relevant} without relevant documents, {anomalous} anomalous",
            evaluable=len(found.populations.evaluable),
            asked=found.populations.asked,
            no_relevant=len(found.populations.no_relevant),
            anomalous=len(found.populations.anomalous),
        ).to("en"),
        **study.comparisons.as_dict(),
        "diagnosis": study.diagnosis.as_dict(),
        "regressions": [
            {"candidate": row.candidate, "measure": row.measure, "queries": [q.query_id for q in row.worst]}
            for row in main
        ],
        "measurements": list(found.rows()),
        "findings": [finding.row() for finding in study.noticed],
    }


def manifest_of(study: StudyResults, files: Mapping[str, bytes]) -> dict[str, Any]:
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
    return {**manifest, "sha256": hash_of(manifest)}


def hash_of(manifest: Mapping[str, Any]) -> str:
    return sha256(as_json({k: v for k, v in manifest.items() if k != "sha256"})).hexdigest()


def as_json(value: object) -> bytes:
    """JSON that a person can read and a program reads back to the same doubles."""
    return (json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()
