"""A record is put in place whole; nothing else is ever removed, and what was broken off is healed."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rankproof import Study, verify
from rankproof.errors import UnreadableInput, UsageError
from rankproof.study import placing
from rankproof.study.record import MANIFEST, NAMES, as_json, is_record


@pytest.fixture(params=["in one step", "in two steps"])
def swap(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to put a folder where another stands."""
    if request.param == "in two steps":
        monkeypatch.setattr(placing, "_exchanged", lambda *_: False)
    return str(request.param)


@pytest.fixture
def record(study: Path) -> Path:
    return Study.read(study).accept().record


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def without_manifest_keys(record: Path, **changes: object) -> None:
    manifest = json.loads((record / MANIFEST).read_bytes()) | changes
    (record / MANIFEST).write_bytes(as_json({k: v for k, v in manifest.items() if v is not None}))


# What somebody may have put where a record is to go; each must stay as it is.
STRANGERS: dict[str, Callable[[Path], object]] = {
    "a file beside": lambda record: (record / "notes.txt").write_text("mine", "utf-8"),
    "a folder beside": lambda record: (record / "mine").mkdir(),
    "a hidden file": lambda record: (record / ".git").write_text("x", "utf-8"),
    "a folder of a file's name": lambda record: ((record / "report.md").unlink(), (record / "report.md").mkdir()),
    "another's manifest": lambda record: (record / MANIFEST).write_text('{"name": "app"}', "utf-8"),
    "a list as manifest": lambda record: (record / MANIFEST).write_text("[]", "utf-8"),
    "no JSON as manifest": lambda record: (record / MANIFEST).write_text("{", "utf-8"),
    "another format": lambda record: without_manifest_keys(record, format=999),
    "other files": lambda record: without_manifest_keys(record, files={"app.js": "0"}),
    "no files": lambda record: without_manifest_keys(record, files=None),
    "no manifest": lambda record: (record / MANIFEST).unlink(),
}  # fmt: skip  # a table, read row by row


@pytest.mark.parametrize("stranger", STRANGERS)
def test_what_is_no_record_is_left_as_it_is(study: Path, record: Path, stranger: str) -> None:
    STRANGERS[stranger](record)
    before = everything(study)
    with pytest.raises(UsageError, match="not an acceptance record"):
        Study.read(study).accept(record)
    assert everything(study) == before


def test_a_manifest_alone_is_no_record(study: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "src").mkdir(parents=True)
    (other / MANIFEST).write_text("{}", "utf-8")
    (other / "src" / "app.js").write_text("mine", "utf-8")
    before = everything(other)
    with pytest.raises(UsageError):
        Study.read(study).accept(other)
    assert everything(other) == before


def test_a_record_is_replaced(study: Path, record: Path, swap: str) -> None:
    before = everything(record)
    (record / "report.html").unlink()  # a part of it will do
    assert everything(Study.read(study).accept(record).record) == before
    assert sorted(path.name for path in study.iterdir() if path.name.startswith(".")) == []


@pytest.mark.parametrize("make", [True, False], ids=["empty", "missing"])
def test_an_empty_or_missing_folder_is_filled(study: Path, tmp_path: Path, swap: str, make: bool) -> None:
    place = tmp_path / "记录 with blanks" / "[x]*"
    if make:
        place.mkdir(parents=True)
    Study.read(study).accept(place)
    assert sorted(path.name for path in place.iterdir()) == sorted(NAMES)
    assert [path.name for path in place.parent.iterdir()] == ["[x]*"]
    assert verify(place).sound


