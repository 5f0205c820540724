"""Find out, with proof, which system ranks better.

Everything is a table; a stage turns one table into the next. The public names and their homes stand in
`__init__.pyi`, once for type checkers and for this module; a name is loaded when it is first used, so that
`import rankproof` costs nothing.
"""

import os
import re
from importlib import import_module

__version__ = "0.1.0"


def _homes() -> dict[str, str]:
    """Each public name and the module it lives in."""
    with open(os.path.join(os.path.dirname(__file__), "__init__.pyi"), encoding="utf-8") as stub:  # noqa: PTH118, PTH120, PTH123 - pathlib would be loaded with every import
        lines = re.findall(r"^from (\S+) import (.+)$", stub.read(), re.MULTILINE)
    return {name.split(" as ")[0]: module for module, names in lines for name in names.split(", ")}


_HOMES = _homes()
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'rankproof' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
