"""Padded batches of scores and grades, as training loops have them, measured where they lie: CPU or GPU."""
