"""Every English sentence that the program can show, and where it stands: what the catalogue has to hold.

Literals are found in the syntax trees of the sources and of the page templates. A sentence that is said
through a variable stands in RUN_TIME with all the values that it can have; one that does not stand there
is an error, so that nothing is forgotten.

`python tests/house/sentences.py` writes the catalogue anew: sentences that nobody says any more go, new ones
come with an empty translation, and those that are translated stay as they are.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click
import jinja2
from babel.messages.pofile import read_po

import rankproof
from rankproof import errors
from rankproof.checks.auditing import KINDS
from rankproof.cli.main import MAP, VERBS, program
from rankproof.cli.speaking import help_paragraphs
from rankproof.gates.deciding import GATES
from rankproof.measures.definition import definition
from rankproof.measures.dialects import DIALECTS
from rankproof.measures.measure import FAMILIES
from rankproof.measures.mistakes import WORDS
from rankproof.measures.naming import MEASURES
from rankproof.measures.needs import NEEDS, SEES
from rankproof.tables.conventions import CONVENTIONS
from rankproof.wording import SYSTEM

ROOT = Path(rankproof.__file__).parent
CATALOGUE = ROOT / "locale" / "zh.po"
SPEAKERS = ("say", "tr", "Words", "translate", "_")
NOT_LOADED = ("__main__.py", "batch/torch.py")  # the one runs the program, the other needs an extra
ERRORS = {name for name, one in vars(errors).items() if inspect.isclass(one)}


def _commands() -> list[click.Command]:
    context = click.Context(program)
    return [program, *filter(None, (program.get_command(context, name) for name in VERBS))]


def _option_helps() -> list[str]:
    params = [param for one in _commands() for param in one.get_params(click.Context(one))]
    return [param.help for param in params if isinstance(param, click.Option) and param.help]


def _paragraphs() -> list[str]:
    paragraphs = [text for one in _commands() for text in help_paragraphs(one.help or "")]
    return [text for text in paragraphs if not text.startswith("$ ")]


def _factors() -> list[str]:
    """The names of what a term is made of, as the measures give them to Sum."""
    return _named("Sum", 3, "factors")


def _parts() -> list[str]:
    """The names of what a value is made of, as the measures give them to Sum.each and Sum.of_the_run."""
    return [*_named("each", 2, "parts"), *_named("of_the_run", 2, "parts")]


def _named(call: str, place: int, keyword: str) -> list[str]:
    """The keys of the tables that measures give to a call, at a place or by a keyword."""
    calls = (node for path in sorted(ROOT.glob("measures/*.py")) for node in ast.walk(_tree(path)))
    sums = (node for node in calls if isinstance(node, ast.Call) and _name(node.func) == call)
    given = (
        node.args[place : place + 1] + [k.value for k in node.keywords if k.arg == keyword] for node in sums
    )
    dicts = (node for nodes in given for node in nodes if isinstance(node, ast.Dict))
    return [text for node in dicts for key in node.keys if key for text in _texts(key)]


def _headings(place: str) -> list[str]:
    """The headings of tables that are written out as a tuple and said one by one."""
    tuples = [
        node.value
        for node in ast.walk(_tree(ROOT / place))
        if isinstance(node, ast.Assign)
        and _name(node.targets[0]) == "heads"
        and isinstance(node.value, ast.Tuple)
    ]
    return [text for row in tuples for cell in row.elts for text in _texts(cell) or ()]


# What is said through a variable: the file, the function, the variable, and every sentence that it can hold.
RUN_TIME: dict[str, Callable[[], Iterable[str]]] = {
    "catalog.py, _plugins: self.kind": lambda: (),  # found where the lists are made
    "catalog.py, find: self.kind": lambda: (),
    "wording.py, reason_of: str(getattr(error, 'strerror', None) or error)": lambda: SYSTEM,
    "cli/main.py, format_commands: title": lambda: [title for title, _ in MAP],
    "cli/main.py, format_commands: verb.wish": lambda: [verb.wish for _, verbs in MAP for verb in verbs],
    "cli/speaking.py, format_help_text: paragraph": _paragraphs,
    "cli/speaking.py, format_options: help_": _option_helps,
    "cli/speaking.py, tr: text": lambda: (),  # found where it is called
    "cli/studies.py, accept_command: accepted.replaced": lambda: ("accepted", "rejected", "inconclusive"),
    "cli/studies.py, verify_command: found.verdict": lambda: ("accepted", "rejected", "inconclusive"),
    "gates/deciding.py, _text: kind.sentence": lambda: [kind.sentence for kind in GATES],
    "reports/drilldown.py, _sum_row: term.note or 'unjudged'": lambda: ("unjudged", "pooled", "repeat"),
    "reports/drilldown.py, sum_table: name": _factors,
    "reports/drilldown.py, part_table: name": _parts,
    "measures/mistakes.py, _about: row.title": lambda: [measure.title for measure in MEASURES],
    "measures/mistakes.py, explained: row.sentence": lambda: [word.sentence for word in WORDS],
    "reports/references.py, _of_dialect: c.help": lambda: [row.help for row in CONVENTIONS],
    "reports/references.py, _of_dialect: caution": lambda: [
        text for row in DIALECTS for text in row.cautions
    ],
    "reports/grounds.py, conventions: row.help": lambda: [row.help for row in CONVENTIONS],
    "reports/grounds.py, finding_table: head": lambda: _headings("reports/grounds.py"),
    "reports/numbers.py, found: head": lambda: _headings("reports/numbers.py"),
    **{
        f"reports/measure_reference.py, {function}: {said}": texts
        for function in ("_row", "_about")
        for said, texts in {
            "NEEDS[m.needs].undefined": lambda: [need.undefined for need in NEEDS.values()],
            "definition(m)": lambda: [definition(measure) for measure in MEASURES],
            "m.formula": lambda: [measure.formula for measure in MEASURES],
            "m.title": lambda: [measure.title for measure in MEASURES],
            "s.help": lambda: [setting.help for measure in MEASURES for setting in measure.every_setting],
        }.items()
    },
    "reports/measure_reference.py, _about: SEES[m.sees]": SEES.values,
    "reports/measure_reference.py, _about: m.family": lambda: FAMILIES,
    "reports/measure_reference.py, _tables: family": lambda: FAMILIES,
    "reports/measure_reference.py, _tables: help_": FAMILIES.values,
    "reports/measure_reference.py, _tables: m.formula": lambda: [measure.formula for measure in MEASURES],
    "reports/measure_reference.py, _tables: m.title": lambda: [measure.title for measure in MEASURES],
    "study/inputs.py, _finding: fact['say']": lambda: (),  # said before, by the reader that noticed it
    "tables/findings.py, mend: self.kind.mend": lambda: [t for kind in KINDS for t in (kind.mend, kind.why)],
    "tables/findings.py, message: self.kind.message": lambda: [kind.message for kind in KINDS],
    "errors.py, __init__: template": lambda: (),  # found where errors are raised
    "wording.py, say: template": lambda: (),
}


def sentences() -> dict[str, list[str]]:
    """Each sentence with the files in which it stands."""
    found: dict[str, list[str]] = {}
    variables = set(RUN_TIME)
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for text in _in_source(path, place, variables):
            found.setdefault(text, []).append(place)
    if variables:
        raise AssertionError(f"Nothing says {sorted(variables)} any more; take it out of RUN_TIME.")
    for path in sorted(ROOT.glob("reports/page/*.html")):
        for text in _in_template(path):
            found.setdefault(text, []).append(path.relative_to(ROOT).as_posix())
    return {text: sorted(set(places)) for text, places in sorted(found.items())}


def _in_source(path: Path, place: str, variables: set[str]) -> Iterator[str]:
    name = ".".join(("rankproof", *Path(place).with_suffix("").parts)).removesuffix(".__init__")
    module = None if place in NOT_LOADED else import_module(name)
    tree = _tree(path)
    for function, call in _calls(tree):
        for given in _given(call, place):
            texts = _texts(given, module)
            texts = _looped(given, tree) if texts is None else texts
            if texts is None:
                where = f"{place}, {function}: {ast.unparse(given)}"
                if where not in RUN_TIME:
                    raise AssertionError(
                        f"{where} is said at run time; RUN_TIME does not say what it can be."
                    )
                variables.discard(where)
                texts = list(RUN_TIME[where]())
            yield from texts


def _calls(node: ast.AST, function: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Every call, with the name of the function that it stands in."""
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        inside = child.name if named else function
        if isinstance(child, ast.Call):
            yield inside, child
        yield from _calls(child, inside)


