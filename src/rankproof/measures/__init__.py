"""Measures: one row of facts and one pure function each."""
