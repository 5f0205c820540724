"""The installation: which engine runs and why, and the versions that numbers may hang on."""

import os
import platform
from importlib.metadata import version

import rankproof
from rankproof.scanning.engine import engine, what_native_lacks
from rankproof.wording import Words, say, visible


def installation_report(*, language: str = "en") -> str:
    """Lines of text: the version, the engine that reads runs, and the versions of Python, numpy and polars.

    UsageError where RANKPROOF_ENGINE asks for an engine that is not here.

    >>> installation_report().splitlines()[0].split()[0]
    'rankproof'
    """
    others = ", ".join(f"{name} {version(name)}" for name in ("numpy", "polars"))
    return "\n".join(
        (
            f"rankproof {rankproof.__version__}",
            visible(_engine().to(language)),
            f"Python {platform.python_version()}, {others}",
        )
    )


def _engine() -> Words:
    name, lacks = engine().name, what_native_lacks()
    if name == "native":
        return say("Engine: native (compiled).")
    if os.environ.get("RANKPROOF_ENGINE"):
        return say("Engine: {name}, as RANKPROOF_ENGINE asks.", name=name)
    if isinstance(lacks, ModuleNotFoundError):
        return say(
            "Engine: {name}, which is slower and gives the same numbers. The compiled one was left out when rankproof "
            "was installed; install it again where a C compiler is.",
            name=name,
        )
    return say(
        "Engine: {name}, which is slower and gives the same numbers. The compiled one cannot be loaded: {reason}.",
        name=name,
        reason=str(lacks),
    )
