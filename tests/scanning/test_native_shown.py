"""What `rankproof --version --verbose` says of the engine, with a compiled part and without one."""

import sys
from importlib.metadata import version

import pytest

from flow.program import run
from rankproof.scanning.engine import engine


def test_the_engine_and_the_versions_are_shown() -> None:
    pytest.importorskip("rankproof._scan", reason="the compiled engine is not in this installation")
    first, second, third = run("--version", "--verbose").text.splitlines()
    assert first == run("--version").text.strip()
    assert second == "Engine: native (compiled)."
    assert third == (
        f"Python {'.'.join(map(str, sys.version_info[:3]))}, numpy {version('numpy')}, polars {version('polars')}"
    )


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The engine is chosen again, before and after."""
    engine.cache_clear()
    monkeypatch.setattr("rankproof.scanning.engine.engine", engine)
    yield monkeypatch
    engine.cache_clear()


def test_why_it_is_not_the_compiled_one(anew: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rankproof.scanning.pure", reason="the engine without a compiler is not written yet")
    anew.setitem(sys.modules, "rankproof._scan", None)
    anew.delitem(sys.modules, "rankproof.scanning.native", raising=False)
    assert "left out when rankproof was installed" in run("--version", "--verbose").text
