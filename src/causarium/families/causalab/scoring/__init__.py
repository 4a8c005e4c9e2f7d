"""Verdicts and their metrics, by edition."""
