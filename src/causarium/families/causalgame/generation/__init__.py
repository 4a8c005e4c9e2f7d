"""How instances are generated."""
