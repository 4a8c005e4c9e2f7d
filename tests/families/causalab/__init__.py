"""Tests of CausaLab."""
