"""Scaffolding: the folder of a new family, and tests that fail until it is filled."""

from causarium.scaffold.write_family import write_family

__all__ = ["write_family"]
