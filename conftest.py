"""What the examples in docstrings may use without saying so."""

import pytest

from rankproof.tables.preferences import preferring
from rankproof.tables.rankings import written


@pytest.fixture(autouse=True)
def _names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["written"] = written
    doctest_namespace["preferring"] = preferring
