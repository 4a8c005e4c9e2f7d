"""Tests of work that is shared out."""
