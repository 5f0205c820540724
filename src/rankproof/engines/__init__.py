"""Engines: where whole queries are measured. They cut batches and nothing else."""
