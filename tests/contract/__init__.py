"""Tests of `causarium.contract`, and of every family by the contract checker."""
