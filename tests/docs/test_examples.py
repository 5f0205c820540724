"""Every example of every page prints what the page shows."""

from pathlib import Path

import pytest
from examples import anew, blocks, fits, follow

ROOT = Path(__file__).parents[2]
PAGES = sorted((*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md")))
READMES = (ROOT / "README.md", ROOT / "README.zh-CN.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_is_printed(page: Path, tmp_path: Path) -> None:
    wrong = [f"line {n}: $ {command}\n{printed[:2000]}" for n, command, _, printed in follow(page, tmp_path)]
    assert not wrong, "\n".join(
        [*wrong, "If the program is right: ./go examples, and look at the difference."]
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_console_block_begins_with_a_command(page: Path) -> None:
    assert all(b.body.startswith("$ ") for b in blocks(page.read_text("utf-8")) if b.kind == "console")


def test_the_readmes_do_the_same() -> None:
    english, chinese = (
        [
            (b.kind, b.title, [c for c, _ in b.commands()] if b.kind == "console" else b.body)
            for b in blocks(page.read_text("utf-8"))
            if b.kind != "sh"
        ]
        for page in READMES
    )
    assert english == chinese


def test_the_readmes_have_the_same_headings_and_links() -> None:
    import re

    def shape(page: Path) -> tuple[list[int], list[str]]:
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        links = re.findall(r"\]\(([^)]+)\)", text)
        return [len(mark) for mark in re.findall(r"^(#+) ", text, re.MULTILINE)], links[
            1:
        ]  # not to each other

    assert shape(READMES[0]) == shape(READMES[1])


@pytest.mark.parametrize("recipe", ["demo", "test"])
def test_the_two_commands_are_there(recipe: str) -> None:
    assert all(f"./go {recipe}" in page.read_text("utf-8") for page in READMES)
    assert f"./go {recipe}" in (ROOT / "go").read_text("utf-8")


@pytest.mark.parametrize(
    ("shown", "printed", "fit"),
    [
        ("a\nb\n", "a  \nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("...\n", "", True),
        ("file:///.../x\n", "file:///tmp/1/x\n", True),
        ("a\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_dots_stand_for_what_is_left_out(shown: str, printed: str, fit: bool) -> None:
    assert fits(shown, printed) is fit


def test_what_was_cut_stays_cut() -> None:
    assert anew("...\nmean 0.61\n...\n", "head\nmean 0.62\ntail\n") == "...\nmean 0.62\n...\n"
    assert anew("mean 0.61\n", "head\nmean 0.62\n") == "head\nmean 0.62\n"
    assert anew("...\nsomething else\n", "head\n") is None
