"""The tests; a package, so that they can share what is in `tests.support`."""
