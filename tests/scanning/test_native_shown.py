"""What `rankproof --version --verbose` says of the engine, with a compiled part and without one."""

import sys
from collections.abc import Iterator
from importlib.metadata import version
from types import ModuleType

import pytest

import rankproof
from flow.program import run
from rankproof.scanning.engine import engine


def test_the_engine_and_the_versions_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rankproof._scan", reason="the compiled engine is not in this installation")
    monkeypatch.delenv("RANKPROOF_ENGINE", raising=False)
    first, second, third = run("--version", "--verbose").text.splitlines()
    assert first == run("--version").text.strip()
    assert second == "Engine: native (compiled)."
    python = ".".join(map(str, sys.version_info[:3]))
    assert third == f"Python {python}, numpy {version('numpy')}, polars {version('polars')}"


class Standing:
    """In place of the engine that needs no compiler."""

    name = "pure"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """An installation without the compiled part; the engine is chosen anew, now and afterwards."""
    module = ModuleType("rankproof.scanning.pure")
    module.__dict__["Pure"] = Standing
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, "rankproof._scan", None)
    monkeypatch.delitem(sys.modules, "rankproof.scanning.native", raising=False)
    monkeypatch.delattr(rankproof, "_scan", raising=False)
    monkeypatch.delenv("RANKPROOF_ENGINE", raising=False)
    engine.cache_clear()
    yield monkeypatch
    engine.cache_clear()


def test_why_it_is_not_the_compiled_one(without: pytest.MonkeyPatch) -> None:
    shown = run("--version", "--verbose").text.splitlines()[1]
    assert shown.startswith("Engine: pure, which is slower")
    assert "left out when rankproof was installed" in shown
    without.setenv("RANKPROOF_ENGINE", "pure")
    engine.cache_clear()
    assert run("--version", "--verbose").text.splitlines()[1] == "Engine: pure, as RANKPROOF_ENGINE asks."


def test_why_a_compiled_one_cannot_be_loaded(without: pytest.MonkeyPatch) -> None:
    without.setattr(
        "rankproof.reports.installation.what_native_lacks", lambda: ImportError("libc is too old: \x1b[1m")
    )
    shown = run("--version", "--verbose").text.splitlines()[1]
    assert shown.endswith("The compiled one cannot be loaded: libc is too old: ␛[1m.")


def test_an_engine_that_is_asked_for_and_absent_is_an_error(without: pytest.MonkeyPatch) -> None:
    without.setenv("RANKPROOF_ENGINE", "native")
    done = run("--version", "--verbose")
    assert done.code == 2
    assert "Install where a C compiler is" in done.error
