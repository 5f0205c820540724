"""Files whose role nobody said: each is looked at and read as what it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rankproof.errors import UsageError
from rankproof.formats.attributes import read_documents, read_questions
from rankproof.formats.reading import read_columns, read_judgments, read_run
from rankproof.formats.roles import role_of
from rankproof.tables.attributes import Documents, Questions
from rankproof.tables.findings import Findings
from rankproof.tables.judgments import Judgments
from rankproof.tables.run import Run
from rankproof.wording import say


@dataclass(frozen=True, eq=False)
class Given:
    """What some files hold. `judgments` is None where no file held any."""

    judgments: Judgments | None
    runs: tuple[Run, ...]
    questions: Questions
    documents: Documents
    findings: Findings


def read_files(
    paths: Sequence[str | Path], *, judgments: str | Path | None = None, runs: Sequence[str | Path] = ()
) -> Given:
    """Read files of any role: judgments, runs, questions, documents.

    The role is told by the columns; a file that could be two things is an error that says how to say it.
    `judgments` and `runs` name files whose role is known.
    """
    roles: dict[str, list[str | Path]] = {"judgments": [judgments] if judgments else [], "run": list(runs)}
    for path in paths:
        role = role_of(read_columns(path)[0], str(path))
        if role is None:
            raise UsageError(
                "The columns of {file} leave open what it is. Say so with --judgments FILE or --run FILE, or name the columns in a header.",
                file=path,
            )
        roles.setdefault(role, []).append(path)
    for role in ("judgments", "questions", "documents"):
        if len(roles.get(role, [])) > 1:
            raise UsageError(
                "{first} and {second} both look like {role}; expected one file of that role.",
                first=roles[role][0],
                second=roles[role][1],
                role=say(role),
            )
    findings = Findings()
    judged, questions, documents = None, Questions(), Documents()
    for path in roles["judgments"]:
        judged, more = read_judgments(path)
        findings += more
    for path in roles.get("questions", []):
        questions, more = read_questions(path)
        findings += more
    for path in roles.get("documents", []):
        documents, more = read_documents(path)
        findings += more
    read = []
    for path in roles["run"]:
        run, more = read_run(path)
        read.append(run)
        findings += more
    return Given(judged, tuple(read), questions, documents, findings)
