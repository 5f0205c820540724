"""Find out, with proof, which system ranks better.

Everything is a table; a stage turns one table into the next. Names are loaded when they are first used,
so that `import rankproof` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankproof.evaluation import evaluate
    from rankproof.tables.judgments import Judgments
    from rankproof.tables.run import Run

__version__ = "0.1.0"

# Every public name and the module it lives in.
_HOME = {
    "Judgments": "rankproof.tables.judgments",
    "Run": "rankproof.tables.run",
    "evaluate": "rankproof.evaluation",
}

__all__ = ["Judgments", "Run", "evaluate"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'rankproof' has no attribute {name!r}")
    found = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
