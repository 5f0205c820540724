"""Checks: what would make the numbers wrong, found before any number is shown."""
