"""The programs of the page on training loops print what the page shows; skipped by name where a package is absent."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))


@pytest.mark.parametrize(("name", "package"), [("metric", "torchmetrics"), ("train", "lightning")])
def test_a_program_of_the_page(name: str, package: str, tmp_path: Path) -> None:
    from examples import blocks

    pytest.importorskip(package, reason=f"{package} is not installed")
    page = (ROOT / "docs" / "how-to" / "measure-in-training.md").read_text("utf-8")
    files = {block.title: block.body for block in blocks(page) if block.title}
    (tmp_path / "program.py").write_text(files[f"{name}.py"], "utf-8")
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == files[f"{name}.txt"]