@pytest.mark.parametrize("odd", [".", "./", "../out", "../out/../out", "./."])
def test_the_folder_one_stands_in(
    study: Path, tmp_path: Path, swap: str, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "out"
    place.mkdir()
    monkeypatch.chdir(place)
    for _ in range(2):
        accepted = Study.read(study).accept(odd)
        assert verify(odd).sound
        assert accepted.record.resolve() == place.resolve()
    assert sorted(path.name for path in Path().iterdir()) == sorted(NAMES)


def test_a_link_to_a_folder_stays_a_link(study: Path, tmp_path: Path, swap: str) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    for _ in range(2):
        Study.read(study).accept(link)
        assert link.is_symlink()
        assert verify(real).sound


def test_what_a_killed_accept_left_does_not_matter(study: Path, record: Path, swap: str) -> None:
    before = everything(record)
    mine = study / ".acceptance.new-mine"
    mine.mkdir()
    (mine / "mine.txt").write_text("mine", "utf-8")
    (study / ".acceptance.old-file").write_text("mine", "utf-8")
    for pid in (os.getpid(), 1, 99999):
        shutil.copytree(record, study / f".acceptance.old-{pid}")
        half = study / f".acceptance.new-{pid}"
        half.mkdir()
        (half / "2-runs.jsonl").write_text("{}", "utf-8")
        long_ago = time.time() - 2 * placing.FORGOTTEN
        os.utime(half, (long_ago, long_ago))
    assert everything(Study.read(study).accept(record).record) == before
    hidden = sorted(path.name for path in study.iterdir() if path.name.startswith("."))
    assert hidden == [".acceptance.new-mine", ".acceptance.old-file"]
    assert (mine / "mine.txt").read_text("utf-8") == "mine"


def test_a_swap_that_was_broken_off_is_healed(study: Path, record: Path, swap: str) -> None:
    before = everything(record)
    record.rename(study / ".acceptance.old-123")
    with pytest.raises(UnreadableInput, match="broken off") as stop:
        verify(record)
    assert ".acceptance.old-123" in str(stop.value)
    (study / "runs" / "甲.jsonl").rename(study / "runs" / "away")
    with pytest.raises(UnreadableInput):
        Study.read(study).accept(record)
    (study / "runs" / "away").rename(study / "runs" / "甲.jsonl")
    assert everything(Study.read(study).accept(record).record) == before
    assert not [path for path in study.iterdir() if path.name.startswith(".")]


def test_an_accept_that_fails_brings_the_earlier_record_back(
    study: Path, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(record)
    record.rename(study / ".acceptance.old-123")
    read = Study.read(study)

    def full(path: Path, raw: bytes) -> None:
        raise OSError("full")

    monkeypatch.setattr(placing.Path, "write_bytes", full)
    with pytest.raises(OSError, match="full"):
        read.accept(record)
    monkeypatch.undo()
    assert everything(record) == before
    assert [path for path in study.iterdir() if path.name.startswith(".")] == []


def test_a_damaged_record_that_was_moved_away_is_kept(study: Path, record: Path) -> None:
    without_manifest_keys(record, format=999)
    record.rename(study / ".acceptance.old-123")
    Study.read(study).accept(record)
    assert is_record(record)
    assert (study / ".acceptance.old-123" / MANIFEST).exists()


def test_many_accepts_at_once(study: Path, tmp_path: Path, swap: str) -> None:
    place = tmp_path / "at once"
    studies = [Study.read(study) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(one.accept, place) for one in studies]:
            done.result()
    assert verify(place).sound
    assert [path.name for path in tmp_path.iterdir() if "at once" in path.name] == ["at once"]


def test_two_programs_at_once(study: Path, tmp_path: Path) -> None:
    place = tmp_path / "at once"
    command = [sys.executable, "-m", "rankproof", "accept", str(study), "-o", str(place)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    ends = [(one.communicate(), one.returncode) for one in both]
    assert [(code, error) for (_, error), code in ends] == [(0, b""), (0, b"")]
    assert verify(place).sound
    assert [path.name for path in tmp_path.iterdir() if "at once" in path.name] == ["at once"]


@pytest.mark.parametrize("rubric", [True, False], ids=["with a rubric", "without"])
def test_a_record_is_the_same_everywhere(study: Path, tmp_path: Path, rubric: bool) -> None:
    """In another process, with other hashes and in another language, to the byte."""
    if not rubric:
        plan = study / "study.toml"
        lines = plan.read_text("utf-8").splitlines(keepends=True)
        plan.write_text("".join(line for line in lines if not line.startswith("rubric")), "utf-8")
    records = []
    for seed, language in (("0", "C.UTF-8"), ("1", "zh_CN.UTF-8"), ("2", "en_US.UTF-8")):
        place = tmp_path / f"record-{seed}"
        plain = {k: v for k, v in os.environ.items() if k not in ("RANKPROOF_LANG", "LC_ALL", "LC_MESSAGES")}
        done = subprocess.run(
            [sys.executable, "-m", "rankproof", "accept", str(study), "-o", str(place)],
            env={**plain, "PYTHONHASHSEED": seed, "LANG": language},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        records.append(everything(place))
    for other in records[1:]:
        assert [name for name in NAMES if records[0][name] != other[name]] == []
