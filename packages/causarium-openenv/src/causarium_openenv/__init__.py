"""Causarium's worlds as OpenEnv environments."""
