"""Gates: rules written before the results, decided by the evidence. All must pass."""
