"""Which engine runs: the compiled one where it is there, else the one that needs no compiler."""

import os
from functools import cache
from importlib import import_module

import numpy as np

from rankproof.errors import UsageError
from rankproof.scanning.lines import Engine

KEPT = 1 << 24  # bytes; blocks and their columns are smaller


def _keep_memory() -> None:
    """Let the C library keep memory of this size for the next block, where it would give it back to the system.

    It learns that from the first large piece that is freed; nothing is written there, so it costs nothing.
    """
    np.empty(KEPT, np.uint8)


ENGINES = {"native": "Native", "pure": "Pure"}


@cache
def engine(name: str | None = None) -> Engine:
    """The engine called so, "native" or "pure"; without a name the one that RANKPROOF_ENGINE says, else the fastest.

    Both give the same columns for the same bytes. UsageError where the compiled one is asked for and absent.
    """
    asked = name or os.environ.get("RANKPROOF_ENGINE") or ""
    if asked and asked not in ENGINES:
        raise UsageError('The engine is "{seen}"; expected native or pure.', seen=asked)
    for one in (asked,) if asked else ENGINES:
        try:
            found: Engine = getattr(import_module(f"rankproof.scanning.{one}"), ENGINES[one])()
        except ImportError as error:
            if asked:
                raise UsageError(
                    "The engine {engine} cannot be loaded: {reason}. Install where a C compiler is, or leave "
                    "RANKPROOF_ENGINE out.",
                    engine=asked,
                    reason=str(error),
                ) from error
            continue
        _keep_memory()
        return found
    raise AssertionError("the engine without a compiler is always there")


def what_native_lacks() -> ImportError | None:
    """Why the compiled engine cannot be loaded; None where it can, ModuleNotFoundError where it was never compiled."""
    try:
        import_module("rankproof._scan")
    except ImportError as error:
        return error
    return None
