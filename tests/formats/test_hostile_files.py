"""Files that somebody broke, cut, merged or saved with the wrong program: no row is lost uncounted."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from rankproof import Findings, Judgments, Run, UnreadableInput, read_judgments, read_run
from rankproof.formats.noticing import LISTED
from rankproof.formats.reading import read_columns

TREC_RUN = "q1 Q0 a 1 2.5 sys\nq1 Q0 b 2 1.5 sys\nq2 Q0 a 1 3.5 sys\n"
TREC_JUDGMENTS = "q1 0 a 2\nq1 0 b 0\nq2 0 a 1\n"
JSON_RUN = "".join(
    json.dumps({"query_id": q, "doc_id": d, "rank": r}) + "\n"
    for q, d, r in (("q1", "a", 1), ("q1", "b", 2), ("q2", "a", 1))
)
CSV = "query_id,doc_id,rank\n"
PAIRS = [("q1", "a"), ("q1", "b"), ("q2", "a")]


def pairs(table: Run | Judgments) -> list[tuple[str, str]]:
    return list(zip(table.query.texts().tolist(), table.doc.texts().tolist(), strict=True))


def said(findings: Findings) -> list[tuple[str, int, int]]:
    return [(row.code, row.line, row.count) for row in findings]


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# What stands in the file, the rows that are kept, and each finding with its line and its count.
RUNS: dict[str, tuple[str, str, list[tuple[str, str]], list[tuple[str, int, int]]]] = {
    "a quote opens and never closes": (
        "run.csv",
        f'{CSV}q1,a,1\nq1,"b,2\nq2,a,1\nq2,b,2\n',
        [("q1", "a")],
        [("open-quote", 3, 3)],
    ),
    "a quote opens in the last line": (
        "run.csv",
        f'{CSV}q1,a,1\nq1,b,2\nq2,"a,1\n',
        PAIRS[:2],
        [("open-quote", 4, 1)],
    ),
    "a quote opens in the last line, which has no end": (
        "run.csv",
        f'{CSV}q1,a,1\nq1,b,2\nq2,"a,1',
        PAIRS[:2],
        [("open-quote", 4, 1)],
    ),
    "a quote that closes far below makes an id of several lines": (
        "run.csv",
        f'{CSV}q1,"a,1\nq1,b",2\nq2,a,1\n',
        [("q2", "a")],
        [("line-break-in-id", 2, 1)],
    ),
    "an id with a line break in JSON": (
        "run.jsonl",
        '{"query_id": "q\\n1", "doc_id": "a", "rank": 1}\n' + JSON_RUN,
        PAIRS,
        [("line-break-in-id", 1, 1)],
    ),
    "an empty object is no row": (
        "run.jsonl",
        "{}\n" + JSON_RUN + "{}\n",
        PAIRS,
        [("not-json", 1, 1), ("not-json", 5, 1)],
    ),
    "two values of one key": (
        "run.jsonl",
        JSON_RUN + '{"query_id": "q3", "doc_id": "a", "doc_id": "b", "rank": 1}\n',
        PAIRS,
        [("repeated-key", 4, 1)],
    ),
    "two values of one key, inside": (
        "run.jsonl",
        JSON_RUN + '{"query_id": "q3", "docs": [{"doc_id": "a", "doc_id": "b"}]}\n',
        PAIRS,
        [("repeated-key", 4, 1)],
    ),
    "two columns of one heading": (
        "run.csv",
        "query_id,doc_id,rank,Doc-ID\nq1,a,1,x\nq1,b,2,y\nq2,a,1,z\n",
        PAIRS,
        [("repeated-column", 1, 1)],
    ),
    "an id that is a list or an object": (
        "run.jsonl",
        JSON_RUN
        + '{"query_id": "q3", "doc_id": ["a", "b"], "rank": 1}\n'
        + '{"query_id": {"id": "q3"}, "doc_id": "a", "rank": 1}\n',
        PAIRS,
        [("missing-id", 4, 1), ("missing-id", 5, 1)],
    ),
    "no score beside a rank": (
        "run.jsonl",
        JSON_RUN.replace('"rank"', '"score": null, "rank"'),
        PAIRS,
        [],
    ),
    "no score in a table beside a rank": ("run.csv", "query_id,doc_id,rank,score\nq1,a,1,\nq1,b,2,\nq2,a,1,\n", PAIRS, []),
    "a tag that is a number": ("run.txt", TREC_RUN.replace("sys", "1"), PAIRS, []),
    "two systems in one file": (
        "run.csv",
        "snapshot_name,query_id,doc_id,rank\nold,q1,a,1\nnew,q1,b,2\nold,q2,a,1\n",
        PAIRS,
        [("run-tags", 0, 2)],
    ),
}  # fmt: skip  # a table, read row by row


@pytest.mark.parametrize("case", RUNS)
def test_what_is_kept_and_what_is_said(tmp_path: Path, case: str) -> None:
    name, content, kept, findings = RUNS[case]
    run, found = read_run(written(tmp_path, name, content))
    assert pairs(run) == kept
    assert said(found) == findings
    for row in found:
        assert str(row.message)


def test_a_repeated_column_is_the_first_one_and_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "j.csv", "query_id,doc_id,grade,grade\nq1,a,2,0\n")
    judgments, found = read_judgments(path)
    assert judgments.grade.tolist() == [2]
    assert '"grade"' in str(next(iter(found)).message)


@pytest.mark.parametrize("size", [131_072, 131_073, 400_000])
def test_a_long_cell_is_a_cell_like_another(tmp_path: Path, size: int) -> None:
    text = "x, y\n" * (size // 5 + 1)
    path = written(tmp_path, "run.csv", f'query_id,doc_id,rank,text\nq1,a,1,"{text}"\nq1,b,2,short\n')
    columns, _ = read_columns(path)
    assert columns.frame["text"].to_list() == [text, "short"]
    run, found = read_run(path)
    assert (pairs(run), said(found)) == (PAIRS[:2], [])


ENDS: dict[str, Callable[[str], str]] = {
    "CR": lambda text: text.replace("\n", "\r"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "mixed": lambda text: text.replace("\n", "\r", 1).replace("\n", "\r\n", 1),
    "none at the end": lambda text: text.rstrip("\n"),
    "CR without one at the end": lambda text: text.rstrip("\n").replace("\n", "\r"),
}


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize(("name", "text"), [("run.txt", TREC_RUN), ("run.jsonl", JSON_RUN)])
def test_every_end_of_a_line_is_one(tmp_path: Path, name: str, text: str, ends: str) -> None:
    run, found = read_run(written(tmp_path, name, ENDS[ends](text)))
    assert (pairs(run), said(found)) == (PAIRS, [])
    assert run.line is not None
    assert run.line.tolist() == [1, 2, 3]
    assert run.rank is not None
    assert run.rank.tolist() == [1, 2, 1]


@pytest.mark.parametrize("ends", ENDS)
def test_every_end_of_a_line_in_a_table(tmp_path: Path, ends: str) -> None:
    text = CSV + "q1,a,1\nq1,b,2\nq2,a,1\n"
    run, found = read_run(written(tmp_path, "run.csv", ENDS[ends](text)))
    assert (pairs(run), said(found)) == (PAIRS, [])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.jsonl", JSON_RUN),
        ("run.txt", TREC_RUN),
        ("run.csv", CSV + "q1,a,1\nq1,b,2\nq2,a,1\n"),
    ],
)
def test_wide_characters_are_read_and_said(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    text = text.replace("q2", "问")
    mark = "" if encoding in ("utf-16", "utf-32") else "\ufeff"  # Python writes the mark for these two
    run, found = read_run(written(tmp_path, name, (mark + text).encode(encoding)))
    assert pairs(run) == [*PAIRS[:2], ("问", "a")]
    assert said(found) == [("encoding", 0, 1)]
    assert encoding[:6] in str(next(iter(found)).message)


def test_wide_judgments_in_a_compressed_file(tmp_path: Path) -> None:
    path = written(tmp_path, "qrels.txt.gz", gzip.compress(TREC_JUDGMENTS.encode("utf-16")))
    judgments, found = read_judgments(path)
    assert (pairs(judgments), said(found)) == (PAIRS, [("encoding", 0, 1)])


def test_half_of_a_wide_character_is_an_error_level_finding(tmp_path: Path) -> None:
    _, found = read_run(written(tmp_path, "run.csv", (CSV + "q1,a,1").encode("utf-16")[:-1]))
    severities = {row.code: row.severity for row in found}
    assert (severities["encoding"], severities["bad-bytes"]) == ("info", "error")


@pytest.mark.parametrize("text", ["[]", "[1]", '[{"query_id": "q1", "doc_id": "a", "rank": 1}]', "\n [\n"])
@pytest.mark.parametrize("name", ["run.json", "run.jsonl", "run.txt"])
def test_a_json_array_is_refused_with_a_mend(tmp_path: Path, name: str, text: str) -> None:
    path = written(tmp_path, name, text)
    for read in (read_run, read_judgments):
        with pytest.raises(UnreadableInput, match="JSON array; expected one JSON object a line") as refused:
            read(path)
        assert str(path) in str(refused.value)


@pytest.mark.parametrize("column", ["query_id", "doc_id"])
def test_a_list_of_ids_in_parquet_is_no_id(tmp_path: Path, column: str) -> None:
    frame = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "rank": [1, 2]})
    path = tmp_path / "run.parquet"
    frame.with_columns(pl.concat_list(pl.col(column), pl.lit("z"))).write_parquet(path)
    run, found = read_run(path)
    assert len(run) == 0
    assert said(found) == [("missing-id", 1, 1), ("missing-id", 2, 1)]


def member(lines: int, start: int) -> bytes:
    text = "".join(f"q{place} Q0 d{place} 1 1.0 sys\n" for place in range(start, start + lines))
    return gzip.compress(text.encode())


@pytest.mark.parametrize(
    "damage",
    [
        lambda last: last[: len(last) // 2],
        lambda last: last[:-9],
        lambda last: last[:-1],
        lambda last: last[: len(last) // 2] + b"\0" * 40 + last[len(last) // 2 + 40 :],
        lambda last: last[:-8] + b"\0" * 8,
        lambda _: b"not gzip at all",
    ],
    ids=["half", "no check sum", "a byte short", "zeros inside", "wrong check sum", "something else"],
)
def test_whole_members_before_the_damage_are_kept(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    whole = [member(300, 0), member(700, 300)]
    path = written(tmp_path, "run.txt.gz", b"".join(whole) + damage(member(500, 1000)))
    run, found = read_run(path)
    assert "truncated" in {row.code for row in found}
    assert len(run) >= 1000
    assert run.doc.texts().tolist()[:1000] == [f"d{place}" for place in range(1000)]


def test_many_whole_members_are_whole(tmp_path: Path) -> None:
    run, found = read_run(
        written(tmp_path, "run.txt.gz", b"".join(member(3, 3 * place) for place in range(50)))
    )
    assert (len(run), said(found)) == (150, [])


BAD_LINES: dict[str, tuple[str, Callable[[int], str]]] = {
    "bad-score": ("query_id,doc_id,rank,score", lambda row: f"q{row},d,1,high"),
    "missing-id": ("query_id,doc_id,rank,score", lambda row: f"q{row},,1,1.0"),
    "bad-state": ("query_id,doc_id,rank,state", lambda row: f"q{row},d,1,broken"),
    "bad-rank": ("query_id,doc_id,rank,score", lambda row: f"q{row},d,first,1.0"),
}


@pytest.mark.parametrize("code", BAD_LINES)
def test_more_bad_lines_than_are_listed(tmp_path: Path, code: str) -> None:
    head, line = BAD_LINES[code]
    n = LISTED + 234
    order = list(range(n))
    random.Random(7).shuffle(order)
    content = "\n".join([head, *(line(row) for row in order), "good,d,1,"]) + "\n"
    _, found = read_run(written(tmp_path, "run.csv", content))
    errors = [row for row in found if row.code == code]
    assert found.anomalous == {f"q{row}" for row in range(n)}
    assert sum(row.count for row in errors) == n
    assert sum(bool(row.line) for row in errors) == LISTED
    assert Counter(row.severity for row in found)["error"] == len(errors)


def test_bad_lines_without_a_query_are_counted_too(tmp_path: Path) -> None:
    n = LISTED + 500
    _, found = read_run(written(tmp_path, "run.jsonl", JSON_RUN + "no json\n" * n))
    assert sum(row.count for row in found) == n
    assert len(found) == LISTED + 1
    assert str(found.rows[-1].message) == "500 more lines with the same problem."


def test_a_judged_query_with_many_bad_grades_counts_once_more(tmp_path: Path) -> None:
    lines = [f"q1,d{row},bad" for row in range(LISTED)] + [f"q{row % 3},e{row},bad" for row in range(30)]
    _, found = read_judgments(written(tmp_path, "j.csv", "query_id,doc_id,grade\n" + "\n".join(lines) + "\n"))
    assert [(row.query_id, row.count) for row in found.rows[LISTED:]] == [("q0", 10), ("q1", 10), ("q2", 10)]


def test_thousands_of_keys_stay_small(tmp_path: Path) -> None:
    rows = [
        {"query_id": "q1", f"key{place}": "x", "doc_id": f"d{place}", "rank": place + 1}
        | ({"score": 1.0, "得分": 2.0} if place > 2000 else {})
        for place in range(3000)
    ]
    path = written(tmp_path, "run.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    columns, _ = read_columns(path)
    unknown = [name for name in columns.names if name.startswith("key")]
    assert len(columns.names) <= 60
    assert unknown == [f"key{place}" for place in range(len(unknown))]
    assert {"query_id", "doc_id", "rank", "score", "得分"} <= set(columns.names)
    run, _ = read_run(path)
    assert len(run) == 3000
    assert run.score is not None
    assert run.score[-1] == 1.0


def test_a_score_that_is_lacking_without_a_rank_is_said(tmp_path: Path) -> None:
    lines = (
        '{"query_id": "q1", "doc_id": "a", "score": null}\n{"query_id": "q1", "doc_id": "b", "score": 2}\n'
    )
    _, found = read_run(written(tmp_path, "run.jsonl", lines))
    assert said(found) == [("bad-score", 1, 1)]


def test_one_name_in_the_snapshots_is_no_finding(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", "snapshot_name,query_id,doc_id,rank\nold,q1,a,1\nold,q1,b,2\n")
    run, found = read_run(path)
    assert (run.tags, said(found)) == (("old",), [])


def test_two_names_in_the_snapshots_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", RUNS["two systems in one file"][1])
    run, found = read_run(path)
    assert set(run.tags) == {"old", "new"}
    (finding,) = found
    assert finding.severity == "warning"
    assert all(name in str(finding.message) for name in ("2 systems", "old", "new"))


def test_a_six_column_run_with_a_numeric_tag_is_seen_as_one(tmp_path: Path) -> None:
    from rankproof import read_files

    given = read_files(
        [
            written(tmp_path, "qrels.txt", TREC_JUDGMENTS),
            written(tmp_path, "a.txt", TREC_RUN.replace("sys", "1")),
        ]
    )
    assert given.judgments is not None
    assert [(run.name, len(run)) for run in given.runs] == [("a", 3)]
