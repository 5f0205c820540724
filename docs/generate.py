"""What the reference pages say, read from the lists of the program: a function a block, called by cog."""

import inspect
import json
import os
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

from examples import run_program
from measure_pages import measure_index as measure_index  # the pages ask for them here
from measure_pages import measures as measures
from pieces import choice, code, facts, fenced, first_and_example, listed, paragraphs, table

import rankproof
from rankproof.checks.auditing import CUSTOM_OF_TREC_EVAL
from rankproof.checks.results import RESULT_CHECKS
from rankproof.cli.main import MAP
from rankproof.cli.studies import CODES
from rankproof.formats.headings import HEADINGS
from rankproof.formats.problems import READING_KINDS
from rankproof.study.plan import KEYS
from rankproof.study.record import FIRST, MANIFEST, PLAN, RENDERINGS, SECOND, THIRD
from rankproof.tables.conventions import Conventions
from rankproof.tables.findings import SEVERITIES, Kind

DOCS = Path(__file__).resolve().parent


def commands() -> str:
    """Every command with its help, as the program prints it."""

    def told() -> Iterator[str]:
        yield fenced(_help())
        for title, verbs in MAP:
            for verb in verbs:
                yield f"## {verb.name}"
                yield f"*{title}.* {verb.wish}"
                yield fenced(_help(verb.name))

    return paragraphs(told())


def _help(*command: str) -> str:
    with patch.dict(os.environ, {"COLUMNS": "80", "RANKPROOF_LANG": "en"}):
        return run_program([*command, "--help"])[1]


def conventions() -> str:
    """Every convention: values, default, help."""

    def told() -> Iterator[str]:
        for row in rankproof.CONVENTIONS:
            values = [str(value) for value in row.values if value is not None]
            shown = listed(values) + (f"{'; also ' if values else ''}{row.takes}" if row.takes else "")
            yield f"## {row.name}"
            yield row.help
            yield table(
                ("values", "default", "option"),
                [(shown, choice(row.values[0]), _option(row.name))],
            )

    return paragraphs(told())


def _option(name: str) -> str:
    return code(f"--{name.replace('_', '-')}")


def dialects() -> str:
    """Every dialect: how it was checked, what it has, what it chooses otherwise than rankproof, its cautions."""

    def told() -> Iterator[str]:
        for row in rankproof.DIALECTS:
            yield f"## {row.name}"
            checked = {
                "own": "The defaults of rankproof.",
                "run": f"Checked against values recorded from the tool itself ({row.version}).",
                "from source": f"The formulas were read in its source ({row.version}); the tool was not run.",
            }
            names = f" Also called {listed(row.also)}." if row.also else ""
            yield f"{checked[row.status]}{names}"
            yield facts(_dialect_facts(row))
            if row.settings:
                yield table(("measure", "what the name means there"), _chosen(row.settings))
            if row.exceptions:
                yield table(("measure", "chosen otherwise"), _chosen(row.exceptions))
            chosen = [c for c in rankproof.CONVENTIONS if row.status == "own" or _differs(row, c.name)]
            yield table(
                ("convention", "choice"),
                (
                    (f"[{c.name}](conventions.md#{c.name})", choice(getattr(row.conventions, c.name)))
                    for c in chosen
                ),
            )
            if row.cautions:
                yield "\n".join(f"- {caution}" for caution in row.cautions)

    return paragraphs(told())


def _dialect_facts(row: rankproof.Dialect) -> Iterator[tuple[str, str]]:
    yield "measures", listed(map(_with_k, row.covers)) or "every one"
    if row.decimals is not None:
        yield "decimals", str(row.decimals)


def _differs(row: rankproof.Dialect, convention: str) -> bool:
    return getattr(row.conventions, convention) != getattr(Conventions(), convention)


def _chosen(rows: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, str]]:
    """Measures with what holds for each."""
    for name, chosen in rows.items():
        yield code(_with_k(name)), listed(f"{key}={value}" for key, value in chosen.items())


def _with_k(name: str) -> str:
    """The name of a measure as a dialect holds it; one with a cutoff is shown as AP@k."""
    return f"{name}k" if name.endswith("@") else name


