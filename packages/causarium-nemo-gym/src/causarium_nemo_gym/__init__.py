"""Causarium's worlds as a NeMo Gym resources server."""
