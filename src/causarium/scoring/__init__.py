"""Scoring: numbers in, numbers out. Knows no benchmark, no model, no file."""
