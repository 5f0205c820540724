"""The inputs of a study: from its files, or from the two data files of a record; and back into them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rankproof.checks.auditing import KINDS
from rankproof.errors import UnreadableInput
from rankproof.formats.attributes import read_documents, read_questions, read_rubric
from rankproof.formats.known import read_history
from rankproof.formats.noticing import MORE
from rankproof.formats.reading import read_judgments, read_run
from rankproof.measures.combining import parts_of
from rankproof.study.beside import (
    Row,
    document_rows,
    documents_of,
    expected_of,
    expected_rows,
    history_of,
    history_rows,
    plain_score,
)
from rankproof.study.plan import Plan
from rankproof.tables.attributes import Documents, Grade, Question, Questions, Rubric
from rankproof.tables.findings import Finding, Findings, Kind
from rankproof.tables.judgments import DETAILS, NO_GRADE, Judgments
from rankproof.tables.known import History
from rankproof.tables.run import Run
from rankproof.wording import Words, say


@dataclass(frozen=True, eq=False)
class StudyInputs:
    """Everything that a study reads, and what was noticed while reading."""

    judgments: Judgments
    runs: tuple[Run, ...]
    questions: Questions
    documents: Documents
    rubric: Rubric
    noticed: Findings
    noticed_in_runs: Findings
    history: History | None = None
    expected: Run | None = None


def read_inputs(plan: Plan, folder: Path) -> StudyInputs:
    """The files that the plan names, relative to the folder it stands in."""
    asked = any(measure.sees == "subtopics" for measure in parts_of(plan.measures)) or None
    judgments, noticed = read_judgments(folder / plan.files["judgments"], subtopics=asked)
    questions, documents, rubric = Questions(), Documents(), Rubric()
    if "questions" in plan.files:
        questions, more = read_questions(folder / plan.files["questions"])
        noticed += more
    if "documents" in plan.files:
        documents, more = read_documents(folder / plan.files["documents"])
        noticed += more
    if "rubric" in plan.files:
        rubric = read_rubric(folder / plan.files["rubric"])
    history, expected = None, None
    if "history" in plan.files:
        history, more = read_history(folder / plan.files["history"])
        noticed += more
    if "expected" in plan.files:
        expected, more = read_run(folder / plan.files["expected"], name="expected")
        noticed += more
    runs, in_runs = [], Findings()
    for entry in plan.runs:
        run, more = read_run(folder / entry.file, name=entry.name)
        runs.append(run)
        in_runs += more
    inside = StudyInputs(
        judgments, tuple(runs), questions, documents, rubric, noticed, in_runs, history, expected
    )
    return _relative(inside, folder)


def _relative(inputs: StudyInputs, folder: Path) -> StudyInputs:
    """The same inputs, with sources named relative to the study, so that a record is the same anywhere."""

    def near(source: str) -> str:
        path = Path(source)
        return path.relative_to(folder).as_posix() if source and path.is_relative_to(folder) else source

    def moved(findings: Findings) -> Findings:
        return Findings(tuple(replace(row, file=near(row.file)) for row in findings))

    return StudyInputs(
        replace(inputs.judgments, source=near(inputs.judgments.source)),
        tuple(replace(run, source=near(run.source)) for run in inputs.runs),
        replace(inputs.questions, source=near(inputs.questions.source)),
        replace(inputs.documents, source=near(inputs.documents.source)),
        replace(inputs.rubric, source=near(inputs.rubric.source)),
        moved(inputs.noticed),
        moved(inputs.noticed_in_runs),
        inputs.history and replace(inputs.history, source=near(inputs.history.source)),
        inputs.expected and replace(inputs.expected, source=near(inputs.expected.source)),
    )


def first_file(inputs: StudyInputs) -> Iterator[Row]:
    """The rows of 1-questions-and-judgments.jsonl, in the order of the study's files."""
    j = inputs.judgments
    yield {
        "kind": "sources",
        "judgments": j.source,
        "questions": inputs.questions.source,
        "documents": inputs.documents.source,
        "rubric": inputs.rubric.source,
        **({} if inputs.history is None else {"history": inputs.history.source}),
        **({} if inputs.expected is None else {"expected": inputs.expected.source}),
    }
    for question in inputs.questions.rows:
        yield {"kind": "question", **asdict(question), "tags": list(question.tags)}
    if inputs.rubric.grades or inputs.rubric.version:
        yield {"kind": "rubric", "version": inputs.rubric.version}
    for grade in inputs.rubric.grades:
        yield {"kind": "grade", **{k: v if k == "grade" else dict(v) for k, v in vars(grade).items()}}
    yield from document_rows(inputs.documents)
    yield from history_rows(inputs.history)
    yield from expected_rows(inputs.expected)
    query, doc = j.query.texts(), j.doc.texts()
    details = {name: j.texts(name) for name in DETAILS if name in j.details}
    details |= {} if j.subtopic is None else {"subtopic": j.subtopic.texts()}
    for i in range(len(j)):
        yield {
            "kind": "judgment",
            "query_id": query[i],
            "doc_id": doc[i],
            "grade": None if j.pooled[i] else int(j.grade[i]),
            "pooled": bool(j.pooled[i]),
            **{name: column[i] for name, column in details.items()},
            "line": int(j.line[i]) if j.line is not None else 0,
        }
    used = set(query.tolist())
    yield from ({"kind": "asked", "query_id": name} for name in j.query.names.tolist() if name not in used)
    yield from (_finding_row(finding) for finding in inputs.noticed)


