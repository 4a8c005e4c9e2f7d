"""Causarium's worlds as a verifiers taskset and environment."""

from causarium_verifiers.taskset import CausalEnv, CausalTaskset

__all__ = ["CausalEnv", "CausalTaskset"]
