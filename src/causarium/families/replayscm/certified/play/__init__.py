"""How a game goes: its words, the reading of replies, and the world that answers."""