def second_file(inputs: StudyInputs, plan: Plan) -> Iterator[Row]:
    """The rows of 2-runs.jsonl: every displayed doc of every run, in the order of its file."""
    roles = {entry.name: entry.role for entry in plan.runs}
    for run in inputs.runs:
        has = {"rank": run.rank is not None, "score": run.score is not None}
        yield {
            "kind": "run",
            "run": run.name,
            "role": roles[run.name],
            "source": run.source,
            "tags": list(run.tags),
            **has,
        }
        yield from (
            {"kind": "state", "run": run.name, "query_id": q, "state": s} for q, s in run.states.items()
        )
        query, doc = run.query.texts(), run.doc.texts()
        for i in range(len(run)):
            row: Row = {"kind": "displayed", "run": run.name, "query_id": query[i], "doc_id": doc[i]}
            if run.rank is not None:
                row["rank"] = int(run.rank[i])
            if run.score is not None:
                row["score"] = plain_score(float(run.score[i]))
            yield row | {"line": int(run.line[i]) if run.line is not None else 0}
    yield from (_finding_row(finding) for finding in inputs.noticed_in_runs)


def _finding_row(finding: Finding) -> Row:
    return {
        "kind": "noticed",
        "code": finding.code,
        "severity": finding.severity,
        "file": finding.file,
        "line": finding.line,
        "run": finding.run,
        "query_id": finding.query_id,
        "doc_id": finding.doc_id,
        "count": finding.count,
        "facts": {name: _plain_fact(fact) for name, fact in finding.facts.items()},
        "more": finding.kind.message == MORE,
    }


def _plain_fact(fact: object) -> object:
    """A fact as JSON has it; words are kept apart from plain texts, to be said in either language again."""
    if not isinstance(fact, Words):
        return fact
    return {"say": fact.template, **({"facts": dict(fact.facts)} if fact.facts else {})}