def _given(call: ast.Call, place: str) -> list[ast.expr]:
    """The arguments of a call that are sentences."""
    name, owner = _name(call.func), _name(getattr(call.func, "value", None))
    if name in SPEAKERS:
        return call.args[:1]
    if name == "Kind":
        return [arg for arg in call.args[2:5] if isinstance(arg, ast.Constant | ast.Name)]
    if name == "Catalog":
        return call.args[:1]
    if name == "of" and owner == "UnknownName":
        return [arg for arg in call.args[:1] if isinstance(arg, ast.Constant)]
    if name == "replace":
        return [keyword.value for keyword in call.keywords if keyword.arg == "message"]
    if name in ERRORS or (name == "cls" and place == "errors.py"):
        return call.args[:1]
    return []


def _texts(node: ast.expr, module: ModuleType | None = None) -> list[str] | None:
    """The texts that an expression can have; None where the source alone does not say."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Attribute) and node.attr == "template":
        return []  # Words or an error that was made elsewhere, and is found there
    if isinstance(node, ast.IfExp):
        parts = [_texts(node.body, module), _texts(node.orelse, module)]
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        parts = [_texts(value, module) for value in node.value.values]
    elif isinstance(node, ast.Name) and isinstance(getattr(module, node.id, None), str):
        parts = [[getattr(module, node.id)]]
    else:
        return None
    return None if None in parts else [text for part in parts if part for text in part]


def _looped(node: ast.expr, tree: ast.Module) -> list[str] | None:
    """The texts that a variable takes in a loop over rows that are written out."""
    for loop in ast.walk(tree):
        if (
            isinstance(loop, ast.For)
            and isinstance(loop.target, ast.Tuple)
            and isinstance(loop.iter, ast.Tuple)
        ):
            names = [_name(one) for one in loop.target.elts]
            if isinstance(node, ast.Name) and node.id in names:
                rows = [row for row in loop.iter.elts if isinstance(row, ast.Tuple)]
                cells = [row.elts[names.index(node.id)] for row in rows]
                return [text for cell in cells for text in _texts(cell) or ()]
    return None


def _in_template(path: Path) -> Iterator[str]:
    tree = jinja2.Environment(autoescape=True).parse(path.read_text("utf-8"))
    for call in tree.find_all(jinja2.nodes.Call):
        if isinstance(call.node, jinja2.nodes.Name) and call.node.name in SPEAKERS:
            given = call.args[0]
            if not isinstance(given, jinja2.nodes.Const):
                raise AssertionError(f"{path.name}, line {call.lineno}: say() takes a text as it is.")
            yield given.value


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _name(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def written(chinese: dict[str, str]) -> str:
    """The catalogue as it has to stand in its file: by the first file that says a sentence, then by sentence."""
    by_place = sorted(sentences().items(), key=lambda item: (item[1][0], item[0]))
    entries = [
        f"#: {' '.join(places)}\nmsgid {_quoted(text)}\nmsgstr {_quoted(chinese.get(text, ''))}\n"
        for text, places in by_place
    ]
    return "\n".join([HEAD, *entries])


HEAD = """\
# Every sentence of rankproof in Chinese, by the first file that says it.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Language: zh\\n"
"""


def translations() -> dict[str, str]:
    """What the catalogue holds; translations marked as uncertain stand for nothing."""
    with CATALOGUE.open("rb") as stream:
        entries = list(read_po(stream, locale="zh"))
    return {str(one.id): str(one.string) for one in entries if one.id and not one.fuzzy}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


if __name__ == "__main__":
    CATALOGUE.write_text(written(translations()), "utf-8")
