"""The demo, run once for all; records are copied from it."""

import shutil
from pathlib import Path

import pytest

from flow.program import Done, run


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo was written."""
    return tmp_path_factory.mktemp("demo") / "rankproof-demo"


@pytest.fixture(scope="session")
def demo(demo_folder: Path) -> Done:
    """What the demo said."""
    return run("demo", demo_folder)


@pytest.fixture(scope="session")
def studies(demo: Done, demo_folder: Path) -> Path:
    """The folder of both studies with their records; not to be changed."""
    assert demo.code == 0, demo.error
    return demo_folder


@pytest.fixture
def record(studies: Path, tmp_path: Path) -> Path:
    """A copy of the small record, to be changed."""
    return Path(shutil.copytree(studies / "help-centre-small" / "acceptance", tmp_path / "record"))


@pytest.fixture
def study(studies: Path, tmp_path: Path) -> Path:
    """A copy of the small study without its record, to be changed."""
    ignored = shutil.ignore_patterns("acceptance")
    return Path(shutil.copytree(studies / "help-centre-small", tmp_path / "study", ignore=ignored))
