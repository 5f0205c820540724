"""What a study reads comes back from its record the same, whatever characters stand in it."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankproof import Study, verify
from rankproof.checks.auditing import KINDS
from rankproof.errors import RankproofError
from rankproof.formats.noticing import MORE
from rankproof.study.inputs import _finding, _finding_row, lines_of, rows_of
from rankproof.tables.findings import Finding, Kind
from rankproof.wording import say

# Every character, also those at which Python, and nothing else, ends a line; half characters, too.
ODD = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r\n\t\0\ud800\udfff\ufeff\ufffe<&\"'{}|#\\/ é好"
TEXTS = st.text(st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=())), max_size=8)
NAMES = st.lists(TEXTS, min_size=3, max_size=3, unique=True)
PLAN = """
[study]
name = {name}
[files]
questions = "questions.jsonl"
judgments = "judgments.jsonl"
documents = "documents.jsonl"
[[runs]]
name = {name}
file = "a.jsonl"
[[runs]]
name = "b"
file = "b.jsonl"
[[gates]]
kind = "no_worse"
"""


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@given(queries=NAMES, docs=NAMES, texts=NAMES)
@example(["q", "\u2028", "a\x85b"], ["d\u2029", "\x1e", "\0"], ["\u2028", "\x85", "\x0b"])
@example(["q", "r", "s"], ["d", "e", "\ud800"], ["\ud800", "\0", "{}"])
def test_every_character_survives(queries: list[str], docs: list[str], texts: list[str]) -> None:
    """A file is read, or refused in words; what was read verifies."""
    first, second, third = texts
    queries = ["q", *queries]  # one of each is plain, so that something can be evaluated
    docs = ["d", *docs]
    asked = [
        {"query_id": q, "text": first, "need": second, "tags": [third, "x"], "cluster": first}
        for q in queries
    ]
    known = [{"doc_id": d, "title": second, "text": third, "version": first} for d in docs]
    judged = [
        {"query_id": q, "doc_id": d, "grade": i % 3, "basis": second, "rater": third, "doc_version": second}
        for q in queries
        for i, d in enumerate(docs, 1)
    ]
    with TemporaryDirectory() as folder:
        place = Path(folder)
        write(place / "questions.jsonl", asked)
        write(place / "documents.jsonl", known)
        write(place / "judgments.jsonl", judged)
        for name, shown in (("a", docs), ("b", docs[::-1])):
            rows = [{"query_id": q, "doc_id": d, "rank": r} for q in queries for r, d in enumerate(shown, 1)]
            write(place / f"{name}.jsonl", rows)
        name = json.dumps("".join(c for c in first if c.isprintable() and not "\ud800" <= c <= "\udfff"))
        (place / "study.toml").write_text(PLAN.format(name=name), "utf-8")
        try:
            record = Study.read(place).accept().record
        except RankproofError:
            return
        assert verify(record).differences == ()


@given(st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_only_a_line_feed_ends_a_row(row: dict[str, str]) -> None:
    whole = {key: value for key, value in row.items() if not _half(key + value)}
    assert rows_of(lines_of([whole, whole]), "x") == [whole, whole]


def _half(text: str) -> bool:
    return any("\ud800" <= one <= "\udfff" for one in text)


def test_a_line_that_is_no_json_is_named() -> None:
    with pytest.raises(RankproofError, match="line 2"):
        rows_of(b'{"a": "\xe2\x80\xa8"}\n{\n', "x")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
@pytest.mark.parametrize("more", [False, True], ids=["one", "more"])
def test_a_finding_is_read_back(kind: Kind, more: bool) -> None:
    shown = Kind(kind.code, kind.severity, MORE, kind.why, kind.mend) if more else kind
    facts: dict[str, object] = {
        "text": "\u2028 {x}",
        "seen": 3,
        "share": 0.1,
        "expected": say("a number from 0"),
        "what": say("key of the gate {gate}", gate="floor"),
    }
    finding = Finding(shown, facts, "f.csv", 3, "run", "q", "d", 7, "info")
    (row,) = rows_of(lines_of([_finding_row(finding)]), "x")
    again = _finding(row)
    assert again == finding
    assert again.message.template == finding.message.template


def test_a_finding_that_nobody_knows_is_named() -> None:
    row = _finding_row(Finding(KINDS[0], {}, "f"))
    with pytest.raises(RankproofError, match="no-such-code"):
        _finding(row | {"code": "no-such-code"})
