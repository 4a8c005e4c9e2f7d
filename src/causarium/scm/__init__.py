"""Causal mathematics. Knows no benchmark, no agent and no file format but its own."""
