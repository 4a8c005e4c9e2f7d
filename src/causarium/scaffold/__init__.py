"""Scaffolding: a new family, in this repository or as a package, and tests to fill in."""

from causarium.scaffold.write_family import write_family, write_package

__all__ = ["write_family", "write_package"]
