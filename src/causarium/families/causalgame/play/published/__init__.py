"""The play of published games."""
