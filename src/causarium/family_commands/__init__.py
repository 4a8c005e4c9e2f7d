"""Commands that a family brings to the command line, found by name."""
