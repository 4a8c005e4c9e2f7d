"""How a session is played: its words, its replies and its world."""
