"""Verdicts and their metrics."""