def inputs_of(first: Iterable[Row], second: Iterable[Row]) -> StudyInputs:
    """The inputs again from the rows of the two data files."""
    by_kind: dict[str, list[Row]] = {}
    for row in first:
        by_kind.setdefault(row["kind"], []).append(row)
    sources = by_kind.get("sources", [{}])[0]
    questions = tuple(
        Question(**{k: v for k, v in row.items() if k not in ("kind", "tags")}, tags=tuple(row["tags"]))
        for row in by_kind.get("question", [])
    )
    grades = tuple(Grade(**{k: v for k, v in row.items() if k != "kind"}) for row in by_kind.get("grade", []))
    version = by_kind.get("rubric", [{"version": ""}])[0]["version"]
    runs, noticed_in_runs = _runs(second)
    return StudyInputs(
        _judgments(by_kind, sources.get("judgments", "")),
        runs,
        Questions(questions, sources.get("questions", "")),
        documents_of(by_kind.get("document", []), sources.get("documents", "")),
        Rubric(version, grades, sources.get("rubric", "")),
        Findings(tuple(_finding(row) for row in by_kind.get("noticed", []))),
        noticed_in_runs,
        history_of(by_kind.get("met", []), sources.get("history")),
        expected_of(by_kind.get("expected", []), sources.get("expected")),
    )


def _judgments(by_kind: dict[str, list[Row]], source: str) -> Judgments:
    rows = by_kind.get("judgment", [])
    known = [name for name in DETAILS if rows and name in rows[0]]
    made = Judgments.of(
        [row["query_id"] for row in rows],
        [row["doc_id"] for row in rows],
        [NO_GRADE if row["pooled"] else row["grade"] for row in rows],
        pooled=[row["pooled"] for row in rows],
        details={name: [row[name] for row in rows] for name in known},
        also=[row["query_id"] for row in by_kind.get("asked", [])],
        subtopic=[row["subtopic"] for row in rows] if rows and "subtopic" in rows[0] else None,
    )
    return replace(made, line=np.array([row["line"] for row in rows], np.int64), source=source)


def _runs(rows: Iterable[Row]) -> tuple[tuple[Run, ...], Findings]:
    heads: dict[str, Row] = {}
    displayed: dict[str, list[Row]] = {}
    states: dict[str, dict[str, Any]] = {}
    noticed: list[Finding] = []
    for row in rows:
        if row["kind"] == "run":
            heads[row["run"]] = row
        elif row["kind"] == "state":
            states.setdefault(row["run"], {})[row["query_id"]] = row["state"]
        elif row["kind"] == "displayed":
            displayed.setdefault(row["run"], []).append(row)
        else:
            noticed.append(_finding(row))
    runs = []
    for name, head in heads.items():
        shown = displayed.get(name, [])
        made = Run.of(
            name,
            [row["query_id"] for row in shown],
            [row["doc_id"] for row in shown],
            rank=[row["rank"] for row in shown] if head["rank"] else None,
            score=[float(row["score"]) for row in shown] if head["score"] else None,
            states=states.get(name, {}),
        )
        lines = np.array([row["line"] for row in shown], np.int64)
        runs.append(replace(made, line=lines, source=head["source"], tags=tuple(head["tags"])))
    return tuple(runs), Findings(tuple(noticed))


def _finding(row: Row) -> Finding:
    known = next((kind for kind in KINDS if kind.code == row["code"]), None)
    if known is None:
        raise UnreadableInput(
            'The record has a finding "{code}", which this version does not know. Verify it with the version '
            "that its manifest names.",
            code=row["code"],
        )
    kind = Kind(known.code, known.severity, MORE, known.why, known.mend) if row["more"] else known
    where = (row["file"], row["line"], row["run"], row["query_id"], row["doc_id"], row["count"])
    facts = {
        name: say(fact["say"], **fact.get("facts", {})) if isinstance(fact, dict) else fact
        for name, fact in row["facts"].items()
    }
    return Finding(kind, facts, *where, severity_here=row["severity"])


def lines_of(rows: Iterable[Row]) -> bytes:
    """Rows as JSON lines, the same bytes for the same rows."""
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows).encode()


def rows_of(raw: bytes, file: str) -> list[Row]:
    """JSON lines as rows; a line that is none is an error with its number. Only "\\n" ends a line."""
    rows = []
    for number, line in enumerate(raw.decode().removesuffix("\n").split("\n"), 1):
        try:
            rows.append(json.loads(line))
        except ValueError as error:
            raise UnreadableInput("{file}, line {line}: not JSON.", file=file, line=number) from error
    return rows
