"""What the examples in docstrings may use without saying so."""

import pytest

from rankproof.measures.reading_models import stretch
from rankproof.tables.rankings import written


@pytest.fixture(autouse=True)
def _names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["written"] = written
    doctest_namespace["stretch"] = stretch
