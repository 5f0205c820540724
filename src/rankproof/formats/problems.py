"""Every kind of finding that reading a file can make."""

from rankproof.tables.findings import Kind

ENCODING = Kind(
    "encoding",
    "info",
    "The file is not UTF-8; it was read as {encoding}.",
    "A wrong guess of the encoding turns ids and texts into other ids and texts.",
    "Save the file as UTF-8 if any text looks wrong.",
)
BAD_BYTES = Kind(
    "bad-bytes",
    "error",
    "{count:byte is|bytes are} neither UTF-8 nor GB18030, and replaced by a mark.",
    "Ids with replaced bytes no longer match the same ids in other files.",
    "Save the file as UTF-8.",
)
EMPTY_FILE = Kind(
    "empty-file",
    "error",
    "The file has no rows.",
    "Nothing can be evaluated from nothing.",
    "Check that the right file was given and that it was written to its end.",
)
BLANK_LINES = Kind(
    "blank-lines",
    "info",
    "{count:blank line was|blank lines were} skipped.",
    "Harmless; counted so that no line is dropped unseen.",
    "Nothing to do.",
)
COMMENT_LINES = Kind(
    "comment-lines",
    "info",
    "{count:line that begins with # was|lines that begin with # were} skipped.",
    "Some tools stop at such lines; counted so that no line is dropped unseen.",
    "Nothing to do, if they are meant as comments.",
)
FIELD_COUNT = Kind(
    "field-count",
    "error",
    'A line has {seen} fields where {expected} were expected: "{text}". The line was set aside.',
    "A judgment or a displayed doc is missing from the evaluation.",
    "Mend the line; put a text that has the separator in it between double quotes.",
)
EXTRA_FIELDS = Kind(
    "extra-fields",
    "warning",
    "{count:line has|lines have} more than {expected} fields, the first being line {line}; the rest was ignored.",
    "What stands there (another aspect, a comment) does not enter the evaluation.",
    "Remove the extra fields, or name the columns in a header.",
)
NOT_JSON = Kind(
    "not-json",
    "error",
    'A line is not a JSON object: "{text}". The line was set aside.',
    "A judgment or a displayed doc is missing from the evaluation.",
    "Write one JSON object a line.",
)
BAD_CSV = Kind(
    "bad-csv",
    "error",
    "A line cannot be read as a table row ({reason}). The line was set aside.",
    "A judgment or a displayed doc is missing from the evaluation.",
    "Mend the line.",
)
OPEN_QUOTE = Kind(
    "open-quote",
    "error",
    "A quotation mark opens in this line and never closes; {count:line was|lines were} swallowed by it and set aside.",
    "Judgments or displayed docs are missing from the evaluation.",
    "Close the quotation mark, or double one that belongs to a text.",
)
REPEATED_COLUMN = Kind(
    "repeated-column",
    "warning",
    'The heading "{name}" stands more than once; the first such column was read.',
    "The other column may hold what was meant.",
    "Give each column a heading of its own.",
)
REPEATED_KEY = Kind(
    "repeated-key",
    "error",
    'A line says "{name}" twice. The line was set aside.',
    "Two values for one key say two different things.",
    "Keep one of them.",
)
BROKEN_ID = Kind(
    "line-break-in-id",
    "error",
    "A {what} holds a line break. The row was set aside.",
    "A quotation mark that never closes makes one id of several lines.",
    "Close the quotation mark before it.",
)
TRUNCATED = Kind(
    "truncated",
    "error",
    "The compressed file ends too early or is damaged ({reason}); what could be read was read.",
    "Lines are missing from the evaluation.",
    "Fetch or make the file again.",
)
MISSING_ID = Kind(
    "missing-id",
    "error",
    "A row has no {what}. The row was set aside.",
    "Without it nobody knows what was judged or displayed.",
    "Fill the cell, or remove the row.",
)
BLANK_ID = Kind(
    "blanks-around-id",
    "info",
    "{count:id|ids} had blanks before or after, which were removed.",
    "With the blanks the same id in two files would not match.",
    "Nothing to do, unless the blanks were meant.",
)
NUMBER_ID = Kind(
    "number-as-id",
    "info",
    "{count:id is a number, not a text, and was|ids are numbers, not texts, and were} read as written.",
    "A number loses leading zeros where it is made, and 1.0 is not the id 1.",
    "Write ids as texts.",
)
BAD_GRADE = Kind(
    "bad-grade",
    "error",
    'The grade "{text}" is not a whole number from 0. The row was set aside.',
    "A grade that is cut or guessed changes the numbers unseen.",
    "Map such grades to whole ones by a rule that you write down.",
)
BAD_LABEL = Kind(
    "bad-label",
    "error",
    'The label "{text}" in the column {aspect} is not a grade, a whole number from 0. It was set aside.',
    "A label that is cut or guessed changes the numbers unseen.",
    "Name thresholds behind the aspect, such as dwell=1,10,30: the grade is how many of them are reached.",
)
NEGATIVE_GRADE = Kind(
    "negative-grade",
    "error",
    "{count:grade is|grades are} below 0, the first being {text} in line {line}: in the pool and not judged.",
    "Tools disagree: some count such a doc as judged not relevant, some drop it.",
    "Use 0 for docs that are not relevant, and leave out docs that nobody judged.",
)
SUBTOPICS_UNREAD = Kind(
    "subtopics-unread",
    "error",
    "The second column looks like subtopics: query {first_query} has {values} there, and the same doc under "
    "several. Nobody asked for subtopics, so each doc counts by its first line; {count:other line was|other lines "
    "were} set aside.",
    "A doc that is relevant to a later subtopic only counts as not relevant.",
    "Say --subtopics (in Python, read_judgments(..., subtopics=True)); then measures of whole queries see a "
    "doc's highest grade. If the column is none of subtopics, keep one line a doc.",
)
NO_GRADE = Kind(
    "no-grade",
    "warning",
    "{count:row names|rows name} a doc without a grade, the first being line {line}; without a grade a doc is unjudged.",
    "An empty grade is not a grade of 0.",
    "Fill in the grade or remove the rows.",
)
BAD_SCORE = Kind(
    "bad-score",
    "error",
    'The score "{text}" is not a number; the doc keeps its place where a rank column or the list gives it one, '
    "else it comes last.",
    "Where the order comes from the scores, the place of this doc is a guess.",
    "Write the score as a number.",
)
INFINITE_SCORE = Kind(
    "infinite-score",
    "warning",
    '{count:score is|scores are} too large for a number, the first being "{text}" in line {line}: infinite.',
    "Such docs are tied with each other.",
    "Write scores within the range of a double.",
)
BAD_RANK = Kind(
    "bad-rank",
    "error",
    'The rank "{text}" is not a whole number; the ranks of this query are not used.',
    "Without a rank the order comes from the scores, or from the order of the lines.",
    "Write the rank as a whole number.",
)
BAD_STATE = Kind(
    "bad-state",
    "error",
    'The state "{text}" is not one of ok, empty, failed, not_run. The row was set aside.',
    "An empty answer and a failure are different things.",
    "Use one of the four words.",
)
STATE_WITH_DOCS = Kind(
    "state-with-docs",
    "error",
    'The query has the state "{state}" and displayed docs as well; the docs count.',
    "One of the two is wrong.",
    "Remove the state, or the docs.",
)
TAGS = Kind(
    "run-tags",
    "warning",
    "The file names {count} systems: {tags}. All lines were read as one run.",
    "Two runs in one file make one list of both.",
    "Split the file by system.",
)
BAD_VALUE = Kind(
    "bad-value",
    "error",
    'The {what} "{text}" cannot be ({expected}); {done}.',
    "The question set would not be what its author meant.",
    "Mend the cell.",
)
REPEATED_ID = Kind(
    "repeated-id",
    "error",
    "Doc {id} stands twice; the first row counts.",
    "Two rows with one id say two different things.",
    "Keep one of the rows.",
)
BAD_ATTRIBUTE = Kind(
    "bad-attribute",
    "warning",
    'The {what} "{text}" of doc {id} is not {expected}; the doc counts as one whose {what} is not known.',
    "Measures that look at it leave the doc out.",
    "Mend the cell.",
)
READ_AS_PREFERENCES = Kind(
    "read-as-preferences",
    "info",
    "The columns are query, group, subgroup, doc and value: {count:row was|rows were} read as preferences.",
    "Preferences say which doc is better, not how good it is; measures of grades cannot read them.",
    "Nothing to do, if preferences are meant.",
)
BAD_PREFERENCE = Kind(
    "bad-preference",
    "error",
    'The value "{text}" is not a number from 0. The row was set aside.',
    "Docs are ordered by these values; what is no number has no place among them.",
    "Write a number: the higher, the better, and 0 for a doc that is not relevant.",
)
REPEATED_PREFERENCE = Kind(
    "repeated-preference",
    "error",
    "Query {query}, group {group}: doc {doc} stands twice in one subgroup; the first row counts.",
    "One doc cannot stand in two places of one order.",
    "Keep one of the rows, or put them into different subgroups.",
)
LIKED_AND_NOT = Kind(
    "relevant-and-not",
    "error",
    "Query {query}, group {group}: doc {doc} is worth 0 in one subgroup and more in another; it counts as relevant.",
    "0 says that a doc is not relevant, and a group is what one person thought at one time.",
    "Give the doc 0 in all subgroups of the group, or in none.",
)
AGAINST_ITSELF = Kind(
    "contradicting-preferences",
    "error",
    "Query {query}, group {group}: doc {doc} is preferred to doc {other} and the other way round; "
    "neither preference counts.",
    "No order of the two docs can be right for this group.",
    "Decide which of the two is better, or put what different people thought into different groups.",
)

READING_KINDS = tuple(value for value in list(globals().values()) if isinstance(value, Kind))
