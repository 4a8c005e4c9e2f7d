"""Demonstrations to train on, and data cards."""
