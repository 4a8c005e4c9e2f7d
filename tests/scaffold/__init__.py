"""Tests of `causarium.scaffold`."""
