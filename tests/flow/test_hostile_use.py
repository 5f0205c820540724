"""The program in hands that are tired, in a hurry or ill-meaning: pipes, closed streams, odd names, made-up proof."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest

import rankproof
from flow.program import BASELINE, CANDIDATE, QRELS, Done, run
from rankproof.cli import checking
from rankproof.study.record import as_json, hash_of

MANIFEST = "manifest.json"
EVALUATE = ("table", "json", "jsonl", "csv", "parquet", "md", "html", "trec_eval")
CHECK = ("table", "json", "jsonl", "csv", "parquet", "md")
EXPLAIN = ("table", "json", "md", "html")
PROGRAM = f"{sys.executable} -m rankproof"
ROWS = len(rankproof.read_run(BASELINE)[0])

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


@contextmanager
def piped(folder: Path, content: bytes, name: str = "pipe") -> Iterator[Path]:
    """A named pipe that gives its content to its first reader."""
    path = folder / name
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,), daemon=True)
    writer.start()
    yield path
    writer.join(5)
    assert not writer.is_alive()


def shell(*commands: str) -> "list[subprocess.CompletedProcess[bytes]]":
    """What each command line of a shell came to; they run at the same time."""
    environment = os.environ | {"RANKPROOF_LANG": "en"}
    running = [
        subprocess.Popen(
            ["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        for command in commands
    ]
    done = []
    for command, process in zip(commands, running, strict=True):
        out, error = process.communicate(timeout=60)
        done.append(subprocess.CompletedProcess(command, process.returncode, out, error))
    return done


def whole(done: Done, code: int = 2) -> str:
    """The one sentence that was said on an error."""
    assert (done.code, done.raw) == (code, b"")
    assert "Traceback" not in done.error
    return done.error


# Pipes


@posix
def test_a_pipe_is_a_file_to_check(tmp_path: Path) -> None:
    expected = run("check", QRELS, BASELINE, "--format", "jsonl")
    with piped(tmp_path, Path(BASELINE).read_bytes()) as path:
        done = run("check", QRELS, path, "--format", "jsonl")
    assert (done.code, done.error) == (expected.code, "")
    assert [row["code"] for row in done.rows] == [row["code"] for row in expected.rows]


@posix
@pytest.mark.parametrize("verb", ["evaluate", "compare", "explain"])
def test_a_pipe_is_a_file_to_the_others(tmp_path: Path, verb: str) -> None:
    more = {"evaluate": (), "compare": (CANDIDATE,), "explain": ("-q", "1")}[verb]
    with piped(tmp_path, Path(BASELINE).read_bytes(), "baseline") as path:
        done = run(verb, QRELS, path, *more, "-m", "AP", "--format", "json")
    plain = run(verb, QRELS, BASELINE, *more, "-m", "AP", "--format", "json")
    assert done.code == plain.code == 0
    assert done.text.replace(str(path), BASELINE) == plain.text


@posix
def test_several_pipes_are_files_to_check(tmp_path: Path) -> None:
    expected = run("check", QRELS, BASELINE, CANDIDATE, "--format", "jsonl")
    with (
        piped(tmp_path, Path(QRELS).read_bytes(), "q") as qrels,
        piped(tmp_path, Path(BASELINE).read_bytes(), "old") as old,
        piped(tmp_path, Path(CANDIDATE).read_bytes(), "new") as new,
    ):
        done = run("check", qrels, old, new, "--format", "jsonl")
    assert (done.code, done.error) == (expected.code, "")
    assert [row["code"] for row in done.rows] == [row["code"] for row in expected.rows]


@posix
def test_a_pipe_that_was_filled_again_is_read_again(tmp_path: Path) -> None:
    for path in (BASELINE, CANDIDATE):
        with piped(tmp_path, Path(path).read_bytes()) as pipe:
            found, _ = rankproof.read_run(pipe)
        pipe.unlink()
        assert found.doc.texts().tolist() == rankproof.read_run(path)[0].doc.texts().tolist()


@pytest.mark.parametrize("path", [QRELS, BASELINE])
def test_standard_input_is_a_file_to_check(path: str) -> None:
    other = BASELINE if path == QRELS else QRELS
    done = run("check", other, "-", "--format", "jsonl", stdin=Path(path).read_bytes())
    plain = run("check", other, path, "--format", "jsonl")
    assert (done.code, done.error) == (plain.code, "")
    assert [row["code"] for row in done.rows] == [row["code"] for row in plain.rows]


def test_process_substitution_is_a_file(tmp_path: Path) -> None:
    done, other = shell(
        f"{PROGRAM} check <(cat {QRELS}) <(cat {BASELINE})",
        f"{PROGRAM} evaluate <(cat {QRELS}) <(cat {BASELINE}) -m AP --format trec_eval",
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"a run, {ROWS} rows".encode() in b" ".join(done.stdout.split())
    assert (other.returncode, other.stderr) == (0, b"")
    assert other.stdout == run("evaluate", QRELS, BASELINE, "-m", "AP", "--format", "trec_eval").raw


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "-", "-"),
        ("compare", QRELS, "-", "-"),
        ("explain", "-", "-", "-q", "1"),
        ("check", "-", "-"),
        ("check", "--judgments", "-", "--run", "-"),
        ("evaluate", "-", BASELINE, "--questions", "-"),
    ],
    ids=" ".join,
)
def test_standard_input_cannot_be_two_files(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, stdin=Path(QRELS).read_bytes())
    assert "can be one of the files, not two" in whole(done)


# Files to write


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("verb", ["evaluate", "compare", "explain", "check"])
def test_a_file_that_is_read_is_not_written(tmp_path: Path, verb: str, place: int) -> None:
    files = [Path(shutil.copy(path, tmp_path)) for path in (QRELS, BASELINE, CANDIDATE)]
    before = files[place].read_bytes()
    given = files[:2] if verb == "explain" else files
    if files[place] not in given:
        return
    (tmp_path / "link.txt").symlink_to(files[place])
    more = ("-q", "1") if verb == "explain" else ()
    form = "md" if verb == "check" else "json"
    for output in (files[place], tmp_path / "link.txt", tmp_path / "." / files[place].name):
        done = run(verb, *given, *more, "--format", form, "-o", output)
        assert "is read and written" in whole(done)
        assert files[place].read_bytes() == before


@pytest.mark.parametrize("option", ["--judgments", "--run"])
def test_a_file_named_by_an_option_is_not_written(tmp_path: Path, option: str) -> None:
    path = Path(shutil.copy(QRELS if option == "--judgments" else BASELINE, tmp_path / "in.csv"))
    before = path.read_bytes()
    assert "is read and written" in whole(run("check", option, path, "-o", path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("verb", ["evaluate", "check"])
def test_a_folder_is_no_file_to_write(tmp_path: Path, verb: str) -> None:
    error = whole(run(verb, QRELS, BASELINE, "--format", "json", "-o", tmp_path))
    assert "is a folder" in error
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "out.csv", tmp_path / "out.csv"
    target.write_text("old", "utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    for path in (link, target):
        assert run("evaluate", QRELS, BASELINE, "-o", path).code == 0
        assert link.is_symlink()
        assert target.stat().st_mode & 0o777 == 0o640
        assert target.read_text("utf-8").startswith("run,query_id")
    hanging = tmp_path / "hanging.csv"
    hanging.symlink_to(tmp_path / "there" / "new.csv")
    assert run("evaluate", QRELS, BASELINE, "-o", hanging).code == 0
    assert hanging.is_symlink()
    assert (tmp_path / "there" / "new.csv").read_bytes() == target.read_bytes()
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["new.csv", "out.csv"]


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert run("evaluate", QRELS, BASELINE, "-o", tmp_path / "out.csv").code == 0
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert (tmp_path / "out.csv").stat().st_mode & 0o777 == 0o640


# Names and ids


@pytest.fixture
def odd(tmp_path: Path) -> list[str]:
    """Two runs of one name, whose names are no UTF-8."""
    paths = []
    for folder, path in (("old", BASELINE), ("new", CANDIDATE)):
        (tmp_path / folder).mkdir()
        raw = os.fsencode(tmp_path / folder) + b"/run\xff\xe9.txt"
        try:
            Path(os.fsdecode(raw)).write_bytes(Path(path).read_bytes())
        except OSError:
            pytest.skip("this file system knows only names in UTF-8")
        paths.append(os.fsdecode(raw))
    return paths


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        *(("evaluate", form) for form in EVALUATE),
        *(("check", form) for form in CHECK),
        *((verb, form) for verb in ("compare", "explain") for form in EXPLAIN),
    ],
)
def test_names_that_are_no_utf8(odd: list[str], tmp_path: Path, verb: str, form: str) -> None:
    more = ("-q", "1") if verb == "explain" else ()
    paths = odd[:1] if verb == "explain" else odd
    done = run(verb, QRELS, *paths, *more, "--format", form)
    assert (done.code, done.error) == (0, "")
    output = Path(os.fsdecode(os.fsencode(tmp_path) + b"/out\xff"))
    again = run(verb, QRELS, *paths, *more, "--format", form, "-o", output)
    assert again.code == 0, again.error
    assert output.exists()


@pytest.mark.parametrize("verb", ["evaluate", "check"])
def test_errors_about_names_that_are_no_utf8(tmp_path: Path, verb: str) -> None:
    nothing = os.fsdecode(os.fsencode(tmp_path) + b"/nothing\xff")
    assert "nothing\\xff" in whole(run(verb, QRELS, nothing))
    assert "nothing" in whole(run(verb, QRELS, BASELINE, "-o", nothing))


HOSTILE = "a\x1b[31mb\u202ec\x07\x9bd\u2066"
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")


def test_nothing_in_a_file_drives_a_terminal(tmp_path: Path) -> None:
    qrels, old, new = (tmp_path / name for name in ("q.jsonl", f"o{HOSTILE}.jsonl", f"n{HOSTILE}.jsonl"))
    query, doc = f"q{HOSTILE}", f"d{HOSTILE}"
    judged = [{"query_id": query, "doc_id": doc, "grade": 1, "rater": HOSTILE}]
    shown = [{"query_id": query, "doc_id": d, "rank": n, "run": HOSTILE} for n, d in enumerate((doc, doc), 1)]
    bad = [{"query_id": query, "doc_id": doc, "rank": HOSTILE}]
    for path, rows in ((qrels, judged), (old, shown), (new, shown + bad)):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    for arguments in (
        ("check", qrels, old, new),
        ("check", qrels, old, "--strict"),
        ("evaluate", qrels, old, "-m", "AP", "--per-query"),
        ("evaluate", qrels, old, "--strict"),
        ("compare", qrels, old, new, "-m", "AP"),
        ("explain", qrels, old, "-q", query, "-m", "AP"),
        ("explain", qrels, old, "-q", HOSTILE, "-m", "AP"),
        ("evaluate", qrels, tmp_path / HOSTILE),
        ("evaluate", qrels, old, "-m", HOSTILE),
        ("evaluate", qrels, old, "-o", tmp_path / f"{HOSTILE}.csv"),
        ("evaluate", qrels, old, "-o", tmp_path / HOSTILE),
        ("evaluate", qrels, old, "--ties", HOSTILE),
        ("evaluate", qrels, old, "--format", HOSTILE),
        ("verify", tmp_path / HOSTILE),
        ("accept", tmp_path / HOSTILE),
        ("measures", HOSTILE),
        (HOSTILE,),
    ):
        done = run(*arguments)
        for text in (done.text, done.error):
            assert not UNSEEN.search(text), arguments
    assert "<U+202E>" in run("check", qrels, old, new).text


# Streams


CLOSED = [">&-", "2>&-", "<&-", ">&- 2>&- <&-"]


def test_closed_streams_leave_the_exit_code(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text(Path(BASELINE).read_text("utf-8") + "1 Q0 kb-001 9 0.1 x\n", "utf-8")
    asked = [(f"{PROGRAM} check {QRELS} {bad} {closed}", 1) for closed in CLOSED]
    asked += [
        (f"{PROGRAM} evaluate {QRELS} {BASELINE} {CLOSED[-1]}", 0),
        (f"{PROGRAM} evaluate {QRELS} nowhere 2>&-", 2),
        (f"{PROGRAM} evaluate {QRELS} - <&-", 2),
    ]
    for done, (command, code) in zip(shell(*(command for command, _ in asked)), asked, strict=True):
        assert done.returncode == code, command
        assert b"Traceback" not in done.stdout + done.stderr, command
        assert b"Exception ignored" not in done.stderr, command


def test_a_reader_that_goes_away_keeps_the_exit_code(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    lines = "".join(f"1 Q0 kb-001 {rank} 0.1 x\n" for rank in range(1, 4000))
    bad.write_text(lines, "utf-8")
    ended = "; echo ${PIPESTATUS[0]}"
    for done, code in zip(
        shell(
            f"{PROGRAM} check {QRELS} {bad} | true {ended}",
            f"{PROGRAM} check {QRELS} {bad} --format jsonl | head -1 >/dev/null {ended}",
            f"{PROGRAM} check {QRELS} {BASELINE} | true {ended}",
            f"{PROGRAM} evaluate {QRELS} {BASELINE} --per-query | true {ended}",
        ),
        (1, 1, 0, 0),
        strict=True,
    ):
        assert (done.stdout.decode().strip(), done.stderr) == (str(code), b""), done.args


@pytest.mark.parametrize(
    "error", [RuntimeError("boom"), AttributeError("x" * 999), ZeroDivisionError(), KeyError("\x1b[31m")]
)
def test_what_nobody_foresaw(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def broken() -> None:
        raise error

    monkeypatch.setattr(checking, "check_command", click.Command("check", callback=broken))
    said = whole(run("check"))
    assert type(error).__name__ in said
    assert "RANKPROOF_DEBUG=1" in said
    assert said.count("\n") == 1
    assert len(said) < 500
    assert not UNSEEN.search(said)
    monkeypatch.setenv("RANKPROOF_DEBUG", "1")
    with pytest.raises(type(error)):
        run("check")


# What is too large


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "nDCG@999999999999"),
        ("-m", "nDCG@1000000000"),
        ("-m", f"nDCG@{'9' * 5000}"),
        ("-m", f"ndcg_cut.{'9' * 5000}"),
        ("-m", f"P(rel={'9' * 5000})@5"),
        ("-m", "P(rel=1000000000)@5"),
        ("-m", f"ERR(max_grade={'9' * 5000})"),
        ("-m", f"nDCG(gain=1={'9' * 5000})"),
        ("-m", f"nDCG(gain={'1' * 5000}=1)"),
        ("-m", f"RBP(p={'9' * 5000})"),
        ("-m", "nDCG(gain=1=1e101)"),
        ("--gain", "1=1e101"),
        ("--gain", "1=inf"),
        ("--gain", "1=nan"),
        ("--rel", "9" * 5000),
        ("--depth", "9" * 5000),
    ],
    ids=lambda a: f"{a[0]} {a[1][:20]}",
)
def test_numbers_too_large_are_wrong_use(arguments: tuple[str, str]) -> None:
    said = whole(run("evaluate", QRELS, BASELINE, *arguments))
    assert "nobody foresaw" not in said


def test_the_largest_numbers_are_no_error() -> None:
    for measure in ("nDCG@999999999", "P@999999999", "nDCG(gain=1=1e100)", "AP@999999999"):
        assert run("evaluate", QRELS, BASELINE, "-m", measure, "--format", "json").code == 0, measure
    assert run("evaluate", QRELS, BASELINE, "-m", "P(rel=999999999)@5").code in (0, 3)
    assert whole(run("evaluate", QRELS, BASELINE, "--rel", 10**30), 3)
    assert run("evaluate", QRELS, BASELINE, "--depth", 10**30).code == 0


# The demo


def test_the_demo_never_overwrites_what_was_changed(studies: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(studies, tmp_path / "demo"))
    for name in ("judgments.csv", "study.toml"):
        path = next((folder / "help-centre-small").rglob(name))
        before = path.read_bytes()
        path.write_bytes(before + b"\n# mine\n")
        assert str(path) in whole(run("demo", folder))
        assert path.read_bytes() == before + b"\n# mine\n"
        path.write_bytes(before)
    assert run("demo", folder).code == 0


def test_the_demos_pages_speak_the_language_asked(studies: Path, tmp_path: Path) -> None:
    page = "help-centre-small/acceptance/report.html"
    assert re.search(r"<html[^>]* lang=\"?en", (studies / page).read_text("utf-8"))
    folder = Path(shutil.copytree(studies, tmp_path / "demo"))
    assert run("demo", folder, language="zh").code == 0
    assert re.search(r"<html[^>]* lang=\"?zh", (folder / page).read_text("utf-8"))
    assert 'language = "zh"' in (folder / "help-centre-small" / "study.toml").read_text("utf-8")
    assert run("verify", folder / "help-centre-small" / "acceptance").code == 0


# What is said without being asked


@pytest.mark.parametrize("form", ["table", "md"])
def test_check_says_what_each_file_was_taken_for(form: str) -> None:
    text = " ".join(run("check", QRELS, BASELINE, CANDIDATE, "--format", form).text.replace("\\", "").split())
    n = rankproof.read_judgments(QRELS)[0]
    assert f"{QRELS}: judgments, {len(n)} rows" in text
    for path in (BASELINE, CANDIDATE):
        assert f"{path}: a run, {len(rankproof.read_run(path)[0])} rows" in text
    chinese = run("check", QRELS, BASELINE, "--format", form, language="zh").text
    assert "judgments," not in chinese


@pytest.mark.parametrize("form", ["table", "md", "html", "json"])
@pytest.mark.parametrize("n", [7, 8, 9, 12])
def test_explain_shows_the_cutoff_and_five_more(tmp_path: Path, form: str, n: int) -> None:
    qrels, path = tmp_path / "q.txt", tmp_path / "r.txt"
    qrels.write_text("q 0 doc01 1\nq 0 doc09 1\n", "utf-8")
    path.write_text("".join(f"q Q0 doc{rank:02} {rank} {99 - rank} x\n" for rank in range(1, n + 1)), "utf-8")
    asked = ("explain", qrels, path, "-q", "q", "-m", "nDCG@3", "--format", form)
    done = run(*asked)
    seen = set(re.findall(r"doc\d\d", done.text))
    assert done.code == 0
    assert len(seen) == (n if form == "json" else min(n, 8))
    if form != "json":
        hidden = n - 8
        assert ("not shown; the sum is over all" in done.text) == (hidden > 0)
        if hidden > 0:
            assert f"{hidden} more doc{'s are' if hidden > 1 else ' is'} not shown" in done.text
    assert len(set(re.findall(r"doc\d\d", run(*asked, "--show", 2).text))) == 2


# Proof


def rehashed(record: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """The manifest changed, and its own hash made to fit."""
    manifest = json.loads((record / MANIFEST).read_bytes())
    change(manifest)
    manifest["sha256"] = hash_of(manifest)
    (record / MANIFEST).write_bytes(as_json(manifest))


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "format": lambda m: m.update(format="rankproof-acceptance-999"),
    "study": lambda m: m.update(study="another one"),
    "seeds": lambda m: m.update(seeds={"study": 999}),
    "dialect": lambda m: m.update(dialect="trec_eval-9"),
    "conventions": lambda m: m["conventions"].update(rel=2),
    "approved_by": lambda m: m.update(approved_by="me"),
}


@pytest.mark.parametrize("key", CHANGES)
def test_a_manifest_that_says_something_else(record: Path, key: str) -> None:
    rehashed(record, CHANGES[key])
    done = run("verify", record, "--format", "json")
    assert (done.code, done.error) == (1, "")
    (row,) = done.json["differences"]
    assert row["file"] == MANIFEST
    assert key in row["difference"]


@pytest.mark.parametrize("key", ["study", "seeds", "dialect", "conventions"])
def test_a_manifest_that_says_less(record: Path, key: str) -> None:
    rehashed(record, lambda m: m.pop(key))
    (row,) = run("verify", record, "--format", "json").json["differences"]
    assert (row["file"], key in row["difference"]) == (MANIFEST, True)


def test_pages_of_another_version_are_not_compared_and_that_is_said(record: Path) -> None:
    rehashed(record, lambda m: m["versions"].update(rankproof="0.0.1"))
    done = run("verify", record)
    assert done.code == 0
    assert "written by version 0.0.1 and not compared" in done.text
    assert run("verify", record, "--format", "json").json["pages_of_version"] == "0.0.1"
    (record / "report.md").write_text("other", "utf-8")  # its hash still counts
    done = run("verify", record, "--format", "json")
    assert (done.code, [row["file"] for row in done.json["differences"]]) == (1, ["report.md"])


@pytest.mark.parametrize("versions", [None, {}, [], "0.1.0", {"rankproof": ""}, {"rankproof": 1}], ids=str)
def test_a_manifest_without_a_version(record: Path, versions: object) -> None:
    rehashed(record, lambda m: m.pop("versions") if versions is None else m.update(versions=versions))
    done = run("verify", record, "--format", "json")
    assert done.code == 1
    assert {row["file"] for row in done.json["differences"]} == {MANIFEST}
    assert any("which version" in row["difference"] for row in done.json["differences"])


@posix
@pytest.mark.parametrize("verb", ["verify", "accept"])
def test_a_pipe_for_a_manifest_is_refused(record: Path, study: Path, verb: str) -> None:
    (record / MANIFEST).unlink()
    os.mkfifo(record / MANIFEST)
    asked = (verb, record) if verb == "verify" else (verb, study, "-o", record)
    found: list[Done] = []
    thread = threading.Thread(target=lambda: found.append(run(*asked)), daemon=True)
    thread.start()
    thread.join(20)
    assert found, "it waits for the pipe"
    assert whole(found[0])
    if verb == "verify":
        assert "not a plain file" in found[0].error


@posix
def test_a_pipe_for_a_part_of_the_record_is_no_file(record: Path) -> None:
    for name in ("3-report.json", "report.md"):
        (record / name).unlink()
        os.mkfifo(record / name)
    found: list[Done] = []
    thread = threading.Thread(
        target=lambda: found.append(run("verify", record, "--format", "json")), daemon=True
    )
    thread.start()
    thread.join(20)
    assert found, "it waits for the pipe"
    assert found[0].code == 1
    assert {"3-report.json", "report.md"} <= {row["file"] for row in found[0].json["differences"]}
