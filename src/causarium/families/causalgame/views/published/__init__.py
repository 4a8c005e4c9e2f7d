"""How sessions of published games are shown."""
