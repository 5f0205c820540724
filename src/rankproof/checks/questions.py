"""Checks of the questions: empty ones, repeated ones, and texts that tell who asked."""

from collections import Counter
from collections.abc import Iterator

from rankproof.checks.check import Check, Inputs
from rankproof.checks.personal import Sort, masked, sorts_in
from rankproof.checks.places import examples
from rankproof.tables.findings import Finding, Kind

EMPTY_QUERY = Kind(
    "empty-query",
    "warning",
    "{count:question has|questions have} no text ({examples}).",
    "Nobody can judge what was not asked, and most systems answer it with anything.",
    "Fill in the text, or remove the question.",
)
REPEATED_QUESTION = Kind(
    "repeated-question",
    "error",
    "Question {query} stands again in line {line}; the first row counts.",
    "Two rows with one id say two different things, or one query is meant to count twice.",
    "Keep one of the rows, or give the other an id of its own.",
)
PERSONAL_DATA = Kind(
    "personal-data",
    "warning",
    "{count:query text holds|query texts hold} what looks like personal data ({sorts}), the first being query {first_query}: "
    "{example}.",
    "Reports and records carry the texts to whoever reads them.",
    "Replace the texts before anything is shared.",
)


def find_empty_queries(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Questions without a text, where others have one."""
    questions = inputs.questions
    empty = [row for row in questions.rows if not row.text.strip()]
    if 0 < len(empty) < len(questions):
        ids = [row.query_id for row in empty]
        told = {"first_query": ids[0], "examples": examples(ids), "queries": tuple(ids)}
        yield Finding(kind, told, questions.source, empty[0].line, count=len(ids))


def find_repeated_questions(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Question ids that stand more than once, told once an id."""
    rows = inputs.questions.rows
    counts = Counter(row.query_id for row in rows)
    told: Counter[str] = Counter()
    for number, row in enumerate(rows if len(counts) < len(rows) else (), 1):
        told[row.query_id] += 1
        if told[row.query_id] == 2:
            line = {"line": row.line or number}
            n = counts[row.query_id] - 1
            yield Finding(kind, line, inputs.questions.source, row.line, query_id=row.query_id, count=n)


def find_personal_data(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """E-mail addresses, phone and identity numbers in texts; what is found is never quoted in full."""
    found = [(query, text, line, sorts) for query, text, line in _texts(inputs) if (sorts := sorts_in(text))]
    if not found:
        return
    query, text, line, sorts = found[0]
    seen: dict[Sort, None] = dict.fromkeys(sort for *_, sorts in found for sort in sorts)
    told = {
        "sorts": tuple(sort.name for sort in seen),
        "first_query": masked(query),
        "example": sorts[0].shown(text),
    }
    file = inputs.questions.source or inputs.judgments.source
    yield Finding(kind, told, file, line, count=len(found))


def _texts(inputs: Inputs) -> Iterator[tuple[str, str, int]]:
    """What was asked, with its line. In some tools the text is the id: an id with a blank or an @ is a text."""
    rows = inputs.questions.rows
    asked = [(row.query_id, row.text, row.line) for row in rows] or [(q, "", 0) for q in inputs.asked]
    for query, text, line in asked:
        if text or " " in query or "@" in query:
            yield query, text or query, line


WEIGHTS_UNUSED = Kind(
    "weights-unused",
    "info",
    "The questions have weights or clusters; in this version every query counts the same, and on its own.",
    "A weighted mean, or an interval that knows clusters, would be another number.",
    "Read the means as unweighted, and compare tags apart.",
)


def find_unused_weights(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Questions with weights other than 1, or with clusters: recorded, and used by no mean."""
    marked = [row for row in inputs.questions.rows if row.weight != 1.0 or row.cluster]
    if marked:
        yield Finding(kind, file=inputs.questions.source, line=marked[0].line, count=len(marked))


CHECKS = (
    Check(EMPTY_QUERY, find_empty_queries, "q4 has an id and no text."),
    Check(REPEATED_QUESTION, find_repeated_questions, "q1 stands in line 2 and in line 9."),
    Check(PERSONAL_DATA, find_personal_data, 'A question reads "mail to someone@example.org bounced".'),
    Check(WEIGHTS_UNUSED, find_unused_weights, "q1 has weight 10 and q2 has weight 1; both count the same."),
)
