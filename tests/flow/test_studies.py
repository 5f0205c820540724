"""demo, accept and verify: decide by rules written beforehand, keep the proof, and catch whoever changes it."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from flow.program import Done, inside, run
from rankproof.study.record import as_json, hash_of

FIRST, SECOND, THIRD = "1-questions-and-judgments.jsonl", "2-runs.jsonl", "3-report.json"
PLAN, MANIFEST = "plan.toml", "manifest.json"
FILES = (FIRST, SECOND, THIRD, "report.html", "report.md", PLAN, MANIFEST)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_demo(demo: Done, studies: Path) -> None:
    assert (demo.code, demo.error) == (0, "")
    assert names(studies) == ["help-centre", "help-centre-small"]
    for study in studies.iterdir():
        assert names(study / "acceptance") == sorted(FILES)
        assert (study / "acceptance" / PLAN).read_bytes() == (study / "study.toml").read_bytes()
        assert str(study / "acceptance") in demo.text
    assert "rankproof verify" in demo.text


def test_the_demo_goes_where_it_is_sent(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    done = run("demo", tmp_path)
    assert done.code == 2
    assert "not an earlier demo" in done.error
    assert names(tmp_path) == ["mine.txt"]
    with inside(tmp_path):
        assert run("demo").code == 0
        first = contents(tmp_path / "rankproof-demo" / "help-centre" / "acceptance")
        assert run("demo").code == 0  # an earlier one is written anew
    assert contents(tmp_path / "rankproof-demo" / "help-centre" / "acceptance") == first


def test_the_small_study_has_the_numbers_of_the_pencil(studies: Path) -> None:
    evidence = json.loads((studies / "help-centre-small" / "acceptance" / THIRD).read_bytes())
    (row,) = [row for row in evidence["comparisons"] if row["measure"] == "nDCG@3" and row["tag"] is None]
    assert row["mean_baseline"] == pytest.approx(0.607492, abs=5e-7)
    assert row["mean_candidate"] == 1
    assert evidence["populations"]["asked"] == 1


def test_accepted_rejected_and_inconclusive(studies: Path, study: Path, tmp_path: Path) -> None:
    done = run("accept", study, "--format", "json")
    assert (done.code, done.json["verdict"]) == (0, "accepted")
    done = run("accept", studies / "help-centre", "-o", tmp_path / "out", "--format", "json")
    assert (done.code, done.json["verdict"]) == (1, "rejected")
    plan = study / "study.toml"
    plan.write_text(plan.read_text("utf-8").split("[[gates]]")[0], "utf-8")
    done = run("accept", study, "--format", "json")
    assert (done.code, done.json["verdict"]) == (3, "inconclusive")
    for place in (study / "acceptance", tmp_path / "out"):
        assert run("verify", place).code == 0  # a rejected record is a sound one


def test_twice_and_elsewhere_gives_the_same_bytes(study: Path, tmp_path: Path) -> None:
    assert run("accept", study).code == 0
    first = contents(study / "acceptance")
    assert run("accept", study / "study.toml").code == 0
    assert contents(study / "acceptance") == first
    assert run("accept", study, "-o", tmp_path / "a" / "b").code == 0
    assert contents(tmp_path / "a" / "b") == first
    moved = shutil.copytree(study, tmp_path / "moved", ignore=shutil.ignore_patterns("acceptance"))
    with inside(moved):
        assert run("accept", "study.toml", language="zh").code == 0
    assert contents(moved / "acceptance") == first
    assert names(study) == names(moved)


def test_a_record_of_another_plan_is_not_replaced_unsaid(study: Path, tmp_path: Path) -> None:
    first = run("accept", study, "-o", tmp_path / "r")
    again = run("accept", study, "-o", tmp_path / "r")
    plan = study / "study.toml"
    plan.write_bytes(plan.read_bytes() + b"\n# another plan\n")
    other = run("accept", study, "-o", tmp_path / "r")
    assert "was replaced" not in first.error + again.error
    assert "made by another plan with the verdict" in other.error


def test_a_folder_that_holds_something_else_is_left_alone(study: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine", "utf-8")
    done = run("accept", study, "-o", other)
    assert done.code == 2
    assert "not an acceptance record" in done.error
    assert names(other) == ["mine.txt"]
    (tmp_path / "file").write_text("mine", "utf-8")
    assert run("accept", study, "-o", tmp_path / "file").code == 2


def test_a_study_that_cannot_be_read(study: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.toml", tmp_path):
        done = run("accept", path)
        assert (done.code, done.raw) == (2, b"")
        assert "study" in done.error
    plan = (study / "study.toml").read_text("utf-8")
    for old, new, words in (
        ("[measures]", "[measure]", "measures"),
        ("primary", "primry", "primary"),
        ("nDCG@3", "nGDC@3", "nDCG"),
        ("no_worse", "no_wrose", "no_worse"),
        ("at_least = 1", "at_leest = 1", "at_least"),
        ("alpha = 0.05", "alpha = 5", "between 0 and 1"),
        ('role = "baseline"', 'role = "base"', "candidate, baseline"),
        ("judgments.csv", "judgements.csv", "There is no file"),
        ("[study]", "[study", "not TOML"),
    ):
        assert old in plan
        (study / "study.toml").write_text(plan.replace(old, new), "utf-8")
        done = run("accept", study)
        assert (done.code, done.raw) == (2, b""), new
        assert words in done.error
        assert "Traceback" not in done.error
        assert not (study / "acceptance").exists()
    (study / "study.toml").write_bytes(b"\xff\xfe\x00garbage\x80")
    assert run("accept", study).code == 2


def test_a_sound_record(record: Path) -> None:
    done = run("verify", record)
    assert (done.code, done.error) == (0, "")
    assert "accepted" in done.text
    assert run("verify", record, "--format", "json").json == {
        "sound": True,
        "verdict": "accepted",
        "differences": [],
        "pages_of_version": None,
    }


def broken(record: Path) -> list[str]:
    """The files that `verify` names; it must say that the record does not hold."""
    done = run("verify", record, "--format", "json")
    assert (done.code, done.error) == (1, "")
    assert done.json["sound"] is False
    table = run("verify", record)
    assert table.code == 1
    files = [row["file"] for row in done.json["differences"]]
    assert all(name in table.text for name in files)
    return files


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", [0, 0.5, 1])
def test_a_byte_that_was_flipped(record: Path, name: str, place: float) -> None:
    raw = bytearray((record / name).read_bytes())
    raw[int(place * (len(raw) - 1))] ^= 1
    (record / name).write_bytes(raw)
    assert broken(record)[0] == name


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_gone_cut_or_longer(record: Path, name: str) -> None:
    raw = (record / name).read_bytes()
    for change in (raw[:-2], raw + b"\n{}\n", raw + b"\n", b" " + raw, b""):
        (record / name).write_bytes(change)
        assert broken(record)[0] == name
    (record / name).unlink()
    assert broken(record)[0] == name


def test_a_file_that_is_no_part_of_it(record: Path) -> None:
    (record / "notes.txt").write_text("mine", "utf-8")
    assert broken(record) == ["notes.txt"]


def rehash(record: Path) -> None:
    """Make the manifest fit the files, as somebody would who wants to hide a change."""
    manifest = json.loads((record / MANIFEST).read_bytes())
    manifest["files"] = {name: sha256((record / name).read_bytes()).hexdigest() for name in manifest["files"]}
    manifest["sha256"] = hash_of(manifest)
    (record / MANIFEST).write_bytes(as_json(manifest))


def test_the_manifest_can_be_made_to_fit(record: Path) -> None:
    before = contents(record)
    rehash(record)
    assert contents(record) == before
    assert run("verify", record).code == 0


def comparison(evidence: Any) -> Any:
    return evidence["comparisons"][0]


def measurement(evidence: Any) -> Any:
    return next(row for row in evidence["measurements"] if row["value"] is not None)


# Where a number, a word or a list of the report is changed, consistently with the manifest.
CHANGES: dict[str, Callable[[Any], Any]] = {
    "verdict": lambda e: e.update(verdict="rejected"),
    "a value": lambda e: measurement(e).update(value=measurement(e)["value"] + 1e-6),
    "a mean": lambda e: comparison(e).update(mean_candidate=0.99),
    "a difference": lambda e: comparison(e)["queries"][0].update(difference=0.5),
    "wins": lambda e: comparison(e).update(wins=2),
    "an interval": lambda e: comparison(e)["interval"].update(level=0.9),
    "p": lambda e: comparison(e).update(p=0.01),
    "a count": lambda e: e["populations"].update(evaluable=2),
    "a list": lambda e: e["populations"]["queries"]["evaluable"].append("q02"),
    "a gate": lambda e: e["gates"][0].update(measured=7.0),
    "the plan's hash": lambda e: e.update(plan_sha256="0" * 64),
    "a finding": lambda e: e["findings"].clear() if e["findings"] else e["findings"].append({"code": "x"}),
    "a seed": lambda e: e.update(seed=1),
    "a convention": lambda e: e["conventions"].update(rel=2),
    "a key more": lambda e: e.update(approved_by="me"),
    "a key less": lambda e: e.pop("verdict"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_report_changed_together_with_the_manifest(record: Path, change: str) -> None:
    evidence = json.loads((record / THIRD).read_bytes())
    before = json.dumps(evidence)
    CHANGES[change](evidence)
    assert json.dumps(evidence) != before
    (record / THIRD).write_bytes(as_json(evidence))
    rehash(record)
    assert broken(record) == [THIRD]


def rows(record: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (record / name).read_text("utf-8").splitlines()]


def test_data_changed_together_with_the_manifest(record: Path) -> None:
    before = contents(record)
    judgments = rows(record, FIRST)
    next(row for row in judgments if row["kind"] == "judgment")["grade"] = 0
    lists = rows(record, SECOND)
    shown = [row for row in lists if row["kind"] == "displayed"]
    shown[0]["doc_id"], shown[1]["doc_id"] = shown[1]["doc_id"], shown[0]["doc_id"]
    for name, changed in ((FIRST, judgments), (SECOND, lists)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in changed)
        (record / name).write_text(lines, "utf-8")
        rehash(record)
        assert THIRD in broken(record), name
        for file, raw in before.items():
            (record / file).write_bytes(raw)
    plan = (record / PLAN).read_text("utf-8")
    (record / PLAN).write_text(plan.replace("at_least = 1", "at_least = 2"), "utf-8")
    rehash(record)
    assert THIRD in broken(record)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (FIRST, '"grade": 3', '"grade": ' + "9" * 30),
        (FIRST, '"grade": 3', '"grade": "three"'),
        (FIRST, '"line": 2', '"line": ' + "9" * 30),
        (FIRST, '"kind": "question"', '"kind": "questoin"'),
        (FIRST, '"query_id"', '"query"'),
        (SECOND, '"score": ', '"score": "high", "was": '),
        (SECOND, '"kind": "run"', '"kind": "runs"'),
        (SECOND, "{", "["),
        (THIRD, "{", "[" * 5000),
        (PLAN, "[study]", "[study"),
        (PLAN, "nDCG@3", "nDCG@0"),
    ],
)
def test_nonsense_that_fits_the_manifest(record: Path, name: str, old: str, new: str) -> None:
    text = (record / name).read_text("utf-8")
    assert old in text
    (record / name).write_text(text.replace(old, new), "utf-8")
    rehash(record)
    assert THIRD in broken(record)


@pytest.mark.parametrize("name", [FIRST, SECOND, MANIFEST])
def test_half_a_character_ends_without_a_crash(record: Path, name: str) -> None:
    text = (record / name).read_text("utf-8")
    (record / name).write_text(text.replace('"q01"', r'"\ud800"').replace('"linux"', r'"\ud800"'), "utf-8")
    assert broken(record)[0] == name
    if name != MANIFEST:
        rehash(record)
        assert THIRD in broken(record)


def test_a_page_changed_together_with_the_manifest(record: Path) -> None:
    for name in ("report.html", "report.md"):
        (record / name).write_text((record / name).read_text("utf-8") + " ", "utf-8")
    rehash(record)
    assert broken(record) == ["report.html", "report.md"]


def test_another_folder_is_as_good(record: Path, tmp_path: Path) -> None:
    elsewhere = shutil.copytree(record, tmp_path / "文件夹 with blanks" / "x")
    assert run("verify", elsewhere).code == 0
    with inside(elsewhere):
        assert run("verify", ".").code == 0


def test_what_is_no_record(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        done = run("verify", path)
        assert (done.code, done.raw) == (2, b"")
        assert "not an acceptance record" in done.error
    (tmp_path / "file").write_text("x", "utf-8")
    assert run("verify", tmp_path / "file").code == 2
