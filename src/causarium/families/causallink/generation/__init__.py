"""How instances are drawn."""
