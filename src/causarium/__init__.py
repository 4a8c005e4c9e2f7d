"""Causarium: certified benchmarks of causal reasoning for language-model agents."""
