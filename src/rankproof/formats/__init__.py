"""Formats: bytes to columns and back. A format knows columns, not judgments or runs."""
