"""Commands that a family brings to the command line, found by name."""

PACKAGES = {
    "data-card": "causarium-data",
    "export": "causarium-data",
    "local-model": "causarium-local",
    "mcp": "causarium-mcp",
    "paper": "causarium-paper",
    "recite": "causarium-recite-lab",
}
"""Commands of packages beside this one, which no score needs."""
