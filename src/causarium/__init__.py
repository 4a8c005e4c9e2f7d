"""Causarium: certified benchmarks of causal reasoning for language-model agents."""

from importlib.metadata import version

__version__ = version("causarium")
