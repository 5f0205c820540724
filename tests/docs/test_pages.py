"""Pages are fresh, links lead somewhere, and the site is built without anything from outside."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))


def prose(page: Path) -> str:
    """A page without its fenced blocks and comments."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    heads = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"\w+://", link):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nothing_is_loaded_from_outside_and_no_place_of_ours_is_named(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not re.search(r"!\[[^]]*\]\(\w+://|<(img|script|iframe|link)\b", text)
    assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", text)


def test_the_generated_pages_are_what_the_code_says() -> None:
    from cogapp import Cog

    pages = [str(path) for path in sorted((ROOT / "docs" / "reference").glob("*.md"))]
    asked = ["cog", "-I", str(ROOT / "docs"), "--check", "--verbosity=1", *pages]
    assert Cog().main(asked) == 0, "run: ./go fix"


def test_the_site_is_built_without_warnings_and_asks_for_nothing_outside(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout + done.stderr
    site = tmp_path / "site"
    built = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    assert built >= {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert not list(site.rglob("*.py"))
    for path in site.rglob("*.html"):
        text = re.sub(r"<!--.*?-->", "", path.read_text("utf-8"), flags=re.DOTALL)
        outside = re.findall(
            r'<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="(?:https?:)?//[^"]+"', text
        )
        assert not outside, path