def checks() -> str:
    """Every kind of finding: code, severity, message, why, mend."""
    examples = {check.kind.code: check.example for check in (*rankproof.CHECKS, *RESULT_CHECKS)}
    made = {kind.code for kind in READING_KINDS}
    results = {check.kind.code for check in RESULT_CHECKS}

    def told() -> Iterator[str]:
        for title, kinds in (
            ("While reading files", [k for k in rankproof.KINDS if k.code in made]),
            ("In what was read", [k for k in rankproof.KINDS if k.code not in made | results]),
            ("In the results", [k for k in rankproof.KINDS if k.code in results]),
        ):
            yield f"## {title}"
            for kind in kinds:
                yield f"### {kind.code}"
                yield facts(_kind_facts(kind, examples.get(kind.code, "")))

    return paragraphs(told())


def _kind_facts(kind: Kind, example: str) -> Iterator[tuple[str, str]]:
    yield "severity", kind.severity + SOMETIMES.get(kind.code, "")
    yield "message", _sentence(kind.message)
    yield "why", kind.why
    yield "mend", kind.mend
    if example:
        yield "example", example


def _sentence(template: str) -> str:
    """A sentence with its places in italics; a number that brings its word is *n*, with the word for many."""
    template = template.replace("{tagged}", "").replace("{beyond}", " (by more than {beyond})")
    counted = re.sub(r"\{\w+:[^}|]*\|([^}]*)\}", r"*n* \1", template)
    return re.sub(r"\{(\w+)[^}]*\}", r"*\1*", counted)


# Where a kind is less severe than usual.
SOMETIMES = {
    CUSTOM_OF_TREC_EVAL: "; info in a TREC file and under a dialect of trec_eval, where it is the custom",
    "rank-not-strict": "; info where `order` is `score`, since the ranks then decide nothing",
}


def check_counts() -> str:
    """How many kinds there are of each severity."""
    by_level = {level: [k.code for k in rankproof.KINDS if k.severity == level] for level in SEVERITIES}
    rows = (
        (level, len(kinds), ", ".join(f"[{kind}](#{kind})" for kind in kinds))
        for level, kinds in by_level.items()
    )
    return paragraphs([table(("severity", "kinds", "codes"), rows)])


def gates() -> str:
    """Every kind of gate: its sentence and its keys."""

    def told() -> Iterator[str]:
        for row in rankproof.GATES:
            yield f"### {row.name}"
            yield f"> {_sentence(row.sentence)}"
            yield table(
                ("needs", "may have", "about"),
                [
                    (
                        listed(row.needs) or "nothing",
                        listed(row.may) or "nothing",
                        "the inputs" if row.about_inputs else "each candidate",
                    )
                ],
            )

    return paragraphs(told())


def formats() -> str:
    """Every file format."""
    rows = (
        (code(f.name), f.title, listed(f.suffixes), "yes" if f.write else "no") for f in rankproof.FORMATS
    )
    return paragraphs([table(("format", "what it is", "suffixes", "written too"), rows)])


def headings() -> str:
    """Every column and the headings by which it is found."""
    rows = ((code(column), listed(names)) for column, names in HEADINGS.items())
    return paragraphs([table(("column", "read from any of these headings"), rows)])


def study_keys() -> str:
    """Every table of study.toml and its keys."""
    rows = (
        (code(f"[[{name}]]" if name == "runs" else f"[{name}]") if name else "the file", listed(keys))
        for name, keys in KEYS.items()
    )
    return paragraphs([table(("table", "keys"), rows)])


def record_files() -> str:
    """Every file of an acceptance record."""
    what = {
        FIRST: "what was asked and judged, the rubric and the versions of the docs, with what was noticed while reading",
        SECOND: "every displayed doc of every run, and the state of queries without a list",
        THIRD: "everything that was computed: verdict, gates, counts, measurements, comparisons, findings",
        "report.html": "the report as one page",
        "report.md": "the report as Markdown",
        PLAN: "the study file, byte for byte",
        MANIFEST: "the SHA-256 of every other file and of itself, conventions, seed, versions",
    }
    names = (FIRST, SECOND, THIRD, *RENDERINGS, PLAN, MANIFEST)
    return paragraphs([table(("file", "what it holds"), ((code(name), what[name]) for name in names))])


