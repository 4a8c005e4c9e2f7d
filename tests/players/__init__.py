"""Tests of the players that know no family."""
