"""How sessions are drawn."""
