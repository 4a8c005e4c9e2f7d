"""Tests of `causarium.scoring`."""
