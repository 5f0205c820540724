"""The house rules that no tool keeps: what an import costs, what is public, what may stand in a file."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import rankproof

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "rankproof"
MODULES = sorted(SOURCE.rglob("*.py"))
NATIVE = sorted(path for folder in ("native", "tests/fuzz") for path in (ROOT / folder).glob("*.[ch]"))
TOP = {name.split(".")[0] for name in sys.stdlib_module_names}
# What `import rankproof` loads beside the standard library.
LIGHT = {"rankproof"}
HEAVY = {"numpy", "polars", "scipy", "jinja2", "babel", "rich"}


def loaded(code: str) -> set[str]:
    """The modules that stand in sys.modules after `code`, in a process of its own."""
    asked = f"{code}\nimport sys\nprint(*sorted(sys.modules), sep='\\n', file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_who_may_import_whom() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_import_costs_nothing() -> None:
    before, after = loaded(""), loaded("import rankproof")
    assert {name for name in after - before if name.split(".")[0] not in TOP} == LIGHT


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []], ids=str)
def test_help_costs_little(arguments: list[str]) -> None:
    code = f"""
from rankproof.cli.main import main
try:
    main({arguments!r})
except SystemExit as stop:
    assert not stop.code, stop.code
"""
    found = {name.split(".")[0] for name in loaded(code)}
    assert not found & HEAVY
    assert "click" in found


@pytest.mark.parametrize("name", rankproof.__all__)
def test_a_public_name_is_there_and_explained(name: str) -> None:
    found = getattr(rankproof, name)
    assert found is not None
    if callable(found):
        assert (found.__doc__ or "").strip(), f"{name} has no docstring"


def test_public_names_stand_once() -> None:
    stub = ast.parse((SOURCE / "__init__.pyi").read_text("utf-8"))
    imported = [
        (node.module, alias.name, alias.asname)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert all(name == shown for _, name, shown in imported)
    names = [name for _, name, _ in imported]
    assert names == list(rankproof.__all__)
    assert len(names) == len(set(names))
    assert set(names) <= set(dir(rankproof))
    homes = [module for module, _, _ in imported]
    assert homes == sorted(homes), "homes stand in the order of the alphabet"


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rankproof.nothing


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_fits_a_few_screens_and_says_what_it_is(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 300
    assert (ast.get_docstring(ast.parse(text)) or "").strip()


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: path.name)
def test_a_file_in_c_fits_a_few_screens(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 130


# Packages that an extra brings; they are imported where they are needed, and nowhere else.
EXTRAS = ("array", "torch", "zstd")


def declared(*extras: str) -> set[str]:
    """The packages that an installation without extras brings, or those that extras bring."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    brought = [name for extra in extras for name in project["optional-dependencies"][extra]]
    listed = brought if extras else project["dependencies"]
    return {re.split(r"[<>=~! \[]", name)[0].lower() for name in listed}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0
            yield node.module.split(".")[0]


def test_only_declared_packages_are_imported() -> None:
    distributions = packages_distributions()
    used = (
        {name for path in MODULES for name in imports(path)} - TOP - {"rankproof", "compression"}
    )  # of Python from 3.14 on
    homes = {home.lower().replace("_", "-") for name in used for home in distributions.get(name, [name])}
    assert homes == declared() | declared(*EXTRAS), "imported and not declared, or declared and not used"


def test_every_extra_is_for_users_or_for_us() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["optional-dependencies"]) == {*EXTRAS, "dev"}


def tracked() -> list[Path]:
    """Every file that would go into a commit."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


# Places on somebody's machine, and addresses of package indexes.
PLACES = re.compile(rb"(?<![\w.])/(?:home|root|work|Users)/[\w.-]")
INDEXES = re.compile(rb"https?://[^\s\"'<>)]*/simple\b")


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    for path in tracked():
        raw = path.read_bytes()
        for pattern in (PLACES, INDEXES):
            found = pattern.search(raw)
            assert found is None, f"{path.relative_to(ROOT)}: {found and found[0]!r}"


# What a checker, the formatter or a test run is told to pass over, and the same with the reason beside it.
PASSED_OVER = re.compile(
    r"#\s*(?:noqa|type:\s*ignore|fmt:\s*skip|pragma:\s*no)|mark\.(?:skip|xfail)|pytest\.(?:skip|xfail)\(|suppress\("
)
REASON = re.compile(
    r"#\s*noqa: [A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)* - \w|type: ignore\[[\w-]+\]  # \w|fmt: skip  # \w"
    r"|(?:skip|xfail)\w*\(.*(?:reason=f?\"\w|\(\"\w|, f?\"\w)|pytest\.skip\(f?\"\w|suppress\([\w.]+\):  # \w"
)


@pytest.mark.parametrize("folder", ["src", "tests", "docs", "benchmarks"])
def test_what_is_passed_over_says_why(folder: str) -> None:
    unsaid = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if path != Path(__file__) and PASSED_OVER.search(line) and not REASON.search(line)
    ]
    assert unsaid == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("x = f()  # noqa: ARG001", False),
        ("x = f()  # noqa: ARG001 - the caller's signature", True),
        ("x = f()  # type: ignore[arg-type]", False),
        ("x = f()  # type: ignore[arg-type]  # checked above", True),
        ("}  # fmt: skip", False),
        ("with suppress(OSError):", False),
        ('pytest.skip("not a checkout")', True),
        ("@pytest.mark.skip", False),
    ],
)
def test_a_reason_is_told_from_none(line: str, says: bool) -> None:
    assert PASSED_OVER.search(line)
    assert bool(REASON.search(line)) == says
