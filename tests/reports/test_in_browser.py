"""The page in a browser: nothing runs over the edge, the switches work without a script."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rankproof.reports.html import render_html
from reports.pages import document

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=4000",
)
LONG = "clueweb12-" + "0123456789abcdef" * 40
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


def seen(folder: Path, page: str, width: int, question: str) -> object:
    """What `question`, asked from outside, says of the page in a frame of that width."""
    frame = f'<iframe width={width} height=800 style="border:0" srcdoc="{html.escape(page)}"></iframe>'
    ask = f"""onload = () => {{
      const inside = document.querySelector("iframe").contentDocument;
      document.body.textContent = "[[" + JSON.stringify(({question})(inside)) + "]]" }}"""
    (folder / "outer.html").write_text(
        f"<!doctype html><meta charset=utf-8>{frame}<script>{ask}</script>", "utf-8"
    )
    command = [str(CHROMIUM), *QUIET, f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    ended = subprocess.run(
        [*command, (folder / "outer.html").as_uri()], capture_output=True, timeout=120, check=True
    )
    answer = re.search(r"\[\[(.*)\]\]", ended.stdout.decode(), re.DOTALL)
    assert answer, ended.stderr.decode()[-500:]
    return json.loads(html.unescape(answer[1]))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "text", ["plain", LONG, "very long text " * 700, "\u202eevil \u05e9\u05dc\u05d5\u05dd"]
)
def test_nothing_runs_over_the_edge(tmp_path: Path, width: int, text: str) -> None:
    opened = """page => {
      page.querySelectorAll("details").forEach(one => one.open = true)
      return page.documentElement.scrollWidth - page.documentElement.clientWidth }"""
    assert seen(tmp_path, render_html(document(text=text)), width, opened) == 0


def test_switches_work_without_a_script(tmp_path: Path) -> None:
    switched = """page => {
      const shown = () => [...page.querySelectorAll(".ql > .dn, .ql > .up, .ql > .eq, .ql > .na")]
        .filter(one => one.offsetHeight).length
      const all = shown()
      page.querySelector(".f-dn").checked = true
      const worse = shown(), english = page.querySelector("#counts h2").innerText
      page.getElementById("_zh").checked = true
      return [all, worse, english, page.querySelector("#counts h2").innerText, page.querySelectorAll("script").length] }"""
    answer = seen(tmp_path, render_html(document()), 1280, switched)
    assert answer == [5, 1, "Counts", "计数", 0]
