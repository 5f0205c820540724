"""Findings of one code, out of a whole audit."""

from collections.abc import Callable

import pytest

from rankproof.checks.auditing import audit
from rankproof.tables.findings import Finding

Found = Callable[..., list[Finding]]


@pytest.fixture
def found() -> Found:
    def of(code: str, *args: object, **settings: object) -> list[Finding]:
        return [row for row in audit(*args, **settings) if row.code == code]

    return of
