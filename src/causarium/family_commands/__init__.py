"""Commands that a family brings to the command line, found by name."""

PACKAGES = {"local-model": "causarium-local", "recite": "causarium-recite-lab"}
"""Commands of packages beside this one, which no score needs."""
