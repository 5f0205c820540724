"""Scanning: from bytes and arrays to hits. Two engines, one compiled and one not, give the same columns."""
