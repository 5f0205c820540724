"""A small study, to be changed."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The folder of the small study of the demo, without a record."""
    with as_file(files("rankproof").joinpath("demo/help-centre-small")) as source:
        return Path(shutil.copytree(source, tmp_path / "study"))
