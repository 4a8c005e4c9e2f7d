"""Tests of the families, a folder each."""
