"""What the examples in docstrings may use without saying so."""

from importlib.util import find_spec

import pytest

from rankproof.measures.reading_models import stretch
from rankproof.tables.beside import beside_of
from rankproof.tables.examples import covering, written
from rankproof.tables.preferences import preferring

# It needs an extra; what it shows is tried where that is installed.
collect_ignore = [] if find_spec("torchmetrics") else ["src/rankproof/batch/torch.py"]


@pytest.fixture(autouse=True)
def _names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["written"] = written
    doctest_namespace["covering"] = covering
    doctest_namespace["beside_of"] = beside_of
    doctest_namespace["stretch"] = stretch
    doctest_namespace["preferring"] = preferring
