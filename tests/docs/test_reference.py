"""Whatever the lists of the program hold has its entry in the reference."""

import re
import tomllib
from pathlib import Path

import pytest

import rankproof
from rankproof.cli.main import VERBS
from rankproof.formats.headings import HEADINGS
from rankproof.study.plan import KEYS
from rankproof.tables.measurements import REASONS

DOCS = Path(__file__).parents[2] / "docs"
NAMES = {
    "commands": list(VERBS),
    "measures": list(rankproof.MEASURES.names()),
    "conventions": [row.name for row in rankproof.CONVENTIONS],
    "dialects": list(rankproof.DIALECTS.names()),
    "checks": [kind.code for kind in rankproof.KINDS],
    "gates": list(rankproof.GATES.names()),
    "study-file": [name for name in KEYS if name],
}
CELLS = {
    "formats": [*rankproof.FORMATS.names(), *HEADINGS],
    "python": list(rankproof.__all__),
    "machine-output": [reason for reason in REASONS if reason],
}


def page(name: str) -> str:
    return (DOCS / "reference" / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize(("name", "wanted"), NAMES.items(), ids=NAMES)
def test_every_name_has_a_heading(name: str, wanted: list[str]) -> None:
    found = re.findall(r"^#{2,3} (.+)$", page(name), re.MULTILINE)
    assert not set(wanted) - set(found)


@pytest.mark.parametrize(("name", "wanted"), CELLS.items(), ids=CELLS)
def test_every_name_has_a_row(name: str, wanted: list[str]) -> None:
    found = re.findall(r"^\| `(\w+)", page(name), re.MULTILINE)
    assert not set(wanted) - set(found)


def test_every_convention_says_why_its_default_is_what_it_is() -> None:
    text = (DOCS / "explanation" / "conventions.md").read_text("utf-8")
    for row in rankproof.CONVENTIONS:
        default = "none" if row.values[0] is None else f"`{row.values[0]}`"
        assert re.search(rf"^## {row.name}\n\n\*\*Default: {default}", text, re.MULTILINE), row.name


def test_every_public_name_says_what_it_is() -> None:
    empty = re.findall(r"^\| (`[^|]+`) \|\s*\|$", page("python"), re.MULTILINE)
    assert not empty


def test_every_error_has_its_exit_code() -> None:
    found = dict(re.findall(r"^\| `(\w+)` \| (\d) ", page("exit-codes"), re.MULTILINE))
    errors = [
        n for n in rankproof.__all__ if isinstance(getattr(getattr(rankproof, n), "exit_code", None), int)
    ]
    assert {name: str(getattr(rankproof, name).exit_code) for name in errors}.items() <= found.items()


def test_every_dependency_has_its_reason() -> None:
    root = DOCS.parent
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    names = [re.split(r"[^\w-]", one)[0] for one in declared]
    text = (root / "CONTRIBUTING.md").read_text("utf-8")
    assert re.findall(r"^\| (\w+) \| [^|]+ \|$", text.split("| package |")[1], re.MULTILINE) == names


def test_every_place_on_the_map_exists() -> None:
    text = (DOCS.parent / "CONTRIBUTING.md").read_text("utf-8")
    places = re.findall(r"`((?:src|docs|tests)/[\w/.-]*)`", text)
    assert len(places) > 10
    assert not [place for place in places if not (DOCS.parent / place).exists()]


def test_every_page_is_in_the_navigation() -> None:
    text = (DOCS.parent / "zensical.toml").read_text("utf-8")
    named = set(re.findall(r'"([\w/-]+\.md)"', text))
    assert named == {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
