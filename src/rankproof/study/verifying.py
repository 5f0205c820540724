"""Verification: a record recomputed from its data files alone, and compared."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rankproof.errors import RankproofError, UnreadableInput
from rankproof.study.inputs import inputs_of, rows_of
from rankproof.study.placing import OLD, left_over
from rankproof.study.plan import parse_plan
from rankproof.study.record import (
    FIRST,
    MANIFEST,
    NAMES,
    PARTS,
    PLAN,
    RENDERINGS,
    SECOND,
    THIRD,
    as_json,
    evidence_of,
    hash_of,
    is_record,
    manifest_of,
)
from rankproof.study.results import StudyResults
from rankproof.wording import Words, reason_of, say


@dataclass(frozen=True)
class Verification:
    """What `verify` found: the files whose hashes or numbers differ, first one first, and why."""

    differences: tuple[tuple[str, Words], ...]
    verdict: str = ""
    pages_of: str = ""  # the version that wrote the pages, where they were not compared because it is another

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
    if manifest is None:
        return Verification(((MANIFEST, say("the file is missing")),))
    differences: list[tuple[str, Words]] = []
    as_written = (folder / MANIFEST).read_bytes() == as_json(manifest)
    if manifest.get("sha256") != hash_of(manifest) or not as_written:
        differences.append((MANIFEST, say("its own hash does not fit what it says")))
    listed = manifest.get("files")
    listed = listed if isinstance(listed, dict) else {}
    for name in dict.fromkeys((*PARTS, *listed)):
        if name not in listed:
            differences.append((MANIFEST, say("it does not list {name}", name=name)))
        elif name not in PARTS:
            differences.append((MANIFEST, say("it lists {name}, which is no part of a record", name=name)))
        elif not (folder / name).is_file():
            differences.append((name, say("the file is missing")))
        elif sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            differences.append((name, say("its hash is not the one in the manifest")))
    strangers = (path.name for path in sorted(folder.iterdir()) if path.name not in NAMES)
    differences += [(name, say("the file is no part of the record")) for name in strangers]
    if any(name in (FIRST, SECOND, THIRD, PLAN) for name, _ in differences):
        return Verification(tuple(differences))
    return _recomputed(folder, manifest, differences)


def _manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest; empty where it is not one, None where the other files are there and it is not."""
    if (folder / MANIFEST).exists() and not (folder / MANIFEST).is_file():
        raise UnreadableInput("{file} is not a plain file.", file=folder / MANIFEST)
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        as_json(manifest)  # what cannot be written was never written
    except OSError as error:
        if isinstance(error, FileNotFoundError) and any(
            (folder / name).is_file() for name in (FIRST, SECOND, THIRD)
        ):
            return None
        _stop_if_moved_away(folder)
        raise UnreadableInput(
            "{folder} is not an acceptance record: {file} cannot be read ({reason}).",
            folder=folder,
            file=MANIFEST,
            reason=reason_of(error),
        ) from error
    except (ValueError, RecursionError):
        manifest = {}
    return manifest if isinstance(manifest, dict) else {}


def _stop_if_moved_away(folder: Path) -> None:
    """An error where there is no record because one was being replaced."""
    place = folder.resolve()
    old = next((path for path in left_over(place, OLD) if is_record(path)), None)
    if old is not None and not place.exists():
        raise UnreadableInput(
            "{folder} is missing: an accept was broken off while it replaced the record. The earlier record is "
            "{old}. Run accept again, or rename that folder to {name}.",
            folder=folder,
            old=old,
            name=place.name,
        )


def _recomputed(
    folder: Path, manifest: Mapping[str, Any], differences: list[tuple[str, Words]]
) -> Verification:
    try:
        plan = parse_plan((folder / PLAN).read_bytes(), PLAN)
        first = rows_of((folder / FIRST).read_bytes(), FIRST)
        second = rows_of((folder / SECOND).read_bytes(), SECOND)
        study = StudyResults(plan, inputs_of(first, second))
        again = json.loads(as_json(evidence_of(study)))
        recorded = json.loads((folder / THIRD).read_bytes())
        renderings = list(_renderings(folder, manifest, study))
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        reason = Words(error.template, error.facts) if isinstance(error, RankproofError) else str(error)
        differences.append((THIRD, say("it cannot be recomputed: {reason}", reason=reason)))
        return Verification(tuple(differences))
    where = first_difference(recorded, again)
    if where is not None:
        differences.append((THIRD, say("{where} is not what the data files give", where=where)))
    expected = json.loads(as_json(manifest_of(study, {})))
    keys = (
        key for key in dict.fromkeys((*expected, *manifest)) if key not in ("files", "versions", "sha256")
    )
    differences += [
        (MANIFEST, say("its {key} is not what the plan and the data give", key=key))
        for key in keys
        if manifest.get(key) != expected.get(key)
    ]
    other = _version_of(manifest)
    pages_of = other if other != version("rankproof") else ""
    if not other:
        differences.append((MANIFEST, say("it does not say which version wrote the pages")))
    return Verification((*differences, *renderings), study.decision.verdict, pages_of)


def _version_of(manifest: Mapping[str, Any]) -> str:
    """The version that wrote the record; empty where the manifest does not say."""
    versions = manifest.get("versions")
    named = versions.get("rankproof") if isinstance(versions, dict) else None
    return named if isinstance(named, str) else ""


def _renderings(
    folder: Path, manifest: Mapping[str, Any], study: StudyResults
) -> Iterator[tuple[str, Words]]:
    """The pages that are not what the data files give; only where this very version wrote them."""
    if _version_of(manifest) != version("rankproof"):
        return
    for name, format in RENDERINGS.items():
        if (folder / name).is_file() and (folder / name).read_bytes() != study.report(format).encode():
            yield name, say("it is not what the data files give")


def first_difference(recorded: object, again: object, where: str = "") -> str | None:
    """Where two plain values differ first; None where they do not. Numbers must agree to 12 digits."""
    if isinstance(recorded, dict) and isinstance(again, dict):
        keys = dict.fromkeys((*recorded, *again))
        pairs = ((f"{where}.{k}" if where else k, recorded.get(k), again.get(k)) for k in keys)
    elif isinstance(recorded, list) and isinstance(again, list):
        if len(recorded) != len(again):
            return f"len({where})"
        pairs = ((f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(recorded, again, strict=True)))
    else:
        return None if _same(recorded, again) else where
    return next((found for name, a, b in pairs if (found := first_difference(a, b, name)) is not None), None)


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-12 * max(1.0, abs(one), abs(other))
    return type(one) is type(other) and one == other
