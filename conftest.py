"""What the examples in docstrings may use without saying so."""

import pytest

from rankproof.measures.reading_models import stretch
from rankproof.tables.beside import beside_of
from rankproof.tables.examples import covering, written
from rankproof.tables.preferences import preferring


@pytest.fixture(autouse=True)
def _names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["written"] = written
    doctest_namespace["covering"] = covering
    doctest_namespace["beside_of"] = beside_of
    doctest_namespace["stretch"] = stretch
    doctest_namespace["preferring"] = preferring
