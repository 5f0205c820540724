"""How much attention a place in a list gets, and so how much exposure the doc that stands there."""

from collections.abc import Callable
from functools import partial

import numpy as np

from rankproof.measures.gains import discounted
from rankproof.measures.settings import Setting, one_of, share
from rankproof.tables.columns import Floats, Ints


def attention(weight: str, patience: float) -> Callable[[Ints], Floats]:
    """A function from ranks to the attention that their places get.

    >>> import numpy as np
    >>> attention("rbp", 0.5)(np.array([1, 2, 3]))
    array([1.  , 0.5 , 0.25])
    """
    return partial(_patient, patience=patience) if weight == "rbp" else discounted(weight, 2.0)


def _patient(rank: Ints, patience: float) -> Floats:
    looked_at: Floats = np.power(patience, rank - 1.0)
    return looked_at


WEIGHTS = ("log", "jk", "zipf", "none", "rbp")
WEIGHT = Setting(
    "weight",
    "log",
    "How much attention a place gets: log (1 / log2(rank + 1)), jk (1 / log2(rank), and 1 down to rank 2), zipf "
    "(1 / rank), rbp (patience^(rank - 1)), or none (the same everywhere).",
    one_of(*WEIGHTS),
)
EVEN = Setting("weight", "none", WEIGHT.help, one_of(*WEIGHTS))
PATIENCE = Setting(
    "patience", 0.5, "The chance that a reader goes on to the next rank, where weight=rbp.", share
)
