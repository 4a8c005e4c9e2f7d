"""Verdicts of the paper edition and their metrics."""