def schemas() -> str:
    """Every JSON schema beside the pages."""
    found = sorted((DOCS / "reference" / "schemas").glob("*.json"))
    read = [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in found]
    rows = ((f"[{name}](schemas/{name})", s.get("title", ""), s.get("description", "")) for name, s in read)
    heads = ("schema", "what it is", "what it describes")
    return paragraphs([table(heads, rows) if read else "There are none yet."])


def errors() -> str:
    """Every error and the exit code it ends with."""
    rows = []
    for name in rankproof.__all__:
        one = getattr(rankproof, name)
        if inspect.isclass(one) and issubclass(one, Exception):
            rows.append((code(name), one.exit_code, (one.__doc__ or "").splitlines()[0]))
    return paragraphs([table(("error", "exit code", "when"), sorted(rows, key=lambda row: (row[1], row[0])))])


def verdict_codes() -> str:
    """The exit code of each verdict."""
    return paragraphs([table(("verdict", "exit code"), ((code(v), n) for v, n in CODES.items()))])


# Names that are no functions or classes have no docstring of their own.
CONSTANTS = {
    "CHECKS": "Every check, with those that plug-ins bring.",
    "KINDS": "Every kind of finding that comes with the package.",
    "DEFAULT_MEASURES": "What `evaluate` measures where nothing is asked for.",
    "PREFERENCE_MEASURES": "What `evaluate` measures of preferences where nothing is asked for.",
    "FORMATS": "Every file format.",
    "GATES": "Every kind of gate.",
    "DIALECTS": "Every dialect.",
    "MEASURES": "Every measure, at its defaults.",
    "CONVENTIONS": "Every convention, with its values and its help.",
    "LANGUAGES": "The languages in which sentences can be said.",
    "FAMILIES": "The kinds of measures, with what each says.",
    "NEEDS": "What a query must have for a measure to be defined, by the word that stands in its row.",
    "BASE": "A setting of measures: the base of a logarithm.",
    "DENOMINATOR": "A setting of measures: what a sum over relevant docs is divided by.",
    "DISCOUNT": "A setting of measures: what a place is worth.",
    "GAIN": "A setting of measures: what a grade is worth.",
    "MAX_GRADE": "A setting of measures: the highest grade of the scale.",
    "REL": "A setting of measures: the grade from which a doc is relevant.",
}


def python_names() -> str:
    """Every public name by the module it lives in, with what stands first in its docstring."""
    homes: dict[str, list[str]] = {}
    for name, module in rankproof._HOMES.items():
        homes.setdefault(module, []).append(name)

    def told() -> Iterator[str]:
        for module, names in homes.items():
            about = (import_module(module).__doc__ or "").strip().splitlines()[0]
            yield f"## {module.removeprefix('rankproof.')}"
            yield about
            yield table(("name", "what it is"), ((code(_call(name)), _says(name)) for name in names))

    return paragraphs(told())


def _call(name: str) -> str:
    """A name, with its arguments where it is a function."""
    one = getattr(rankproof, name)
    if not inspect.isfunction(one):
        return name
    shown: list[str] = []
    for argument in inspect.signature(one).parameters.values():
        if (
            argument.kind is argument.KEYWORD_ONLY
            and "*" not in shown
            and not any(a[0] == "*" for a in shown)
        ):
            shown.append("*")
        star = {argument.VAR_POSITIONAL: "*", argument.VAR_KEYWORD: "**"}.get(argument.kind, "")
        empty = argument.default is argument.empty
        shown.append(f"{star}{argument.name}" + ("" if empty else f"={_short(argument.default)}"))
    return f"{name}({', '.join(shown)})"


def _short(value: object) -> str:
    text = repr(value)
    return "…" if callable(value) or len(text) > 12 else text


def _says(name: str) -> str:
    if name in CONSTANTS:
        return CONSTANTS[name]
    return first_and_example(getattr(rankproof, name).__doc__ or "")[0]
