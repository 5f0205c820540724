"""Files whose role nobody said: each is looked at and read as what it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankproof.errors import UsageError
from rankproof.formats.attributes import read_documents, read_questions
from rankproof.formats.bytes import pipes_kept
from rankproof.formats.preferences import read_preferences
from rankproof.formats.reading import read_columns, read_judgments, read_run
from rankproof.formats.roles import role_of
from rankproof.formats.sources import printable
from rankproof.tables.attributes import Documents, Questions
from rankproof.tables.findings import Findings
from rankproof.tables.judgments import Judgments
from rankproof.tables.preferences import Preferences
from rankproof.tables.run import Run
from rankproof.wording import Words, say


@dataclass(frozen=True, eq=False)
class Given:
    """What some files hold. `judgments` is None where no file held any."""

    judgments: Judgments | None
    runs: tuple[Run, ...]
    questions: Questions
    documents: Documents
    findings: Findings
    taken: tuple[Words, ...] = ()  # what each file was taken for
    preferences: Preferences | None = None


@pipes_kept()
def read_files(
    paths: Sequence[str | Path],
    *,
    judgments: str | Path | None = None,
    runs: Sequence[str | Path] = (),
    subtopics: bool | None = None,
) -> Given:
    """Read files of any role: judgments, preferences, runs, questions, documents.

    The role is told by the columns; a file that could be two things is an error that says how to say it.
    `judgments` and `runs` name files whose role is known; `subtopics` is as in read_judgments.
    """
    roles: dict[str, list[str | Path]] = {"judgments": [judgments] if judgments else [], "run": list(runs)}
    undecided = []
    for path in paths:
        role = role_of(read_columns(path)[0], str(path))
        if role is None:
            undecided.append(path)
        else:
            roles.setdefault(role, []).append(path)
    for path in undecided:
        if not roles["judgments"]:
            raise UsageError(
                "The columns of {file} leave open what it is. Say so with --judgments FILE or --run FILE, or name "
                "the columns in a header.",
                file=path,
            )
        roles["run"].append(path)  # beside known judgments it can only be a run
    for role in ("judgments", "preferences", "questions", "documents"):
        if len(roles.get(role, [])) > 1:
            raise UsageError(
                "{first} and {second} both look like {role}; expected one file of that role.",
                first=roles[role][0],
                second=roles[role][1],
                role=ROLES[role],
            )
    return _read(roles, subtopics)


ROLES = {
    "judgments": say("judgments"),
    "preferences": say("preferences"),
    "questions": say("questions"),
    "documents": say("documents"),
    "run": say("a run"),
}


def _read(roles: Mapping[str, Sequence[str | Path]], subtopics: bool | None) -> Given:
    findings = Findings()
    judged, preferences, questions, documents = None, None, Questions(), Documents()
    read: list[Run] = []
    taken = []
    for role, path in ((known, path) for known in ROLES for path in roles.get(known, ())):
        if role == "judgments":
            judged, more = read_judgments(path, subtopics=subtopics)
            n = len(judged)
        elif role == "preferences":
            preferences, more = read_preferences(path)
            n = len(preferences)
        elif role == "questions":
            questions, more = read_questions(path)
            n = len(questions)
        elif role == "documents":
            documents, more = read_documents(path)
            n = len(documents)
        else:
            run, more = read_run(path)
            read.append(run)
            n = len(run)
        findings += more
        taken.append(say("{file}: {role}, {n:row|rows}", file=printable(Path(path)), role=ROLES[role], n=n))
    return Given(judged, tuple(read), questions, documents, findings, tuple(taken), preferences)
