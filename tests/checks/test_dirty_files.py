"""Files as people really make them: reading and auditing together explain each, and swallow nothing."""

from pathlib import Path

from rankproof.checks.auditing import audit
from rankproof.formats.attributes import read_documents
from rankproof.formats.reading import read_judgments, read_run
from rankproof.tables.attributes import Document, Documents, Grade, Rubric
from rankproof.tables.findings import Findings
from rankproof.tables.judgments import Judgments

DIRTY = Path(__file__).parents[1] / "data" / "dirty"
KNOWN = [f"kb-{n:03}" for n in range(1, 13)]
DOCUMENTS = Documents(tuple(Document(doc) for doc in KNOWN))
JUDGMENTS = Judgments.from_dict({query: dict.fromkeys(KNOWN, 1) for query in "123"})


def of_judgments(name: str, **settings: object) -> tuple[Judgments, Findings]:
    table, noticed = read_judgments(DIRTY / name)
    return table, audit(table, noticed=noticed, **settings)


def of_run(name: str, **settings: object) -> Findings:
    run, noticed = read_run(DIRTY / name)
    return audit(JUDGMENTS, run, noticed=noticed, **settings)


def lines(found: Findings, code: str) -> list[int]:
    return [row.line for row in found if row.code == code]


def test_duplicates_and_conflicts() -> None:
    table, found = of_judgments(
        "ratings_duplicate_and_conflict.csv", rubric=Rubric("1", tuple(map(Grade, range(4))))
    )
    assert lines(found, "duplicate-judgment") == [3]
    (conflict,) = [row for row in found if row.code == "conflicting-grades"]
    assert "grade 2 in line 4 and the grade 1 in line 5" in str(conflict.message)
    assert lines(found, "look-alike-queries") == [6]
    assert lines(found, "grade-off-scale") == [7]
    assert lines(found, "bad-grade") == [8, 11]
    assert sorted(lines(found, "missing-id")) == [9, 10]
    assert [row.count for row in found if row.code == "blanks-around-id"] == [1]
    assert "退款 多久到账" in table.query.names.tolist()
    assert {row.file for row in found} == {str(DIRTY / "ratings_duplicate_and_conflict.csv")}


def test_encodings_and_separators() -> None:
    gbk, found = of_judgments("ratings_gbk.csv")
    assert [row.code for row in found] == ["encoding"]
    assert "年假怎么计算" in gbk.query.names.tolist()
    bom, found = of_judgments("ratings_utf8_bom_crlf.csv")
    assert len(found) == 0
    assert bom.grade.tolist() == [3]
    semicolon, found = of_judgments("ratings_semicolon.csv")
    assert len(found) == 0
    assert semicolon.query.names.tolist() == ["printer error 0x61"]
    comma, found = of_judgments("ratings_unquoted_comma.csv")
    assert lines(found, "field-count") == [2]
    assert len(comma) == 1


def test_guards_of_formulas_and_ids_that_are_texts() -> None:
    table, found = of_judgments("ratings_formula_and_numeric_ids.csv")
    assert [(row.code, row.count) for row in found if row.severity == "info"] == [("blanks-around-id", 1)]
    assert {"007", "1.0", "1"} < set(table.doc.names.tolist())
    assert "=cmd" in table.query.names.tolist()


def test_trec_judgments_that_are_off() -> None:
    table, found = of_judgments("qrels_negative_and_decimal.txt")
    assert [(row.severity, row.line) for row in found if row.code == "negative-grade"] == [("info", 2)]
    assert lines(found, "extra-fields") == [4]
    assert lines(found, "field-count") == [5]
    assert dict(zip(table.doc.texts().tolist(), table.grade.tolist(), strict=True))["kb-003"] == 2
    _, found = of_judgments("qrels_extra_aspects_and_sentinels.txt")
    assert [(row.line, row.count) for row in found if row.code == "extra-fields"] == [(1, 3)]


def test_ties_and_ranks_against_scores() -> None:
    found = of_run("run_ties_and_rank_conflict.txt")
    by_code = {row.code: row for row in found}
    assert by_code["rank-against-score"].facts["queries"] == ("1",)
    assert (by_code["tied-scores"].count, by_code["tied-scores"].facts["queries"]) == (5, 2)


def test_duplicates_gaps_and_scores_that_are_no_numbers() -> None:
    found = of_run("run_duplicate_doc_and_gap.txt", documents=DOCUMENTS)
    by_code = {row.code: row for row in found}
    twice = by_code["duplicate-doc"]
    assert (twice.query_id, twice.doc_id, twice.line) == ("1", "kb-001", 2)
    assert by_code["rank-gap"].facts["queries"] == ("1",)
    assert by_code["rank-from-zero"].facts["queries"] == ("2",)
    assert lines(found, "bad-score") == [6]
    assert lines(found, "infinite-score") == [7]
    assert found.anomalous == {"1", "3"}


def test_unknown_queries_and_docs() -> None:
    found = of_run("run_unknown_query_and_docs.txt", documents=DOCUMENTS)
    assert [row.facts["queries"] for row in found if row.code == "extra-query"] == [("99",)]
    assert [row.doc_id for row in found if row.code == "unknown-doc"] == ["kb-999", "KB-004"]
    (mismatch,) = [row for row in found if row.code == "id-mismatch"]
    assert '"KB-004" for "kb-004"' in str(mismatch.message)
    assert [row.facts["queries"] for row in found if row.code == "missing-query"] == [("3",)]


def test_two_systems_in_one_file() -> None:
    found = of_run("run_mixed_tags_and_columns.txt")
    assert [row.count for row in found if row.code == "run-tags"] == [2]
    assert lines(found, "field-count") == [3]


def test_documents_with_bad_lines() -> None:
    documents, found = read_documents(DIRTY / "corpus_bad_lines.jsonl")
    assert [document.doc_id for document in documents.rows] == ["kb-001", "7"]
    assert {row.code for row in found} >= {"repeated-id", "missing-id", "number-as-id", "not-json"}
